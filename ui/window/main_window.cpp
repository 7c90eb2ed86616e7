// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QKeyEvent>
#include <QPointer>
#include <QStackedWidget>
#include <QStyle>
#include <QUndoStack>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "engine/library/import_run.h"
#include "ui/commands/action_book.h"
#include "ui/datasets/dataset_dialog.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/lane_forms.h"
#include "ui/experiment/option_form.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/attention_controller.h"
#include "ui/figures/forgotten_controller.h"
#include "ui/figures/mask_lens_controller.h"
#include "ui/figures/retention_plot.h"
#include "ui/figures/watched_strip.h"
#include "ui/lessons/lesson_book.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/now/memory_controller.h"
#include "ui/now/now_panel.h"
#include "ui/pretrained/adaptation_controller.h"
#include "ui/pretrained/adaptation_job.h"
#include "ui/pretrained/backbone_controller.h"
#include "ui/publish/numbers_export.h"
#include "ui/publish/replay_export.h"
#include "ui/queue/queue_panel.h"
#include "ui/runs/diff_dialog.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/runs/trust_dialog.h"
#include "ui/runs/trust_job.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/dialog_places.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/cluster_controller.h"
#include "ui/window/command_controller.h"
#include "ui/window/curves_view.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/demo_controller.h"
#include "ui/window/draw_class_controller.h"
#include "ui/window/file_dialogs.h"
#include "ui/window/guess_controller.h"
#include "ui/window/guide_controller.h"
#include "ui/window/lane_controller.h"
#include "ui/window/learner_fields.h"
#include "ui/window/learner_question.h"
#include "ui/window/lesson_controller.h"
#include "ui/window/main_menus.h"
#include "ui/window/open_controller.h"
#include "ui/window/option_finder.h"
#include "ui/window/publish_controller.h"
#include "ui/window/queue_controller.h"
#include "ui/window/quit.h"
#include "ui/window/remote_run_controller.h"
#include "ui/window/run_event_wiring.h"
#include "ui/window/stage_controller.h"
#include "ui/window/stream_controller.h"
#include "ui/window/talk_controller.h"
#include "ui/window/time_controller.h"
#include "ui/window/top_bar.h"
#include "ui/window/view_controller.h"
#include "ui/window/welcome_controller.h"
#include "ui/window/welcome_page.h"
#include "ui/window/window_docks.h"
#include "ui/window/window_launch_planner.h"
#include "ui/window/workspace.h"

