// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/tuned_backbone_options.h"

#include "engine/config/option_row.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/head_method_options.h"

namespace palimpsest {
namespace {

std::string idleHeldBackReason(const Experiment& experiment, const std::string& key) {
    const bool ofBackbone = key == "method.backbone_learning_rate" || key == "method.ewc_importance";
    if (!ofBackbone || experiment.method.of<TunedBackboneOptions>().train_backbone) return {};
    return "The backbone does not learn: method.ewc_train_backbone is false.";
}

std::string idleOnlineEwcReason(const Experiment& experiment, const std::string& key) {
    const TunedBackboneOptions& options = experiment.method.of<TunedBackboneOptions>();
    if (key == "method.ewc_decay" && options.train_backbone && options.importance == "negated-logits")
        return "With negated logits the share of classes that were known decides what a new session leaves.";
    return idleHeldBackReason(experiment, key);
}

}  // namespace

const SharedOptions& backboneRateOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Backbone,
        .rows = {
            real("method.backbone_learning_rate", "Learning rate of the backbone", 0,
                 OPTION_OF(BackboneRateOptions, learning_rate))
                .range(0, 10)
                .special("as the rest")
                .expert()
                .help("Size of the backbone's steps, which follows changes of the learning rate in proportion; at a "
                      "hundredth of that rate a pretrained backbone keeps more of what it knows, and 0 takes the "
                      "same rate for head and backbone.")
                .source("Zhang et al., SLCA (ICCV 2023), slow learner: 0.0001 with 0.01 for the head; PILOT, "
                        "models/slca.py: bcb_lrscale 1/100")}};
    return options;
}

const SharedOptions& tunedBackboneOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Backbone,
        .rows = {
            boolean("method.ewc_train_backbone", "Train the backbone", true,
                    OPTION_OF(TunedBackboneOptions, train_backbone))
                .expert()
                .help("Whether the backbone learns too, as the paper has it; without it there is nothing to hold "
                      "back, and only the head learns.")
                .source("The paper, section 4: full tuning; Si-Blurry, methods/_trainer.py: frozen"),
            choice("method.ewc_importance", "Importance", "true-label", OPTION_OF(TunedBackboneOptions, importance))
                .expert()
                .choices({{"true-label", "True label",
                           "Squared gradients of the loss itself: small where an image is known for sure"},
                          {"negated-logits", "Negated logits",
                           "Those of the loss of the logits with their signs turned round: large where an image "
                           "is known for sure. None counts for more than 0.0001, and what was important before "
                           "keeps a share as large as that of the classes known before"}})
                .help("What parameters are measured by that are held back. Negated logits want another strength: "
                      "5000 in the published code, since it halves its 10000.")
                .source("Chaudhry et al. and Schwarz et al.: true label; EWC-DR (CVPR 2026), models/ewc_dr.py: "
                        "negated logits")}};
    return options;
}

std::vector<std::string> tunedBackboneNotes(const Experiment& experiment) {
    if (experiment.method.of<TunedBackboneOptions>().train_backbone) return {};
    return {"method.ewc_train_backbone is false, so there is nothing to hold back; only the head learns."};
}

MethodDeclaration declareFinetune() {
    return {.choice = {"finetune", "Fine-tuning", "Every parameter learns; the plainest way to forget.",
                       method_family::kBackbone, "Nothing.", "A pass forwards and backwards through the whole network.",
                       "MISA, ICLR 2025: the lower bound"},
            .group = OptionGroup::Backbone,
            .options = {&backboneRateOptions(), &headAverageOptions()},
            .cut_mix = CutMixUse::Origin,
            .knows_sam = true,
            .notes = publishedUpdatesNotes};
}

MethodDeclaration declareEwcPlusPlus() {
    using namespace option_row;
    return {
        .choice = {"ewcpp", "EWC++", "Every parameter learns, but those that mattered before are held back.",
                   method_family::kBackbone, "Three more values for each parameter.", "Twice the steps of fine-tuning.",
                   "Chaudhry et al., Riemannian Walk, ECCV 2018"},
        .group = OptionGroup::Backbone,
        .options = {&backboneRateOptions(), &tunedBackboneOptions(),
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
                        .source("Si-Blurry, methods/ewcpp.py: added up, since the first gradient is not cleared"),
                    &headAverageOptions()},
        .cut_mix = CutMixUse::Known,
        .idleReason = idleHeldBackReason,
        .notes = tunedBackboneNotes};
}

MethodDeclaration declareOnlineEwc() {
    using namespace option_row;
    return {
        .choice = {"online-ewc", "Online EWC", "As EWC++, but what mattered is found by a look back at each session.",
                   method_family::kBackbone, "Two more values for each parameter.",
                   "As fine-tuning, and a pass over each session, image by image.",
                   "Schwarz et al., Progress and Compress, ICML 2018"},
        .group = OptionGroup::Backbone,
        .options = {&backboneRateOptions(), &tunedBackboneOptions(),
                    real("method.ewc_strength", "Strength", 25, OPTION_OF(OnlineEwcOptions, strength))
                        .range(0, 1e9)
                        .expert()
                        .help("Weight of what holds parameters back that mattered before.")
                        .source("MISA, module ewcinit: e_lambda 25"),
                    real("method.ewc_decay", "Decay", 1, OPTION_OF(OnlineEwcOptions, decay))
                        .range(0, 1)
                        .expert()
                        .help("Share of the importance found before that a new session leaves.")
                        .source("MISA, module ewcinit: gamma 1"),
                    &headAverageOptions()},
        .cut_mix = CutMixUse::Known,
        .idleReason = idleOnlineEwcReason,
        .notes = tunedBackboneNotes};
}

}  // namespace palimpsest
