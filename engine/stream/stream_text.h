// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {

// Helpers for the written forms of a stream.

/// The number with a decimal point, whatever the locale; "-" when absent.
std::string decimal(std::optional<double> value, int digits);
/// Text such as "3 (Dress)", or "3" when the class has no name.
std::string classText(std::int64_t label, std::span<const std::string> names);
/// Kind such as "disjoint" or "blurry"; "none" for a class that never occurs.
const char* kindWord(std::int64_t homeSession, bool blurry);
/// Text table with columns as wide as their longest cell; the first column is left-aligned, the others right-aligned.
std::string alignedTable(const std::vector<std::vector<std::string>>& rows);

}  // namespace palimpsest
