// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/run/dataset_service.h"
#include "engine/run/live_change.h"
#include "engine/run/lockstep_runs.h"
#include "engine/run/pause_condition.h"
#include "engine/run/run_observer.h"

namespace palimpsest {

/// The verbs a person has while a run goes on, as the run sees them. Any thread may call the verbs, and none blocks;
/// the run's own thread asks what was wanted.
class RunControl {
public:
    using Verdict = RunVerdict;
    RunControl();
    /// One of several runs that go on in step: pause, resume and step are all theirs, stop and abort its own.
    RunControl(std::shared_ptr<LockstepRuns> company, std::size_t run);

    void pause();
    void resume();
    /// Learn one more batch, then pause again. Pauses a run that is going on. However often it is called before that
    /// batch begins, it is one batch.
    void step();
    /// End at the next batch border and keep what was learned.
    void stop();
    /// End at the next batch border and throw the run away.
    void abort();
    /// The run is over: those beside it no longer wait for it.
    void leave();

    /// Run thread only. Blocks while paused, and while a run beside it has its turn, which is that with fewer samples
    /// seen. `onPause(true)` is called when a pause begins, `onPause(false)` when it ends.
    Verdict atBatchBorder(const std::function<void(bool)>& onPause, std::int64_t samplesSeen = 0);
    /// Run thread only: was the last border passed for a single batch?
    bool stepped() const { return stepped_; }
    /// Run thread only, never blocks: has stop or abort been asked for?
    bool ending() const;
    /// Asks to stop as soon as stop or abort has been asked for: for work between two borders that may take long.
    std::stop_token endToken() const { return end_.get_token(); }
    Verdict verdict() const;
    /// Run thread only: waits so long, but not once stop or abort has been asked for. False when it has.
    bool waitFor(std::chrono::milliseconds time);
    /// Keep the state at the next batch border.
    void keepState();
    /// Run thread only: was that asked for since the last time?
    bool takeKeepState();
    /// Changes an option at the next batch border that lies behind change.at. Only what requireLive() lets through.
    void change(LiveChange change);
    /// Run thread only: those that are due.
    std::vector<LiveChange> takeChanges(std::int64_t samplesSeen);
    /// In place of the condition before; an empty one takes it back.
    void pauseWhen(const PauseCondition& condition);
    PauseCondition pauseCondition() const;
    /// Run thread only: takes the condition back when it holds; whether it did.
    bool takePauseWhere(const std::function<bool(const PauseCondition&)>& holds);
    /// True while single batches are asked for: the run then reports every batch.
    bool stepping() const;

private:
    const std::shared_ptr<LockstepRuns> company_;
    const std::size_t run_;
    std::stop_source end_;
    std::atomic<bool> keep_wanted_ = false;
    mutable std::mutex wishes_;
    std::vector<LiveChange> changes_;
    PauseCondition pause_when_;
    bool stepped_ = false;  // the run's thread alone
};

/// A run as a plain function: no thread of its own, returns when the run has ended, reports to the observer (onEnded
/// included) and throws nothing. The command line calls it directly.
using RunFunction = std::function<void(std::int64_t run, const Experiment&, RunControl&, RunObserver&)>;

class ServiceThread;

/// One run at a time on a thread of its own. Called from the user interface's thread; no verb blocks, except the
/// destructor, which aborts and joins.
class RunService {
public:
    explicit RunService(RunFunction function);
    ~RunService();
    RunService(const RunService&) = delete;
    RunService& operator=(const RunService&) = delete;

    /// A place beside other runs; by default there is none.
    struct Seat {
        std::int64_t number = 0;              ///< of the run; 0: the next one, from 1
        std::shared_ptr<RunControl> control;  ///< made for this run; null: its own
    };
    /// Starts and returns the run's number. The observer must outlive the run; what its onEnded() throws is dropped.
    /// Only when not busy(); throws Error(Run) otherwise.
    std::int64_t start(const Experiment& experiment, RunObserver& observer, const Seat& seat);
    std::int64_t start(const Experiment& experiment, RunObserver& observer) { return start(experiment, observer, {}); }
    /// Work that reports as a RunFunction does, in its place.
    using Work = std::function<void(std::int64_t run, RunControl&, RunObserver&)>;
    std::int64_t start(Work work, RunObserver& observer, const Seat& seat);
    bool busy() const;
    void pause();
    void resume();
    void step();
    void stop();
    void abort();
    void change(const LiveChange& change);
    void pauseWhen(const PauseCondition& condition);
    void keepState();

private:
    RunFunction function_;
    std::unique_ptr<ServiceThread> thread_;
    std::int64_t runs_ = 0;
};

class BackboneService;

/// Labels and class names of a data set, without its images.
struct DatasetLabels {
    std::string name;   ///< "fashion-mnist"
    std::string title;  ///< "Fashion-MNIST"
    std::vector<std::string> class_names;
    std::vector<std::int32_t> train;
    std::vector<std::int32_t> test;
};

struct AdaptationPlace;
class AdaptationObserver;

/// What the window needs from the engine besides runs. The functions may block and may be called from any thread.
struct Laboratory {
    Catalogue catalogue;
    RunFunction run;
    /// Goes on with the run of a folder that ended early. May be null.
    std::function<void(std::int64_t run, const std::filesystem::path& folder, RunControl&, RunObserver&)> go_on;
    /// Begins an experiment with the past of a run, up to its checkpoint at so many samples. May be null.
    std::function<void(std::int64_t run, const std::filesystem::path& parent, std::int64_t at, const Experiment&,
                       RunControl&, RunObserver&)>
        fork;
    /// Initial session adaptation (adaptation.h). May be null: then there is none.
    std::function<void(const Experiment&, const AdaptationPlace&, RunControl&, AdaptationObserver&)> adapt;
    /// Reads (once, then remembers) the labels an experiment would stream, limits applied. Throws Error(Input).
    std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)> labels;
    /// Files may have changed: labels are read again when they are next asked for. May be null.
    std::function<void()> forget_labels;
    /// May be null: then data sets are neither looked for nor fetched.
    std::shared_ptr<const DatasetService> datasets;
    /// May be null: then files of weights are not looked into.
    std::shared_ptr<const BackboneService> backbones;
    std::string version;  ///< "0.1.0"
    std::string device;   ///< "CPU, 2 threads" or "CUDA, 1 GPU"
};

}  // namespace palimpsest
