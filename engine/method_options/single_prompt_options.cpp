// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/single_prompt_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/block_prompt_options.h"

namespace palimpsest {
namespace {

std::string idleSinglePromptReason(const Experiment& experiment, const std::string& key) {
    const bool linear = experiment.method.of<SinglePromptOptions>().head == "linear";
    return linear && key == "method.single_temperature" ? "Only the cosine head has a temperature." : "";
}

}  // namespace

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
                        .source("SinglePrompt: 0.1")},
        .idleReason = idleSinglePromptReason};
}

}  // namespace palimpsest
