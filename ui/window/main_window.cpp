// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QStackedWidget>
#include <QUndoStack>

#include "ui/commands/action_book.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/now/memory_controller.h"
#include "ui/now/now_panel.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/backbone_controller.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/file_worker.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/state/saved_experiment.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/command_controller.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/file_dialogs.h"
#include "ui/window/guide_controller.h"
#include "ui/window/key_guard.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_menus.h"
#include "ui/window/open_controller.h"
#include "ui/window/publish_controller.h"
#include "ui/window/quit_controller.h"
#include "ui/window/run_event_wiring.h"
#include "ui/window/stream_controller.h"
#include "ui/window/time_controller.h"
#include "ui/window/view_controller.h"
#include "ui/window/welcome_controller.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_docks.h"
#include "ui/window/workspace.h"

namespace palimpsest {
namespace {

constexpr QSize kUsualSize(1280, 800);
constexpr double kFirstShare = 0.8;  // of the screen

/// Where learned prompts are kept: beside the runs.
QString promptsBeside(const std::filesystem::path& runs) {
    return QString::fromStdString((std::filesystem::absolute(runs) / ".." / "prompts").lexically_normal().string());
}

}  // namespace

MainWindow::MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent)
    : QMainWindow(parent),
      laboratory_(std::move(laboratory)),
      table_(std::make_unique<const OptionTable>(laboratory_.catalogue)),
      store_(new RunSet(this)),
      library_(new RunLibrary(table_.get(), runs, this)),
      controller_(new RunController(table_.get(), laboratory_.run, this)),
      files_(new FileWorker(table_.get(), this)),
      kept_(new SavedExperiment(controller_->draft(), this)),
      menus_(new MainMenus(controller_)),
      help_(new GuideController(laboratory_, files_, menus_, this)),
      messages_(new MessageBar),
      asks_(new FileDialogs(files_, controller_->draft(), kept_, messages_, this)),
      experiment_(new ExperimentPanel(controller_, laboratory_.labels)),
      datasets_(new DatasetController(laboratory_, controller_, experiment_, messages_, this)),
      backbones_(new BackboneController(laboratory_.backbones, controller_->draft(), experiment_->form(), this)),
      adaptation_(new AdaptationController(laboratory_.adapt, controller_, experiment_->form(), messages_,
                                           promptsBeside(runs), this)),
      accuracy_(new AccuracyPlot(store_, this)),
      retention_(new RetentionPlot(store_, this)),
      now_(new NowPair(this)),
      runs_(new RunsPanel(store_, library_, this)),
      streams_(new StreamController(laboratory_.labels, experiment_, library_, files_, messages_, this)),
      memory_(new MemoryController(laboratory_.datasets, controller_, store_, library_, this)),
      publish_(new PublishController(table_.get(), store_, files_, this)),
      curves_(new CurvesView(store_, controller_->bridge(), laboratory_.datasets, accuracy_, retention_)),
      opening_(new OpenController({files_, controller_, kept_, store_, library_, runs_, messages_}, this)),
      welcome_(new WelcomeController({controller_, store_, curves_, experiment_, datasets_, opening_}, this)),
      docks_(new WindowDocks(welcome_->centre())) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setMinimumSize(1024, 680);
    resize(kUsualSize);
    store_->setCatalogue(laboratory_.catalogue);
    qApp->installEventFilter(new KeyGuard(this));
    bringNews(controller_, {store_, curves_->histories(), now_, library_, memory_, datasets_, messages_}, this);
    // After those that take up what has begun.
    lanes_ = new LaneController(
        {controller_, store_, library_, messages_, experiment_->form(), now_, menus_->book()->action("compareLanes")},
        this);
    controller_->setGoOn(laboratory_.go_on);
    time_ = new TimeController(
        laboratory_, {controller_, store_, curves_, lanes_->draft(), now_, library_, runs_, messages_, menus_->book()},
        this);
    place();
    view_ = new ViewController(menus_, docks_, curves_->options(), controller_->draft()->undoStack(), this);
    connect(view_, &ViewController::appearanceChosen, this, &MainWindow::appearanceChosen);
    connect(view_, &ViewController::textSizeChosen, this, &MainWindow::textSizeChosen);
    connect(kept_, &SavedExperiment::changed, this, &MainWindow::refreshTitle);
    connectOpening();
    connectDatasets();
    connectAdaptation();
    // After those that take up what has ended.
    quit_ = new QuitController(controller_, adaptation_, datasets_, this);
    connectMenus();
    refreshTitle();
    files_->findPresets();
    library_->refresh();
}

MainWindow::~MainWindow() {
    delete workspace_;  // remembers what all others know
    docks_->disconnect();
    disconnect(store_, nullptr, this, nullptr);
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        disconnect(controller_->bridge(lane), nullptr, this, nullptr);
    // The table outlives everything that reads it.
    delete welcome_;
    delete opening_;
    delete streams_;
    delete memory_;
    delete publish_;
    delete time_;
    delete takeCentralWidget();
    delete lanes_;
    delete datasets_;
    delete adaptation_;
    delete backbones_;
    delete controller_;
    delete files_;
    delete library_;
}

