// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>

#include "datasets/table/image_dataset.h"
#include "engine/config/experiment.h"
#include "engine/data/stream_source.h"
#include "engine/data/test_images.h"
#include "engine/method/feature_cache.h"
#include "engine/method/method.h"
#include "engine/network/compute.h"

namespace palimpsest {

/// True if the option changes anything in this experiment.
bool readsOption(const OptionTable& table, const Experiment& experiment, const char* key);

/// Setup of the experiment's method, with as many sessions as the experiment names (1 for an imported stream, whose
/// list alone says how many) and stream_samples not known. Throws Error(Input) when the prompts of an initial session,
/// where the method reads them, are not there or belong to another backbone.
MethodSetup methodSetup(const OptionTable& table, const Experiment& experiment, std::shared_ptr<Vit> vit,
                        std::int64_t classes);

/// Network, and method that learns with it.
struct Learner {
    Compute compute;
    MethodSetup setup;
    std::unique_ptr<FeatureCache> features;  ///< of training images
    std::unique_ptr<Method> method;
};
/// Learner of a run over `classes` classes; its weights are those that the experiment names. `stop` as MethodSetup has
/// it. Throws Error(Input).
Learner makeLearner(const OptionTable& table, const Experiment& experiment, std::int64_t classes,
                    const StreamPlan& plan, const Compute& compute,
                    const std::function<std::unique_ptr<Method>(const MethodSetup&)>& make = makeMethod,
                    std::stop_token stop = {});
/// True if evaluations of the method hide classes not seen yet, as the experiment says or as is usual for the method.
bool evaluatesSeenOnly(const Experiment& experiment, const Method& method);

/// Settings to read the images of a data set with `side` pixels for a network. `place`: the folder or data set, for
/// messages.
PictureSettings pictureSettings(const Experiment& experiment, const ImageDataset& data, const std::string& place,
                                std::int64_t side, const Compute& compute);
/// Settings with the cache of a table's images, for training or testing.
PictureSettings withCache(PictureSettings pictures, const Experiment& experiment, const ImageTable& table, bool train);

/// Images of a run's stream and of its evaluations, prepared for a network as the experiment says.
class RunImages {
public:
    /// `side`: pixels of the network's images. `passedOver`: batches at the start that are skipped.
    RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
              std::int64_t side, const Compute& compute, std::int64_t passedOver);

    TestImages& test() { return test_; }
    StreamSource& train() { return train_; }

private:
    RunImages(const Experiment& experiment, const ImageDataset& data, std::shared_ptr<const StreamPlan> plan,
              const PictureSettings& pictures, std::int64_t passedOver);

    // The test images first: every evaluation reads them again, the training images are mostly read once, and there may
    // be room for one cache alone.
    TestImages test_;
    StreamSource train_;
};

}  // namespace palimpsest
