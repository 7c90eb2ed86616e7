// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

struct CodaPromptOptions {
    bool published = false;  ///< prompts learn in the first session only
};

}  // namespace palimpsest
