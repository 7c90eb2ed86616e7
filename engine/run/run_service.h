// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "engine/run/run_events.h"
#include "engine/run/service_thread.h"

namespace palimpsest {

/// A run as a plain function: no thread of its own, returns when the run has ended, reports to the observer (onEnded
/// included) and throws nothing. The command line calls it directly.
using RunFunction = std::function<void(std::int64_t run, const Experiment&, RunControl&, RunObserver&)>;

/// One run at a time on a thread of its own.
class RunService : public ServiceThread {
public:
    explicit RunService(RunFunction function) : ServiceThread("run"), function_(std::move(function)) {}

    /// A place beside other runs; by default there is none.
    struct Slot {
        std::int64_t number = 0;              ///< of the run; 0: the next one, from 1
        std::shared_ptr<RunControl> control;  ///< made for this run; null: its own
    };
    /// Starts and returns the run's number. The observer must outlive the run; what its onEnded() throws is dropped.
    /// Only when not busy(); throws Error(Run) otherwise.
    std::int64_t start(const Experiment& experiment, RunObserver& observer, const Slot& slot);
    std::int64_t start(const Experiment& experiment, RunObserver& observer) { return start(experiment, observer, {}); }
    /// Work that reports as a RunFunction does, in its place.
    using Work = std::function<void(std::int64_t run, RunControl&, RunObserver&)>;
    std::int64_t start(Work work, RunObserver& observer, const Slot& slot);
    void change(const LiveChange& change);
    void pauseWhen(const PauseCondition& condition);
    void keepState();

private:
    RunFunction function_;
    std::int64_t runs_ = 0;
};

}  // namespace palimpsest