namespace palimpsest {
namespace {

constexpr QSize kUsualSize(1280, 800);
constexpr int kRoomForOffers = 840;  // a lower window would lose its second figure to an offer
constexpr double kFirstShare = 0.8;  // of the screen
// Room for the frame that the desktop puts around the window, which is not known before it does: the titles of the
// usual desktops are 24 to 40 pixels high.
constexpr QSize kFrameRoom(4, 40);

/// A folder beside the runs: that of learned prompts, of own drawings, or of the user's lessons.
std::filesystem::path besideRuns(const std::filesystem::path& runs, const char* name) {
    return (std::filesystem::absolute(runs) / ".." / name).lexically_normal();
}

QString promptsBeside(const std::filesystem::path& runs) {
    return QString::fromStdString(besideRuns(runs, "prompts").string());
}

using spacing::kGap;

constexpr int kLeftWidth = 284;
constexpr int kRightWidth = 264;
constexpr int kRightTitle = 200;  // room for the longest heading on the right
constexpr int kRunsHeight = 168;
constexpr double kRunsShare = 0.2;  // of a high window
constexpr int kLeastHeight = 260;   // of figures and Now: they give way to the lines over them, and the window does not

/// Of Now and of the panels that share its place.
int rightWidth() {
    return std::max(kRightWidth, scaled(kRightTitle));
}

/// Large text widens the panel by less: the curves need the room.
int leftWidth() {
    return (kLeftWidth + 2 * scaled(kLeftWidth)) / 3;
}

/// A high window has room for more runs; under large text they leave the figures theirs, down to a row.
int runsHeight(const QWidget& window, const WindowDocks& docks, const CurvesView& curves, const RunsPanel& runs) {
    const int usual = std::max(kRunsHeight, static_cast<int>(kRunsShare * window.height()));
    if (TextScale::instance().factor() <= 1) return usual;
    const int border = docks.style()->pixelMetric(QStyle::PM_DockWidgetSeparatorExtent, nullptr, &docks);
    const int figures =
        DockTitle::kHeight + curves.heightFor(static_cast<int>(CurvesView::kFigureShare * window.height()));
    const int least = DockTitle::kHeight + runs.minimumSizeHint().height();
    return std::clamp(docks.height() - border - figures, std::min(least, usual), usual);
}

/// While a run goes on, Space pauses it even where the focus is on a button, which Return presses instead. Otherwise
/// Space, and always the arrows, belong to what the user has moved the focus to by keyboard and that has no other way:
/// a button, a slider, the picture of the stream. A field that is typed in keeps all keys. Filters the application's
/// events.
class KeyGuard : public QObject {
public:
    KeyGuard(const RunController* controller, QWidget* window) : QObject(window), controller_(controller) {}
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() == QEvent::KeyPress) return pressed(object, *static_cast<QKeyEvent*>(event));
        if (event->type() != QEvent::ShortcutOverride) return false;
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->modifiers() != Qt::NoModifier) return false;
        const bool space = key->key() == Qt::Key_Space && !controller_->busy();
        const bool sideways = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
        const bool pages = key->key() == Qt::Key_PageUp || key->key() == Qt::Key_PageDown;
        const bool adjusts = qobject_cast<QAbstractSlider*>(object) || qobject_cast<QAbstractSpinBox*>(object);
        const bool needed = (space && qobject_cast<QAbstractButton*>(object)) || (pages && adjusts) ||
                            (sideways && (adjusts || qobject_cast<StreamPreview*>(object)));
        if (needed) event->accept();
        return needed;
    }

private:
    bool pressed(QObject* object, const QKeyEvent& key) const {
        auto* button = qobject_cast<QAbstractButton*>(object);
        const bool presses = key.key() == Qt::Key_Return || key.key() == Qt::Key_Enter;
        if (!button || !presses || key.modifiers() & ~Qt::KeypadModifier) return false;
        // Keys of the run hold in detached panels, too.
        const QWidget* window = button->window();
        if (window != parent() && !(qobject_cast<const QDockWidget*>(window) && window->parent())) return false;
        if (!key.isAutoRepeat()) button->click();
        return true;
    }

    const RunController* controller_;
};

}  // namespace

