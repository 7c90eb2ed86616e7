// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/dualprompt_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/prompt_options.h"

namespace palimpsest {
namespace {

void addDualPromptProblems(const Experiment& experiment, MethodProblems& problems) {
    const auto kinds = promptKinds(experiment);
    if (!kinds) return;
    addUnloadedPrompts(experiment, problems.initial_prompts);
    if (!kinds->general && !kinds->expert) {
        problems.options.push_back(
            "method.g_blocks and method.e_blocks are both none, so no prompt is left; name a block, or choose the "
            "linear probe.");
    } else if (!kinds->expert && experiment.mask.kind() == MaskKind::Learnable) {
        problems.options.push_back(
            "mask.name is learnable, but method.e_blocks is none, so there is no pool of prompts that its "
            "rows could belong to.");
    }
    if (!experiment.method.of<DualPromptOptions>().shift_and_scale) return;
    if (!kinds->general) {
        problems.options.push_back(
            "method.shift_and_scale is true, but method.g_blocks is none, so there is no general prompt "
            "to shift and scale.");
    } else if (!experiment.initial_session.hasPrompts()) {
        problems.options.push_back(
            "method.shift_and_scale is true, but initial_session.prompts is none; it fits prompts that "
            "were learned before to the stream, so name them.");
    }
}

std::string idleDualPromptReason(const Experiment& experiment, const std::string& key) {
    const bool pool = key == "method.pool_size" || key == "method.prompt_selection";
    return pool && experiment.method.of<PromptOptions>().e_blocks == "none" ? "There is no pool of prompts." : "";
}

}  // namespace

MethodDeclaration declareDualPrompt() {
    using namespace option_row;
    return {
        .choice = {"dualprompt", "DualPrompt",
                   "Frozen backbone with a general prompt and a pool of expert prompts that learn.",
                   method_family::kPrompts, "Nothing of the stream.",
                   "Two passes an image: one to choose the prompt, one with it.",
                   "Wang et al., DualPrompt, ECCV 2022; MISA, ICLR 2025"},
        .group = OptionGroup::Features,
        .options =
            {choice("method.prompt_selection", "Prompt selection", "full-pool", OPTION_OF(DualPromptOptions, selection))
                 .expert()
                 .choices({{"full-pool", "Full pool", "Each image takes the prompt whose key is nearest"},
                           {"session-slice", "Session slice",
                            "In session t all images take prompt t, and only its key is trained"},
                           {"as-published", "As published",
                            "The official code with its defect: in session t key t is trained, but prompt 0 is taken"}})
                 .help("Which prompts of the pool an image may choose from while training.")
                 .source("Wang et al., DualPrompt (ECCV 2022): the nearest key, the default; MISA, "
                         "models/dualprompt.py: as "
                         "published"),
             &promptPoolOptions(),
             choice("method.prompt_form", "Prompt form", "tuning", OPTION_OF(PromptOptions, form))
                 .expert()
                 .choices({{"tuning", "Prompt tuning", "Tokens that a block attends to, as it does to its own"},
                           {"prefix", "Prefix tuning",
                            "Inputs of a block's key and value matrices alone, with rows of their own for each"}})
                 .help("How prompts act on the blocks that carry them.")
                 .source("MISA, models/dualprompt.py: prompt tuning, prefix tuning"),
             &promptOptions(),
             boolean("method.shift_and_scale", "Shift and scale", false, OPTION_OF(DualPromptOptions, shift_and_scale))
                 .expert()
                 .help("A scale and a shift, learned beside the prompts, fit the general one to the stream.")
                 .source("The paper's appendix on domain adaptation, which does not say whether the prompts "
                         "themselves still learn; Lian et al., SSF (NeurIPS 2022)"),
             &calibrationOptions()},
        .initial_prompts = InitialPrompts::GeneralAndExpert,
        .learns_mask = true,
        .problems = addDualPromptProblems,
        .idleReason = idleDualPromptReason};
}

}  // namespace palimpsest
