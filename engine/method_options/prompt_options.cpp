// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/prompt_options.h"

#include <optional>
#include <tuple>

#include "engine/config/option_row.h"
#include "engine/config/option_table.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/readout_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// Prompts that an experiment has blocks for.
struct PromptKinds {
    bool general = true, expert = true;
};

PromptKinds readPromptKinds(const PromptOptions& options) {
    return {!blockList("method.g_blocks", options.g_blocks).empty(),
            !blockList("method.e_blocks", options.e_blocks).empty()};
}

std::vector<std::string> malformedBlocks(const Experiment& experiment) {
    try {
        readPromptKinds(experiment.method.of<PromptOptions>());
        return {};
    } catch (const Error& error) {
        return {error.sentence()};
    }
}

std::string idlePromptReason(const Experiment& experiment, const std::string& key) {
    const PromptOptions& options = experiment.method.of<PromptOptions>();
    if (key == "method.g_length" && options.g_blocks == "none") return "There is no general prompt.";
    return key == "method.e_length" && options.e_blocks == "none" ? "There is no pool of prompts." : "";
}

/// Absent while a list of blocks cannot be read, which is a problem of its own.
std::optional<PromptKinds> promptKinds(const Experiment& experiment) {
    try {
        return readPromptKinds(experiment.method.of<PromptOptions>());
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Prompts that are named, but not loaded, would be a silent mistake.
void addUnloadedPrompts(const Experiment& experiment, std::vector<std::string>& problems) {
    const InitialSessionOptions& session = experiment.initial_session;
    const PromptOptions& options = experiment.method.of<PromptOptions>();
    if (!session.hasPrompts()) return;
    for (const auto& [load, key, blocks] : {std::tuple{"general", "method.g_blocks", &options.g_blocks},
                                            std::tuple{"expert", "method.e_blocks", &options.e_blocks}}) {
        if (session.load == load && *blocks == "none") {
            problems.push_back("initial_session.load is " + session.load + ", but " + key +
                               " is none, so nothing would be loaded.");
        }
    }
}

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
    if (key == "method.backbone_learning_rate" && experiment.method.of<DualPromptOptions>().trained_blocks == 0)
        return "No block of the backbone learns: method.trained_blocks is 0.";
    const bool pool = key == "method.pool_size" || key == "method.prompt_selection";
    return pool && experiment.method.of<PromptOptions>().e_blocks == "none" ? "There is no pool of prompts." : "";
}

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
    if (!experiment.initial_session.hasPrompts() || own == 0 || (general > 0 && own >= general)) return {};
    if (general == 0)
        return {"method.l2p_length is " + std::to_string(own) + ", so L2P takes the first " +
                (own == 1 ? "token" : std::to_string(own) + " tokens") +
                " of each block of the initial prompt, however long that is; 0 takes all."};
    return {"method.l2p_length is " + std::to_string(own) + " and method.g_length " + std::to_string(general) +
            ", so L2P takes the first tokens of each block of the initial prompt and drops the rest; make "
            "them equal to take all."};
}

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

const SharedOptions& promptPoolOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {integer("method.pool_size", "Prompt pool", 10, OPTION_OF(PromptPoolOptions, size))
                     .range(1, 1000)
                     .unit("prompts")
                     .expert()
                     .help("Prompts to choose from, each with a key of its own. CODA-Prompt needs one or more for each "
                           "session, and has no more than its backbone is wide.")
                     .source("MISA, models/dualprompt.py, L2P.py and mvp.py: 10; FlyGCL, CODA-Prompt: 10")}};
    return options;
}

