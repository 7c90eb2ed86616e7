// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/online_ewc_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/tuned_backbone_options.h"

namespace palimpsest {

MethodDeclaration declareOnlineEwc() {
    using namespace option_row;
    return {
        .choice = {"online-ewc", "Online EWC", "As EWC++, but what mattered is found by a look back at each session.",
                   method_family::kNetwork, "Two more values for each parameter.",
                   "As fine-tuning, and a pass over each session, image by image.",
                   "Schwarz et al., Progress and Compress, ICML 2018"},
        .group = OptionGroup::Backbone,
        .options = {&tunedBackboneOptions(),
                    real("method.ewc_strength", "Strength", 25, OPTION_OF(OnlineEwcOptions, strength))
                        .range(0, 1e9)
                        .expert()
                        .help("Weight of what holds parameters back that mattered before.")
                        .source("MISA, module ewcinit: e_lambda 25"),
                    real("method.ewc_decay", "Decay", 1, OPTION_OF(OnlineEwcOptions, decay))
                        .range(0, 1)
                        .expert()
                        .help("Share of the importance found before that a new session leaves.")
                        .source("MISA, module ewcinit: gamma 1")},
        .cut_mix = CutMixUse::Known,
        .notes = tunedBackboneNotes};
}

}  // namespace palimpsest
