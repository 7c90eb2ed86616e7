// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;
class QToolButton;

namespace palimpsest {

/// What a panel is dragged by: a quiet grip in the gap above it, since the panel has a heading of its own; over another
/// panel's place or on the desktop a line with its name. Its buttons appear under the mouse; the Window menu does the
/// same from the keyboard.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    static constexpr int kHeight = 14;  ///< of the grip, in any text size
    explicit DockTitle(QDockWidget* dock);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void hideAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    void refresh();

    QDockWidget* dock_;
    QLabel* name_;
    QToolButton* float_;
    QToolButton* hide_;
};

}  // namespace palimpsest
