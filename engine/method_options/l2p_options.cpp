// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/l2p_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/prompt_options.h"

namespace palimpsest {
namespace {

void addL2pProblems(const Experiment& experiment, MethodProblems& problems) {
    const auto kinds = promptKinds(experiment);
    if (kinds && !kinds->general && experiment.initial_session.hasPrompts())
        problems.options.push_back(
            "initial_session.prompts names prompts, of which L2P takes the general one, but "
            "method.g_blocks is none; name the blocks they were made for.");
    const std::int64_t selected = experiment.method.of<L2pOptions>().selected;
    const std::int64_t pool = experiment.method.of<PromptPoolOptions>().size;
    if (selected > pool)
        problems.options.push_back("method.l2p_selected is " + std::to_string(selected) + ", but the pool has only " +
                                   std::to_string(pool) + " prompts (method.pool_size).");
}

/// The form leaves these open, since initial session adaptation reads them.
std::string idleInL2pRunReason(const Experiment& experiment, const std::string& key) {
    if (key == "method.e_blocks" || key == "method.e_length")
        return "L2P takes no expert prompt; only initial session adaptation reads it.";
    const bool general = key == "method.g_blocks" || key == "method.g_length";
    return general && !experiment.initial_session.hasPrompts()
               ? "L2P takes a general prompt from initial prompts alone."
               : "";
}

std::vector<std::string> l2pNotes(const Experiment& experiment) {
    const std::int64_t own = experiment.method.of<L2pOptions>().length;
    const std::int64_t general = experiment.method.of<PromptOptions>().g_length;
    if (!experiment.initial_session.hasPrompts() || own >= general) return {};
    return {"method.l2p_length is " + std::to_string(own) + " and method.g_length " + std::to_string(general) +
            ", so L2P takes the first tokens of each block of the initial prompt and drops the rest; make "
            "them equal to take all."};
}

}  // namespace

MethodDeclaration declareL2p() {
    using namespace option_row;
    return {
        .choice = {"l2p", "L2P",
                   "Frozen backbone; each image takes several prompts of a pool, whose outputs are its feature.",
                   method_family::kPrompts, "Nothing of the stream.",
                   "Two passes an image, one of them with 25 tokens more.",
                   "Wang et al., Learning to Prompt, CVPR 2022"},
        .group = OptionGroup::Features,
        .options =
            {&promptPoolOptions(), &promptOptions(),
             integer("method.l2p_length", "Prompt length", 5, OPTION_OF(L2pOptions, length))
                 .range(1, 256)
                 .unit("tokens")
                 .expert()
                 .help("Tokens of each prompt of the pool.")
                 .source("Si-Blurry, L2P: 5; MISA, models/L2P.py: 10"),
             integer("method.l2p_selected", "Prompts of an image", 5, OPTION_OF(L2pOptions, selected))
                 .range(1, 1000)
                 .unit("prompts")
                 .expert()
                 .help("How many prompts of the pool an image takes: those with the nearest keys.")
                 .source("MISA, models/L2P.py: 5"),
             real("method.l2p_key_weight", "Weight of the key distance", 0.5, OPTION_OF(L2pOptions, key_weight))
                 .range(0, 100)
                 .expert()
                 .help("How strongly the loss pulls the keys of the chosen prompts towards the image; with 0 keys do "
                       "not learn, as in the published code.")
                 .source("Si-Blurry, L2P: 0.5; MISA, methods/L2P.py: the term never reaches the loss"),
             &calibrationOptions()},
        .initial_prompts = InitialPrompts::General,
        .problems = addL2pProblems,
        .idleInRunReason = idleInL2pRunReason,
        .notes = l2pNotes};
}

}  // namespace palimpsest
