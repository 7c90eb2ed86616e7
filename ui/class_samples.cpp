// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/class_samples.h"

#include "ui/failure.h"

namespace palimpsest {
namespace {

constexpr int kKeptClasses = 256;

QString keyOf(const Experiment& experiment, int label, int count, int side) {
    const StreamOptions& s = experiment.stream;
    return QString("%1\n%2\n%3 %4 %5 %6 %7")
        .arg(QString::fromStdString(s.dataset), QString::fromStdString(s.root))
        .arg(s.classes)
        .arg(s.train_limit)
        .arg(label)
        .arg(count)
        .arg(side);
}

/// Null where the numbers do not fit together.
QImage imageOf(const Thumbnail& thumbnail) {
    const auto side = static_cast<std::size_t>(std::max(thumbnail.size, 0));
    if (side == 0 || thumbnail.rgb.size() != side * side * 3) return {};
    const QImage view(thumbnail.rgb.data(), thumbnail.size, thumbnail.size, thumbnail.size * 3, QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32);
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
                if (const QImage image = imageOf(thumbnail); !image.isNull() && pictures.size() < count) pictures.append(image);
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

void ClassSamples::cancel() { stop_.request_stop(); }

void ClassSamples::forget() {
    cancel();
    ++forgotten_;
    cache_.clear();
}

}  // namespace palimpsest
