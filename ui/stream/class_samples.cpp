// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/class_samples.h"

#include "ui/state/engine_text.h"
#include "ui/widgets/picture_loader.h"

namespace palimpsest {
namespace {

constexpr int kKeptClasses = 256;

QString keyOf(const Experiment& experiment, int label, int count, int side) {
    return QString::fromStdString(trainingSetKey(experiment)) + QString("\n%1 %2 %3").arg(label).arg(count).arg(side);
}

}  // namespace

ClassSamples::ClassSamples(Service service, QObject* parent)
    : QObject(parent), service_(std::move(service)), cache_(kKeptClasses) {}

ClassSamples::~ClassSamples() {
    cancel();
}

const QList<QImage>* ClassSamples::cached(const Experiment& experiment, int label, int count, int side) const {
    return cache_.object(keyOf(experiment, label, count, side));
}

void ClassSamples::request(const Experiment& experiment, int label, int count, int side) {
    cancel();
    if (!service_) {
        Q_EMIT loaded(label, {});
        return;
    }
    stop_ = std::stop_source();
    // Empty: given up, perhaps half way.
    using Read = std::optional<std::pair<QList<QImage>, std::optional<Failure>>>;
    background_.run(
        [service = service_, experiment, label, count, side, stop = stop_.get_token()]() -> Read {
            if (stop.stop_requested()) return std::nullopt;
            QList<QImage> pictures;
            const auto failure = failureOf([&] {
                for (const Thumbnail& thumbnail : service->samplesOfClass(experiment, label, count, side, stop))
                    if (const QImage image = thumbnailImage(thumbnail); !image.isNull() && pictures.size() < count)
                        pictures.append(image);
            });
            if (stop.stop_requested()) return std::nullopt;
            return std::pair(pictures, failure);
        },
        [this, label, forgotten = forgotten_, stop = stop_,
         key = keyOf(experiment, label, count, side)](const Read& read) {
            if (!read) return;
            // Pictures that failed may do better next time.
            if (!read->second && forgotten == forgotten_) cache_.insert(key, new QList<QImage>(read->first));
            if (!stop.stop_requested()) Q_EMIT loaded(label, read->first);
        });
}

void ClassSamples::cancel() {
    stop_.request_stop();
}

void ClassSamples::forget() {
    cancel();
    ++forgotten_;
    cache_.clear();
}

}  // namespace palimpsest
