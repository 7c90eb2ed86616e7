// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/experiment.h"
#include "engine/data/auto_augment.h"

namespace palimpsest {

/// How training images are varied.
struct Augment {
    enum Kind { None, CropFlip };
    enum Scope { Batch, Image };  ///< one draw for the whole batch, as the official code, or one an image

    Augment(Kind chosen = CropFlip) : kind(chosen) {}
    Kind kind;
    std::optional<AutoAugmentPolicy> policy{};  ///< AutoAugment after crop and flip
    Scope scope = Batch;
    int policy_rounds = 1;  ///< AutoAugment so many times, each with draws of its own
};

/// What the options ask for; `policy` is the name of the data set's AutoAugment policy, or empty. "auto": crop, flip
/// and the data set's policy, where it has one (MISA, methods/_trainer.py: every script, and the code's own default,
/// asks for AutoAugment, and data sets get it by their names). "autoaugment": ImageNet's policy where the data set has
/// none.
Augment augmentOf(const TrainingOptions& training, const std::string& policy);

/// In this order: zero-pad and crop at a random offset, mirror by a coin, AutoAugment (MISA, methods/_trainer.py,
/// train_transform). Bytes [B, 3, S, S] in the processor's memory -> bytes of the same shape. Draws, of one image or of
/// all: top, left, mirror, then AutoAugmentDraw, one a round. The padding is 4 pixels of 224, and in proportion, but at
/// least one, for smaller images.
Tensor augmented(const Tensor& bytes, const Augment& augment, Random random);

}  // namespace palimpsest
