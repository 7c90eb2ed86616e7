// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/experiment.h"
#include "engine/data/auto_augment.h"

namespace palimpsest {

/// Random variation of training images.
struct Augment {
    enum Kind { None, CropFlip };
    enum Scope { Batch, Image };  ///< one draw for the whole batch, as in the official code, or one for each image

    Augment(Kind chosen = CropFlip) : kind(chosen) {}
    Kind kind;
    std::optional<AutoAugmentPolicy> policy{};  ///< AutoAugment after crop and flip
    Scope scope = Batch;
    int policy_rounds = 1;  ///< applications of AutoAugment, each with its own draws
};

/// The augmentation that the options ask for; `policy` is the name of the data set's AutoAugment policy, or empty.
/// "auto": crop, flip and the data set's policy, if it has one (MISA, methods/_trainer.py: every script, and the code's
/// own default, asks for AutoAugment, and data sets get it by their names). "autoaugment": the same, with ImageNet's
/// policy for data sets without one.
Augment augmentOf(const TrainingOptions& training, const std::string& policy);

/// Zero-pads and crops at a random offset, mirrors by a coin, then applies AutoAugment (MISA, methods/_trainer.py,
/// train_transform). Bytes [B, 3, S, S] in the processor's memory -> bytes of the same shape. Draws, of one image or of
/// all: top, left, mirror, then AutoAugmentDraw, one a round. The padding is 4 pixels of 224, in proportion for smaller
/// images, but at least one pixel.
Tensor augmented(const Tensor& bytes, const Augment& augment, Random random);

}  // namespace palimpsest
