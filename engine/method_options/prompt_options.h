// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/config/method_declaration.h"

// Options of the methods with a pool of prompts and, learned or loaded, DualPrompt's two kinds: DualPrompt, L2P and
// MVP.

namespace palimpsest {

/// A pool of prompts to choose from. CODA-Prompt reads it, too.
struct PromptPoolOptions {
    std::int64_t size = 0;  ///< prompts
};

// Tokens of the published prompts, all for ViT-B/16; a length of 0 is fitted to the network (fittedLength()).
inline constexpr std::int64_t kPublishedGeneralLength = 10;  // MISA, DualPrompt
inline constexpr std::int64_t kPublishedExpertLength = 20;   // MISA, DualPrompt
inline constexpr std::int64_t kPublishedL2pLength = 5;       // Si-Blurry, L2P; MISA, models/L2P.py: 10

/// DualPrompt's two kinds of prompts. L2P reads them for initial prompts alone.
struct PromptOptions {
    std::int64_t g_length = 0;       ///< prompt tokens a block; 0: as initial prompts have them, or else fitted
    std::int64_t e_length = 0;       ///< likewise
    std::string g_blocks = "0,1";    ///< rising, or "none"; see blockList()
    std::string e_blocks = "2,3,4";  ///< rising, or "none"; see blockList()
    std::string form = "tuning";     ///< or "prefix"; DualPrompt alone offers the choice
};

struct DualPromptOptions {
    std::string selection;            ///< "full-pool", "session-slice" or "as-published" (the official code's slice)
    bool shift_and_scale = false;     ///< the general prompt is scaled and shifted, too
    std::int64_t trained_blocks = 0;  ///< the backbone's last ones, which learn beside the prompts
};

struct L2pOptions {
    std::int64_t length = 0;    ///< tokens of each prompt of the pool; 0: all of an initial prompt's, or else fitted
    std::int64_t selected = 5;  ///< prompts chosen for each image
    double key_weight = 0.5;    ///< of the mean key distance in the loss; 0: keys do not learn
};

struct MvpOptions {
    bool mask = true, contrastive = true, scaling = true;
    std::string reinforcement = "batch";  ///< "none", "batch" (as published) or "sample"
    double alpha = 0.5, gamma = 2, margin = 0.5;
};

const SharedOptions& promptPoolOptions();
const SharedOptions& promptOptions();

}  // namespace palimpsest
