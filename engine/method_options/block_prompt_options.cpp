// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/block_prompt_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {

const SharedOptions& blockPromptOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {integer("method.prompt_blocks", "Prompted blocks", 5, OPTION_OF(BlockPromptOptions, blocks))
                     .range(1, 1000)
                     .unit("blocks")
                     .expert()
                     .help("How many blocks carry prompts, from the first on.")
                     .source("SinglePrompt, scripts: 5; FlyGCL, FlyPrompt and CODA-Prompt: 5"),
                 integer("method.prompt_length", "Prompt length", 20, OPTION_OF(BlockPromptOptions, length))
                     .range(1, 256)
                     .unit("tokens")
                     .expert()
                     .help("Tokens of a prompt in each of its blocks.")
                     .source("SinglePrompt, scripts: 20; FlyGCL, FlyPrompt and CODA-Prompt: 20")}};
    return options;
}

}  // namespace palimpsest
