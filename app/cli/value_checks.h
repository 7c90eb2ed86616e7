// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

// Values that flags take. CLI11's own checks name bounds such as 1.8e308 with 309 digits, and types such as "INT in
// [0 - 9]".

namespace palimpsest {

/// The flag takes a whole number from `least` to `most`; its help says so.
CLI::Option* takesFrom(CLI::Option* flag, std::int64_t least, std::int64_t most);
/// The same for any number.
CLI::Option* takesNumberFrom(CLI::Option* flag, double least, double most);
/// The flag takes a whole number of `least` or more.
CLI::Option* takesAtLeast(CLI::Option* flag, std::int64_t least);
/// The flag takes one of these words, which completions offer.
CLI::Option* takesOneOf(CLI::Option* flag, const std::vector<std::string>& words);

/// CLI11's fault of a value that a flag does not take or lacks, as a sentence without its full stop: "--every must be a
/// whole number, 1 or more, not 0".
std::string valueFault(const CLI::ParseError& error);

}  // namespace palimpsest
