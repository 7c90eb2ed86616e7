// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/throttle.h"

#include <algorithm>

namespace palimpsest {

Pacer::Pacer(int interval, std::function<void()> work, QObject* parent)
    : QObject(parent), interval_(interval), work_(std::move(work)) {
    timer_.setSingleShot(true);
    timer_.setTimerType(Qt::PreciseTimer);
    connect(&timer_, &QTimer::timeout, this, &Pacer::turn);
}

void Pacer::ask() {
    if (timer_.isActive()) return;
    const qint64 rest = last_.isValid() ? interval_ - last_.elapsed() : 0;
    if (rest <= 0)
        turn();
    else
        timer_.start(static_cast<int>(rest));
}

void Pacer::forget() {
    timer_.stop();
    last_.invalidate();
}

void Pacer::turn() {
    last_.start();
    work_();
}

}  // namespace palimpsest