const SharedOptions& promptOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows =
            {text("method.g_blocks", "General prompt's blocks", "0,1", OPTION_OF(PromptOptions, g_blocks))
                 .expert()
                 .help("Blocks that carry the prompt all images share, counted from 0, with commas between them; "
                       "none: there is no such prompt.")
                 .source("MISA, models/dualprompt.py: 0 and 1"),
             integer("method.g_length", "General prompt length", 0, OPTION_OF(PromptOptions, g_length))
                 .range(0, 256)
                 .special("automatic")
                 .unit("tokens")
                 .expert()
                 .help("Tokens of the prompt that all images share, in each of its blocks. 0 takes as many as initial "
                       "prompts have, or else 10 of ViT-B/16's 197 tokens and fewer in a smaller network, in "
                       "proportion.")
                 .source("MISA, DualPrompt: 10"),
             text("method.e_blocks", "Expert prompt's blocks", "2,3,4", OPTION_OF(PromptOptions, e_blocks))
                 .expert()
                 .help("Blocks that carry the chosen prompt, counted from 0, with commas between them; none: there "
                       "is no pool. L2P itself takes no such prompt; prompts that are adapted for it may have it.")
                 .source("MISA, models/dualprompt.py: 2, 3 and 4"),
             integer("method.e_length", "Expert prompt length", 0, OPTION_OF(PromptOptions, e_length))
                 .range(0, 256)
                 .special("automatic")
                 .unit("tokens")
                 .expert()
                 .help(
                     "Tokens of the chosen prompt, in each of its blocks. 0 takes as many as initial prompts have, or "
                     "else 20 of ViT-B/16's 197 tokens and fewer in a smaller network, in proportion. L2P itself "
                     "takes no such prompt; prompts that are adapted for it may have it.")
                 .source("MISA, DualPrompt: 20")},
        .malformed = malformedBlocks,
        .idleReason = idlePromptReason};
    return options;
}

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
                         "models/dualprompt.py: as published"),
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
             integer("method.trained_blocks", "Blocks that learn", 0, OPTION_OF(DualPromptOptions, trained_blocks))
                 .range(0, 1000)
                 .special("none")
                 .unit("blocks")
                 .expert()
                 .help("So many of the backbone's blocks, the last ones, learn beside the prompts; prompts are still "
                       "chosen by the features of the backbone as it was.")
                 .source("The paper, Figure 3: 0, 1 and 2; MISA, models: vit_finetune_last"),
             &backboneRateOptions(), &calibrationOptions(), &readoutOptions(), &headAverageOptions()},
        .initial_prompts = InitialPrompts::GeneralAndExpert,
        .knows_sam = true,
        .learns_mask = true,
        .problems = addDualPromptProblems,
        .idleReason = idleDualPromptReason};
}

MethodDeclaration declareL2p() {
    using namespace option_row;
    return {
        .choice = {"l2p", "L2P",
                   "Frozen backbone; each image takes several prompts of a pool, whose outputs are its feature.",
                   method_family::kPrompts, "Nothing of the stream.",
                   "Two passes an image, one of them with five prompts' tokens more.",
                   "Wang et al., Learning to Prompt, CVPR 2022"},
        .group = OptionGroup::Features,
        .options =
            {&promptPoolOptions(), &promptOptions(),
             integer("method.l2p_length", "Prompt length", 0, OPTION_OF(L2pOptions, length))
                 .range(0, 256)
                 .special("automatic")
                 .unit("tokens")
                 .expert()
                 .help("Tokens of each prompt of the pool. 0 takes all tokens of an initial prompt, or else 5 of "
                       "ViT-B/16's "
                       "197 tokens and fewer in a smaller network, in proportion.")
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
             &calibrationOptions(), &readoutOptions(), &headAverageOptions()},
        .initial_prompts = InitialPrompts::General,
        .knows_sam = true,
        .problems = addL2pProblems,
        .idleInRunReason = idleInL2pRunReason,
        .notes = l2pNotes};
}

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
             &calibrationOptions(), &readoutOptions(), &headAverageOptions()},
        .initial_prompts = InitialPrompts::GeneralAndExpert,
        .learnable_mask_hint = "; MVP has a mask of that kind itself (method.mvp_mask)",
        .problems = addMvpProblems,
        .idleReason = idleMvpReason};
}

}  // namespace palimpsest
