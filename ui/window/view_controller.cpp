// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_controller.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QTimer>

#include "ui/plots/figure_pages.h"
#include "ui/state/window_state.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_menus.h"
#include "ui/window/window_docks.h"

namespace palimpsest {

ViewController::ViewController(WindowState& state, MainMenus* menus, WindowDocks* docks, QWidget* window)
    : drawing_(state.figures.options),
      menus_(menus),
      docks_(docks),
      window_(window),
      history_(
          state.controller.draft()->undoStack(), [this] { return currentState(); },
          [this](const ViewState& view) { show(view); }) {
    connect(docks_, &WindowDocks::arranged, &history_, &ViewHistory::record);
    connect(docks_, &WindowDocks::settled, &history_, &ViewHistory::settle);
    connect(menus_->action(Command::ResetLayout), &QAction::triggered, this, [this] {
        docks_->reset();
        history_.record(tr("reset of the layout"));
    });
    connect(menus_, &MainMenus::appearanceChosen, this, [this](Appearance appearance) {
        setAppearance(appearance);
        history_.record(tr("change of appearance"));
        Q_EMIT appearanceChosen(appearance);
    });
    connect(menus_, &MainMenus::textSizeChosen, this, [this](TextSize size) {
        setTextSize(size);
        history_.record(tr("change of text size"));
        Q_EMIT textSizeChosen(size);
    });
    connect(menus_->action(Command::SidePanels), &QAction::triggered, docks_, &WindowDocks::setSidesShown);
    connect(docks_, &WindowDocks::sidesChanged, menus_, &MainMenus::setSidePanels);
    menus_->setSidePanels(docks_->sidesShown());
    connect(menus_->action(Command::FullScreen), &QAction::triggered, window_,
            [this](bool on) { window_->setWindowState(window_->windowState().setFlag(Qt::WindowFullScreen, on)); });
    window_->installEventFilter(this);
    connect(&drawing_, &CurveOptions::changed, this, [this] {
        // Before the window is seen, what was chosen earlier is brought back.
        if (window_->isVisible())
            history_.record(tr("change of the drawing of curves"));
        else
            history_.settle();
    });
    for (FigurePages* figure : window_->findChildren<FigurePages*>())
        connect(figure, &FigurePages::tableChosen, this,
                [this, figure] { history_.record(tr("change of %1").arg(figure->title())); });
}

bool ViewController::eventFilter(QObject* watched, QEvent* event) {
    // The desktop may do it, too.
    if (event->type() == QEvent::WindowStateChange) menus_->setFullScreen(window_->isFullScreen());
    return QObject::eventFilter(watched, event);
}

void ViewController::setAppearance(Appearance appearance) {
    appearance_ = appearance;
    menus_->setAppearance(appearance);
    applyAppearance(*qApp, appearance);
    history_.settle();
}

void ViewController::setTextSize(TextSize size) {
    text_size_ = size;
    menus_->setTextSize(size);
    applyTextSize(*qApp, size);
    history_.settle();
}

ViewState ViewController::currentState() const {
    ViewState state{docks_->save(), appearance_, text_size_, {}, drawing_.state()};
    for (const FigurePages* figure : window_->findChildren<FigurePages*>())
        if (figure->tableShown()) state.tables.append(figure->objectName());
    return state;
}

void ViewController::show(const ViewState& state) {
    if (state.appearance != appearance_) {
        setAppearance(state.appearance);
        Q_EMIT appearanceChosen(state.appearance);
    }
    const bool sized = state.text_size != text_size_;
    if (sized) {
        setTextSize(state.text_size);
        Q_EMIT textSizeChosen(state.text_size);
    }
    for (FigurePages* figure : window_->findChildren<FigurePages*>())
        figure->setTableShown(state.tables.contains(figure->objectName()));
    drawing_.restore(state.drawing);
    docks_->restore(state.arrangement);
    // Once more when all panels have their other least size.
    if (sized) QTimer::singleShot(0, docks_, [this, kept = state.arrangement] { docks_->restore(kept); });
}

}  // namespace palimpsest
