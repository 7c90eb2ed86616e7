// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QVector>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "engine/run/adaptation.h"
#include "ui/state/engine_text.h"
#include "ui/state/file_worker.h"
#include "ui/state/throttle.h"

namespace palimpsest {

class RunController;

/// Carries an adaptation's news from the engine thread to the window's thread through a bounded mailbox, emptied at
/// most once a frame: of preparations, warnings and pauses only the newest, of images left out the first and how many,
/// of progress everything, or, when the window was away for very long, every second piece. The engine never waits.
class AdaptationBridge : public QObject, public AdaptationObserver {
    Q_OBJECT
public:
    /// Pieces of progress that wait at most.
    static constexpr std::size_t kMostWaiting = 4096;

    explicit AdaptationBridge(QObject* parent = nullptr);
    ~AdaptationBridge() override;

    // Engine thread.
    void onPreparing(const std::string& detail) override;
    void onStarted(const AdaptationStarted& event) override;
    void onProgress(const AdaptationProgress& event) override;
    void onPaused(bool paused) override;
    void onImageLeftOut(const std::string& text) override;
    void onWarning(const std::string& text) override;
    void onEnded(const AdaptationEnded& event) override;

Q_SIGNALS:
    // UI thread, in this order.
    void preparing(const QString& detail);
    void started(const palimpsest::AdaptationStarted& event);
    /// So many more images cannot be read; `text` says what is wrong with the first of them.
    void imageLeftOut(const QString& text, qint64 count);
    /// The newest of what went wrong without ending it.
    void warned(const QString& text);
    void progressed(const QVector<palimpsest::AdaptationProgress>& events);
    void paused(bool paused);
    void ended(const palimpsest::AdaptationEnded& event);

private:
    struct News;
    struct Mailbox;
    template <class Put>
    void post(Put&& put);  // any thread
    void drain();

    std::unique_ptr<Mailbox> mailbox_;
    Throttle throttle_;
};

/// Actions on initial session adaptations, and when each is possible. Owns the service and the bridge that brings its
/// news.
class AdaptationJob : public QObject {
    Q_OBJECT
public:
    enum class State { Idle, Preparing, Running, Paused, Stopping };

    /// `function` may be null: then nothing starts. None starts while a run goes on; see also obstacle().
    AdaptationJob(AdaptFunction function, RunController* runs, QObject* parent = nullptr);
    /// Aborts an adaptation that is still going on and waits for its end; stop() and ended() do so without blocking.
    ~AdaptationJob() override;

    /// Another reason why none may start now, which is asked for at each start; by default there is none.
    void setHindrance(std::function<std::optional<Failure>()> hindrance) { hindrance_ = std::move(hindrance); }

    AdaptationBridge* bridge() { return &bridge_; }
    bool available() const { return available_; }

    /// State as the user sees it: a requested change counts at once.
    State state() const { return shown_; }
    /// "Reading Fractals", "Pausing after this step"; may be empty.
    QString detail() const { return detail_; }
    bool busy() const { return shown_ != State::Idle; }
    /// Why no run may start meanwhile; nothing while it is idle.
    std::optional<Failure> obstacle() const;
    bool canStop() const { return busy() && shown_ != State::Stopping; }
    /// Facts of the running or latest adaptation; nothing before it has begun.
    const std::optional<AdaptationStarted>& started() const { return started_; }
    const std::optional<AdaptationProgress>& progress() const { return progress_; }
    const std::optional<AdaptationEnded>& end() const { return end_; }
    /// File that it writes its prompts to.
    QString file() const { return file_; }
    /// The prompts are done but could not be written to their place; the next start loses them.
    bool unwritten() const { return end_ && end_->keep_at; }
    /// They are, and are not being written to another place just now.
    bool canKeepElsewhere() const { return unwritten() && !keeping_; }
    /// Writes them to another place, away from the window's thread; then comes kept() or, when that failed as well,
    /// failed(). Nothing starts meanwhile.
    void keepAt(const QString& file);
    /// State file that a stopped adaptation leaves beside its prompts, to be resumed from.
    static QString stateFileOf(const QString& file) { return file + QStringLiteral(".state"); }

public Q_SLOTS:
    // Each does nothing in a state where it makes no sense.
    /// Starts with the settings of the experiment that is being edited. `kind`: "naive", "sam" or "fam". `resume`: from
    /// the state file.
    void start(const QString& file, const QString& kind, bool resume);
    void pauseOrResume();
    void stop();

Q_SIGNALS:
    /// State, detail or what can be done changed.
    void stateChanged();
    /// Progress came; state() is up to date.
    void progressed(const QVector<palimpsest::AdaptationProgress>& events);
    void began(const palimpsest::AdaptationStarted& event);
    void ended(const palimpsest::AdaptationEnded& event);
    /// The prompts that could not be written to their place are in this file.
    void kept(const QString& file);
    /// Explains why nothing happened, where the user might wonder.
    void noted(const QString& message, const QString& hint);
    /// One could not start or failed.
    void failed(const QString& message, const QString& hint);

private:
    void onEnded(const AdaptationEnded& event);
    void onKept(const QString& file);
    void show();
    /// Why an adaptation cannot start with this experiment.
    std::optional<Failure> problemOf(const Experiment& experiment) const;

    RunController* runs_;
    const bool available_;
    std::function<std::optional<Failure>()> hindrance_;
    AdaptationBridge bridge_;  // outlives the service, whose thread writes into it
    AdaptationService service_;
    std::optional<AdaptationStarted> started_;
    std::optional<AdaptationProgress> progress_;
    std::optional<AdaptationEnded> end_;
    QString file_;
    bool keeping_ = false;
    FileWorker keeper_;
    State engine_ = State::Idle;
    QString engine_detail_;
    bool pause_wanted_ = false;
    bool stop_wanted_ = false;
    State shown_ = State::Idle;
    QString detail_;
};

}  // namespace palimpsest
