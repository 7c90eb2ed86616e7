// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// Prompts in the first blocks of the network.
struct BlockPromptOptions {
    std::int64_t blocks = 5;   ///< the first so many carry prompts
    std::int64_t length = 20;  ///< tokens a block
};

const SharedOptions& blockPromptOptions();

}  // namespace palimpsest
