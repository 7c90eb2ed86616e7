// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_images.h"

#include <utility>

namespace palimpsest {
namespace {

PictureSettings pictureSettings(const Experiment& experiment, const ImageDataset& data, std::int64_t side,
                                const Compute& compute) {
    return {.image_size = side,
            .seed = static_cast<std::uint64_t>(experiment.seed),
            .device = compute.device,
            .mean = data.mean,
            .deviation = data.deviation,
            .load_shape = data.load_shape,
            .place = experiment.stream.root.empty() ? data.title : experiment.stream.root,
            .pool = std::make_shared<ReadPool>(readingThreads(compute.threads, !compute.device.is_cpu())),
            .cache = nullptr};
}

PictureSettings withCache(PictureSettings pictures, const Experiment& experiment, const ImageTable& table, bool train) {
    pictures.cache =
        pictureCacheOf(table, pictures.load_shape, pictures.image_size, train, experiment.stream.cache << 20);
    return pictures;
}

StreamSource::Settings streamSettings(const Experiment& experiment, const ImageDataset& data,
                                      const PictureSettings& pictures, std::int64_t passedOver) {
    StreamSource::Settings streamed{withCache(pictures, experiment, *data.train, true)};
    streamed.passed_over = passedOver;
    streamed.batch_size = experiment.training.batch_size;
    streamed.augment = augmentOf(experiment.training, data.augment_policy);
    return streamed;
}

}  // namespace

RunImages::RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
                     std::int64_t side, const Compute& compute, std::int64_t passedOver)
    : RunImages(experiment, data, std::move(plan), pictureSettings(experiment, data, side, compute), passedOver) {}

RunImages::RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
                     const PictureSettings& pictures, std::int64_t passedOver)
    : test_(data.test, {withCache(pictures, experiment, *data.test, false)}),
      train_(data.train, std::move(plan), streamSettings(experiment, data, pictures, passedOver)) {}

}  // namespace palimpsest