MainWindow::MainWindow(Laboratory laboratory, const std::filesystem::path& runs, QWidget* parent)
    : WindowWithState(std::move(laboratory), runs, parent),
      menus_(new MainMenus(controller())),
      guide_(std::make_unique<GuideController>(state_, menus_, this)),
      messages_(new MessageBar),
      asks_(std::make_unique<FileDialogs>(state_, messages_, this)),
      experiment_(new ExperimentPanel(controller(), state_.laboratory.labels)),
      datasets_(std::make_unique<DatasetController>(state_, experiment_, messages_, this)),
      backbones_(std::make_unique<BackboneController>(state_.laboratory.backbones, controller()->draft(),
                                                      experiment_->form(), this)),
      adaptation_(std::make_unique<AdaptationController>(state_.laboratory.adapt, controller(), experiment_->form(),
                                                         messages_, promptsBeside(runs), this)),
      centre_(std::make_unique<QWidget>()),
      accuracy_(new AccuracyPlot(curves(), this)),
      retention_(new RetentionPlot(curves(), this)),
      now_(new NowPair(this)),
      runs_(new RunsPanel(curves(), library(), this)),
      streams_(std::make_unique<StreamController>(state_, experiment_, messages_, this)),
      memory_(std::make_unique<MemoryController>(state_.laboratory.datasets, controller(), curves(), library(), this)),
      forgotten_(
          std::make_unique<ForgottenController>(state_.laboratory.datasets, curves(), &state_.figures.cursor, this)),
      lens_(std::make_unique<MaskLensController>(state_.laboratory.mask_lens, controller(), curves(),
                                                 &state_.figures.cursor, this)),
      attention_(std::make_unique<AttentionController>(state_.laboratory.attention, controller(), curves(),
                                                       &state_.figures.cursor, this)),
      publish_(std::make_unique<PublishController>(&state_.table, state_.figures, &state_.files, this)),
      queue_(std::make_unique<QueueController>(state_, messages_, this)),
      curves_(new CurvesView(state_.figures, state_.laboratory.datasets, accuracy_, retention_)),
      opening_(std::make_unique<OpenController>(state_, runs_, messages_)),
      welcome_(std::make_unique<WelcomeController>(state_, curves_, experiment_, datasets_.get(), opening_.get())),
      docks_(new WindowDocks(welcome_->centre())) {
    setObjectName("mainWindow");
    setAcceptDrops(true);
    setMinimumSize(1024, 640);
    resize(kUsualSize);
    qApp->installEventFilter(new KeyGuard(controller(), this));
    new DialogPlaces(this);
    connectRunEvents(state_, {now_, memory_.get(), datasets_.get(), messages_}, this);
    // After the connections of those that show a run that has begun.
    lanes_ = std::make_unique<LaneController>(state_, experiment_->form(), now_, messages_,
                                              menus_->action(Command::CompareLanes));
    time_ = std::make_unique<TimeController>(state_, TimeController::Widgets{curves_, now_, runs_, messages_},
                                             *menus_->book(), this);
    accuracy_->setGuesses(&state_.figures.guesses);
    retention_->setGuesses(&state_.figures.guesses);
    guesses_ =
        std::make_unique<GuessController>(state_, experiment_, messages_, menus_->action(Command::GuessFirst), this);
    drawing_ = std::make_unique<DrawClassController>(
        state_, datasets_.get(), messages_, menus_->action(Command::DrawClass), besideRuns(runs, "drawings"), this);
    const auto adapting = [this]() -> std::optional<Failure> {
        if (!adaptation_->busy()) return std::nullopt;
        return Failure{tr("The initial session is not finished."),
                       tr("Checks beside it would take the processor from both. Stop it under Run > Initial session, "
                          "or wait for its end, and start again.")};
    };
    auto* question = new LearnerQuestion(controller(), this);
    connect(question, &LearnerQuestion::asked, this, [this] { messages_->withdraw(kRunFailure); });
    queue_->setLearnerQuestion(question);
    auto* fields = new LearnerFields(experiment_->form(), question, this);
    connect(lanes_->forms(), &LaneForms::secondFormMade, fields, &LearnerFields::follow);
    connect(controller(), &RunController::failed, fields, &LearnerFields::setSaid);
    for (const auto over : {&RunController::starting, &RunController::remedied})
        connect(controller(), over, fields, [fields] { fields->setSaid({}); });
    connect(opening_.get(), &OpenController::replaced, fields, [fields] { fields->setSaid({}); });
    trust_ = std::make_unique<TrustController>(state_.laboratory.trust, controller(), library(), runs_,
                                               menus_->action(Command::Trust), adapting, this);
    differences_ = std::make_unique<DiffController>(state_.laboratory.labels, library(), runs_, this);
    remote_ = std::make_unique<RemoteRunController>(state_, runs_, messages_, menus_->action(Command::StartRun),
                                                    menus_->action(Command::RunThere), this);
    connect(remote_.get(), &RemoteRunController::remembered, this, &MainWindow::remoteFieldsChanged);
    clusters_ = std::make_unique<ClusterController>(remote_->runs(), queue_.get(), messages_, this);
    connect(clusters_.get(), &ClusterController::remembered, this, &MainWindow::clusterFieldsChanged);
    adaptation_->controller()->setHindrance([this] { return trust_ ? trust_->job()->obstacle() : std::nullopt; });
    planner_ =
        std::make_unique<WindowLaunchPlanner>(state_, *time_->forks(), *adaptation_->controller(), *trust_->job());
    lessons_ = std::make_unique<LessonController>(state_, besideRuns(runs, "lessons"), this);
    place();
    connect(question, &LearnerQuestion::waits, centralWidget()->findChild<TopBar*>(), &TopBar::setAsking);
    view_ = std::make_unique<ViewController>(state_, menus_, docks_, this);
    connect(view_.get(), &ViewController::appearanceChosen, this, &MainWindow::appearanceChosen);
    connect(view_.get(), &ViewController::textSizeChosen, this, &MainWindow::textSizeChosen);
    connect(&state_.saved, &SavedExperiment::changed, this, &MainWindow::refreshTitle);
    connectOpening();
    connectDatasets();
    connectAdaptation();
    connectStage();
    // After the connections of those that show a run that has ended.
    quit_ = std::make_unique<QuitController>(controller(), &state_.queue, adaptation_.get(), trust_->job(),
                                             datasets_.get(), remote_->runs(), talk_->book(), this);
    connectMenus();
    connectLessons();
    refreshTitle();
    state_.files.findPresets();
    library()->refresh();
}

