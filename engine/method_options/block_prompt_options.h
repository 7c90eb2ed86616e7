// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/method_declaration.h"

// Options of the methods with prompts in the first blocks: SinglePrompt, FlyPrompt and CODA-Prompt.

namespace palimpsest {

inline constexpr std::int64_t kPublishedBlockLength = 20;  ///< SinglePrompt, scripts; FlyGCL; all for ViT-B/16

struct BlockPromptOptions {
    std::int64_t blocks = 5;  ///< the first so many carry prompts
    std::int64_t length = 0;  ///< tokens a block; 0: fitted to the network (fittedLength())
};

struct SinglePromptOptions {
    std::string head = "cosine";  ///< or "linear"
    double temperature = 0.1;     ///< divides the cosine
};

struct FlyPromptOptions {
    std::int64_t experts = 5;
    double ridge = 1e4;            ///< of the regression that chooses the expert
    std::string ensemble = "max";  ///< "max", "mean", "entropy" or "online"
};

struct CodaPromptOptions {
    bool published = false;  ///< prompts learn in the first session only
};

const SharedOptions& blockPromptOptions();

}  // namespace palimpsest
