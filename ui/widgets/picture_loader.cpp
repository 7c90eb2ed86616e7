// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_loader.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/state/engine_text.h"

namespace palimpsest {
namespace {

constexpr qsizetype kKeptBytes = 48 << 20;

/// The picture as it is drawn; null where it is not one of that class, as when files have changed since.
QImage shownImage(const Thumbnail& picture, std::int32_t label, int side, double ratio) {
    const QImage image = picture.label == label ? thumbnailImage(picture) : QImage();
    return image.isNull() ? image : roundedImage(image, static_cast<int>(std::lround(side * ratio)), ratio);
}

}  // namespace

QImage thumbnailImage(const Thumbnail& thumbnail) {
    const auto side = static_cast<std::size_t>(std::max(thumbnail.size, 0));
    if (side == 0 || thumbnail.rgb.size() != side * side * 3) return {};
    // The conversion detaches from the event's memory.
    const QImage view(thumbnail.rgb.data(), thumbnail.size, thumbnail.size, thumbnail.size * 3, QImage::Format_RGB888);
    return view.convertToFormat(QImage::Format_RGB32);
}

QImage roundedImage(const QImage& image, int side, double ratio) {
    QImage result = image.scaled(side, side, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)
                        .convertToFormat(QImage::Format_ARGB32_Premultiplied);
    QPainterPath corners;
    corners.addRect(result.rect());
    corners.addRoundedRect(result.rect(), kThumbnailCorner * ratio, kThumbnailCorner * ratio);
    QPainter painter(&result);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setCompositionMode(QPainter::CompositionMode_Clear);
    painter.fillPath(corners, Qt::black);  // odd-even: what lies outside the rounded square
    painter.end();
    result.setDevicePixelRatio(ratio);
    return result;
}

PictureLoader::PictureLoader(Service service, QObject* parent)
    : QObject(parent), service_(std::move(service)), cache_(kKeptBytes) {
    turn_.setSingleShot(true);
    turn_.setInterval(0);
    connect(&turn_, &QTimer::timeout, this, &PictureLoader::read);
}

PictureLoader::~PictureLoader() {
    cancel();
}

void PictureLoader::cancel() {
    stop_.request_stop();
    reading_ = false;
    wanted_.clear();
}

void PictureLoader::setSource(const Experiment& experiment, int side, double ratio, Part part) {
    std::string key = part == Part::Test ? testSetKey(experiment) : trainingSetKey(experiment);
    if (key == key_ && side == side_ && ratio == ratio_) return;
    cancel();
    cache_.clear();
    failure_.reset();
    experiment_ = experiment;
    part_ = part;
    key_ = std::move(key);
    side_ = side;
    ratio_ = ratio;
}

void PictureLoader::retry() {
    if (!failure_) return;
    failure_.reset();
    Q_EMIT arrived();
}

void PictureLoader::forget() {
    cancel();
    cache_.clear();
    failure_.reset();
    Q_EMIT arrived();
}

const QImage* PictureLoader::picture(const KeptSample& sample) {
    if (!service_) return &none_;
    if (const QImage* known = cache_.object(sample.sample)) return known;
    if (failure_) return &none_;
    // Few pictures are drawn at a time, so a search does no harm.
    if (std::ranges::find(wanted_, sample) == wanted_.end()) wanted_.push_back(sample);
    if (!reading_ && !turn_.isActive()) turn_.start();
    return nullptr;
}

void PictureLoader::read() {
    if (reading_ || wanted_.empty()) return;
    std::vector<KeptSample> asked = std::move(wanted_);
    wanted_.clear();
    asked.resize(std::min<std::size_t>(asked.size(), kAtATime));
    reading_ = true;
    stop_ = std::stop_source();
    struct Read {
        std::vector<QImage> pictures;
        std::optional<Failure> failure;
    };
    background_.run(
        [service = service_, experiment = experiment_, part = part_, asked, side = side_, ratio = ratio_,
         stop = stop_.get_token()] {
            Read read{std::vector<QImage>(asked.size()), {}};
            if (stop.stop_requested()) return read;
            std::vector<std::int64_t> positions;
            for (const KeptSample& sample : asked) positions.push_back(sample.sample);
            const int pixels = static_cast<int>(std::ceil(side * ratio));
            read.failure = failureOf([&] {
                const auto found = part == Part::Test ? service->testSamplesAt(experiment, positions, pixels, stop)
                                                      : service->samplesAt(experiment, positions, pixels, stop);
                for (std::size_t i = 0; i < std::min(found.size(), asked.size()); ++i)
                    read.pictures[i] = shownImage(found[i], asked[i].label, side, ratio);
            });
            return read;
        },
        [this, asked, stop = stop_](const Read& read) {
            if (!stop.stop_requested()) setResult(asked, read.pictures, read.failure);
        });
}

void PictureLoader::setResult(const std::vector<KeptSample>& asked, const std::vector<QImage>& pictures,
                              const std::optional<Failure>& failure) {
    reading_ = false;
    // A view that still shows the others requests them again.
    wanted_.clear();
    failure_.reset();
    if (failure) failure_ = withOptionTitles(*failure);
    // A single image that cannot be read is not read again and again; a data set that cannot may be there later.
    for (std::size_t i = 0; i < asked.size() && !failure; ++i)
        cache_.insert(asked[i].sample, new QImage(pictures[i]), std::max<qsizetype>(1, pictures[i].sizeInBytes()));
    Q_EMIT arrived();
}

}  // namespace palimpsest
