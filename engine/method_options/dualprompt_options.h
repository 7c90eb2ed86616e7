// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

struct DualPromptOptions {
    std::string selection;         ///< "full-pool", "session-slice" or "as-published" (the official code's slice)
    bool shift_and_scale = false;  ///< the general prompt is scaled and shifted, too
};

}  // namespace palimpsest
