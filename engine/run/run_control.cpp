// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_service.h"

#include <utility>

namespace palimpsest {

void RunControl::pause() {
    const std::scoped_lock lock(mutex_);
    paused_ = true;
    stepping_ = false;
    step_wanted_ = false;
}

void RunControl::resume() {
    const std::scoped_lock lock(mutex_);
    paused_ = false;
    stepping_ = false;
    step_wanted_ = false;
    wake_.notify_all();
}

void RunControl::step() {
    const std::scoped_lock lock(mutex_);
    paused_ = true;
    stepping_ = true;
    step_wanted_ = true;
    wake_.notify_all();
}

void RunControl::stop() {
    {
        const std::scoped_lock lock(mutex_);
        if (verdict_ == Verdict::Continue) verdict_ = Verdict::Stop;
        wake_.notify_all();
    }
    end_.request_stop();
}

void RunControl::abort() {
    {
        const std::scoped_lock lock(mutex_);
        verdict_ = Verdict::Abort;
        wake_.notify_all();
    }
    end_.request_stop();
}

RunControl::Verdict RunControl::atBatchBorder(const std::function<void(bool)>& onPause) {
    std::unique_lock lock(mutex_);
    const auto mayGoOn = [this] { return verdict_ != Verdict::Continue || !paused_ || step_wanted_; };
    if (!mayGoOn()) {
        // Told without the lock, so that the listener may take its time and the verbs never block.
        lock.unlock();
        if (onPause) onPause(true);
        lock.lock();
        wake_.wait(lock, mayGoOn);
        lock.unlock();
        if (onPause) onPause(false);
        lock.lock();
    }
    stepped_ = verdict_ == Verdict::Continue && std::exchange(step_wanted_, false);
    return verdict_;
}

bool RunControl::ending() const {
    return verdict() != Verdict::Continue;
}

RunControl::Verdict RunControl::verdict() const {
    const std::scoped_lock lock(mutex_);
    return verdict_;
}

bool RunControl::stepping() const {
    const std::scoped_lock lock(mutex_);
    return stepping_;
}

}  // namespace palimpsest
