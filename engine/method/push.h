// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Push of an update on the logit of one output unit, summed over its images. The gradient of the cross-entropy there
/// is p - y, the probability under the mask less what it should be, so a step against it pushes the logit by y - p.
struct UnitPush {
    double targets = 0;        ///< sum of y: how many images are its class's
    double probabilities = 0;  ///< sum of p
    bool hidden = false;       ///< by the mask: no push reaches it
    double push() const { return targets - probabilities; }
};

/// Parts of a batch's cross-entropy, from which its pushes follow.
struct PushedLogits {
    Tensor masked;  ///< float [B, C], under the mask, no gradient; undefined: nothing is pushed
    Tensor units;   ///< int64 [B]
    Tensor mask;    ///< float32 [C]: below 0 where a unit is hidden
    Tensor others;  ///< int64 [B]: units that mixed images show besides; undefined: none are mixed
    Tensor shares;  ///< float32 [B] or of one element: share of an image's own unit; undefined: 1

    std::vector<Tensor> tensors() const { return {masked, units, mask, others, shares}; }
};

/// Pushes [C] of one batch. Tensors in the processor's memory; empty where `masked` is undefined.
std::vector<UnitPush> unitPushes(const PushedLogits& batch);

}  // namespace palimpsest
