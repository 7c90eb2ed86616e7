// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// A pool of prompts to choose from.
struct PromptPoolOptions {
    std::int64_t size = 0;  ///< prompts
};

/// DualPrompt's two kinds of prompts. L2P reads them for initial prompts alone.
struct PromptOptions {
    std::int64_t g_length = 0;       ///< prompt tokens a block
    std::int64_t e_length = 0;       ///< prompt tokens a block
    std::string g_blocks = "0,1";    ///< rising, or "none"; see blockList()
    std::string e_blocks = "2,3,4";  ///< rising, or "none"; see blockList()
    std::string form = "tuning";     ///< or "prefix"; DualPrompt alone offers the choice
};

const SharedOptions& promptPoolOptions();
const SharedOptions& promptOptions();

/// Prompts that an experiment has blocks for.
struct PromptKinds {
    bool general = true, expert = true;
};
/// Absent while a list of blocks cannot be read, which is a problem of its own.
std::optional<PromptKinds> promptKinds(const Experiment& experiment);
/// Prompts that are named, but not loaded, would be a silent mistake.
void addUnloadedPrompts(const Experiment& experiment, std::vector<std::string>& problems);

}  // namespace palimpsest
