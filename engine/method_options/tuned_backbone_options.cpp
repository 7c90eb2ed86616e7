// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/tuned_backbone_options.h"

#include "engine/config/option_row.h"
#include "engine/method_options/head_method_options.h"

namespace palimpsest {

const SharedOptions& tunedBackboneOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Backbone,
        .rows = {boolean("method.ewc_train_backbone", "Train the backbone", true,
                         OPTION_OF(TunedBackboneOptions, train_backbone))
                     .expert()
                     .help("Whether the backbone learns too, as the paper has it; without it there is nothing to hold "
                           "back, and only the head learns.")
                     .source("The paper, section 4: full tuning; Si-Blurry, methods/_trainer.py: frozen")}};
    return options;
}

std::vector<std::string> tunedBackboneNotes(const Experiment& experiment) {
    if (experiment.method.of<TunedBackboneOptions>().train_backbone) return {};
    return {"method.ewc_train_backbone is false, so there is nothing to hold back; only the head learns."};
}

MethodDeclaration declareFinetune() {
    return {.choice = {"finetune", "Fine-tuning", "Every parameter learns; the plainest way to forget.",
                       method_family::kNetwork, "Nothing.", "A pass forwards and backwards through the whole network.",
                       "MISA, ICLR 2025: the lower bound"},
            .cut_mix = CutMixUse::Origin,
            .notes = publishedUpdatesNotes};
}

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
