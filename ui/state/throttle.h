// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>
#include <utility>

namespace palimpsest {

/// Does the same work whenever it is asked to, but only so often: the first time at once, then at the next turn. No
/// request is lost.
class Throttle : public QObject {
    Q_OBJECT
public:
    /// `interval`: milliseconds from one turn to the next.
    Throttle(int interval, std::function<void()> work, QObject* parent)
        : QObject(parent), interval_(interval), work_(std::move(work)) {
        timer_.setSingleShot(true);
        timer_.setTimerType(Qt::PreciseTimer);
        connect(&timer_, &QTimer::timeout, this, &Throttle::turn);
    }

    void ask() {
        if (timer_.isActive()) return;
        const qint64 rest = last_.isValid() ? interval_ - last_.elapsed() : 0;
        if (rest <= 0)
            turn();
        else
            timer_.start(static_cast<int>(rest));
    }
    bool waiting() const { return timer_.isActive(); }
    /// Drops the request that waits; the next one counts as the first.
    void forget() {
        timer_.stop();
        last_.invalidate();
    }

private:
    void turn() {
        last_.start();
        work_();
    }

    const int interval_;
    const std::function<void()> work_;
    QElapsedTimer last_;
    QTimer timer_;
};

}  // namespace palimpsest
