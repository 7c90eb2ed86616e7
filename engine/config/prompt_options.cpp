// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

std::vector<std::string> initialPromptMethods() {
    return {"dualprompt", "l2p", "mvp"};
}

void addMethodAndPrompts(std::vector<Option>& rows, const Catalogue& catalogue) {
    // Methods with a pool to choose from.
    const std::vector<std::string> pool = {"dualprompt", "l2p", "mvp", "coda-prompt"};
    rows.push_back(choice("method.name", "Method", "dualprompt", FIELD(method.name))
                       .choices(catalogue.methods)
                       .help("How the learner changes itself with every batch."));
    rows.push_back(
        choice("method.prompt_selection", "Prompt selection", "full-pool", FIELD(method.prompt_selection))
            .expert()
            .onlyFor({"dualprompt"})
            .choices({{"full-pool", "Full pool", "Each image takes the prompt whose key is nearest"},
                      {"session-slice", "Session slice",
                       "In session t all images take prompt t, and only its key is trained"},
                      {"as-published", "As published",
                       "The official code with its defect: in session t key t is trained, but prompt 0 is taken"}})
            .help("Which prompts of the pool an image may choose from while training.")
            .source("Wang et al., DualPrompt (ECCV 2022): the nearest key, the default; MISA, models/dualprompt.py: as "
                    "published"));
    rows.push_back(
        integer("method.pool_size", "Prompt pool", 10, FIELD(method.pool_size))
            .range(1, 1000)
            .unit("prompts")
            .expert()
            .onlyFor(pool)
            .help("Prompts to choose from, each with a key of its own. CODA-Prompt needs one or more for each "
                  "session, and has no more than its backbone is wide.")
            .source("MISA, models/dualprompt.py, L2P.py and mvp.py: 10; FlyGCL, CODA-Prompt: 10"));
    rows.push_back(choice("method.prompt_form", "Prompt form", "tuning", FIELD(method.prompt_form))
                       .expert()
                       .onlyFor({"dualprompt"})
                       .choices({{"tuning", "Prompt tuning", "Tokens that a block attends to, as it does to its own"},
                                 {"prefix", "Prefix tuning",
                                  "Inputs of a block's key and value matrices alone, with rows of their own for each"}})
                       .help("How prompts act on the blocks that carry them.")
                       .source("MISA, models/dualprompt.py: prompt tuning, prefix tuning"));
    rows.push_back(text("method.g_blocks", "General prompt's blocks", "0,1", FIELD(method.g_blocks))
                       .expert()
                       .onlyFor(initialPromptMethods())
                       .help("Blocks that carry the prompt all images share, counted from 0, with commas between them; "
                             "none: there is no such prompt.")
                       .source("MISA, models/dualprompt.py: 0 and 1"));
    rows.push_back(integer("method.g_length", "General prompt length", 10, FIELD(method.g_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor(initialPromptMethods())
                       .help("Tokens of the prompt that all images share, in each of its blocks.")
                       .source("MISA, DualPrompt: 10"));
    rows.push_back(
        text("method.e_blocks", "Expert prompt's blocks", "2,3,4", FIELD(method.e_blocks))
            .expert()
            .onlyFor(initialPromptMethods())
            .help("Blocks that carry the chosen prompt, counted from 0, with commas between them; none: there "
                  "is no pool. L2P itself takes no such prompt; prompts that are adapted for it may have it.")
            .source("MISA, models/dualprompt.py: 2, 3 and 4"));
    rows.push_back(
        integer("method.e_length", "Expert prompt length", 20, FIELD(method.e_length))
            .range(1, 256)
            .unit("tokens")
            .expert()
            .onlyFor(initialPromptMethods())
            .help("Tokens of the chosen prompt, in each of its blocks. L2P itself takes no such prompt; prompts that "
                  "are adapted for it may have it.")
            .source("MISA, DualPrompt: 20"));
    rows.push_back(boolean("method.shift_and_scale", "Shift and scale", false, FIELD(method.shift_and_scale))
                       .expert()
                       .onlyFor({"dualprompt"})
                       .help("A scale and a shift, learned beside the prompts, fit the general one to the stream.")
                       .source("The paper's appendix on domain adaptation, which does not say whether the prompts "
                               "themselves still learn; Lian et al., SSF (NeurIPS 2022)"));

    rows.push_back(integer("method.l2p_length", "Prompt length", 5, FIELD(method.l2p_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor({"l2p"})
                       .help("Tokens of each prompt of the pool.")
                       .source("Si-Blurry, L2P: 5; MISA, models/L2P.py: 10"));
    rows.push_back(integer("method.l2p_selected", "Prompts of an image", 5, FIELD(method.l2p_selected))
                       .range(1, 1000)
                       .unit("prompts")
                       .expert()
                       .onlyFor({"l2p"})
                       .help("How many prompts of the pool an image takes: those with the nearest keys.")
                       .source("MISA, models/L2P.py: 5"));
    rows.push_back(
        real("method.l2p_key_weight", "Weight of the key distance", 0.5, FIELD(method.l2p_key_weight))
            .range(0, 100)
            .expert()
            .onlyFor({"l2p"})
            .help("How strongly the loss pulls the keys of the chosen prompts towards the image; with 0 keys do "
                  "not learn, as in the published code.")
            .source("Si-Blurry, L2P: 0.5; MISA, methods/L2P.py: the term never reaches the loss"));
    rows.push_back(
        boolean("method.mvp_mask", "Learned mask", true, FIELD(method.mvp_mask))
            .expert()
            .onlyFor({"mvp"})
            .help("Each prompt of the pool learns a weight for every class, by which logits are multiplied.")
            .source("Moon et al., MVP (ICCV 2023), instance-wise logit masking; --use_mask, which in the published "
                    "code changes the reported accuracy but not the loss"));
    rows.push_back(
        boolean("method.mvp_contrastive", "Contrastive keys", true, FIELD(method.mvp_contrastive))
            .expert()
            .onlyFor({"mvp"})
            .help("Keys are pushed apart from each other, and prompts that were chosen often are chosen less.")
            .source("Moon et al., MVP (ICCV 2023), contrastive visual prompt tuning; --use_contrastiv"));
    rows.push_back(
        boolean("method.mvp_scaling", "Adaptive feature scaling", true, FIELD(method.mvp_scaling))
            .expert()
            .onlyFor({"mvp"})
            .help("Features that already point towards their class are enlarged in the loss, others made smaller.")
            .source("Moon et al., MVP (ICCV 2023), adaptive feature scaling; --use_afs"));
    rows.push_back(
        choice("method.mvp_reinforcement", "Minor-class reinforcement", "batch", FIELD(method.mvp_reinforcement))
            .expert()
            .onlyFor({"mvp"})
            .choices(
                {{"none", "Off", "Every image counts the same"},
                 {"batch", "Of the batch", "The batch's mean weight multiplies its mean loss, as the published code"},
                 {"sample", "Of each image", "Each image's weight multiplies its own loss, as the paper means it"}})
            .help("Images whose gradient the rest of the batch drowns count more.")
            .source("Moon et al., MVP (ICCV 2023), gradient-similarity focal loss: of each image; the published code "
                    "(--use_mcr, --use_gsf) and so the default: of the batch"));
    rows.push_back(real("method.mvp_alpha", "Share of the reinforcement", 0.5, FIELD(method.mvp_alpha))
                       .range(0, 1)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("Share of the loss that minor-class reinforcement weighs.")
                       .source("MISA, configuration: alpha 0.5"));
    rows.push_back(real("method.mvp_gamma", "Exponent of the reinforcement", 2, FIELD(method.mvp_gamma))
                       .range(0, 20)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("How sharply minor-class reinforcement tells images apart.")
                       .source("MISA, scripts, and Si-Blurry: gamma 2"));
    rows.push_back(real("method.mvp_margin", "Margin of the scaling", 0.5, FIELD(method.mvp_margin))
                       .range(0.001, 10)
                       .expert()
                       .onlyFor({"mvp"})
                       .help("Added to the angle term that adaptive feature scaling divides by.")
                       .source("MISA, configuration: margin 0.5"));
}

}  // namespace palimpsest::option_sections
