// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/throttle.h"

#include <algorithm>

namespace palimpsest {

Throttle::Throttle(int interval, std::function<void()> work, QObject* parent)
    : QObject(parent), interval_(interval), work_(std::move(work)) {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Throttle::turn);
}

void Throttle::ask() {
    if (timer_.isActive()) return;
    const qint64 rest = last_.isValid() ? interval_ - last_.elapsed() : 0;
    if (rest <= 0)
        turn();
    else
        timer_.start(static_cast<int>(rest));
}

void Throttle::forget() {
    timer_.stop();
    last_.invalidate();
}

void Throttle::turn() {
    last_.start();
    work_();
}

}  // namespace palimpsest
