// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/mask/mask_policy.h"
#include "engine/method/method.h"
#include "engine/support/random.h"

namespace palimpsest {

/// Units of an update's images.
struct StepUnits {
    std::vector<std::int64_t> stream, replay;
};
/// Further inputs of an update.
struct StepExtras {
    std::vector<PastBatch> past{};
    std::vector<std::int64_t> samples{};  ///< positions of the images; may be empty
};

/// One optimiser step on stream and replayed samples, shared by the loop and the golden trajectories. With draws for
/// it, the images are mixed in half of all cases. The result, and the units that the mask let through.
std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images,
                                                       std::optional<Random> cutmix = std::nullopt,
                                                       bool cutmixEach = false, StepExtras extras = {});

}  // namespace palimpsest
