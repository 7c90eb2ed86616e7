// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QStackedWidget>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>

#include "engine/library/foreign_curve.h"
#include "ui/accuracy_plot.h"
#include "ui/action_book.h"
#include "ui/adaptation_controller.h"
#include "ui/adaptation_desk.h"
#include "ui/adaptation_figure.h"
#include "ui/adaptation_log.h"
#include "ui/adaptation_note.h"
#include "ui/backbone_desk.h"
#include "ui/command_palette.h"
#include "ui/curve_store.h"
#include "ui/curves_view.h"
#include "ui/dataset_desk.h"
#include "ui/experiment_panel.h"
#include "ui/fetch_note.h"
#include "ui/file_desk.h"
#include "ui/file_worker.h"
#include "ui/help_desk.h"
#include "ui/kept_experiment.h"
#include "ui/key_guard.h"
#include "ui/left_out_note.h"
#include "ui/main_menus.h"
#include "ui/memory_desk.h"
#include "ui/memory_strip.h"
#include "ui/message_bar.h"
#include "ui/now_panel.h"
#include "ui/option_finder.h"
#include "ui/publish_desk.h"
#include "ui/quit_desk.h"
#include "ui/retention_plot.h"
#include "ui/run_actions.h"
#include "ui/run_controller.h"
#include "ui/run_library.h"
#include "ui/runs_panel.h"
#include "ui/shortcuts_dialog.h"
#include "ui/stream_desk.h"
#include "ui/text_style.h"
#include "ui/top_bar.h"
#include "ui/view_desk.h"
#include "ui/welcome_page.h"
#include "ui/window_commands.h"
#include "ui/window_docks.h"
#include "ui/workspace.h"

namespace palimpsest {
namespace {

constexpr int kGap = 12;
constexpr int kLeftWidth = 284;
constexpr int kRightWidth = 264;
constexpr int kRightTitle = 200;  // room for the longest heading on the right
constexpr int kRunsHeight = 168;
constexpr QSize kUsualSize(1280, 800);
constexpr double kFirstShare = 0.8;  // of the screen
constexpr const char* kDemo = "default";

/// Where learned prompts are kept: beside the runs.
QString promptsBeside(const std::filesystem::path& runs) {
    return QString::fromStdString((std::filesystem::absolute(runs) / ".." / "prompts").lexically_normal().string());
}

}  // namespace

MainWindow::MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent)
    : QMainWindow(parent),
      laboratory_(std::move(laboratory)),
      table_(std::make_unique<const OptionTable>(laboratory_.catalogue)),
      store_(new CurveStore(this)),
      library_(new RunLibrary(table_.get(), runs, this)),
      controller_(new RunController(table_.get(), laboratory_.run, this)),
      files_(new FileWorker(table_.get(), this)),
      kept_(new KeptExperiment(controller_->draft(), this)),
      menus_(new MainMenus(controller_)),
      help_(new HelpDesk(laboratory_, files_, menus_, this)),
      messages_(new MessageBar),
      asks_(new FileDesk(files_, controller_->draft(), kept_, messages_, this)),
      experiment_(new ExperimentPanel(controller_, laboratory_.labels)),
      datasets_(new DatasetDesk(laboratory_, controller_, experiment_, messages_, this)),
      backbones_(new BackboneDesk(laboratory_.backbones, controller_->draft(), experiment_->form(), this)),
      adaptation_(new AdaptationDesk(laboratory_.adapt, controller_, experiment_->form(), messages_,
                                     promptsBeside(runs), this)),
      accuracy_(new AccuracyPlot(store_, this)),
      retention_(new RetentionPlot(store_, this)),
      now_(new NowPanel(this)),
      runs_(new RunsPanel(store_, library_, this)),
      streams_(new StreamDesk(laboratory_.labels, experiment_, library_, files_, messages_, this)),
      memory_(new MemoryDesk(laboratory_.datasets, controller_, store_, library_, this)),
      publish_(new PublishDesk(table_.get(), store_, files_, this)),
      curves_(new CurvesView(store_, controller_->bridge(), laboratory_.datasets, accuracy_, retention_)),
      welcome_(new WelcomePage),
      centre_(new QStackedWidget),
      docks_(new WindowDocks(centre_)) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setMinimumSize(1024, 680);
    resize(kUsualSize);
    store_->setCatalogue(laboratory_.catalogue);
    qApp->installEventFilter(new KeyGuard(this));
    place();
    view_ = new ViewDesk(menus_, docks_, curves_->options(), controller_->draft()->undoStack(), this);
    connect(view_, &ViewDesk::appearanceChosen, this, &MainWindow::appearanceChosen);
    connect(view_, &ViewDesk::textSizeChosen, this, &MainWindow::textSizeChosen);
    connectRun();
    connectFiles();
    connectDatasets();
    connectAdaptation();
    // After those that take up what has ended.
    quit_ = new QuitDesk(controller_, adaptation_, datasets_, this);
    connectMenus();
    connectWelcome();
    refreshTitle();
    files_->findPresets();
    library_->refresh();
}

