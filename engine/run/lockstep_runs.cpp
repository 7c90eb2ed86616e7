// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/lockstep_runs.h"

#include <algorithm>
#include <utility>

namespace palimpsest {

void LockstepRuns::pause() {
    const std::scoped_lock lock(mutex_);
    paused_ = true;
    stepping_ = false;
    for (Seat& seat : seats_) seat.step_wanted = false;
    wake_.notify_all();
}

void LockstepRuns::resume() {
    const std::scoped_lock lock(mutex_);
    paused_ = stepping_ = false;
    for (Seat& seat : seats_) seat.step_wanted = false;
    wake_.notify_all();
}

void LockstepRuns::step() {
    const std::scoped_lock lock(mutex_);
    paused_ = stepping_ = true;
    for (Seat& seat : seats_) seat.step_wanted = true;
    wake_.notify_all();
}

bool LockstepRuns::stepping() const {
    const std::scoped_lock lock(mutex_);
    return stepping_;
}

void LockstepRuns::end(std::size_t run, RunVerdict verdict) {
    const std::scoped_lock lock(mutex_);
    if (seats_[run].verdict != RunVerdict::Abort) seats_[run].verdict = verdict;
    wake_.notify_all();
}

RunVerdict LockstepRuns::verdict(std::size_t run) const {
    const std::scoped_lock lock(mutex_);
    return seats_[run].verdict;
}

void LockstepRuns::leave(std::size_t run) {
    const std::scoped_lock lock(mutex_);
    seats_[run].gone = true;
    wake_.notify_all();
}

bool LockstepRuns::wants(const Seat& seat) const {
    if (!paused_ || seat.step_wanted) return true;
    return std::any_of(seats_.begin(), seats_.end(),
                       [&](const Seat& other) { return other.takesPart() && other.seen > seat.seen; });
}

LockstepRuns::Next LockstepRuns::next(std::size_t run) const {
    const Seat& seat = seats_[run];
    if (seat.verdict != RunVerdict::Continue) return Next::Go;
    const bool rests = !wants(seat);
    for (std::size_t i = 0; i < seats_.size(); ++i) {
        const Seat& other = seats_[i];
        if (i == run || !other.takesPart()) continue;
        const bool first = std::pair(other.seen, i) < std::pair(seat.seen, run);
        // Not at rest before the others are: one that learns may come out ahead, and has then to be caught up with.
        if (other.learning || ((first || rests) && wants(other))) return Next::Wait;
    }
    return rests ? Next::Pause : Next::Go;
}

LockstepRuns::Passage LockstepRuns::atBatchBorder(std::size_t run, std::int64_t samplesSeen,
                                                  const std::function<void(bool)>& onPause) {
    std::unique_lock lock(mutex_);
    Seat& seat = seats_[run];
    seat.seen = samplesSeen;
    seat.learning = false;
    wake_.notify_all();
    // Called without the lock, so that the listener may take its time and no command ever blocks.
    const auto tell = [&](bool paused) {
        lock.unlock();
        if (onPause) onPause(paused);
        lock.lock();
    };
    bool told = false;
    for (Next now = next(run); now != Next::Go; now = next(run))
        if (now == Next::Pause && !std::exchange(told, true))
            tell(true);
        else
            wake_.wait(lock);
    seat.learning = seat.verdict == RunVerdict::Continue;
    if (told) tell(false);
    const bool stepped = seat.verdict == RunVerdict::Continue && std::exchange(seat.step_wanted, false);
    return {seat.verdict, stepped};
}

}  // namespace palimpsest
