// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {

// Small pieces of the written forms of a stream.

/// With a decimal point, whatever the locale; "-" when there is no number.
std::string decimal(std::optional<double> value, int digits);
/// "3 (Dress)", or "3" where the class has no name.
std::string classText(std::int64_t label, std::span<const std::string> names);
/// "disjoint", "blurry"; "none" for a class that never appears.
const char* kindWord(std::int64_t homeSession, bool blurry);
/// Rows of cells in columns as wide as their longest text; the first column to the left, the others to the right.
std::string alignedTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace palimpsest
