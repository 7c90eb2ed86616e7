// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/run_clock.h"

#include <algorithm>

namespace palimpsest {
namespace {

double secondsOf(RunClock::Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

}  // namespace

double RunClock::active() const {
    return secondsOf(Clock::now() - start_ - paused_) + before_;
}

double RunClock::training() const {
    return secondsOf(training_);
}

double RunClock::imagesPerSecond(std::int64_t images) const {
    return images > 0 ? static_cast<double>(images) / std::max(1e-9, training()) : 0;
}

void RunClock::resumeFrom(double active, double training) {
    before_ = active;
    training_ = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(training));
}

}  // namespace palimpsest
