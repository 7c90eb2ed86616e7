// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_job.h"

#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include "ui/state/adaptation_options.h"
#include "ui/state/engine_text.h"
#include "ui/state/key_names.h"
#include "ui/state/run_controller.h"

namespace palimpsest {
namespace {

constexpr int kFrameMs = 16;

/// The place that is proposed need not be there yet.
AdaptFunction withFolder(AdaptFunction function) {
    return [function = std::move(function)](const Experiment& experiment, const AdaptationPlace& place,
                                            RunControl& control, AdaptationObserver& observer) {
        const std::filesystem::path folder = place.file.parent_path();
        std::error_code error;
        if (!folder.empty()) std::filesystem::create_directories(folder, error);
        if (!error) return function(experiment, place, control, observer);
        AdaptationEnded ended;
        ended.how = AdaptationEnded::How::Failed;
        ended.error = "The folder " + folder.string() + " cannot be made: " + error.message() + ".";
        ended.hint = "Choose another place for the prompts.";
        ended.input_error = true;
        observer.onEnded(ended);
    };
}

}  // namespace

/// News of one adaptation: its kinds come in this order, images left out, warnings, pauses and
/// progress mixed.
struct AdaptationBridge::News {
    std::optional<std::string> preparing;
    std::optional<AdaptationStarted> started;
    std::string left_out;  ///< the first
    std::int64_t left_out_count = 0;
    std::optional<std::string> warning;
    QVector<AdaptationProgress> progress;
    std::optional<bool> paused;
    std::optional<AdaptationEnded> ended;
};

struct AdaptationBridge::Mailbox {
    std::mutex mutex;
    News news;           // guarded by mutex
    bool woken = false;  // guarded by mutex: a drain is on its way
};

AdaptationBridge::AdaptationBridge(QObject* parent)
    : QObject(parent),
      mailbox_(std::make_unique<Mailbox>()),
      throttle_(
          kFrameMs, [this] { drain(); }, this) {}

AdaptationBridge::~AdaptationBridge() = default;

template <class Put>
void AdaptationBridge::post(Put&& put) {
    {
        const std::lock_guard lock(mailbox_->mutex);
        put(mailbox_->news);
        if (std::exchange(mailbox_->woken, true)) return;
    }
    QMetaObject::invokeMethod(
        this, [this] { throttle_.ask(); }, Qt::QueuedConnection);
}

void AdaptationBridge::onPreparing(const std::string& detail) {
    post([&](News& news) { news.preparing = detail; });
}

void AdaptationBridge::onStarted(const AdaptationStarted& event) {
    post([&](News& news) { news.started = event; });
}

void AdaptationBridge::onProgress(const AdaptationProgress& event) {
    post([&](News& news) {
        QVector<AdaptationProgress>& progress = news.progress;
        if (static_cast<std::size_t>(progress.size()) >= kMostWaiting) {
            qsizetype kept = 0;
            for (qsizetype i = 0; i < progress.size(); i += 2) progress[kept++] = progress[i];
            progress.resize(kept);
        }
        progress.append(event);
    });
}

void AdaptationBridge::onImageLeftOut(const std::string& text) {
    post([&](News& news) {
        if (news.left_out_count++ == 0) news.left_out = text;
    });
}

void AdaptationBridge::onWarning(const std::string& text) {
    post([&](News& news) { news.warning = text; });
}

void AdaptationBridge::onPaused(bool paused) {
    post([&](News& news) { news.paused = paused; });
}

void AdaptationBridge::onEnded(const AdaptationEnded& event) {
    post([&](News& news) { news.ended = event; });
}

void AdaptationBridge::drain() {
    News news;
    {
        const std::lock_guard lock(mailbox_->mutex);
        news = std::exchange(mailbox_->news, {});
        mailbox_->woken = false;
    }
    if (news.preparing) Q_EMIT preparing(QString::fromStdString(*news.preparing));
    if (news.started) Q_EMIT started(*news.started);
    if (news.left_out_count > 0) Q_EMIT imageLeftOut(QString::fromStdString(news.left_out), news.left_out_count);
    if (news.warning) Q_EMIT warned(QString::fromStdString(*news.warning));
    if (!news.progress.isEmpty()) Q_EMIT progressed(news.progress);
    if (news.paused) Q_EMIT paused(*news.paused);
    if (news.ended) Q_EMIT ended(*news.ended);
}

AdaptationJob::AdaptationJob(AdaptFunction function, RunController* runs, QObject* parent)
    : QObject(parent),
      runs_(runs),
      available_(function != nullptr),
      service_(withFolder(std::move(function))),
      keeper_(&runs->draft()->table()) {
    connect(&bridge_, &AdaptationBridge::preparing, this, [this](const QString& detail) {
        engine_detail_ = detail;
        show();
    });
    connect(&bridge_, &AdaptationBridge::started, this, [this](const AdaptationStarted& event) {
        started_ = event;
        engine_ = State::Running;
        engine_detail_.clear();
        show();
        Q_EMIT began(event);
    });
    connect(&bridge_, &AdaptationBridge::progressed, this, [this](const QVector<AdaptationProgress>& events) {
        progress_ = events.last();
        Q_EMIT progressed(events);
    });
    connect(&bridge_, &AdaptationBridge::paused, this, [this](bool paused) {
        engine_ = paused ? State::Paused : State::Running;
        show();
    });
    connect(&bridge_, &AdaptationBridge::ended, this, &AdaptationJob::onEnded);
    connect(&keeper_, &FileWorker::written, this, [this](FileWorker::Written, const QString& file) { onKept(file); });
    connect(&keeper_, &FileWorker::notWritten, this,
            [this](FileWorker::Written, const QString& message, const QString& hint) {
                keeping_ = false;
                Q_EMIT stateChanged();
                Q_EMIT failed(message, hint);
            });
}

AdaptationJob::~AdaptationJob() {}

std::optional<Failure> AdaptationJob::obstacle() const {
    if (!busy()) return std::nullopt;
    return Failure{tr("The initial session is not finished."),
                   KeyNames::instance().filled(
                       tr("A run beside it would take the processor from both. Stop it under Run > Initial "
                          "session, or wait for its end; then press {startRun}."))};
}

std::optional<Failure> AdaptationJob::problemOf(const Experiment& experiment) const {
    const OptionTable& table = runs_->draft()->table();
    if (const auto failure = failureOf([&] { requirePromptMethod(table, experiment); }))
        return withOptionTitles(*failure);
    if (const std::vector<std::string> problems = table.problems(experiment); !problems.empty())
        return Failure{tr("The initial session cannot start: %1").arg(withOptionTitles(problems.front())),
                       tr("Change that setting and start again.")};
    return std::nullopt;
}

void AdaptationJob::start(const QString& file, const QString& kind, bool resume) {
    if (!available_ || busy() || keeping_) return;
    if (const Experiment* running = runs_->running()) {
        Q_EMIT noted(tr("“%1” is not finished.").arg(QString::fromStdString(running->name)),
                     tr("An initial session beside it would take the processor from both. Stop the run, or wait for "
                        "its end, and start again."));
        return;
    }
    if (const auto failure = hindrance_ ? hindrance_() : std::nullopt) {
        Q_EMIT noted(failure->message, failure->hint);
        return;
    }
    const Experiment experiment = adaptationOf(runs_->draft()->experiment(), kind.toStdString());
    if (const auto problem = problemOf(experiment)) {
        Q_EMIT failed(problem->message, problem->hint);
        return;
    }
    file_ = file;
    started_.reset();
    progress_.reset();
    end_.reset();
    engine_detail_.clear();
    pause_wanted_ = stop_wanted_ = false;
    const auto failure = failureOf([&] { service_.start(experiment, {file.toStdString(), resume}, bridge_); });
    if (!failure) engine_ = State::Preparing;
    show();
    if (failure) Q_EMIT failed(failure->message, failure->hint);
}

void AdaptationJob::pauseOrResume() {
    if (!canStop()) return;
    // The request counts: a second press cancels a pause that has not come about yet.
    pause_wanted_ = !pause_wanted_;
    if (pause_wanted_)
        service_.pause();
    else
        service_.resume();
    show();
}

void AdaptationJob::stop() {
    if (!canStop()) return;
    stop_wanted_ = true;
    service_.stop();
    show();
}

void AdaptationJob::keepAt(const QString& file) {
    if (!canKeepElsewhere()) return;
    keeping_ = true;
    keeper_.write(FileWorker::Written::Prompts, file,
                  [write = end_->keep_at, place = std::filesystem::path(file.toStdString())] { write(place); });
    Q_EMIT stateChanged();
}

void AdaptationJob::onKept(const QString& file) {
    keeping_ = false;
    const bool finished = started_ && end_->step == started_->total_steps;
    end_->how = finished ? AdaptationEnded::How::Finished : AdaptationEnded::How::Stopped;
    end_->file = file.toStdString();
    end_->keep_at = {};
    // The state to resume from stays beside the first place.
    if (finished || file != file_) end_->state_step = 0;
    file_ = file;
    Q_EMIT stateChanged();
    Q_EMIT kept(file);
}

void AdaptationJob::onEnded(const AdaptationEnded& event) {
    end_ = event;
    engine_ = State::Idle;
    engine_detail_.clear();
    pause_wanted_ = stop_wanted_ = false;
    show();
    runs_->forgetRefusal();
    Q_EMIT ended(event);
    if (event.how == AdaptationEnded::How::Failed)
        Q_EMIT failed(withOptionTitles(event.error), withOptionTitles(event.hint));
}

void AdaptationJob::show() {
    State state = engine_;
    QString detail = engine_detail_;
    if (engine_ != State::Idle && stop_wanted_) {
        state = State::Stopping;
        detail = started_ ? tr("Stopping after this step") : tr("Stopping");
    } else if (engine_ == State::Paused && !pause_wanted_) {
        state = State::Running;
    } else if (engine_ == State::Running && pause_wanted_) {
        detail = tr("Pausing after this step");
    } else if (engine_ == State::Preparing && pause_wanted_) {
        detail = tr("%1, then pausing").arg(detail.isEmpty() ? tr("Preparing") : detail);
    }
    if (state == shown_ && detail == detail_) return;
    shown_ = state;
    detail_ = detail;
    Q_EMIT stateChanged();
}

}  // namespace palimpsest