MainWindow::~MainWindow() {
    stage_->leave();
    // A field that loses the keyboard, or is hidden, commits its text, and those who hear of that must still be there.
    // Detached panels and dialogs are windows with a focus of their own.
    if (QWidget* typed = focusWidget()) typed->clearFocus();
    // A value that is taken over may end others of these, such as the note on one that was refused.
    const QList<QWidget*> found = findChildren<QWidget*>();
    const QList<QPointer<QWidget>> all(found.begin(), found.end());
    for (const auto& each : all)
        if (QWidget* typed = each && each->isWindow() ? each->focusWidget() : nullptr) typed->clearFocus();
    for (const auto& each : all)
        if (auto* field = qobject_cast<QAbstractSpinBox*>(each.data())) field->interpretText();
}

QAction* MainWindow::action(Command command) const {
    return menus_->action(command);
}

void MainWindow::place() {
    accuracy_->setObjectName("anytimePlot");
    retention_->setObjectName("retentionPlot");
    runs_->setObjectName("runsPanel");
    placePanels();

    QWidget* centre = centre_.get();
    centre->setObjectName("centralArea");
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new TopBar(controller(), menus_, menus_->book());
    bar->addNote(datasets_->note());
    bar->addNote(adaptation_->note());
    connect(menus_->book(), &ActionBook::keysChanged, bar, &TopBar::refreshKeys);
    column->addWidget(bar);
    // The panels keep their own gaps, so that they line up wherever they stand.
    auto* told = new QVBoxLayout;
    told->setContentsMargins(0, 0, 0, 0);
    told->setSpacing(0);
    for (QWidget* strip : QList<QWidget*>{lanes_->strip(), guesses_->strip(), drawing_->strip()} + time_->strips())
        told->addWidget(new MessageArea(strip, {kGap, kGap, kGap, 0}));
    column->addLayout(told);
    auto* content = new QVBoxLayout;
    content->setContentsMargins(kGap - WindowDocks::kGap, kGap - DockTitle::kHeight, kGap - WindowDocks::kGap, kGap);
    content->addWidget(docks_, 1);
    column->addLayout(content, 1);
    new MessageFloat(messages_, centre, kRoomForOffers, {curves_->figures(), welcome_->centre()});
    setCentralWidget(centre);
    // Nothing has the focus until the user moves it; a click beside the controls removes it again.
    centre->setFocusPolicy(Qt::ClickFocus);
    centre->setFocus();
}

