// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/class_samples.h"

#include "ui/state/failure.h"
#include "ui/widgets/thumbnail_image.h"

namespace palimpsest {
namespace {

constexpr int kKeptClasses = 256;

QString keyOf(const Experiment& experiment, int label, int count, int side) {
    return QString::fromStdString(trainingSetKey(experiment)) + QString("\n%1 %2 %3").arg(label).arg(count).arg(side);
}

}  // namespace

ClassSamples::ClassSamples(Service service, QObject* parent)
    : QObject(parent), service_(std::move(service)), cache_(kKeptClasses) {
    pool_.setMaxThreadCount(1);
}

ClassSamples::~ClassSamples() {
    cancel();
    pool_.clear();
    pool_.waitForDone();
}

const QList<QImage>* ClassSamples::known(const Experiment& experiment, int label, int count, int side) const {
    return cache_.object(keyOf(experiment, label, count, side));
}

void ClassSamples::request(const Experiment& experiment, int label, int count, int side) {
    cancel();
    if (!service_) {
        Q_EMIT loaded(label, {});
        return;
    }
    stop_ = std::stop_source();
    pool_.start([this, service = service_, experiment, label, count, side, stop = stop_, forgotten = forgotten_] {
        if (stop.stop_requested()) return;
        QList<QImage> pictures;
        const auto failure = failureOf([&] {
            for (const Thumbnail& thumbnail : service->samplesOfClass(experiment, label, count, side, stop.get_token()))
                if (const QImage image = thumbnailImage(thumbnail); !image.isNull() && pictures.size() < count)
                    pictures.append(image);
        });
        // What was given up half way is no answer, and what failed may do better next time.
        if (stop.stop_requested()) return;
        QMetaObject::invokeMethod(
            this,
            [this, pictures, stop, label, forgotten, keep = !failure, key = keyOf(experiment, label, count, side)] {
                if (keep && forgotten == forgotten_) cache_.insert(key, new QList<QImage>(pictures));
                if (!stop.stop_requested()) Q_EMIT loaded(label, pictures);
            },
            Qt::QueuedConnection);
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
