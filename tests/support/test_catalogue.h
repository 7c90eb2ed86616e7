// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/option_table.h"
#include "engine/mask/mask_policy.h"

namespace palimpsest {

/// A catalogue for tests that need an option table but no engine.
inline Catalogue testCatalogue() {
    Catalogue catalogue;
    catalogue.methods = {{"fine-tuning", "Fine-tuning", "Everything learns."},
                         {"linear-probe", "Linear probe", "Only the head learns."},
                         {"dualprompt", "DualPrompt", "Prompts and head learn."}};
    catalogue.masks = maskChoices();
    catalogue.datasets = {{"fashion-mnist", "Fashion-MNIST", "Clothes."}, {"shapes", "Shapes", "Drawn shapes."}};
    catalogue.backbones = {{"palimpsest-vit", "Palimpsest ViT", "The small one."}};
    return catalogue;
}

}  // namespace palimpsest
