// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/clock.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

namespace palimpsest {
namespace {

double secondsOf(RunClock::Clock::duration duration) {
    return std::chrono::duration<double>(duration).count();
}

std::string utcText(std::chrono::system_clock::time_point moment, const char* format) {
    const std::time_t seconds = std::chrono::system_clock::to_time_t(moment);
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[40];
    std::strftime(text, sizeof text, format, &parts);
    return text;
}

/// Seconds since 1970; absent for what is no moment as utcNow() writes it.
std::optional<std::time_t> secondsIn(const std::string& stamp) {
    std::tm parts{};
    const char* end = strptime(stamp.c_str(), "%Y-%m-%dT%H:%M:%S", &parts);
    if (!end || !stamp.ends_with('Z')) return std::nullopt;
    return timegm(&parts);
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

std::string utcNow(std::chrono::seconds ago) {
    const auto now = std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now() - ago);
    char milliseconds[8];
    std::snprintf(milliseconds, sizeof milliseconds, ".%03dZ",
                  static_cast<int>((now - std::chrono::floor<std::chrono::seconds>(now)).count()));
    return utcText(std::chrono::floor<std::chrono::seconds>(now), "%Y-%m-%dT%H:%M:%S") + milliseconds;
}

std::optional<std::chrono::seconds> timeSinceUtc(const std::string& stamp) {
    const std::optional<std::time_t> then = secondsIn(stamp);
    if (!then) return std::nullopt;
    return std::chrono::seconds(std::time(nullptr) - *then);
}

std::string withoutFraction(const std::string& stamp) {
    const std::size_t point = stamp.find('.');
    return point == std::string::npos || !stamp.ends_with('Z') ? stamp : stamp.substr(0, point) + "Z";
}

std::string localDay(const std::string& stamp) {
    const std::optional<std::time_t> seconds = secondsIn(stamp);
    std::tm local{};
    if (!seconds || !localtime_r(&*seconds, &local)) return {};
    char text[40];
    return std::strftime(text, sizeof text, "%Y-%m-%d", &local) > 0 ? text : "";
}

std::string utcStamp() {
    return utcText(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()), "%Y%m%d-%H%M%S");
}

}  // namespace palimpsest
