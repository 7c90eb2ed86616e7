// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace palimpsest {

enum class RunVerdict { Continue, Stop, Abort };

/// Runs in step: at any moment one of them learns, and the one that has seen fewest images goes first. So each has the
/// whole processor while it learns, none changes what another computes, and all have seen the same images whenever they
/// pause. Pausing and stepping are common, ending is each run's own. Any thread may call any function but
/// atBatchBorder(), which belongs to the run's own thread. A single run is a group of one.
class LockstepRuns {
public:
    explicit LockstepRuns(std::size_t runs) : members_(runs) {}
    LockstepRuns(const LockstepRuns&) = delete;
    LockstepRuns& operator=(const LockstepRuns&) = delete;

    void pause();
    void resume();
    void step();
    bool stepping() const;

    /// A stop does not take back an abort.
    void end(std::size_t run, RunVerdict verdict);
    RunVerdict verdict(std::size_t run) const;
    /// The run is over, or never began: the others no longer wait for it.
    void leave(std::size_t run);

    struct Outcome {
        RunVerdict verdict;
        bool stepped;  ///< the run continues for a single batch
    };
    /// Blocks while paused and while it is another's turn. A run that is behind continues through a pause until it has
    /// caught up. `onPause(true)` when a pause begins, `onPause(false)` when it ends.
    Outcome atBatchBorder(std::size_t run, std::int64_t samplesSeen, const std::function<void(bool)>& onPause);

private:
    struct Member {
        std::int64_t seen = 0;
        RunVerdict verdict = RunVerdict::Continue;
        bool step_wanted = false;
        bool learning = false;
        bool gone = false;
        bool active() const { return !gone && verdict == RunVerdict::Continue; }
    };
    enum class Next { Go, Wait, Pause };
    Next next(std::size_t run) const;
    /// True when no pause holds the run.
    bool mayContinue(const Member& member) const;

    mutable std::mutex mutex_;
    std::condition_variable wake_;
    std::vector<Member> members_;
    bool paused_ = false;
    bool stepping_ = false;
};

}  // namespace palimpsest