MainWindow::~MainWindow() {
    delete workspace_;  // remembers what all others know
    docks_->disconnect();
    disconnect(store_, nullptr, this, nullptr);
    disconnect(controller_->bridge(), nullptr, this, nullptr);
    // The table outlives everything that reads it.
    delete streams_;
    delete memory_;
    delete publish_;
    delete takeCentralWidget();
    delete datasets_;
    delete adaptation_;
    delete backbones_;
    delete controller_;
    delete files_;
    delete library_;
}

void MainWindow::place() {
    accuracy_->setObjectName("anytimePlot");
    retention_->setObjectName("retentionPlot");
    now_->setObjectName("nowPanel");
    runs_->setObjectName("runsPanel");
    centre_->setObjectName("centreStack");
    centre_->addWidget(curves_);
    centre_->addWidget(welcome_);
    placePanels();

    auto* centre = new QWidget;
    centre->setObjectName("centralArea");
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new TopBar(controller_, menus_);
    bar->addNote(datasets_->note());
    bar->addNote(adaptation_->note());
    connect(menus_->book(), &ActionBook::keysChanged, bar, &TopBar::refreshKeys);
    column->addWidget(bar);
    // The panels keep their own gaps, so that they line up wherever they stand.
    auto* told = new QVBoxLayout;
    told->setContentsMargins(kGap, kGap, kGap, 0);
    told->addWidget(messages_);
    column->addLayout(told);
    auto* content = new QVBoxLayout;
    content->setContentsMargins(kGap - WindowDocks::kGap, 0, kGap - WindowDocks::kGap, kGap);
    content->addWidget(docks_, 1);
    column->addLayout(content, 1);
    setCentralWidget(centre);
    // Nothing is under the keyboard until a person says so; a click beside the controls takes the focus away again.
    centre->setFocusPolicy(Qt::ClickFocus);
    centre->setFocus();
}

void MainWindow::placePanels() {
    fitToText(docks_, [this] {
        experiment_->setMinimumWidth(scaled(kLeftWidth));
        now_->setMinimumWidth(std::max(kRightWidth, scaled(kRightTitle)));
    });
    docks_->addPanel(experiment_, "experimentDock", tr("Experiment"), Qt::LeftDockWidgetArea,
                     [] { return scaled(kLeftWidth) + 2 * WindowDocks::kGap; }, "showExperiment");
    docks_->addPanel(now_, "nowDock", tr("Now"), Qt::RightDockWidgetArea,
                     [] { return std::max(kRightWidth, scaled(kRightTitle)) + 2 * WindowDocks::kGap; }, "showNow");
    // Large text leaves the room to the curves: a row less of runs.
    docks_->addPanel(runs_, "runsDock", tr("Runs"), Qt::BottomDockWidgetArea,
                     [] { return (kRunsHeight + scaled(kRunsHeight)) / 2; }, "showRuns");
    docks_->reset();
    menus_->addPanels(docks_->shownActions());
}

