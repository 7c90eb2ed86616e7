// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"
#include "engine/config/experiment.h"
#include "engine/data/stream_source.h"
#include "engine/data/test_images.h"
#include "engine/network/compute.h"

namespace palimpsest {

/// The images of a run, of its stream and of its evaluations, as its experiment wants them shown to a network.
class RunImages {
public:
    /// `side`: pixels of the network's images. `passedOver`: batches at the start that nobody will ask for.
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
