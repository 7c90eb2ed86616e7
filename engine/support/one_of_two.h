// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// Whether `word`, the value of an option with two choices, is the second one. Throws Error(Input) for any other word,
/// which names `what` the option chooses.
inline bool isSecondOf(const std::string& what, const std::string& word, const std::string& first,
                       const std::string& second) {
    if (word != first && word != second)
        throw inputError("There is no " + what + " \"" + word + "\".", "Choose " + first + " or " + second + ".");
    return word == second;
}

}  // namespace palimpsest
