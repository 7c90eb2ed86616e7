// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMainWindow>
#include <QTimer>
#include <QWidget>
#include <functional>
#include <vector>

class QAction;
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
    void enterEvent(QEnterEvent*) override { refresh(); }
    void leaveEvent(QEvent*) override { refresh(); }
    void resizeEvent(QResizeEvent*) override { placeButtons(); }
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

/// The centre of the window and the panels around it, which the user can move, stack, detach and put away. The whole
/// arrangement can be kept and brought back.
class WindowDocks : public QMainWindow {
    Q_OBJECT
public:
    /// A kept arrangement of another version is not used.
    static constexpr int kVersion = 1;
    static constexpr int kGap = 4;  ///< beside each panel; with the handle between two of them it makes spacing::kGap

    explicit WindowDocks(QWidget* centre, QWidget* parent = nullptr);

    /// Places a panel where it stands at first. `name`: of its dock, for good: "experimentDock". `size`: its extent
    /// towards the centre in the present text size; under large text asked again whenever the room changes, until the
    /// user sizes or moves a panel. `shown`: object name of the action that shows or hides it.
    QDockWidget* addPanel(QWidget* panel, const QString& name, const QString& title, Qt::DockWidgetArea area,
                          std::function<int()> size, const QString& shown);
    /// Panel at the right of all others there, and away until the user asks for it. Where the window is too narrow for
    /// one more column, it shares the place of the one there.
    QDockWidget* addAwayPanel(QWidget* panel, const QString& name, const QString& title, std::function<int()> size,
                              const QString& shown);
    /// Shows or hides a panel each, in the order in which they were added.
    QList<QAction*> shownActions() const;
    QDockWidget* dockOf(const QWidget* panel) const;
    /// True: a panel stands at the left or the right of the centre.
    bool sidesShown() const;
    /// Puts all panels beside the centre away, or brings back those that were put away together; where they were
    /// put away one by one, all of them.
    void setSidesShown(bool shown);

    /// Everything as it stands at first.
    void reset();
    QByteArray save() const { return saveState(kVersion); }
    /// False, and nothing changes, when it is of another version or damaged. Panels that were detached onto a screen
    /// that is gone come back into the window.
    bool restore(const QByteArray& arrangement);

Q_SIGNALS:
    /// The user changed the arrangement; "hiding of Runs". `continues`: goes on with the change before.
    void arranged(const QString& what, bool continues);
    /// The panels have other sizes, by themselves or while the user drags a border.
    void settled();
    void sidesChanged(bool shown);

protected:
    bool event(QEvent* event) override;

private:
    struct Part {
        QDockWidget* dock;
        Qt::DockWidgetArea area;
        std::function<int()> size;
        int given = 0;      ///< of it, at last
        bool away = false;  ///< at first
    };
    void resizeParts();
    void shareAgain();
    void placeBeside(Part& part);
    QList<QSize> sizes() const;
    void bringBack();

    bool isSide(const QDockWidget* dock) const;

    std::vector<Part> parts_;
    QList<QDockWidget*> put_away_;  ///< together, from the sides
    QList<QDockWidget*> sized_;     ///< away at first, and since then given their size
    QTimer resizing_{this};         ///< once everything has its new least size
    bool applying_ = false;         ///< the program itself changes the arrangement
    bool dragging_ = false;         ///< of a border
    QList<QSize> pressed_sizes_;    ///< of the panels, when that began
    bool arranged_ = false;         ///< by the user: sizes stay as they are until everything has new ones
};

}  // namespace palimpsest
