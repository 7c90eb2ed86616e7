// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>

#include "engine/data/image_ops.h"

namespace palimpsest {

/// AutoAugment (Cubuk et al., CVPR 2019) as in torchvision 0.14: one of 25 published pairs of operations, each done
/// with its own probability.
enum class AutoAugmentPolicy { Cifar10, ImageNet, Svhn };

/// The policy called "cifar10", "imagenet" or "svhn"; absent for an empty name. Throws Error(Run) for any other.
std::optional<AutoAugmentPolicy> autoAugmentPolicy(const std::string& name);

struct PolicyStep {
    ImageOp op;
    double probability;
    int bin = 0;  ///< 0..9: strength in ten equal steps; unused by AutoContrast, Equalize and Invert
};
using SubPolicy = std::array<PolicyStep, 2>;
/// Sub-policies in the published order.
std::span<const SubPolicy, 25> subPolicies(AutoAugmentPolicy policy);

/// The amount that changed() gets for a strength, for images of height x width.
double amountOf(ImageOp op, int bin, bool negative, std::int64_t height, std::int64_t width);

/// The random part, five draws in this order: the pair of 25, a number in 0..1 for each operation (done when it is not
/// above the probability), a coin for each operation (0: a negative amount, if the operation has one).
struct AutoAugmentDraw {
    explicit AutoAugmentDraw(Random& random);
    std::size_t pair;
    std::array<double, 2> number;
    std::array<bool, 2> negative;
};

/// Applies one draw to all images [B, 3, H, W] (bytes). May return `bytes` itself.
Tensor autoAugmented(const Tensor& bytes, AutoAugmentPolicy policy, const AutoAugmentDraw& draw);

}  // namespace palimpsest
