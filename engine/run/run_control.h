// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/run/live_change.h"
#include "engine/run/lockstep_runs.h"

namespace palimpsest {

/// Condition under which a run pauses by itself, once, at the next batch border.
struct PauseCondition {
    bool session_end = false;               ///< the present session ends
    std::optional<std::int64_t> session{};  ///< the accuracy on the data of this session, from 0, ...
    double below = 0;                       ///< ... falls below this, from 0 to 1, in any evaluation

    bool any() const { return session_end || session.has_value(); }
};

/// Commands of the user to a run, as the run sees them. Any thread may give a command, and none blocks; the run's own
/// thread asks for them.
class RunControl {
public:
    using Verdict = RunVerdict;
    RunControl();
    /// Control of one of several runs in step: pause, resume and step are common, stop and abort its own.
    RunControl(std::shared_ptr<LockstepRuns> group, std::size_t run);

    void pause();
    void resume();
    /// Learn one more batch, then pause again. Pauses a running run. However often it is called before that
    /// batch begins, it is one batch.
    void step();
    /// End at the next batch border and keep what was learned.
    void stop();
    /// As stop(), but a program that learns in the method's place is not waited for: it is ended at once, and what was
    /// learned since the newest checkpoint is lost where it was at work.
    void stopNow();
    /// End at the next batch border and throw the run away, without waiting for such a program.
    void abort();
    /// The run is over: those beside it no longer wait for it.
    void leave();

    /// Run thread only. Blocks while paused, and while a run beside it has its turn, which is that with fewer samples
    /// seen. `onPause(true)` is called when a pause begins, `onPause(false)` when it ends.
    Verdict atBatchBorder(const std::function<void(bool)>& onPause, std::int64_t samplesSeen = 0);
    /// Run thread only: true when the last border was passed for a single batch.
    bool stepped() const { return stepped_; }
    /// Run thread only, never blocks: true once stop or abort has been asked for.
    bool ending() const;
    /// Asks to stop as soon as stop or abort has been asked for: for work between two borders that may take long.
    std::stop_token endToken() const { return end_.get_token(); }
    /// Asks to stop as soon as stopNow() or abort() has been asked for.
    std::stop_token nowToken() const { return now_.get_token(); }
    Verdict verdict() const;
    /// Run thread only: waits so long, but not once stop or abort has been asked for. False when it has.
    bool waitFor(std::chrono::milliseconds time);
    /// Keep the state at the next batch border.
    void keepState();
    /// Run thread only: true when keepState() was called since the last time.
    bool takeKeepState();
    /// Changes an option at the next batch border that lies behind change.at. Only what requireLive() lets through.
    void change(LiveChange change);
    /// Run thread only: removes and returns the changes that are due.
    std::vector<LiveChange> takeChanges(std::int64_t samplesSeen);
    /// Replaces the pause condition; an empty one removes it.
    void pauseWhen(const PauseCondition& condition);
    PauseCondition pauseCondition() const;
    /// Run thread only: true when the condition holds, which is then removed.
    bool takePauseWhere(const std::function<bool(const PauseCondition&)>& holds);
    /// True while single batches are asked for: the run then reports every batch.
    bool stepping() const;

private:
    const std::shared_ptr<LockstepRuns> group_;
    const std::size_t run_;
    std::stop_source end_, now_;
    std::atomic<bool> keep_wanted_ = false;
    mutable std::mutex mutex_;
    std::vector<LiveChange> changes_;
    PauseCondition pause_when_;
    bool stepped_ = false;  // the run's thread alone
};

}  // namespace palimpsest
