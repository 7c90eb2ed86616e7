// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "engine/config/experiment.h"

/// What the rules between options share.
namespace palimpsest::option_words {

inline std::string number(std::int64_t value) {
    return std::to_string(value);
}

inline bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Only FAM draws images of other classes.
inline bool takesOthers(const InitialSessionOptions& session) {
    return session.prompts != "naive" && session.prompts != "sam";
}

}  // namespace palimpsest::option_words