void MainWindow::placePanels() {
    fitToText(docks_, [this] {
        experiment_->setMinimumWidth(leftWidth());
        now_->setMinimumSize(rightWidth(), scaled(kLeastHeight));
        queue_->panel()->setMinimumWidth(rightWidth());
        welcome_->centre()->setMinimumHeight(scaled(kLeastHeight));
    });
    docks_->addPanel(
        experiment_, "experimentDock", tr("Experiment"), Qt::LeftDockWidgetArea,
        [] { return leftWidth() + 2 * WindowDocks::kGap; }, "showExperiment");
    docks_->addPanel(
        now_, "nowDock", tr("Now"), Qt::RightDockWidgetArea, [] { return rightWidth() + 2 * WindowDocks::kGap; },
        "showNow");
    docks_->addPanel(
        runs_, "runsDock", tr("Runs"), Qt::BottomDockWidgetArea,
        [this] { return runsHeight(*this, *docks_, *curves_, *runs_); }, "showRuns");
    docks_->addAwayPanel(
        lessons_->panel(), "lessonDock", tr("Lessons"),
        [] { return scaled(LessonPanel::kWidth) + 2 * WindowDocks::kGap; }, "showLessons");
    docks_->addAwayPanel(
        queue_->panel(), "queueDock", tr("Queue"), [] { return rightWidth() + 2 * WindowDocks::kGap; }, "showQueue");
    docks_->reset();
    menus_->addPanels(docks_->shownActions());
}

void MainWindow::connectOpening() {
    connect(&state_.files, &FileWorker::presetsFound, experiment_, &ExperimentPanel::setPresets);
    connect(experiment_, &ExperimentPanel::presetChosen, opening_.get(), &OpenController::open);
    connect(opening_.get(), &OpenController::opened, this, &MainWindow::opened);
    connect(opening_.get(), &OpenController::replaced, this, &MainWindow::forgetFailures);
    connect(controller(), &RunController::starting, this, [this] {
        if (controller()->replayed()) return;
        messages_->withdraw(kOpenFailure);
        queue_->forgetRefusal();
    });
    connect(opening_.get(), &OpenController::cameFrom, this, &MainWindow::noteRecent);
    connectRunMessages(runs_, messages_, controller()->draft()->undoStack());
    connect(runs_->model(), &RunTableModel::groupedChanged, &state_.figures.options, &CurveOptions::setGrouped);
    // Lines that stand each for itself are told apart, also where their runs differ in the seed alone.
    const auto colours = [this] {
        const bool means = state_.figures.options.values().band != CurveOptions::Band::None;
        state_.figures.runs.setSeedsAlike(means || runs_->model()->grouped());
    };
    connect(runs_->model(), &RunTableModel::groupedChanged, this, colours);
    connect(&state_.figures.options, &CurveOptions::changed, this, colours);
    colours();
    for (QWidget* plot : {static_cast<QWidget*>(accuracy_), static_cast<QWidget*>(retention_)})
        runs_->acceptRunsOn(plot);
}

void MainWindow::connectDatasets() {
    connect(&state_.files, &FileWorker::imagesFound, datasets_.get(), &DatasetController::openImages);
    connect(datasets_.get(), &DatasetController::imagesOpened, this, &MainWindow::opened);
    connect(datasets_.get(), &DatasetController::imagesOpened, this, [this](bool success) {
        if (success) forgetFailures();
    });
    connect(drawing_.get(), &DrawClassController::filesChanged, datasets_.get(), &DatasetController::forget);
    connect(drawing_.get(), &DrawClassController::figuresNeeded, welcome_.get(), &WelcomeController::showFigures);
    connect(menus_->action(Command::OpenImages), &QAction::triggered, datasets_.get(),
            &DatasetController::askForImages);
    connect(menus_->action(Command::Datasets), &QAction::triggered, datasets_.get(),
            [this] { datasets_->showDialog(); });
}

void MainWindow::connectAdaptation() {
    connect(menus_->action(Command::Backbone), &QAction::triggered, backbones_.get(), &BackboneController::showDialog);
    connect(menus_->action(Command::InitialSession), &QAction::triggered, adaptation_.get(),
            &AdaptationController::showDialog);
    menus_->action(Command::Backbone)->setEnabled(backbones_->available());
    menus_->action(Command::InitialSession)->setEnabled(adaptation_->available());
}

