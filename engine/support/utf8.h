// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace palimpsest {

/// Well-formed UTF-8 without control characters: what a TOML file, a JSON file and a figure can all carry.
bool isPlainLine(std::string_view text);

/// The text with a question mark for every byte that isPlainLine refuses: file names may hold anything.
std::string plainLine(std::string_view text);

/// The same, cut off where it is longer than a message can bear.
std::string shortLine(std::string_view text);

}  // namespace palimpsest
