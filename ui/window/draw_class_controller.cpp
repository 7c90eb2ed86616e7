// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/draw_class_controller.h"

#include <QAction>
#include <algorithm>

#include "engine/stream/experiment_stream.h"
#include "engine/stream/fitted_stream.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "ui/datasets/dataset_library.h"
#include "ui/figures/watched_strip.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dataset_controller.h"

namespace palimpsest {
namespace {

constexpr const char* kDrawingsUsualBase = "icons";
constexpr std::int64_t kDrawnTrainEach = 40, kDrawnTestEach = 10;  // images of each class of the base
constexpr std::int64_t kDrawnEvery = 40;                           // images between evaluations
const QString kDrawTopic = QStringLiteral("own class");

bool isGrey(const std::string& dataset) {
    return dataset.find("mnist") != std::string::npos;
}

}  // namespace

DrawClassController::DrawClassController(WindowState& state, DatasetController* datasets, MessageBar* messages,
                                         QAction* draw, const std::filesystem::path& place, QWidget* window)
    : state_(state),
      datasets_(datasets),
      messages_(messages),
      classes_(place),
      window_(window),
      strip_(new WatchedStrip(state.figures, state.laboratory.datasets)) {
    connect(draw, &QAction::triggered, this, &DrawClassController::showDialog);
    connect(datasets_, &DatasetController::drawAsked, this, &DrawClassController::showDialog);
    connect(datasets_, &DatasetController::forgotten, strip_, &WatchedStrip::forgetPictures);
    // A replay, also one of the stage, begins no run.
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane)
        connect(state_.controller.bridge(lane), &RunBridge::started, strip_, [strip = strip_](const RunStarted& event) {
            if (!event.replayed) strip->begin(RunSet::idOf(event.folder, event.run));
        });
    connect(&state_.controller, &RunController::stateChanged, this, [this] {
        if (dialog_) dialog_->setCanStart(state_.controller.canStart());
    });
}

DrawClassController::~DrawClassController() {
    closing_.request_stop();
    delete dialog_;
}

DrawingGround DrawClassController::ground() const {
    const StreamOptions& stream = state_.controller.draft()->experiment().stream;
    DrawingGround ground;
    ground.base = {stream.dataset, stream.root};
    if (stream.dataset == kOwnDrawings) {
        // The folder says what it is added to; one that is no folder of own drawings says so when it is learned.
        const std::filesystem::path root(stream.root);
        ground.base = {root.filename().string(), {}};
    }
    const DatasetCard* card = datasets_->library()->find(QString::fromStdString(ground.base.dataset));
    if (ground.base.dataset == "folder" || !card) {
        ground.base = {kDrawingsUsualBase, {}};
        card = datasets_->library()->find(kDrawingsUsualBase);
    }
    ground.title = card ? QString::fromStdString(card->title) : QString::fromStdString(ground.base.dataset);
    ground.classes = card ? card->classes : 0;
    ground.grey = isGrey(ground.base.dataset);
    return ground;
}

void DrawClassController::showDialog() {
    if (!dialog_) {
        dialog_ = new DrawClassDialog(classes_, state_.laboratory.cameras, window_);
        connect(dialog_, &DrawClassDialog::startAsked, this, &DrawClassController::start);
        connect(dialog_, &DrawClassDialog::filesChanged, this, &DrawClassController::filesChanged);
        dialog_->setCanStart(state_.controller.canStart());
    }
    if (!dialog_->edited()) dialog_->setGround(ground());
    dialog_->show();
    dialog_->raise();
    dialog_->activateWindow();
}

Experiment DrawClassController::withDrawn(const OptionTable& table, const Experiment& experiment,
                                          const std::string& root, const DrawnStart& start,
                                          const DatasetLabels& labels) {
    const std::string name = start.name.toStdString();
    const auto& names = labels.class_names;
    const auto found = std::ranges::find_if(names.rbegin(), names.rend(), [&](const std::string& each) {
        return each == name || each == name + " (drawn)";
    });
    if (found == names.rend())
        throw inputError("The class " + name + " is not among the own drawings.", "Save it again.");
    const auto label = static_cast<std::int64_t>(names.rend() - found) - 1;
    Experiment drawn = experiment;
    drawn.name = name + " drawn";
    const std::int64_t cache = experiment.stream.cache;
    drawn.stream = table.defaults().stream;
    drawn.stream.cache = cache;
    drawn.stream.dataset = kOwnDrawings;
    drawn.stream.root = root;
    drawn.stream.classes = start.classes;
    drawn.stream.sessions = DrawClassDialog::kSessions;
    drawn.stream.train_limit = start.classes * kDrawnTrainEach;
    drawn.stream.test_limit = start.classes * kDrawnTestEach;
    drawn.evaluation.every_samples = kDrawnEvery;
    const std::int64_t limit = drawn.stream.train_limit;
    drawn = fittedToImages(drawn, labels.train, std::ssize(names));
    drawn.stream.train_limit = limit;
    // The class comes in one session, as it was asked for, unless the seed has put it there already.
    const std::int64_t session = std::clamp<std::int64_t>(start.session, 0, drawn.stream.sessions - 1);
    const StreamPlan plan = planExperimentStream(drawn, labels.train, std::ssize(names));
    const std::vector<std::int64_t> counts = countSamples(plan, labels.train)[static_cast<std::size_t>(label)];
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i] > 0 && static_cast<std::int64_t>(i) != session) {
            drawn.stream.edits = toText(StreamEdit{label, StreamEdit::kEverySession, session});
            break;
        }
    return drawn;
}

void DrawClassController::start(const DrawnStart& start) {
    if (!state_.controller.canStart()) return;
    Experiment trial = state_.controller.draft()->experiment();
    const std::string root = std::filesystem::absolute(classes_.folder(start.base.dataset)).string();
    trial.stream = state_.table.defaults().stream;
    trial.stream.dataset = kOwnDrawings;
    trial.stream.root = root;
    trial.stream.classes = start.classes;
    trial.stream.train_limit = start.classes * kDrawnTrainEach;
    trial.stream.test_limit = start.classes * kDrawnTestEach;
    background_.runNewest(
        [table = &state_.table, labels = state_.laboratory.labels, experiment = state_.controller.draft()->experiment(),
         trial, root, start, stop = closing_.get_token()] {
            const StopScope scope(stop);
            return withDrawn(*table, experiment, root, start, *labels(trial));
        },
        [this, start](const Experiment& experiment) { begin(start, experiment); },
        [this](const Failure& failure) {
            const Failure shown = withOptionTitles(failure);
            dialog_->showFailure(shown.message, shown.hint);
        });
}

void DrawClassController::begin(const DrawnStart& start, const Experiment& experiment) {
    if (!state_.controller.canStart()) return;
    state_.controller.draft()->replace(experiment, tr("own class %1").arg(start.name));
    Q_EMIT figuresNeeded();
    dialog_->hide();
    state_.controller.startOrResume();
    messages_->showPassing(kDrawTopic, tr("%1 is learned beside %2 classes.").arg(start.name).arg(start.classes),
                           tr("The strip over the figures shows whether its test drawing is recognised."));
}

}  // namespace palimpsest
