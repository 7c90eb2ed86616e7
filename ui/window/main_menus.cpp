// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_menus.h"

#include <QAbstractSpinBox>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QLineEdit>
#include <QUndoStack>

#include "ui/commands/action_book.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

QString groupOf(const QMenu* menu) {
    return menu->title().remove('&');
}

}  // namespace

void takeOverTyped() {
    QWidget* const typed = QApplication::focusWidget();
    if (!qobject_cast<QLineEdit*>(typed) && !qobject_cast<QAbstractSpinBox*>(typed)) return;
    typed->clearFocus();
    typed->setFocus();
}

MainMenus::MainMenus(RunController* controller, QWidget* parent)
    : QMenuBar(parent), controller_(controller), book_(new ActionBook(this)) {
    setObjectName("mainMenus");
    setAccessibleName(tr("Menus"));
    // Part of the top bar, on every desktop.
    setNativeMenuBar(false);

    QMenu* file = addMenu(tr("&File"));
    addAll(file,
           {Command::OpenExperiment, Command::OpenRun, Command::OpenSweep, Command::OpenImages, Command::ImportResults,
            Command::DrawClass, Command::Datasets, Command::Backbone, Command::SaveExperiment, Command::ExportFigure,
            Command::ExportAnimation, Command::ExportReplay, Command::ExportTable, Command::ExportTensorBoard,
            Command::ExportMlflow, Command::ExportStream, Command::ExportGuesses});
    file->addSeparator();
    add(file, Command::Quit);
    addEdit();
    addRun();
    addView();
    window_ = addMenu(tr("&Window"));
    add(window_, Command::ResetLayout);
    QMenu* help = addMenu(tr("&Help"));
    addAll(help, {Command::Welcome, Command::WatchDemo, Command::Lessons, Command::Guide, Command::Keyboard});
    help->addSeparator();
    addAll(help, {Command::Compute, Command::About});

    connect(controller, &RunController::stateChanged, this, &MainMenus::refresh);
    refresh();
}

void MainMenus::addEdit() {
    QMenu* edit = addMenu(tr("&Edit"));
    QUndoStack* history = controller_->draft()->undoStack();
    QAction* undo = history->createUndoAction(this, tr("Undo"));
    QAction* redo = history->createRedoAction(this, tr("Redo"));
    edit->addActions({undo, redo});
    book_->add(Command::Undo, undo, groupOf(edit));
    book_->add(Command::Redo, redo, groupOf(edit));
    edit->addSeparator();
    addAll(edit, {Command::FindAnything, Command::Shortcuts});
}

void MainMenus::addRun() {
    QMenu* run = addMenu(tr("&Run"));
    const auto verb = [&](Command command, void (RunController::*act)()) {
        QAction* action = add(run, command);
        // What is typed in a field is part of what starts.
        if (command == Command::StartRun) connect(action, &QAction::triggered, this, &takeOverTyped);
        // One press counts once, however long the key is held.
        action->setAutoRepeat(false);
        connect(action, &QAction::triggered, controller_, act);
    };
    verb(Command::StartRun, &RunController::startOrResume);
    verb(Command::PauseRun, &RunController::pauseOrResume);
    verb(Command::StepRun, &RunController::step);
    verb(Command::StopRun, &RunController::stopOrStopNow);
    add(run, Command::RunThere);
    run->addSeparator();
    addAll(run, {Command::AddToQueue, Command::NewSweep});
    for (const Command command : {Command::RunThere, Command::AddToQueue, Command::NewSweep})
        connect(action(command), &QAction::triggered, this, &takeOverTyped);
    run->addSeparator();
    addAll(run, {Command::ChangeRun, Command::PauseAtSessionEnd, Command::PauseWhenForgotten, Command::KeepCheckpoint});
    run->addSeparator();
    addAll(run, {Command::ForkHere, Command::Branches, Command::Trust});
    run->addSeparator();
    addAll(run, {Command::GuessFirst, Command::CompareLanes, Command::ReplayRun, Command::ReplayFaster,
                 Command::ReplaySlower, Command::InitialSession});
}

void MainMenus::addView() {
    views_ = addMenu(tr("&View"));
    addAll(views_, {Command::NextFigure, Command::PreviousFigure});
    views_->addSeparator();
    addAll(views_,
           {Command::CompareStreams, Command::Memory, Command::ForgottenImages, Command::MaskLens, Command::Attention});
    views_->addSeparator();
    addTextSizes(views_->addMenu(icon("text-size"), tr("&Text size")));
    addAppearances(views_->addMenu(icon("appearance"), tr("&Appearance")));
    views_->addSeparator();
    addAll(views_, {Command::Stage, Command::Talk, Command::AddToTalk, Command::CloseTalk});
    views_->addSeparator();
    addAll(views_, {Command::FullScreen, Command::SidePanels});
}