void MainWindow::connectMenus() {
    connect(asks_.get(), &FileDialogs::openAsked, this, &MainWindow::open);
    connect(asks_.get(), &FileDialogs::saveFolderChanged, this, &MainWindow::saveFolderChanged);
    connect(asks_.get(), &FileDialogs::saved, this, &MainWindow::noteRecent);
    connect(menus_->action(Command::OpenExperiment), &QAction::triggered, asks_.get(), &FileDialogs::askForExperiment);
    connect(menus_->action(Command::OpenRun), &QAction::triggered, this, &MainWindow::askForRun);
    connect(menus_->action(Command::ImportResults), &QAction::triggered, runs_->actions(), &RunActions::askForImport);
    connect(menus_->action(Command::SaveExperiment), &QAction::triggered, asks_.get(), &FileDialogs::askWhereToSave);
    queue_->answer(menus_, docks_->dockOf(queue_->panel())->toggleViewAction());
    connect(queue_.get(), &QueueController::runReady, this, [this](const QString& id) {
        welcome_->showFigures();
        runs_->model()->selectRun(id);
        comeToFront();
    });
    connect(queue_.get(), &QueueController::refused, datasets_.get(), &DatasetController::findRemedy);
    connect(opening_.get(), &OpenController::sweepAsked, queue_.get(), &QueueController::showSweep);
    publish_->answer(menus_, curves_, adaptation_.get(), asks_.get());
    connect(menus_->action(Command::ExportStream), &QAction::triggered, streams_.get(),
            [this] { streams_->askWhereToExport(asks_->saveFolder()); });
    replays_ = new ReplayExport(state_, messages_, this);
    connect(menus_->action(Command::ExportReplay), &QAction::triggered, replays_,
            [this] { replays_->askWhereTo(asks_->saveFolder()); });
    auto* numbers = new NumbersExport(state_, messages_, this);
    connect(menus_->action(Command::ExportTensorBoard), &QAction::triggered, numbers,
            [this, numbers] { numbers->askWhereTo(NumbersExport::Format::TensorBoard, asks_->saveFolder()); });
    connect(menus_->action(Command::ExportMlflow), &QAction::triggered, numbers,
            [this, numbers] { numbers->askWhereTo(NumbersExport::Format::Mlflow, asks_->saveFolder()); });
    connect(menus_->action(Command::ExportGuesses), &QAction::triggered, guesses_.get(),
            [this] { guesses_->askWhereToExport(asks_->saveFolder()); });
    connect(guesses_.get(), &GuessController::figuresNeeded, this, [this] {
        centralWidget()->findChild<TopBar*>()->forgetOutcome();
        welcome_->showFigures();
        curves_->showPage(CurvesView::kAccuracy);
        for (PlotView* plot : {static_cast<PlotView*>(accuracy_), static_cast<PlotView*>(retention_)}) plot->showAll();
        // The keyboard draws, too.
        if (auto* canvas = accuracy_->findChild<QWidget*>("anytimeCanvas")) canvas->setFocus(Qt::OtherFocusReason);
    });
    connect(menus_->action(Command::CompareStreams), &QAction::triggered, streams_.get(), &StreamController::compare);
    connect(menus_->action(Command::Memory), &QAction::triggered, memory_.get(), &MemoryController::showDialog);
    connect(menus_->action(Command::ForgottenImages), &QAction::triggered, forgotten_.get(),
            &ForgottenController::showDialog);
    connect(curves_, &CurvesView::pinAsked, forgotten_.get(), &ForgottenController::pin);
    connect(menus_->action(Command::MaskLens), &QAction::triggered, lens_.get(), &MaskLensController::showDialog);
    connect(menus_->action(Command::Attention), &QAction::triggered, attention_.get(),
            &AttentionController::showDialog);
    connect(forgotten_.get(), &ForgottenController::attentionAsked, attention_.get(), &AttentionController::showImage);
    connect(datasets_.get(), &DatasetController::forgotten, memory_.get(), &MemoryController::forgetPictures);
    connect(datasets_.get(), &DatasetController::forgotten, forgotten_.get(), &ForgottenController::forgetPictures);
    menus_->addToView(curves_->menu());
    const auto turn = [this](int by) {
        constexpr int count = CurvesView::kPages;
        curves_->showPage(static_cast<CurvesView::Page>((curves_->page() + count + by) % count));
    };
    connect(menus_->action(Command::NextFigure), &QAction::triggered, this, [turn] { turn(1); });
    connect(menus_->action(Command::PreviousFigure), &QAction::triggered, this, [turn] { turn(-1); });
    connect(menus_->action(Command::Quit), &QAction::triggered, this, &QWidget::close);
    finder_ = std::make_unique<OptionFinder>(experiment_, adaptation_.get(), controller()->draft());
    connect(finder_.get(), &OptionFinder::panelNeeded, this, [this] {
        QAction* shown = docks_->dockOf(experiment_)->toggleViewAction();
        if (!shown->isChecked()) shown->trigger();
    });
    commands_ = std::make_unique<CommandController>(state_, menus_, guide_.get(), finder_.get(), messages_, this);
    connect(commands_.get(), &CommandController::openAsked, this, &MainWindow::open);
    connect(commands_.get(), &CommandController::keysChosen, this, &MainWindow::keysChosen);
    connect(menus_->action(Command::Welcome), &QAction::triggered, this, &MainWindow::showWelcome);
    connect(welcome_->page(), &WelcomePage::runAsked, this, &MainWindow::askForRun);
    connect(welcome_->page(), &WelcomePage::drawAsked, drawing_.get(), &DrawClassController::showDialog);
    demo_ = std::make_unique<DemoController>(state_, time_->player(), messages_, menus_->action(Command::WatchDemo));
    connect(welcome_->page(), &WelcomePage::demoAsked, demo_.get(), &DemoController::watch);
    connect(demo_.get(), &DemoController::began, welcome_.get(), &WelcomeController::showFigures);
    connect(demo_.get(), &DemoController::evidenceAsked, guide_.get(), &GuideController::showPage);
}

