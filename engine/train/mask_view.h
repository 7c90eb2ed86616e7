// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/mask/mask_policy.h"
#include "engine/network/tensor.h"
#include "engine/run/mask_lens.h"

namespace palimpsest {

/// Material of an update as its loss sees it before any mask.
struct LensUpdate {
    Tensor logits;                   ///< float32 [B, C], before the mask
    Tensor units;                    ///< int64 [B], the images' own
    std::vector<std::int64_t> open;  ///< units of all images of the update, those in batches of their own included
};

/// The update through one mask: mean cross-entropy, accuracy and pushes. Exactly the numbers of an update that learns
/// by the plain cross-entropy under that mask (plainForward(), unitPushes()). `policy`: as it stands in the update, its
/// kind aside. `exposed`: raw labels by unit, those of this update included.
MaskView viewThrough(MaskKind mask, const LensUpdate& update, MaskPolicy policy,
                     const std::vector<std::int32_t>& exposed);

}  // namespace palimpsest
