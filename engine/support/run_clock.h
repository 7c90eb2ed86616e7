// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>

namespace palimpsest {

/// How long a run, or an adaptation, has taken: without pauses, and of that the seconds of training alone. It begins
/// when it is made.
class RunClock {
public:
    using Clock = std::chrono::steady_clock;

    /// Seconds so far, pauses not included.
    double active() const;
    /// Seconds of training alone.
    double training() const;
    /// Speed of training alone; 0: no images yet.
    double imagesPerSecond(std::int64_t images) const;

    /// It stood still for that long.
    void addPause(Clock::duration pause) { paused_ += pause; }
    /// Training begins here and lasts until the next endBatch().
    void beginBatch(Clock::time_point now) { batch_begin_ = now; }
    void endBatch() { training_ += Clock::now() - batch_begin_; }
    /// Seconds that a run had taken before it was resumed.
    void resumeFrom(double active, double training);

private:
    Clock::time_point start_ = Clock::now(), batch_begin_ = Clock::now();
    Clock::duration paused_{}, training_{};
    double before_ = 0;  // seconds before it was resumed
};

}  // namespace palimpsest
