// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/fly_prompt_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/random_feature_options.h"

namespace palimpsest {
namespace {

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

}  // namespace

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
             real("method.fly_ridge", "Ridge of the router", 1e4, OPTION_OF(FlyPromptOptions, ridge))
                 .range(1e-8, 1e12)
                 .expert()
                 .help("How strongly the regression that chooses the expert is held back.")
                 .source("FlyGCL, FlyPrompt: 10000"),
             choice("method.fly_ensemble", "Ensemble", "max", OPTION_OF(FlyPromptOptions, ensemble))
                 .expert()
                 .choices({{"max", "Maximum", "The highest probability that one of the three heads gives a class"},
                           {"mean", "Mean", "The mean of the three heads' probabilities"},
                           {"entropy", "Surest head", "The probabilities of the head with the least entropy"},
                           {"online", "Online head", "The head that learns, alone"}})
                 .help("How the learning head and its two slow copies decide together.")
                 .source("FlyPrompt: maximum of the softmax")},
        .problems = addFlyPromptProblems,
        .notes = randomFeatureNotes};
}

}  // namespace palimpsest
