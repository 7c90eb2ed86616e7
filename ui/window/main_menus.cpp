// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_menus.h"

#include <QActionGroup>
#include <QUndoStack>

#include "ui/commands/action_book.h"
#include "ui/state/key_names.h"
#include "ui/state/run_controller.h"
#include "ui/widgets/icons.h"

namespace palimpsest {
namespace {

QString groupOf(const QMenu* menu) {
    return menu->title().remove('&');
}

}  // namespace

MainMenus::MainMenus(RunController* controller, QWidget* parent)
    : QMenuBar(parent), controller_(controller), book_(new ActionBook(this)) {
    setObjectName("mainMenus");
    setAccessibleName(tr("Menus"));
    // Part of the top bar, on every desktop.
    setNativeMenuBar(false);

    QMenu* file = addMenu(tr("&File"));
    connect(add(file, "openExperiment", tr("&Open experiment …"), QKeySequence::Open), &QAction::triggered, this,
            &MainMenus::openExperimentAsked);
    connect(add(file, "openRun", tr("Open &run folder …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O)),
            &QAction::triggered, this, &MainMenus::openRunAsked);
    connect(add(file, "openImages", tr("Open &image folder …"), QKeySequence(Qt::CTRL | Qt::Key_I)),
            &QAction::triggered, this, &MainMenus::openImagesAsked);
    connect(add(file, "importResults", tr("I&mport results …"), {}), &QAction::triggered, this,
            &MainMenus::importAsked);
    connect(add(file, "datasets", tr("&Data sets …"), QKeySequence(Qt::CTRL | Qt::Key_D)), &QAction::triggered, this,
            &MainMenus::datasetsAsked);
    connect(add(file, "backbone", tr("&Backbone …"), {}), &QAction::triggered, this, &MainMenus::backboneAsked);
    connect(add(file, "saveExperiment", tr("&Save experiment …"), QKeySequence::Save), &QAction::triggered, this,
            &MainMenus::saveAsked);
    connect(add(file, "exportFigure", tr("&Export figure …"), QKeySequence(Qt::CTRL | Qt::Key_E)), &QAction::triggered,
            this, &MainMenus::exportAsked);
    connect(add(file, "exportTable", tr("Export tab&le …"), {}), &QAction::triggered, this,
            &MainMenus::exportTableAsked);
    connect(add(file, "exportStream", tr("Export s&tream …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E)),
            &QAction::triggered, this, &MainMenus::exportStreamAsked);
    file->addSeparator();
    connect(add(file, "quit", tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q)), &QAction::triggered, this,
            &MainMenus::quitAsked);

    QMenu* edit = addMenu(tr("&Edit"));
    QUndoStack* history = controller->draft()->undoStack();
    QAction* undo = history->createUndoAction(this, tr("Undo"));
    undo->setObjectName("undo");
    QAction* redo = history->createRedoAction(this, tr("Redo"));
    redo->setObjectName("redo");
    edit->addActions({undo, redo});
    book_->add(undo, tr("Edit"), {KeyNames::standard("undo")});
    book_->add(redo, tr("Edit"), {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z)});
    edit->addSeparator();
    connect(add(edit, "findAnything", tr("&Find or do anything …"), QKeySequence(Qt::CTRL | Qt::Key_K)),
            &QAction::triggered, this, &MainMenus::paletteAsked);
    connect(add(edit, "shortcuts", tr("&Keyboard shortcuts …"), {}), &QAction::triggered, this,
            &MainMenus::shortcutsAsked);

    QMenu* run = addMenu(tr("&Run"));
    start_ = add(run, "startRun", tr("&Start or resume"), KeyNames::standard("startRun"));
    pause_ = add(run, "pauseRun", tr("&Pause or resume"), KeyNames::standard("pauseRun"));
    step_ = add(run, "stepRun", tr("Learn &one batch"), KeyNames::standard("stepRun"));
    stop_ = add(run, "stopRun", tr("S&top and keep what was learned"), KeyNames::standard("stopRun"));
    // One press, one deed, however long the key is held.
    for (QAction* action : {start_, pause_, step_, stop_}) action->setAutoRepeat(false);
    connect(start_, &QAction::triggered, controller, &RunController::startOrResume);
    connect(pause_, &QAction::triggered, controller, &RunController::pauseOrResume);
    connect(step_, &QAction::triggered, controller, &RunController::step);
    connect(stop_, &QAction::triggered, controller, &RunController::stop);

    addControl(run);
    run->addSeparator();
    add(run, "compareLanes", tr("&Compare side by side"), QKeySequence(Qt::CTRL | Qt::Key_L))->setCheckable(true);
    add(run, "replayRun", tr("&Replay the run in full colour"), QKeySequence(Qt::CTRL | Qt::Key_R));
    add(run, "replayFaster", tr("Replay &faster"), QKeySequence(Qt::CTRL | Qt::Key_Period));
    add(run, "replaySlower", tr("Replay slo&wer"), QKeySequence(Qt::CTRL | Qt::Key_Comma));
    connect(add(run, "initialSession", tr("&Initial session …"), {}), &QAction::triggered, this,
            &MainMenus::adaptationAsked);

    QMenu* views = views_ = addMenu(tr("&View"));
    connect(add(views, "compareStreams", tr("&Compare streams …"), QKeySequence(Qt::CTRL | Qt::Key_M)),
            &QAction::triggered, this, &MainMenus::compareStreamsAsked);
    connect(add(views, "memory", tr("&Memory …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_M)), &QAction::triggered,
            this, &MainMenus::memoryAsked);
    views->addSeparator();
    QMenu* sizes = views->addMenu(icon("text-size"), tr("&Text size"));
    addTextSizes(sizes);
    QMenu* view = views->addMenu(icon("appearance"), tr("&Appearance"));
    auto* group = new QActionGroup(this);
    const QStringList names{tr("As the &system"), tr("&Dark"), tr("&Light"), tr("&Projector")};
    const QStringList objects{"appearanceSystem", "appearanceDark", "appearanceLight", "appearanceProjector"};
    for (int i = 0; i < names.size(); ++i) {
        QAction* action = add(view, objects[i], names[i], {});
        action->setCheckable(true);
        group->addAction(action);
        appearances_.append(action);
        connect(action, &QAction::triggered, this, [this, i] { Q_EMIT appearanceChosen(static_cast<Appearance>(i)); });
    }
    appearances_.constLast()->setToolTip(
        tr("Black on white, with large type and thick lines, for a wall or a bright room"));
    addWholeWindow(views);

    window_ = addMenu(tr("&Window"));
    connect(add(window_, "resetLayout", tr("&Reset layout"), {}), &QAction::triggered, this,
            &MainMenus::layoutResetAsked);

    QMenu* help = addMenu(tr("&Help"));
    connect(add(help, "welcome", tr("&Welcome"), {}), &QAction::triggered, this, &MainMenus::welcomeAsked);
    connect(add(help, "guide", tr("&Guide"), KeyNames::standard("guide")), &QAction::triggered, this,
            &MainMenus::guideAsked);
    connect(add(help, "keyboard", tr("&Keyboard"), {}), &QAction::triggered, this, &MainMenus::keyboardAsked);
    help->addSeparator();
    connect(add(help, "about", tr("&About Palimpsest"), {}), &QAction::triggered, this, &MainMenus::aboutAsked);

    connect(controller, &RunController::stateChanged, this, &MainMenus::refresh);
    refresh();
}

void MainMenus::addControl(QMenu* menu) {
    menu->addSeparator();
    add(menu, "changeRun", tr("C&hange the run"), KeyNames::standard("changeRun"))
        ->setToolTip(tr("What was changed in the experiment goes into the run that is learning"));
    add(menu, "pauseAtSessionEnd", tr("Pause when this session &ends"), {})->setCheckable(true);
    add(menu, "pauseWhenForgotten", tr("Pause when a session is for&gotten …"), {})->setCheckable(true);
    add(menu, "keepCheckpoint", tr("&Keep a checkpoint now"), {});
    menu->addSeparator();
    add(menu, "forkHere", tr("&Fork here …"), KeyNames::standard("forkHere"))
        ->setToolTip(tr("Begin another run with the past of the one in full colour, up to the chosen moment"));
    add(menu, "branches", tr("&Branches …"), {})
        ->setToolTip(tr("Which runs were forked from which, and what came of it"));
}

void MainMenus::addWholeWindow(QMenu* menu) {
    menu->addSeparator();
    full_screen_ = add(menu, "fullScreen", tr("&Full screen"), QKeySequence(Qt::Key_F11));
    full_screen_->setCheckable(true);
    connect(full_screen_, &QAction::triggered, this, &MainMenus::fullScreenAsked);
    side_panels_ = add(menu, "sidePanels", tr("&Side panels"), QKeySequence(Qt::Key_F9));
    side_panels_->setCheckable(true);
    side_panels_->setToolTip(tr("Show or hide the panels at both sides of the curves"));
    connect(side_panels_, &QAction::triggered, this, &MainMenus::sidePanelsAsked);
}

QAction* MainMenus::add(QMenu* menu, const QString& name, const QString& text, const QKeySequence& key) {
    auto* action = menu->addAction(text);
    action->setObjectName(name);
    book_->add(action, groupOf(menu), {key});
    return action;
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
    const auto size = [&](const QString& name, const QString& text, const QKeySequence& key) {
        QAction* action = add(menu, name, text, key);
        action->setCheckable(true);
        group->addAction(action);
        const auto which = static_cast<TextSize>(text_sizes_.size());
        text_sizes_.append(action);
        connect(action, &QAction::triggered, this, [this, which] { Q_EMIT textSizeChosen(which); });
    };
    size("textNormal", tr("&Normal"), QKeySequence(Qt::CTRL | Qt::Key_0));
    size("textLarge", tr("&Large"), {});
    size("textVeryLarge", tr("&Very large"), {});
    setTextSize(TextSize::Normal);
    menu->addSeparator();
    const auto step = [this](qsizetype by) {
        for (qsizetype i = 0; i < text_sizes_.size(); ++i) {
            if (!text_sizes_[i]->isChecked()) continue;
            if (QAction* next = text_sizes_.value(i + by)) next->trigger();
            return;
        }
    };
    auto* larger = menu->addAction(tr("L&arger"));
    larger->setObjectName("textLarger");
    // On many keyboards plus is typed with Shift on the key of the equals sign.
    book_->add(larger, groupOf(menu), {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    connect(larger, &QAction::triggered, this, [step] { step(1); });
    connect(add(menu, "textSmaller", tr("&Smaller"), QKeySequence(Qt::CTRL | Qt::Key_Minus)), &QAction::triggered, this,
            [step] { step(-1); });
}

void MainMenus::refresh() {
    // Within reach while a run is learning, too: it then says why nothing starts.
    start_->setEnabled(controller_->canStart() || controller_->canStop());
    pause_->setEnabled(controller_->canPause() || controller_->canResume());
    step_->setEnabled(controller_->canStep());
    stop_->setEnabled(controller_->canStop());
}

void MainMenus::setAppearance(Appearance appearance) {
    appearances_[static_cast<int>(appearance)]->setChecked(true);
}

void MainMenus::setTextSize(TextSize size) {
    text_sizes_[static_cast<int>(size)]->setChecked(true);
}

void MainMenus::setFullScreen(bool on) {
    full_screen_->setChecked(on);
}

void MainMenus::setSidePanels(bool shown) {
    side_panels_->setChecked(shown);
}

QString MainMenus::keyboardPage() const {
    QString page =
        tr("# Keyboard\n\nThese keys work anywhere in the window. In a plot, Shift+Left and Shift+Right move the "
           "readout, Plus and Minus zoom, Home shows all. In the list of runs, Return shows a run in full colour and "
           "Shift+Return shows it beside the others, or hides it; Delete moves it to the trash, F2 writes a note. "
           "**Edit > "
           "Keyboard shortcuts** gives the commands below other keys.\n\n| Key | What it does |\n|---|---|\n");
    for (const ActionBook::Entry& entry : book_->entries())
        if (const QString keys = ActionBook::keysText(entry.action); !keys.isEmpty())
            page += QString("| **%1** | %2: %3 |\n").arg(keys, entry.group, entry.title);
    return page;
}

}  // namespace palimpsest
