// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/ewcpp_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/tuned_backbone_options.h"

namespace palimpsest {

MethodDeclaration declareEwcPlusPlus() {
    using namespace option_row;
    return {
        .choice = {"ewcpp", "EWC++", "Every parameter learns, but those that mattered before are held back.",
                   method_family::kNetwork, "Three more values for each parameter.", "Twice the steps of fine-tuning.",
                   "Chaudhry et al., Riemannian Walk, ECCV 2018"},
        .group = OptionGroup::Backbone,
        .options = {&tunedBackboneOptions(),
                    real("method.ewcpp_strength", "Strength", 100, OPTION_OF(EwcPlusPlusOptions, strength))
                        .range(0, 1e9)
                        .expert()
                        .help("Weight of what holds parameters back that mattered before.")
                        .source("Si-Blurry, configuration: --reg_coef 100"),
                    choice("method.ewcpp_gradients", "Gradients", "separate", OPTION_OF(EwcPlusPlusOptions, gradients))
                        .expert()
                        .choices({{"separate", "Separate", "Each of an update's two steps follows its own gradient"},
                                  {"added-up", "Added up",
                                   "The published code: the second step follows the sum of both gradients"}})
                        .help("What the second of an update's two steps follows.")
                        .source("Si-Blurry, methods/ewcpp.py: added up, since the first gradient is not cleared")},
        .cut_mix = CutMixUse::Known,
        .notes = tunedBackboneNotes};
}

}  // namespace palimpsest
