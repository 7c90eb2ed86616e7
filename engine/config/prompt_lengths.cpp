// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/prompt_lengths.h"

#include <vector>

#include "engine/support/text.h"

namespace palimpsest {

std::string promptLengthsText(const PromptLengths& lengths) {
    std::vector<std::string> parts;
    std::int64_t last = 0;
    for (const std::string key : kPromptLengthOptions) {
        const auto found = lengths.find(key);
        if (found == lengths.end()) continue;
        last = found->second;
        parts.push_back(std::to_string(last) + (key == "method.g_length"   ? " general"
                                                : key == "method.e_length" ? " expert"
                                                                           : ""));
    }
    return parts.empty() ? "" : "prompts of " + enumeration(parts) + (last == 1 ? " token" : " tokens");
}

}  // namespace palimpsest
