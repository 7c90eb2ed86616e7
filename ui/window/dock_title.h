// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QFrame;
class QLabel;
class QToolButton;

namespace palimpsest {

/// The grip by which a panel is dragged, quiet in the gap above it, since the panel has a heading of its own; on the
/// desktop a line with its name. Its buttons appear beside the grip while the mouse is there, over the panel's upper
/// edge, so that the gap need not hold them; the Window menu does the same from the keyboard.
class DockTitle : public QWidget {
    Q_OBJECT
public:
    static constexpr int kHeight = 8;  ///< of the grip, in any text size; with the handle above it a gap between panels
    explicit DockTitle(QDockWidget* dock);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void hideAsked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void refresh();
    void placeButtons();
    bool underPointer() const;

    QDockWidget* dock_;
    QLabel* name_;
    QFrame* buttons_;
    QToolButton* float_;
    QToolButton* hide_;
};

}  // namespace palimpsest
