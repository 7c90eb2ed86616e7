// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/background.h"

#include <QMetaObject>

namespace palimpsest {

Background::Background(Waiting atEnd, int threads) : at_end_(atEnd) {
    pool_.setMaxThreadCount(threads);
}

Background::~Background() {
    if (at_end_ == Waiting::Dropped) pool_.clear();
    pool_.waitForDone();
}

void Background::start(Task task) {
    pool_.start([this, task = std::move(task)]() mutable {
        QMetaObject::invokeMethod(&receiver_, task(), Qt::QueuedConnection);
    });
}

void Background::startNewest(Task task) {
    pool_.start([this, number = ++newest_, task = std::move(task)]() mutable {
        if (number != newest_) return;
        QMetaObject::invokeMethod(
            &receiver_,
            [this, number, answer = task()] {
                if (number == newest_) answer();
            },
            Qt::QueuedConnection);
    });
}

}  // namespace palimpsest
