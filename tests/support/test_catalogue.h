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
                         {"er", "ER", "The head learns, with a memory."},
                         {"lwf", "LwF", "The head learns, and keeps to what it said."},
                         {"er-ace", "ER-ACE", "The head learns, with a memory and a mask."},
                         {"derpp", "DER++", "The head learns, with a memory of logits."},
                         {"rainbow-memory", "Rainbow Memory", "The head learns, and again from its memory."},
                         {"clib", "CLIB", "The head learns from its memory."},
                         {"ewcpp", "EWC++", "Everything learns, but is held back."},
                         {"dualprompt", "DualPrompt", "Prompts and head learn."},
                         {"l2p", "L2P", "An image takes several prompts."},
                         {"mvp", "MVP", "Prompts, and a learned mask."},
                         {"single-prompt", "SinglePrompt", "One set of prompts for all images."},
                         {"fly-prompt", "FlyPrompt", "Experts learn in turn."},
                         {"coda-prompt", "CODA-Prompt", "An image mixes its prompt."},
                         {"analytic-head", "Analytic head", "No training."}};
    catalogue.masks = maskChoices();
    catalogue.datasets = {{"fashion-mnist", "Fashion-MNIST", "Clothes."},
                          {"icons", "Icons", "Things."},
                          {"shapes", "Shapes", "Drawn shapes."}};
    catalogue.datasets.back().drawn = true;
    catalogue.backbones = {{"palimpsest-stem-vit", "Palimpsest ViT with a stem", "The small one."},
                           {"palimpsest-vit", "Palimpsest ViT", "The first one."}};
    return catalogue;
}

}  // namespace palimpsest