void MainWindow::connectRun() {
    RunBridge* bridge = controller_->bridge();
    connect(bridge, &RunBridge::started, store_, &CurveStore::onStarted);
    connect(bridge, &RunBridge::evaluated, store_, &CurveStore::onEvaluated);
    connect(bridge, &RunBridge::sessionEnded, store_, &CurveStore::onSessionEnded);
    connect(bridge, &RunBridge::ended, store_, &CurveStore::onEnded);
    connect(bridge, &RunBridge::started, now_, &NowPanel::setRun);
    connect(bridge, &RunBridge::batchLearned, now_, &NowPanel::setBatch);
    connect(bridge, &RunBridge::updatesDone, now_, &NowPanel::addUpdates);
    connect(bridge, &RunBridge::memoryHeld, now_, &NowPanel::setMemory);
    connect(now_->memory(), &MemoryStrip::clicked, memory_, &MemoryDesk::showDialog);
    const auto touch = [this](const std::string& folder) {
        if (!folder.empty()) library_->touch(QString::fromStdString(folder));
    };
    connect(bridge, &RunBridge::started, this, [touch](const RunStarted& event) { touch(event.folder); });
    connect(bridge, &RunBridge::ended, this, [touch](const RunEnded& event) { touch(event.folder); });
    new LeftOutNote(bridge, messages_, this);
    connect(controller_, &RunController::noted, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Note, message, hint);
    });
    connect(controller_, &RunController::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint);
        datasets_->findRemedy(message);
    });
    connect(controller_, &RunController::stateChanged, store_,
            [this] { store_->setPaused(controller_->state() == RunState::Paused); });
    connect(kept_, &KeptExperiment::changed, this, &MainWindow::refreshTitle);
}

void MainWindow::connectFiles() {
    connect(files_, &FileWorker::presetsFound, experiment_, &ExperimentPanel::setPresets);
    connect(experiment_, &ExperimentPanel::presetChosen, this, &MainWindow::open);
    connect(runs_, &RunsPanel::openRequested, this, &MainWindow::open);
    connect(runs_, &RunsPanel::messageRequested, this, [this](const QString& text, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, text, hint);
    });
    connect(runs_, &RunsPanel::noteRequested, this, [this](const QString& text, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Note, text, hint);
    });
    connect(runs_, &RunsPanel::doneRequested, this,
            [this](const QString& text, const QString& hint, const std::function<void()>& undo) {
                if (undo)
                    messages_->showMessage(MessageBar::Kind::Done, text, hint, {tr("Undo"), undo});
                else
                    messages_->showPassing(QStringLiteral("runs"), text, hint);
            });
    for (QWidget* plot : {static_cast<QWidget*>(accuracy_), static_cast<QWidget*>(retention_)})
        runs_->acceptRunsOn(plot);
    connect(files_, &FileWorker::experimentRead, this, [this](const Experiment& experiment, const QString& file) {
        ExperimentDraft* draft = controller_->draft();
        // With nothing done yet there is nothing to go back to.
        if (draft->undoStack()->count() == 0 && !going_on_)
            draft->restart(experiment);
        else
            draft->replace(experiment, tr("opening of %1").arg(QString::fromStdString(experiment.name)));
        kept_->keep(file, experiment);
        if (!file.isEmpty()) {
            noteRecent(QString::fromStdString(experiment.name), file);
            showFigures();
        }
        Q_EMIT opened(true);
    });
    connect(files_, &FileWorker::runRead, this, [this](const std::shared_ptr<const RunRecord>& run) {
        showRun(run);
        Q_EMIT opened(true);
    });
    connect(files_, &FileWorker::failed, this, [this](const QString& message, const QString& hint) {
        messages_->showMessage(MessageBar::Kind::Error, message, hint);
    });
    connect(files_, &FileWorker::openFailed, this, [this] { Q_EMIT opened(false); });
}

void MainWindow::connectDatasets() {
    connect(files_, &FileWorker::imagesFound, datasets_, &DatasetDesk::takeImages);
    connect(datasets_, &DatasetDesk::imagesTaken, this, &MainWindow::opened);
    connect(menus_, &MainMenus::openImagesAsked, datasets_, &DatasetDesk::askForImages);
    connect(menus_, &MainMenus::datasetsAsked, datasets_, [this] { datasets_->showDialog(); });
}

void MainWindow::connectAdaptation() {
    connect(menus_, &MainMenus::backboneAsked, backbones_, &BackboneDesk::showDialog);
    connect(menus_, &MainMenus::adaptationAsked, adaptation_, &AdaptationDesk::showDialog);
    menus_->findChild<QAction*>("backbone")->setEnabled(backbones_->available());
    menus_->findChild<QAction*>("initialSession")->setEnabled(adaptation_->available());
    connect(adaptation_, &AdaptationDesk::exportAsked, this, [this](const AdaptationLog* log) {
        publish_->publish(
            [reports = log->reports(), other = log->hasOther()] { return adaptationPublication(reports, other); },
            asks_->saveFolder());
    });
}

