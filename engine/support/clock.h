// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace palimpsest {

/// Time that a run, or an adaptation, has taken without pauses, and of that the seconds of training alone. It begins
/// when the clock is made.
class RunClock {
public:
    using Clock = std::chrono::steady_clock;

    /// Seconds so far, pauses not included.
    double active() const;
    /// Seconds of training alone.
    double training() const;
    /// Speed of training alone; 0: no images yet.
    double imagesPerSecond(std::int64_t images) const;

    /// The run stood still for that long.
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

/// Now, or so long ago, as ISO 8601 in UTC with milliseconds: "2025-03-01T09:30:00.125Z".
std::string utcNow(std::chrono::seconds ago = {});
/// Time since such a moment, negative for one to come; absent for any other text.
std::optional<std::chrono::seconds> timeSinceUtc(const std::string& stamp);
/// "2025-03-01T09:30:00Z" of such a moment, as PDF readers show it.
std::string withoutFraction(const std::string& stamp);
/// The day of such a moment where this computer is, "2025-03-01"; empty for any other text.
std::string localDay(const std::string& stamp);
/// Now, as it stands in folder names, in UTC: "20250301-093000".
std::string utcStamp();

}  // namespace palimpsest
