// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/lockstep_runs.h"

#include <algorithm>
#include <utility>

namespace palimpsest {

void LockstepRuns::pause() {
    const std::scoped_lock lock(mutex_);
    paused_ = true;
    stepping_ = false;
    for (Member& member : members_) member.step_wanted = false;
    wake_.notify_all();
}

void LockstepRuns::resume() {
    const std::scoped_lock lock(mutex_);
    paused_ = stepping_ = false;
    for (Member& member : members_) member.step_wanted = false;
    wake_.notify_all();
}

void LockstepRuns::step() {
    const std::scoped_lock lock(mutex_);
    paused_ = stepping_ = true;
    for (Member& member : members_) member.step_wanted = true;
    wake_.notify_all();
}

bool LockstepRuns::stepping() const {
    const std::scoped_lock lock(mutex_);
    return stepping_;
}

void LockstepRuns::end(std::size_t run, RunVerdict verdict) {
    const std::scoped_lock lock(mutex_);
    if (members_[run].verdict != RunVerdict::Abort) members_[run].verdict = verdict;
    wake_.notify_all();
}

RunVerdict LockstepRuns::verdict(std::size_t run) const {
    const std::scoped_lock lock(mutex_);
    return members_[run].verdict;
}

void LockstepRuns::leave(std::size_t run) {
    const std::scoped_lock lock(mutex_);
    members_[run].gone = true;
    wake_.notify_all();
}

bool LockstepRuns::mayContinue(const Member& member) const {
    if (!paused_ || member.step_wanted) return true;
    return std::any_of(members_.begin(), members_.end(),
                       [&](const Member& other) { return other.active() && other.seen > member.seen; });
}

LockstepRuns::Next LockstepRuns::next(std::size_t run) const {
    const Member& member = members_[run];
    if (member.verdict != RunVerdict::Continue) return Next::Go;
    const bool rests = !mayContinue(member);
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const Member& other = members_[i];
        if (i == run || !other.active()) continue;
        const bool first = std::pair(other.seen, i) < std::pair(member.seen, run);
        // A run pauses after the others only: one that learns may come out ahead, and the others then catch up with it.
        if (other.learning || ((first || rests) && mayContinue(other))) return Next::Wait;
    }
    return rests ? Next::Pause : Next::Go;
}

LockstepRuns::Outcome LockstepRuns::atBatchBorder(std::size_t run, std::int64_t samplesSeen,
                                                  const std::function<void(bool)>& onPause) {
    std::unique_lock lock(mutex_);
    Member& member = members_[run];
    member.seen = samplesSeen;
    member.learning = false;
    wake_.notify_all();
    // Called without the lock, so that the listener may take its time and no command ever blocks.
    const auto notify = [&](bool paused) {
        lock.unlock();
        if (onPause) onPause(paused);
        lock.lock();
    };
    bool notified = false;
    for (Next now = next(run); now != Next::Go; now = next(run))
        if (now == Next::Pause && !std::exchange(notified, true))
            notify(true);
        else
            wake_.wait(lock);
    member.learning = member.verdict == RunVerdict::Continue;
    if (notified) notify(false);
    const bool stepped = member.verdict == RunVerdict::Continue && std::exchange(member.step_wanted, false);
    return {member.verdict, stepped};
}

}  // namespace palimpsest