void MainWindow::connectOpening() {
    connect(files_, &FileWorker::presetsFound, experiment_, &ExperimentPanel::setPresets);
    connect(experiment_, &ExperimentPanel::presetChosen, opening_, &OpenController::open);
    connect(opening_, &OpenController::opened, this, &MainWindow::opened);
    connect(opening_, &OpenController::cameFrom, this, &MainWindow::noteRecent);
    tellOfRuns(runs_, messages_, controller_->draft()->undoStack());
    for (QWidget* plot : {static_cast<QWidget*>(accuracy_), static_cast<QWidget*>(retention_)})
        runs_->acceptRunsOn(plot);
}

void MainWindow::connectDatasets() {
    connect(files_, &FileWorker::imagesFound, datasets_, &DatasetController::takeImages);
    connect(datasets_, &DatasetController::imagesTaken, this, &MainWindow::opened);
    connect(menus_, &MainMenus::openImagesAsked, datasets_, &DatasetController::askForImages);
    connect(menus_, &MainMenus::datasetsAsked, datasets_, [this] { datasets_->showDialog(); });
}

void MainWindow::connectAdaptation() {
    connect(menus_, &MainMenus::backboneAsked, backbones_, &BackboneController::showDialog);
    connect(menus_, &MainMenus::adaptationAsked, adaptation_, &AdaptationController::showDialog);
    menus_->findChild<QAction*>("backbone")->setEnabled(backbones_->available());
    menus_->findChild<QAction*>("initialSession")->setEnabled(adaptation_->available());
}

void MainWindow::connectMenus() {
    connect(asks_, &FileDialogs::openAsked, this, &MainWindow::open);
    connect(asks_, &FileDialogs::saveFolderChanged, this, &MainWindow::saveFolderChanged);
    connect(asks_, &FileDialogs::saved, this, &MainWindow::noteRecent);
    connect(menus_, &MainMenus::openExperimentAsked, asks_, &FileDialogs::askForExperiment);
    connect(menus_, &MainMenus::openRunAsked, this, &MainWindow::askForRun);
    connect(menus_, &MainMenus::importAsked, runs_->actions(), &RunActions::askForImport);
    connect(menus_, &MainMenus::saveAsked, asks_, &FileDialogs::askWhereToSave);
    publish_->answer(menus_, curves_, adaptation_, asks_);
    connect(menus_, &MainMenus::exportStreamAsked, streams_,
            [this] { streams_->askWhereToExport(asks_->saveFolder()); });
    connect(menus_, &MainMenus::compareStreamsAsked, streams_, &StreamController::compare);
    connect(menus_, &MainMenus::memoryAsked, memory_, &MemoryController::showDialog);
    connect(datasets_, &DatasetController::forgotten, memory_, &MemoryController::forgetPictures);
    menus_->addToView(curves_->menu());
    connect(menus_, &MainMenus::quitAsked, this, &QWidget::close);
    commands_ =
        new CommandController({menus_, help_, files_, experiment_, adaptation_, controller_->draft(), messages_}, this);
    connect(commands_, &CommandController::openAsked, this, &MainWindow::open);
    connect(commands_, &CommandController::keysChosen, this, &MainWindow::keysChosen);
    connect(menus_, &MainMenus::welcomeAsked, this, &MainWindow::showWelcome);
    connect(welcome_->page(), &WelcomePage::runAsked, this, &MainWindow::askForRun);
}

void MainWindow::showWelcome() {
    welcome_->showWelcome();
}

bool MainWindow::beginSession(const QString& folder) {
    workspace_ = new Workspace(
        folder, {this, docks_, controller_, lanes_->draft(), kept_, store_, runs_->model(), curves_, files_, messages_},
        this);
    connect(workspace_, &Workspace::recentChanged, commands_, [this] { commands_->setRecent(workspace_->recent()); });
    const bool goesOn = workspace_->restore();
    if (goesOn) opening_->goOn();
    welcome_->follow(workspace_);
    commands_->setRecent(workspace_->recent());
    view_->history()->settle();
    return goesOn;
}

void MainWindow::noteRecent(const QString& name, const QString& path) {
    if (workspace_) workspace_->noteRecent(name, QFileInfo(path).absoluteFilePath());
}

void MainWindow::setKeys(const QVariantMap& changes) {
    menus_->book()->take(changes);
}

void MainWindow::open(const QString& what) {
    opening_->open(what);
}

void MainWindow::askForRun() {
    asks_->askForRun(QString::fromStdString(library_->folder().string()));
}

void MainWindow::setAppearance(Appearance appearance) {
    view_->setAppearance(appearance);
}

void MainWindow::setTextSize(TextSize size) {
    view_->setTextSize(size);
}

void MainWindow::setSaveFolder(const QString& folder) {
    asks_->setSaveFolder(folder);
}

QSize MainWindow::firstSize(const QSize& available) {
    return (available * kFirstShare).expandedTo(kUsualSize).boundedTo(available);
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] · Palimpsest").arg(QString::fromStdString(controller_->draft()->experiment().name)));
    setWindowModified(kept_->modified());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    event->setAccepted(quit_->mayClose());
}

void MainWindow::stopAndClose() {
    quit_->stopAndClose();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (OpenController::takes(*event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    opening_->drop(*event->mimeData());
    event->acceptProposedAction();
}

}  // namespace palimpsest
