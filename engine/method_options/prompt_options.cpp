// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/prompt_options.h"

#include <tuple>

#include "engine/config/option_row.h"
#include "engine/config/option_table.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

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
        .rows = {text("method.g_blocks", "General prompt's blocks", "0,1", OPTION_OF(PromptOptions, g_blocks))
                     .expert()
                     .help("Blocks that carry the prompt all images share, counted from 0, with commas between them; "
                           "none: there is no such prompt.")
                     .source("MISA, models/dualprompt.py: 0 and 1"),
                 integer("method.g_length", "General prompt length", 10, OPTION_OF(PromptOptions, g_length))
                     .range(1, 256)
                     .unit("tokens")
                     .expert()
                     .help("Tokens of the prompt that all images share, in each of its blocks.")
                     .source("MISA, DualPrompt: 10"),
                 text("method.e_blocks", "Expert prompt's blocks", "2,3,4", OPTION_OF(PromptOptions, e_blocks))
                     .expert()
                     .help("Blocks that carry the chosen prompt, counted from 0, with commas between them; none: there "
                           "is no pool. L2P itself takes no such prompt; prompts that are adapted for it may have it.")
                     .source("MISA, models/dualprompt.py: 2, 3 and 4"),
                 integer("method.e_length", "Expert prompt length", 20, OPTION_OF(PromptOptions, e_length))
                     .range(1, 256)
                     .unit("tokens")
                     .expert()
                     .help("Tokens of the chosen prompt, in each of its blocks. L2P itself takes no such prompt; "
                           "prompts that "
                           "are adapted for it may have it.")
                     .source("MISA, DualPrompt: 20")},
        .malformed = malformedBlocks,
        .idleReason = idlePromptReason};
    return options;
}

std::optional<PromptKinds> promptKinds(const Experiment& experiment) {
    try {
        return readPromptKinds(experiment.method.of<PromptOptions>());
    } catch (const Error&) {
        return std::nullopt;
    }
}

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

}  // namespace palimpsest
