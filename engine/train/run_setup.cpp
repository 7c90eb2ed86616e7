// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_setup.h"

#include <utility>

#include "datasets/table/source.h"
#include "engine/config/normalisation.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/weights.h"

namespace palimpsest {
namespace {

StreamSource::Settings streamSettings(const Experiment& experiment, const ImageDataset& data,
                                      const PictureSettings& pictures, std::int64_t passedOver) {
    StreamSource::Settings streamed{withCache(pictures, experiment, *data.train, true)};
    streamed.passed_over = passedOver;
    streamed.batch_size = experiment.training.batch_size;
    streamed.augment = augmentOf(experiment.training, data.augment_policy);
    // One draw for all images is a few launches; one for each would be a few for each.
    streamed.vary_on_device = streamed.device.is_cuda() && streamed.augment.scope == Augment::Batch;
    return streamed;
}

Statistics statisticsOf(const std::string& normalise, const ImageDataset& data) {
    const Normalisation wanted = normalisationOf(normalise);
    switch (wanted.origin) {
        case Normalisation::Origin::ImageNet:
            return kImageNetStatistics;
        case Normalisation::Origin::Cifar100:
            return kCifar100Statistics;
        case Normalisation::Origin::Numbers:
            return {wanted.mean, wanted.deviation};
        case Normalisation::Origin::DataSet:
            break;
    }
    return {data.mean, data.deviation};
}

/// Test images are cropped at the centre, so that every run is measured on the same pixels, unless the experiment asks
/// for the published crop, which is drawn by the seed.
PictureSettings testPictures(PictureSettings pictures, const Experiment& experiment) {
    if (pictures.load_shape == LoadShape::ShortSideCrop && experiment.stream.test_crop == "centre")
        pictures.load_shape = LoadShape::ShortSideCentre;
    return pictures;
}

}  // namespace

bool readsOption(const OptionTable& table, const Experiment& experiment, const char* key) {
    return table.idleReason(experiment, *table.find(key)).empty();
}

MethodSetup methodSetup(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit,
                        std::int64_t classes) {
    MethodSetup setup;
    setup.vit = std::move(vit);
    setup.classes = classes;
    setup.method = experiment.method;
    setup.initial_session = experiment.initial_session;
    if (readsOption(table, experiment, "initial_session.prompts"))
        setup.initial_session.prompts = initialPrompts(experiment.initial_session, experiment.backbone);
    setup.learnable_mask = experiment.mask.kind() == MaskKind::Learnable;
    setup.optimizer = experiment.training.optimizer;
    setup.adam = adamKernels(experiment.gpu.adam, setup.vit->device());
    setup.learning_rate = experiment.training.learning_rate;
    setup.seed = static_cast<std::uint64_t>(experiment.seed);
    setup.memory = resolvedMemory(experiment);
    setup.batch_size = experiment.training.batch_size;
    setup.sessions = experiment.stream.isImported() ? 1 : experiment.stream.sessions;
    return setup;
}

Learner makeLearner(const OptionTable& table, const Experiment& experiment, std::int64_t classes,
                    const StreamPlan& plan, const Compute& compute,
                    const std::function<std::unique_ptr<Method>(const MethodSetup&)>& make, std::stop_token stop) {
    Learner learner;
    learner.compute = compute;
    auto vit = std::make_shared<Vit>(
        loadBackbone(experiment.backbone, static_cast<std::uint64_t>(experiment.seed), learner.compute));
    learner.setup = methodSetup(table, experiment, std::move(vit), classes);
    // An imported list has its own number of sessions.
    learner.setup.sessions = static_cast<std::int64_t>(plan.sessions.size());
    learner.setup.stream_samples = plan.totalSamples();
    learner.setup.stop = std::move(stop);
    learner.method = make(learner.setup);
    learner.features = std::make_unique<FeatureCache>(
        FeatureCache::rowsFor(learner.setup.vit->shape().width, learner.setup.memory.size > 0,
                              experiment.training.batch_size * experiment.training.updates_per_batch));
    learner.method->setFeatureCache(learner.features.get());
    return learner;
}

bool evaluatesSeenOnly(const Experiment& experiment, const Method& method) {
    const std::string& hidden = experiment.mask.evaluation;
    return hidden == "auto" ? method.evaluatesSeenOnly() : hidden == "seen";
}

PictureSettings pictureSettings(const Experiment& experiment, const ImageDataset& data, const std::string& place,
                                std::int64_t side, const Compute& compute) {
    const Statistics statistics = statisticsOf(experiment.stream.normalise, data);
    return {.image_size = side,
            .seed = static_cast<std::uint64_t>(experiment.seed),
            .device = compute.device,
            .mean = statistics.mean,
            .deviation = statistics.deviation,
            .load_shape = data.load_shape,
            .place = place,
            .pool = std::make_shared<ReadPool>(readingThreads(compute.threads, !compute.device.is_cpu())),
            .cache = nullptr};
}

PictureSettings withCache(PictureSettings pictures, const Experiment& experiment, const ImageTable& table, bool train) {
    pictures.cache =
        pictureCacheOf(table, pictures.load_shape, pictures.image_size, train, experiment.stream.cache << 20);
    return pictures;
}

RunImages::RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
                     std::int64_t side, const Compute& compute, std::int64_t passedOver)
    : RunImages(experiment, data, std::move(plan),
                pictureSettings(experiment, data, experiment.stream.root.empty() ? data.title : experiment.stream.root,
                                side, compute),
                passedOver) {}

RunImages::RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
                     const PictureSettings& pictures, std::int64_t passedOver)
    : test_(data.test, {withCache(testPictures(pictures, experiment), experiment, *data.test, false)}),
      train_(data.train, std::move(plan), streamSettings(experiment, data, pictures, passedOver)) {}

}  // namespace palimpsest
