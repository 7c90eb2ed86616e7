// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/coda_prompt_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/prompt_options.h"

namespace palimpsest {
namespace {

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
             &calibrationOptions()},
        .problems = addCodaPromptProblems};
}

}  // namespace palimpsest
