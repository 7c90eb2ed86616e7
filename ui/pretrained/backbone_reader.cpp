// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/backbone_reader.h"

#include "engine/support/stop_scope.h"

namespace palimpsest {

BackboneReader::BackboneReader(Service service, QObject* parent) : QObject(parent), service_(std::move(service)) {}

BackboneReader::~BackboneReader() {
    closing_.request_stop();
    reading_.request_stop();
}

void BackboneReader::readCards() {
    background_.run(
        [service = service_, stop = closing_.get_token()] {
            const StopScope scope(stop);
            return service->cards();
        },
        [this](const std::vector<BackboneCard>& cards) { Q_EMIT cardsRead(cards); },
        [this](const Failure& failure) { Q_EMIT cardsFailed(failure.message, failure.hint); });
}

void BackboneReader::read(const QString& file) {
    // Work that waits is not wanted any more; the file that is being read is given up, and its answer is dropped.
    background_.clear();
    reading_.request_stop();
    reading_ = std::stop_source();
    background_.runNewest(
        [service = service_, name = file.toStdString(), stop = reading_.get_token()] {
            const StopScope scope(stop);
            return service->facts(name);
        },
        [this](const BackboneFacts& facts) { Q_EMIT factsRead(facts); },
        [this](const Failure& failure) { Q_EMIT factsFailed(failure.message, failure.hint); });
}

}  // namespace palimpsest
