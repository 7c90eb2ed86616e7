// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/augment.h"

#include <ATen/Parallel.h>

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

std::int64_t paddingOf(std::int64_t side) {
    return std::max<std::int64_t>(1, std::llround(4.0 * static_cast<double>(side) / 224.0));
}

struct Draw {
    Draw(const Augment& augment, std::int64_t pad, Random& random)
        : top(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)))),
          left(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(2 * pad + 1)))),
          mirror(random.below(2) == 1) {
        for (int round = 0; augment.policy && round < augment.policy_rounds; ++round) rounds.emplace_back(random);
    }
    std::int64_t top, left;
    bool mirror;
    std::vector<AutoAugmentDraw> rounds;  // of AutoAugment, one a round
};

Tensor varied(const Tensor& bytes, const Augment& augment, std::int64_t pad, const Draw& draw) {
    const std::int64_t side = bytes.size(2);
    Tensor moved =
        at::constant_pad_nd(bytes, {pad, pad, pad, pad}, 0).narrow(2, draw.top, side).narrow(3, draw.left, side);
    if (draw.mirror) moved = moved.flip(3);
    for (const AutoAugmentDraw& round : draw.rounds) moved = autoAugmented(moved, *augment.policy, round);
    return moved;
}

}  // namespace

Augment augmentOf(const TrainingOptions& training, const std::string& policy) {
    Augment augment(training.augment == "none" ? Augment::None : Augment::CropFlip);
    if (training.augment == "auto" || training.augment == "autoaugment")
        augment.policy = autoAugmentPolicy(policy);
    else if (training.augment != "none" && training.augment != "crop-flip")
        throw inputError("There is no augmentation \"" + training.augment + "\".",
                         "Choose auto, none, crop-flip or autoaugment.");
    if (training.augment == "autoaugment" && !augment.policy) augment.policy = AutoAugmentPolicy::ImageNet;
    if (training.augment_scope != "batch" && training.augment_scope != "image")
        throw inputError("There is no scope of augmentation \"" + training.augment_scope + "\".",
                         "Choose batch or image.");
    augment.scope = training.augment_scope == "image" ? Augment::Image : Augment::Batch;
    return augment;
}

Tensor augmented(const Tensor& bytes, const Augment& augment, Random random) {
    if (augment.kind == Augment::None) return bytes;
    const std::int64_t pad = paddingOf(bytes.size(2));
    if (augment.scope == Augment::Batch) return varied(bytes, augment, pad, Draw(augment, pad, random));
    // Drawn sequentially, so that no number depends on the threads.
    std::vector<Draw> draws;
    for (std::int64_t i = 0; i < bytes.size(0); ++i) draws.emplace_back(augment, pad, random);
    Tensor result = at::empty_like(bytes);
    at::parallel_for(0, bytes.size(0), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i)
            result.narrow(0, i, 1).copy_(
                varied(bytes.narrow(0, i, 1), augment, pad, draws[static_cast<std::size_t>(i)]));
    });
    return result;
}

}  // namespace palimpsest
