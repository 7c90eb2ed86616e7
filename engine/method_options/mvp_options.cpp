// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/mvp_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/prompt_options.h"

namespace palimpsest {
namespace {

void addMvpProblems(const Experiment& experiment, MethodProblems& problems) {
    const auto kinds = promptKinds(experiment);
    if (!kinds) return;
    addUnloadedPrompts(experiment, problems.initial_prompts);
    if (!kinds->expert)
        problems.options.push_back("method.e_blocks is none, but MVP chooses from a pool of prompts; name a block.");
}

std::string idleMvpReason(const Experiment& experiment, const std::string& key) {
    const MvpOptions& options = experiment.method.of<MvpOptions>();
    const bool reinforcement = key == "method.mvp_alpha" || key == "method.mvp_gamma";
    if (reinforcement && options.reinforcement == "none") return "There is no minor-class reinforcement.";
    return key == "method.mvp_margin" && !options.scaling ? "Features are not scaled." : "";
}

}  // namespace

MethodDeclaration declareMvp() {
    using namespace option_row;
    return {
        .choice = {"mvp", "MVP",
                   "A pool of prompts with a learned mask, contrastive keys and more weight for minor classes.",
                   method_family::kPrompts, "How often each prompt was chosen.", "Two passes an image.",
                   "Moon et al., MVP, ICCV 2023"},
        .group = OptionGroup::Features,
        .options =
            {&promptPoolOptions(), &promptOptions(),
             boolean("method.mvp_mask", "Learned mask", true, OPTION_OF(MvpOptions, mask))
                 .expert()
                 .help("Each prompt of the pool learns a weight for every class, by which logits are multiplied.")
                 .source(
                     "Moon et al., MVP (ICCV 2023), instance-wise logit masking; --use_mask, which in the published "
                     "code changes the reported accuracy but not the loss"),
             boolean("method.mvp_contrastive", "Contrastive keys", true, OPTION_OF(MvpOptions, contrastive))
                 .expert()
                 .help("Keys are pushed apart from each other, and prompts that were chosen often are chosen less.")
                 .source("Moon et al., MVP (ICCV 2023), contrastive visual prompt tuning; --use_contrastiv"),
             boolean("method.mvp_scaling", "Adaptive feature scaling", true, OPTION_OF(MvpOptions, scaling))
                 .expert()
                 .help("Features that already point towards their class are enlarged in the loss, others made smaller.")
                 .source("Moon et al., MVP (ICCV 2023), adaptive feature scaling; --use_afs"),
             choice("method.mvp_reinforcement", "Minor-class reinforcement", "batch",
                    OPTION_OF(MvpOptions, reinforcement))
                 .expert()
                 .choices({{"none", "Off", "Every image counts the same"},
                           {"batch", "Of the batch",
                            "The batch's mean weight multiplies its mean loss, as the published code"},
                           {"sample", "Of each image",
                            "Each image's weight multiplies its own loss, as the paper means it"}})
                 .help("Images whose gradient the rest of the batch drowns count more.")
                 .source(
                     "Moon et al., MVP (ICCV 2023), gradient-similarity focal loss: of each image; the published code "
                     "(--use_mcr, --use_gsf) and so the default: of the batch"),
             real("method.mvp_alpha", "Share of the reinforcement", 0.5, OPTION_OF(MvpOptions, alpha))
                 .range(0, 1)
                 .expert()
                 .help("Share of the loss that minor-class reinforcement weighs.")
                 .source("MISA, configuration: alpha 0.5"),
             real("method.mvp_gamma", "Exponent of the reinforcement", 2, OPTION_OF(MvpOptions, gamma))
                 .range(0, 20)
                 .expert()
                 .help("How sharply minor-class reinforcement tells images apart.")
                 .source("MISA, scripts, and Si-Blurry: gamma 2"),
             real("method.mvp_margin", "Margin of the scaling", 0.5, OPTION_OF(MvpOptions, margin))
                 .range(0.001, 10)
                 .expert()
                 .help("Added to the angle term that adaptive feature scaling divides by.")
                 .source("MISA, configuration: margin 0.5"),
             &calibrationOptions()},
        .initial_prompts = InitialPrompts::GeneralAndExpert,
        .learnable_mask_hint = "; MVP has a mask of that kind itself (method.mvp_mask)",
        .problems = addMvpProblems,
        .idleReason = idleMvpReason};
}

}  // namespace palimpsest