void MainWindow::connectStage() {
    talk_ = std::make_unique<TalkController>(state_, curves_, messages_, time_->live(), this);
    stage_ = std::make_unique<StageController>(
        state_, talk_->book(), talk_->runs(),
        StageController::Parts{this, centralWidget(), welcome_->centre(), docks_, curves_, messages_, view_.get(),
                               time_->player(), time_->live(), menus_->action(Command::Stage)});
    const auto enter = [this](int scene) {
        talk_->stageEntered();
        if (!talk_->book()->empty()) talk_->findRuns();
        stage_->enter(scene);
    };
    connect(menus_->action(Command::Stage), &QAction::triggered, this, [enter] { enter(0); });
    connect(talk_.get(), &TalkController::stageAsked, this, enter);
    connect(menus_->action(Command::Talk), &QAction::triggered, talk_.get(),
            [this] { talk_->showDialog(asks_->saveFolder()); });
    connect(menus_->action(Command::AddToTalk), &QAction::triggered, talk_.get(), &TalkController::addMoment);
    QAction* close = menus_->action(Command::CloseTalk);
    connect(close, &QAction::triggered, talk_.get(), &TalkController::close);
    const auto refresh = [this, close] { close->setEnabled(!talk_->book()->empty()); };
    connect(talk_->book(), &TalkBook::changed, close, refresh);
    refresh();
    auto* bar = centralWidget()->findChild<TopBar*>();
    connect(stage_.get(), &StageController::changed, this, [this, bar](bool on) {
        if (workspace_) workspace_->setHeld(on);
        bar->setStaged(on);
        if (!on) talk_->stageLeft(stage_->lastScene());
    });
}

