// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string>

namespace palimpsest {

/// Mean and standard deviation by channel, of values in 0..1, that images are normalised with: those of a data set, or
/// numbers.
struct Normalisation {
    enum class Origin { DataSet, ImageNet, Cifar100, Numbers };
    Origin origin = Origin::DataSet;          ///< DataSet: that of the images
    std::array<float, 3> mean{0, 0, 0};       ///< of Numbers
    std::array<float, 3> deviation{1, 1, 1};  ///< of Numbers; above 0
};

/// Reads stream.normalise: "data-set", "imagenet", "cifar100", "half" (0.5 and 0.5), "none" (0 and 1), or the numbers
/// themselves, such as "0.5 0.5 0.5 / 0.2 0.2 0.2" or "0.5 / 0.5" for all channels. Throws Error(Input).
Normalisation normalisationOf(const std::string& text);

}  // namespace palimpsest
