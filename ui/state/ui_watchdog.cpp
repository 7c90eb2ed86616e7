// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/ui_watchdog.h"

#include <algorithm>

namespace palimpsest {

UiWatchdog::UiWatchdog(QObject* parent, std::chrono::milliseconds interval)
    : QObject(parent), interval_(interval), last_beat_(Clock::now().time_since_epoch().count()) {
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &UiWatchdog::beat);
    timer_.start(interval);
}

std::chrono::microseconds UiWatchdog::sinceLastBeat() const {
    const Clock::time_point last{Clock::duration(last_beat_.load())};
    const auto late = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - last) - interval_;
    return std::max(late, std::chrono::microseconds(0));
}

void UiWatchdog::beat() {
    longest_us_ = std::max<std::int64_t>(longest_us_, sinceLastBeat().count());
    last_beat_ = Clock::now().time_since_epoch().count();
    ++beats_;
}

std::chrono::microseconds UiWatchdog::longestStall() const {
    return std::max(std::chrono::microseconds(longest_us_), sinceLastBeat());
}

void UiWatchdog::reset() {
    last_beat_ = Clock::now().time_since_epoch().count();
    longest_us_ = 0;
}

}  // namespace palimpsest
