// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

class StateArchive;

/// The reference for every method on a frozen backbone: nearest class mean by cosine on the un-prompted features, where
/// each image of the stream counts once. A method that stays below it gains nothing from what it learns. The features
/// are Method::finalFeatures(), which most methods have computed anyway.
class NearestMeans {
public:
    /// `classes`: units of the stream.
    explicit NearestMeans(std::int64_t classes) : counts_(static_cast<std::size_t>(classes), 0) {}

    /// Features [B, D] of images with these units [B].
    void learn(const Tensor& features, std::span<const std::int64_t> units);
    /// True before the first image, and after a restore from a state that knows nothing of the images before.
    bool empty() const { return lost_ || !sums_.defined(); }
    /// Units [B] of the nearest means of features [B, D]; a class without an image has none. Not for empty ones.
    std::vector<std::int64_t> nearest(const Tensor& features) const;
    void keep(StateArchive& archive);

private:
    Tensor sums_;  // float64 [C, D]; undefined before the first image
    std::vector<std::int64_t> counts_;
    bool lost_ = false;
};

}  // namespace palimpsest