void MainWindow::connectLessons() {
    lessons_->connectTo({docks_, curves_, finder_.get(), menus_->book(), menus_, messages_});
    connect(menus_->action(Command::Lessons), &QAction::triggered, lessons_.get(), &LessonController::show);
    connect(welcome_->page(), &WelcomePage::lessonsAsked, lessons_.get(), &LessonController::show);
    connect(lessons_.get(), &LessonController::figuresNeeded, welcome_.get(), &WelcomeController::showFigures);
    connect(lessons_.get(), &LessonController::setUpDone, centralWidget()->findChild<TopBar*>(),
            &TopBar::forgetOutcome);
    connect(lessons_.get(), &LessonController::setUpDone, this, &MainWindow::forgetFailures);
    connect(lessons_.get(), &LessonController::pageAsked, guide_.get(), &GuideController::showPage);
    connect(lessons_->book(), &LessonBook::keptChanged, this, &MainWindow::lessonProgressChanged);
}

void MainWindow::setLessonProgress(const QStringList& kept) {
    lessons_->book()->recall(kept);
}

void MainWindow::showWelcome() {
    welcome_->showWelcome();
}

bool MainWindow::beginSession(const QString& folder) {
    workspace_ =
        std::make_unique<Workspace>(folder, state_, Workspace::Views{docks_, runs_->model(), curves_, messages_}, this);
    connect(workspace_.get(), &Workspace::recentChanged, commands_.get(),
            [this] { commands_->setRecent(workspace_->recent()); });
    const bool goesOn = workspace_->restore();
    if (goesOn) opening_->resumeSession();
    welcome_->follow(workspace_.get());
    commands_->setRecent(workspace_->recent());
    view_->history()->settle();
    return goesOn;
}

void MainWindow::noteRecent(const QString& name, const QString& path) {
    if (workspace_) workspace_->noteRecent(name, QFileInfo(path).absoluteFilePath());
}

void MainWindow::setKeys(const QVariantMap& changes) {
    menus_->book()->apply(changes);
}

void MainWindow::open(const QString& what) {
    opening_->open(what);
}

void MainWindow::openBehind(const QString& what) {
    opening_->openBehind(what);
}

void MainWindow::comeToFront() {
    if (isMinimized()) showNormal();
    raise();
    activateWindow();
    // A desktop that keeps it behind marks it in its bar.
    if (!isActiveWindow()) QApplication::alert(this);
}

void MainWindow::forgetFailures() {
    messages_->withdraw(kRunFailure);
    controller()->forgetRefusal();
    queue_->forgetRefusal();
    centralWidget()->findChild<TopBar*>()->forgetFailure();
}

bool MainWindow::opensBeside(const QString& what) {
    const std::filesystem::path place = what.toStdString();
    std::error_code ignored;
    return looksLikeSweep(place) || (isForeignCurve(place) && std::filesystem::is_regular_file(place, ignored));
}

void MainWindow::askForRun() {
    asks_->askForRun(QString::fromStdString(library()->folder().string()));
}

void MainWindow::setAppearance(Appearance appearance) {
    view_->setAppearance(appearance);
}

void MainWindow::setTextSize(TextSize size) {
    view_->setTextSize(size);
}

void MainWindow::setRemoteFields(const QStringList& fields) {
    remote_->setRemembered(fields);
}

void MainWindow::setClusterFields(const QStringList& fields) {
    clusters_->setRemembered(fields);
}

void MainWindow::setSaveFolder(const QString& folder) {
    asks_->setSaveFolder(folder);
}

QSize MainWindow::firstSize(const QSize& available) {
    return (available * kFirstShare).expandedTo(kUsualSize).boundedTo(available - kFrameRoom);
}

void MainWindow::refreshTitle() {
    setWindowTitle(tr("%1[*] · Palimpsest").arg(QString::fromStdString(controller()->draft()->experiment().name)));
    setWindowModified(state_.saved.modified());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    // A desktop gives the window its size back a moment later: what is kept of it is what there was before the stage.
    const bool staged = stage_->on();
    stage_->leave();
    if (staged && workspace_) workspace_->setHeld(true);
    event->setAccepted(quit_->mayClose());
    if (staged && workspace_ && !event->isAccepted()) workspace_->setHeld(false);
}

void MainWindow::stopAndClose() {
    quit_->stopAndClose();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    if (OpenController::accepts(*event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    opening_->drop(*event->mimeData());
    event->acceptProposedAction();
}

}  // namespace palimpsest
