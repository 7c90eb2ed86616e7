// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/block_prompt_options.h"

#include "engine/config/option_row.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/readout_options.h"
#include "engine/method_options/ridge_row.h"

namespace palimpsest {
namespace {

std::string idleSinglePromptReason(const Experiment& experiment, const std::string& key) {
    const bool linear = experiment.method.of<SinglePromptOptions>().head == "linear";
    return linear && key == "method.single_temperature" ? "Only the cosine head has a temperature." : "";
}

void addFlyPromptProblems(const Experiment& experiment, MethodProblems& problems) {
    const StreamOptions& stream = experiment.stream;
    const std::int64_t experts = experiment.method.of<FlyPromptOptions>().experts;
    // Only the list says how many images an imported stream has; the method refuses those itself.
    if (stream.isImported() || stream.train_limit == 0 || experts <= stream.train_limit) return;
    const std::string limit = std::to_string(stream.train_limit);
    problems.stream.push_back("method.fly_experts is " + std::to_string(experts) +
                              ", but FlyPrompt's experts share out a stream of at most " + limit +
                              " images (stream.train_limit); make it at most " + limit + ".");
}

void addCodaPromptProblems(const Experiment& experiment, MethodProblems& problems) {
    const StreamOptions& stream = experiment.stream;
    const std::int64_t pool = experiment.method.of<PromptPoolOptions>().size;
    // Only the list says how many sessions an imported stream has; the method refuses those itself.
    if (stream.isImported() || pool >= stream.sessions) return;
    const std::string sessions = std::to_string(stream.sessions);
    problems.stream.push_back("method.pool_size is " + std::to_string(pool) +
                              ", but CODA-Prompt opens new components of its pool in each of " + sessions +
                              " sessions (stream.sessions); make it at least " + sessions + ".");
}

}  // namespace

const SharedOptions& blockPromptOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {
            integer("method.prompt_blocks", "Prompted blocks", 5, OPTION_OF(BlockPromptOptions, blocks))
                .range(1, 1000)
                .unit("blocks")
                .expert()
                .help("How many blocks carry prompts, from the first on.")
                .source("SinglePrompt, scripts: 5; FlyGCL, FlyPrompt and CODA-Prompt: 5"),
            integer("method.prompt_length", "Prompt length", 0, OPTION_OF(BlockPromptOptions, length))
                .range(0, 256)
                .special("fitted to the network")
                .unit("tokens")
                .expert()
                .help("Tokens of a prompt in each of its blocks. 0 takes 20 of ViT-B/16's 197 tokens and fewer in a "
                      "smaller network, in proportion.")
                .source("SinglePrompt, scripts: 20; FlyGCL, FlyPrompt and CODA-Prompt: 20")}};
    return options;
}

MethodDeclaration declareSinglePrompt() {
    using namespace option_row;
    return {
        .choice = {"single-prompt", "SinglePrompt",
                   "One set of prompts for all images, and a head that compares angles.", method_family::kPrompts,
                   "Nothing of the stream.", "One pass an image: the least of all prompts.",
                   "SinglePrompt, arXiv 2604.04420, 2026"},
        .group = OptionGroup::Features,
        .options = {&blockPromptOptions(),
                    choice("method.single_head", "Head", "cosine", OPTION_OF(SinglePromptOptions, head))
                        .expert()
                        .choices({{"cosine", "Cosine",
                                   "The angle between feature and class decides, divided by the temperature"},
                                  {"linear", "Linear", "One linear layer, as in the other methods"}})
                        .help("What turns features into logits.")
                        .source("SinglePrompt, scripts: cos_sim"),
                    real("method.single_temperature", "Temperature", 0.1, OPTION_OF(SinglePromptOptions, temperature))
                        .range(0.001, 100)
                        .expert()
                        .help("What cosine logits are divided by; smaller makes decisions sharper.")
                        .source("SinglePrompt: 0.1"),
                    &readoutOptions(), &headAverageOptions()},
        .knows_sam = true,
        .idleReason = idleSinglePromptReason};
}

MethodDeclaration declareFlyPrompt() {
    using namespace option_row;
    return {
        .choice = {"fly-prompt", "FlyPrompt",
                   "Experts that learn in turn; a regression chooses one, three heads decide together.",
                   method_family::kPrompts,
                   "Sums of random features: 400 MB of 10,000, 8 MB of 1,000. It is told how long the stream is.",
                   "Two passes an image, and a large system of equations for each evaluation.",
                   "FlyPrompt, arXiv 2602.01976, ICLR 2026"},
        .group = OptionGroup::Features,
        .options =
            {&blockPromptOptions(), &randomFeatureOptions(),
             integer("method.fly_experts", "Experts", 5, OPTION_OF(FlyPromptOptions, experts))
                 .range(1, 1000)
                 .unit("experts")
                 .expert()
                 .help("Prompts that learn one after the other, each for the same share of the stream, so no more than "
                       "it has images.")
                 .source("FlyGCL: step_num 5"),
             ridge("method.fly_ridge", "Ridge of the router", 1e4, OPTION_OF(FlyPromptOptions, ridge))
                 .help("How strongly the regression that chooses the expert is held back.")
                 .source("FlyGCL, FlyPrompt: 10000"),
             choice("method.fly_ensemble", "Ensemble", "max", OPTION_OF(FlyPromptOptions, ensemble))
                 .expert()
                 .choices({{"max", "Maximum", "The highest probability that one of the three heads gives a class"},
                           {"mean", "Mean", "The mean of the three heads' probabilities"},
                           {"entropy", "Surest head", "The probabilities of the head with the least entropy"},
                           {"online", "Online head", "The head that learns, alone"}})
                 .help("How the learning head and its two slow copies decide together.")
                 .source("FlyPrompt: maximum of the softmax"),
             &readoutOptions()},
        .problems = addFlyPromptProblems,
        .notes = randomFeatureNotes};
}

MethodDeclaration declareCodaPrompt() {
    using namespace option_row;
    return {
        .choice = {"coda-prompt", "CODA-Prompt",
                   "Each image mixes its prompt from all components; every session adds new ones.",
                   method_family::kPrompts, "Nothing of the stream. It is told where sessions end.",
                   "Two passes an image.", "Smith et al., CODA-Prompt, CVPR 2023"},
        .group = OptionGroup::Features,
        .options =
            {&promptPoolOptions(), &blockPromptOptions(),
             boolean("method.coda_published", "As published", false, OPTION_OF(CodaPromptOptions, published))
                 .expert()
                 .help("Repeats a defect of the published code: from the second session on only the head learns.")
                 .source(
                     "FlyGCL: the optimiser keeps the prompts of the first session; Smith et al., CODA-Prompt (CVPR "
                     "2023), and so the default: those of each session learn"),
             &calibrationOptions(), &readoutOptions(), &headAverageOptions()},
        .problems = addCodaPromptProblems};
}

}  // namespace palimpsest