void MainWindow::connectMenus() {
    connect(asks_, &FileDesk::openAsked, this, &MainWindow::open);
    connect(asks_, &FileDesk::saveFolderChanged, this, &MainWindow::saveFolderChanged);
    connect(asks_, &FileDesk::saved, this, &MainWindow::noteRecent);
    connect(menus_, &MainMenus::openExperimentAsked, asks_, &FileDesk::askForExperiment);
    connect(menus_, &MainMenus::openRunAsked, this, &MainWindow::askForRun);
    connect(menus_, &MainMenus::importAsked, runs_->actions(), &RunActions::askForImport);
    connect(menus_, &MainMenus::saveAsked, asks_, &FileDesk::askWhereToSave);
    connect(menus_, &MainMenus::exportAsked, this, [this] {
        if (auto source = curves_->source())
            publish_->publish(std::move(source), asks_->saveFolder());
        else
            publish_->publishRuns(curves_->publishedAs(), asks_->saveFolder());
    });
    connect(menus_, &MainMenus::exportTableAsked, this,
            [this] { publish_->publishRuns("metrics", asks_->saveFolder()); });
    connect(menus_, &MainMenus::exportStreamAsked, streams_, [this] { streams_->askWhereToExport(asks_->saveFolder()); });
    connect(menus_, &MainMenus::compareStreamsAsked, streams_, &StreamDesk::compare);
    connect(menus_, &MainMenus::memoryAsked, memory_, &MemoryDesk::showDialog);
    connect(datasets_, &DatasetDesk::forgotten, memory_, &MemoryDesk::forgetPictures);
    menus_->addToView(curves_->menu());
    connect(menus_, &MainMenus::quitAsked, this, &QWidget::close);
    connect(menus_, &MainMenus::guideAsked, help_, [this] { help_->showPage(); });
    connect(menus_, &MainMenus::keyboardAsked, help_, [this] { help_->showPage("keyboard"); });
    connect(menus_, &MainMenus::aboutAsked, help_, [this] { help_->showPage("about"); });
    auto* finder = new OptionFinder(experiment_, adaptation_, controller_->draft(), this);
    connect(finder, &OptionFinder::panelNeeded, this, [this] {
        QAction* shown = menus_->book()->action("showExperiment");
        if (!shown->isChecked()) shown->trigger();
    });
    commands_ = new WindowCommands(menus_->book(), help_, finder, table_.get(), this);
    connect(commands_, &WindowCommands::openAsked, this, &MainWindow::open);
    connect(files_, &FileWorker::presetsFound, commands_, &WindowCommands::setPresets);
    palette_ = new CommandPalette([this] { return commands_->all(); }, this);
    connect(menus_, &MainMenus::paletteAsked, palette_, &CommandPalette::open);
    connect(palette_, &CommandPalette::refused, this, [this](const QString& title, const QString& reason) {
        messages_->showLatest(MessageBar::Kind::Note, "palette", tr("“%1” cannot be done now.").arg(title), reason);
    });
    connect(menus_, &MainMenus::shortcutsAsked, this, &MainWindow::showShortcuts);
    connect(menus_->book(), &ActionBook::keysChanged, this, [this] { Q_EMIT keysChosen(menus_->book()->changes()); });
}

void MainWindow::connectWelcome() {
    connect(menus_, &MainMenus::welcomeAsked, this, &MainWindow::showWelcome);
    connect(welcome_, &WelcomePage::demoAsked, this, &MainWindow::watchDemo);
    connect(welcome_, &WelcomePage::dataAsked, datasets_, &DatasetDesk::askForImages);
    connect(welcome_, &WelcomePage::runAsked, this, &MainWindow::askForRun);
    connect(welcome_, &WelcomePage::recentAsked, this, &MainWindow::open);
    connect(welcome_, &WelcomePage::leaveAsked, this, &MainWindow::showFigures);
    connect(curves_, &CurvesView::pageShown, this, &MainWindow::showFigures);
    connect(controller_->bridge(), &RunBridge::started, this, &MainWindow::showFigures);
    connect(experiment_, &ExperimentPanel::presetChosen, this, &MainWindow::showFigures);
    connect(datasets_, &DatasetDesk::imagesTaken, this, [this](bool success) {
        if (success) showFigures();
    });
    connect(store_, &CurveStore::runsChanged, this, [this] {
        if (!store_->visibleRuns().empty()) showFigures();
    });
}

