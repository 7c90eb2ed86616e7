// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHeaderView>

namespace palimpsest {

/// The titles of a table whose first columns stay in view while the others scroll below them. They are sorted by,
/// resized and explained there as anywhere else.
class PinnedHeader : public QHeaderView {
    Q_OBJECT
public:
    explicit PinnedHeader(int pinned, QWidget* parent = nullptr);

    bool isPinned(int column) const { return column >= 0 && column < pinned_; }
    /// Of the columns that stay, hidden ones apart.
    int pinnedWidth() const;
    /// How much of the view they cover where they are not at their own place: 0 while nothing is scrolled, and where
    /// they would leave the others hardly any room.
    int cover() const;

protected:
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    /// On a title that stays, or on the grip at the end of the last of them.
    bool covers(double x) const;
    /// The column that a drag from here resizes; -1: none.
    int gripAt(int x) const;

    int pinned_;
    int resized_ = -1;   ///< the column that is being resized
    int reach_ = 0;      ///< from its width to the mouse
    bool held_ = false;  ///< the mouse was pressed on a title that stays
};

}  // namespace palimpsest
