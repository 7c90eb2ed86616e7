// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

#include "engine/config/experiment.h"

namespace palimpsest {

/// The experiment with a stream that these images can fill: no more sessions than there are classes and a few batches
/// of images for each, as many disjoint classes as come nearest to the share that was asked for while every session has
/// one and one stays blurry, all images where fewer are there than are asked for, and an evaluation ten times at least.
/// Where the borders that the seed draws leave a session without a class of its own, the next seed that leaves none is
/// taken, or fewer sessions.
/// Settings that fit stay as they are. An imported or edited stream is left alone. `labels`: of the training images
/// that the experiment takes, below `classes`.
Experiment fittedToImages(Experiment experiment, std::span<const std::int32_t> labels, std::int64_t classes);
/// Takes over what fittedToImages() decides, and nothing else; false where it was so already.
bool takeSizes(Experiment& experiment, const Experiment& fitted);

}  // namespace palimpsest
