// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <functional>

namespace palimpsest {

/// Does the same work whenever it is asked to, but only so often: the first time at once, then at the next turn. What
/// is asked for is never lost.
class Throttle : public QObject {
    Q_OBJECT
public:
    /// `interval`: milliseconds from one turn to the next.
    Throttle(int interval, std::function<void()> work, QObject* parent);

    void ask();
    bool waiting() const { return timer_.isActive(); }
    /// Drops what waits; the next time counts as the first.
    void forget();

private:
    void turn();

    const int interval_;
    const std::function<void()> work_;
    QElapsedTimer last_;
    QTimer timer_;
};

}  // namespace palimpsest
