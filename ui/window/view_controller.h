// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/state/curve_options.h"
#include "ui/state/undo_steps.h"
#include "ui/style/theme.h"

class QWidget;

namespace palimpsest {

class MainMenus;
class WindowDocks;
struct WindowState;

/// How the window looks: appearance, text size, panels, the whole screen, how curves are drawn, and which figures show
/// their table. Each change by the user can be undone.
class ViewController : public QObject {
    Q_OBJECT
public:
    /// `window`: its figures are looked after as well.
    ViewController(WindowState& state, MainMenus* menus, WindowDocks* docks, QWidget* window);

    /// Not a step: as chosen before the program started.
    void setAppearance(Appearance appearance);
    void setTextSize(TextSize size);
    Appearance appearance() const { return appearance_; }
    TextSize textSize() const { return text_size_; }
    ViewHistory* history() { return &history_; }
    bool eventFilter(QObject* watched, QEvent* event) override;

Q_SIGNALS:
    void appearanceChosen(palimpsest::Appearance appearance);
    void textSizeChosen(palimpsest::TextSize size);

private:
    ViewState currentState() const;
    void show(const ViewState& state);

    CurveOptions& drawing_;
    MainMenus* menus_;
    WindowDocks* docks_;
    QWidget* window_;
    Appearance appearance_ = Appearance::System;
    TextSize text_size_ = TextSize::Normal;
    ViewHistory history_;
};

}  // namespace palimpsest
