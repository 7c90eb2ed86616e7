// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_reader.h"

#include "engine/support/stop_scope.h"
#include "ui/state/failure.h"

namespace palimpsest {

BackboneReader::BackboneReader(Service service, QObject* parent) : QObject(parent), service_(std::move(service)) {
    pool_.setMaxThreadCount(1);
}

BackboneReader::~BackboneReader() {
    closing_.request_stop();
    reading_.request_stop();
    pool_.clear();
    pool_.waitForDone();
}

void BackboneReader::readCards() {
    pool_.start([this, service = service_, stop = closing_.get_token()] {
        const StopScope scope(stop);
        std::vector<BackboneCard> cards;
        const auto failure = failureOf([&] { cards = service->cards(); });
        QMetaObject::invokeMethod(
            this,
            [this, cards = std::move(cards), failure] {
                if (failure)
                    Q_EMIT cardsFailed(failure->message, failure->hint);
                else
                    Q_EMIT cardsRead(cards);
            },
            Qt::QueuedConnection);
    });
}

void BackboneReader::read(const QString& file) {
    // What waits is not wanted any more; what is being read is given up, and its answer is dropped.
    pool_.clear();
    reading_.request_stop();
    reading_ = std::stop_source();
    pool_.start([this, service = service_, number = ++asked_, name = file.toStdString(), stop = reading_.get_token()] {
        const StopScope scope(stop);
        BackboneFacts facts;
        const auto failure = failureOf([&] { facts = service->facts(name); });
        QMetaObject::invokeMethod(
            this,
            [this, number, facts = std::move(facts), failure] {
                if (number != asked_) return;
                if (failure)
                    Q_EMIT factsFailed(failure->message, failure->hint);
                else
                    Q_EMIT factsRead(facts);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace palimpsest