void MainMenus::addAppearances(QMenu* menu) {
    auto* group = new QActionGroup(this);
    for (const Command command :
         {Command::AppearanceSystem, Command::AppearanceDark, Command::AppearanceLight, Command::AppearanceProjector}) {
        QAction* action = group->addAction(add(menu, command));
        const auto which = static_cast<Appearance>(appearances_.size());
        appearances_.append(action);
        connect(action, &QAction::triggered, this, [this, which] { Q_EMIT appearanceChosen(which); });
    }
}

QAction* MainMenus::add(QMenu* menu, Command command) {
    QAction* action = book_->make(command, groupOf(menu), menu);
    menu->addAction(action);
    return action;
}

void MainMenus::addAll(QMenu* menu, std::initializer_list<Command> commands) {
    for (const Command command : commands) add(menu, command);
}

QAction* MainMenus::action(Command command) const {
    return book_->action(command);
}

void MainMenus::addToView(QMenu* menu) {
    views_->insertMenu(views_->actions().constFirst(), menu);
    addToBook(menu);
}

void MainMenus::addToBook(QMenu* menu) {
    for (QAction* action : menu->actions())
        if (action->menu())
            addToBook(action->menu());
        else if (!action->isSeparator())
            book_->add(action, groupOf(menu), action->shortcuts());
}

void MainMenus::addPanels(const QList<QAction*>& shown) {
    QAction* before = window_->actions().value(0);
    window_->insertActions(before, shown);
    window_->insertSeparator(before);
    for (QAction* action : shown) book_->add(action, groupOf(window_), {});
}

void MainMenus::addTextSizes(QMenu* menu) {
    auto* group = new QActionGroup(this);
    for (const Command command : {Command::TextNormal, Command::TextLarge, Command::TextVeryLarge}) {
        QAction* action = group->addAction(add(menu, command));
        const auto which = static_cast<TextSize>(text_sizes_.size());
        text_sizes_.append(action);
        connect(action, &QAction::triggered, this, [this, which] { Q_EMIT textSizeChosen(which); });
    }
    setTextSize(TextSize::Normal);
    menu->addSeparator();
    const auto step = [this](qsizetype by) {
        for (qsizetype i = 0; i < text_sizes_.size(); ++i) {
            if (!text_sizes_[i]->isChecked()) continue;
            if (QAction* next = text_sizes_.value(i + by)) next->trigger();
            return;
        }
    };
    connect(add(menu, Command::TextLarger), &QAction::triggered, this, [step] { step(1); });
    connect(add(menu, Command::TextSmaller), &QAction::triggered, this, [step] { step(-1); });
}

void MainMenus::refresh() {
    // Within reach while a run is learning, too: it then says why nothing starts.
    action(Command::StartRun)->setEnabled(controller_->canStart() || controller_->canStop());
    action(Command::PauseRun)->setEnabled(controller_->canPause() || controller_->canResume());
    action(Command::StepRun)->setEnabled(controller_->canStep());
    QAction* stop = action(Command::StopRun);
    if (stop_text_.isEmpty()) stop_text_ = stop->text();
    stop->setText(controller_->canStopNow() ? tr("End the learner a&t once") : stop_text_);
    stop->setEnabled(controller_->canStop() || controller_->canStopNow());
}

void MainMenus::setAppearance(Appearance appearance) {
    appearances_[static_cast<int>(appearance)]->setChecked(true);
}

void MainMenus::setTextSize(TextSize size) {
    text_sizes_[static_cast<int>(size)]->setChecked(true);
}

void MainMenus::setFullScreen(bool on) {
    action(Command::FullScreen)->setChecked(on);
}

void MainMenus::setSidePanels(bool shown) {
    action(Command::SidePanels)->setChecked(shown);
}

QString MainMenus::keyboardPage() const {
    QString page =
        tr("# Keyboard\n\nThese keys work anywhere in the window. In a plot, Shift+Left and Shift+Right move the "
           "readout, Plus and Minus zoom, Home shows all. In the list of runs, Return selects a run and "
           "Shift+Return shows it beside the others, or hides it; Delete moves it to the trash, F2 writes a note. "
           "**Edit > "
           "Keyboard shortcuts** gives the commands below other keys.\n\n| Key | What it does |\n|---|---|\n");
    for (const ActionBook::Entry& entry : book_->entries())
        if (const QString keys = ActionBook::keysText(entry.action); !keys.isEmpty())
            page += QString("| **%1** | %2: %3 |\n").arg(keys, entry.group, entry.title);
    return page;
}

}  // namespace palimpsest