void MainWindow::showWelcome() { centre_->setCurrentWidget(welcome_); }

void MainWindow::showFigures() { centre_->setCurrentIndex(0); }

void MainWindow::watchDemo() {
    showFigures();
    // What is going on is what is watched.
    if (controller_->busy()) return;
    connect(this, &MainWindow::opened, controller_, [this](bool success) {
        if (success && controller_->canStart()) controller_->startOrResume();
    }, Qt::SingleShotConnection);
    open(kDemo);
}

bool MainWindow::beginSession(const QString& folder) {
    workspace_ = new Workspace(folder, {this, docks_, controller_, kept_, store_, curves_, files_, messages_}, this);
    const auto tell = [this] {
        welcome_->setRecent(workspace_->recent());
        commands_->setRecent(workspace_->recent());
    };
    connect(workspace_, &Workspace::recentChanged, this, tell);
    const auto greet = [this] {
        if (!workspace_->hasRuns() && store_->visibleRuns().empty()) showWelcome();
    };
    connect(workspace_, &Workspace::runMissed, this, greet);
    going_on_ = workspace_->restore();
    tell();
    greet();
    view_->history()->settle();
    return going_on_;
}

void MainWindow::noteRecent(const QString& name, const QString& path) {
    if (workspace_) workspace_->noteRecent(name, QFileInfo(path).absoluteFilePath());
}

void MainWindow::setKeys(const QVariantMap& changes) { menus_->book()->take(changes); }

void MainWindow::showShortcuts() {
    if (!shortcuts_) {
        shortcuts_ = new ShortcutsDialog(menus_->book(), this);
        shortcuts_->setAttribute(Qt::WA_DeleteOnClose);
    }
    shortcuts_->show();
    shortcuts_->raise();
    shortcuts_->activateWindow();
}

void MainWindow::showRun(const std::shared_ptr<const RunRecord>& record) {
    const RunRecord& run = *record;
    noteRecent(QString::fromStdString(run.experiment.name), QString::fromStdString(run.folder.string()));
    library_->add(record);
    store_->addRecord(run);
    store_->setPrimary(CurveStore::idOf(run.folder.string(), 0));
    controller_->draft()->replace(run.experiment, tr("opening of %1").arg(QString::fromStdString(run.experiment.name)));
    if (run.state == "crashed")
        messages_->showMessage(MessageBar::Kind::Note,
                               tr("This run has crashed. What it measured until then is shown."));
    for (const std::string& warning : run.warnings)
        messages_->showMessage(MessageBar::Kind::Note, QString::fromStdString(warning));
}

void MainWindow::open(const QString& what) { files_->open(what); }

void MainWindow::askForRun() { asks_->askForRun(QString::fromStdString(library_->folder().string())); }

void MainWindow::setAppearance(Appearance appearance) { view_->setAppearance(appearance); }

void MainWindow::setTextSize(TextSize size) { view_->setTextSize(size); }

void MainWindow::setSaveFolder(const QString& folder) { asks_->setSaveFolder(folder); }

QSize MainWindow::firstSize(const QSize& available) {
    return (available * kFirstShare).expandedTo(kUsualSize).boundedTo(available);
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] · Palimpsest").arg(QString::fromStdString(controller_->draft()->experiment().name)));
    setWindowModified(kept_->modified());
}

void MainWindow::closeEvent(QCloseEvent* event) { event->setAccepted(quit_->mayClose()); }

void MainWindow::stopAndClose() { quit_->stopAndClose(); }

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    for (const QUrl& url : event->mimeData()->urls()) {
        if (!url.isLocalFile()) continue;
        const QString file = url.toLocalFile();
        if (isForeignCurve(file.toStdString()))
            runs_->actions()->importFiles({file});
        else
            open(file);
    }
    event->acceptProposedAction();
}

}  // namespace palimpsest
