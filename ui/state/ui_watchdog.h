// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <chrono>

namespace palimpsest {

/// Measures how long the window's thread was kept from handling events. A timer beats on that thread; a gap between
/// two beats that is longer than the interval is a stall. Any thread may ask, also while a stall is going on.
class UiWatchdog : public QObject {
    Q_OBJECT
public:
    explicit UiWatchdog(QObject* parent = nullptr, std::chrono::milliseconds interval = std::chrono::milliseconds(2))
        : QObject(parent), interval_(interval), last_beat_(now()) {
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &UiWatchdog::beat);
        timer_.start(interval);
    }

    /// Longest stall since the start or the last reset, one that is still going on included.
    std::chrono::microseconds longestStall() const {
        return std::max(std::chrono::microseconds(longest_us_), sinceLastBeat());
    }
    /// UI thread.
    void reset() {
        last_beat_ = now();
        longest_us_ = 0;
    }
    /// Beats since the start, which show that the watchdog runs.
    std::int64_t beats() const { return beats_; }

private:
    using Clock = std::chrono::steady_clock;

    static Clock::rep now() { return Clock::now().time_since_epoch().count(); }
    void beat() {
        longest_us_ = std::max<std::int64_t>(longest_us_, sinceLastBeat().count());
        last_beat_ = now();
        ++beats_;
    }
    std::chrono::microseconds sinceLastBeat() const {
        const Clock::duration gap(now() - last_beat_.load());
        const auto late = std::chrono::duration_cast<std::chrono::microseconds>(gap) - interval_;
        return std::max(late, std::chrono::microseconds(0));
    }

    const std::chrono::microseconds interval_;
    QTimer timer_;
    std::atomic<Clock::rep> last_beat_;
    std::atomic<std::int64_t> longest_us_{0};
    std::atomic<std::int64_t> beats_{0};
};

}  // namespace palimpsest
