// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>
#include <atomic>
#include <chrono>

namespace palimpsest {

/// Measures how long the window's thread was kept from handling events. A timer beats on that thread; a gap between
/// two beats that is longer than the interval is a stall. Any thread may ask, also while a stall is going on.
class UiWatchdog : public QObject {
    Q_OBJECT
public:
    explicit UiWatchdog(QObject* parent = nullptr, std::chrono::milliseconds interval = std::chrono::milliseconds(2));

    /// Since the start or the last reset, a stall that is still going on included.
    std::chrono::microseconds longestStall() const;
    /// UI thread.
    void reset();
    /// Beats since the start, which show that the watchdog runs.
    std::int64_t beats() const { return beats_; }

private:
    using Clock = std::chrono::steady_clock;
    void beat();
    std::chrono::microseconds sinceLastBeat() const;

    const std::chrono::microseconds interval_;
    QTimer timer_;
    std::atomic<Clock::rep> last_beat_;
    std::atomic<std::int64_t> longest_us_{0};
    std::atomic<std::int64_t> beats_{0};
};

}  // namespace palimpsest
