// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_sources.h"

#include <utility>

namespace palimpsest {

AdaptationSources openAdaptationSources(const Experiment& experiment, const AdaptationData& data,
                                        std::shared_ptr<const StreamPlan> plan, const Compute& compute,
                                        const AdaptationSources::Wanted& wanted) {
    const InitialSessionOptions& options = experiment.initial_session;
    const auto seed = static_cast<std::uint64_t>(experiment.seed);
    AdaptationSources sources;
    PictureSettings pictures{
        .image_size = wanted.side,
        .seed = seed,
        .device = compute.device,
        .mean = data.dataset.mean,
        .deviation = data.dataset.deviation,
        .load_shape = data.dataset.load_shape,
        .place = data.place,
        .pool = std::make_shared<ReadPool>(readingThreads(compute.threads, !compute.device.is_cpu())),
        .cache = nullptr};
    pictures.cache = pictureCacheOf(*data.dataset.train, pictures.load_shape, pictures.image_size, true,
                                    experiment.stream.cache << 20);
    TrainingOptions training = experiment.training;
    training.augment = options.augment;
    const Augment augment = augmentOf(training, data.dataset.augment_policy);
    StreamSource::Settings streamed{pictures};
    streamed.batch_size = options.batch_size;
    streamed.augment = augment;
    streamed.passes = options.epochs;
    streamed.passed_over = wanted.passed_over;
    sources.train = std::make_unique<StreamSource>(data.dataset.train, std::move(plan), streamed);
    if (!wanted.others) return sources;
    const OtherDraws draws(
        data.others,
        {.seed = seed, .drawn = options.other_drawn, .batch_size = options.batch_size, .resample = options.resample});
    sources.drawn_at_once = static_cast<std::int64_t>(draws.drawn().size());
    pictures.cache = pictureCacheOf(*data.other_table, pictures.load_shape, pictures.image_size, true,
                                    experiment.stream.cache << 20);
    sources.other = std::make_unique<OtherSource>(data.other_table, draws, pictures, augment);
    if (wanted.others_from) sources.other->restore(*wanted.others_from);
    return sources;
}

}  // namespace palimpsest
