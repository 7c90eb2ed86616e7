// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest::report {

/// As a catalogue calls it; the value itself where it does not know it.
inline std::string choiceTitle(const std::vector<Choice>& choices, const std::string& value) {
    for (const Choice& choice : choices) {
        if (choice.value == value && !choice.title.empty()) return choice.title;
    }
    return value;
}

}  // namespace palimpsest::report
