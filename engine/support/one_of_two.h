// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/support/error.h"

namespace palimpsest {

/// Of two words that an option may have, is it the second one? Throws Error(Input) for any other word; `what` says what
/// there is none of by that name.
inline bool isSecondOf(const std::string& what, const std::string& word, const std::string& first,
                       const std::string& second) {
    if (word != first && word != second)
        throw inputError("There is no " + what + " \"" + word + "\".", "Choose " + first + " or " + second + ".");
    return word == second;
}

}  // namespace palimpsest
