// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace palimpsest {

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
std::size_t editDistance(std::string_view a, std::string_view b);

/// The word the user most likely meant; empty when none is near (more than a third of the letters differ; two may, of
/// fewer than four only one).
std::string nearestWord(std::string_view word, std::span<const std::string> known);

}  // namespace palimpsest
