// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_control.h"

#include <algorithm>
#include <condition_variable>
#include <utility>

namespace palimpsest {

RunControl::RunControl() : RunControl(std::make_shared<LockstepRuns>(1), 0) {}

RunControl::RunControl(std::shared_ptr<LockstepRuns> group, std::size_t run) : group_(std::move(group)), run_(run) {}

void RunControl::pause() {
    group_->pause();
}

void RunControl::resume() {
    group_->resume();
}

void RunControl::step() {
    group_->step();
}

void RunControl::stop() {
    group_->end(run_, Verdict::Stop);
    end_.request_stop();
}

void RunControl::stopNow() {
    stop();
    now_.request_stop();
}

void RunControl::abort() {
    group_->end(run_, Verdict::Abort);
    end_.request_stop();
    now_.request_stop();
}

void RunControl::leave() {
    group_->leave(run_);
}

RunControl::Verdict RunControl::atBatchBorder(const std::function<void(bool)>& onPause, std::int64_t samplesSeen) {
    const LockstepRuns::Outcome outcome = group_->atBatchBorder(run_, samplesSeen, onPause);
    stepped_ = outcome.stepped;
    return outcome.verdict;
}

bool RunControl::ending() const {
    return verdict() != Verdict::Continue;
}

RunControl::Verdict RunControl::verdict() const {
    return group_->verdict(run_);
}

bool RunControl::waitFor(std::chrono::milliseconds time) {
    std::mutex alone;
    std::unique_lock lock(alone);
    std::condition_variable_any wake;
    wake.wait_for(lock, end_.get_token(), time, [] { return false; });
    return !ending();
}

void RunControl::keepState() {
    keep_wanted_ = true;
}

bool RunControl::takeKeepState() {
    return keep_wanted_.exchange(false);
}

void RunControl::change(LiveChange change) {
    const std::scoped_lock lock(mutex_);
    changes_.push_back(std::move(change));
}

std::vector<LiveChange> RunControl::takeChanges(std::int64_t samplesSeen) {
    const std::scoped_lock lock(mutex_);
    const auto due = std::stable_partition(changes_.begin(), changes_.end(),
                                           [&](const LiveChange& change) { return change.at <= samplesSeen; });
    std::vector<LiveChange> taken(changes_.begin(), due);
    changes_.erase(changes_.begin(), due);
    return taken;
}

void RunControl::pauseWhen(const PauseCondition& condition) {
    const std::scoped_lock lock(mutex_);
    pause_when_ = condition;
}

PauseCondition RunControl::pauseCondition() const {
    const std::scoped_lock lock(mutex_);
    return pause_when_;
}

bool RunControl::takePauseWhere(const std::function<bool(const PauseCondition&)>& holds) {
    const std::scoped_lock lock(mutex_);
    if (!pause_when_.any() || !holds(pause_when_)) return false;
    pause_when_ = {};
    return true;
}

bool RunControl::stepping() const {
    return group_->stepping();
}

}  // namespace palimpsest
