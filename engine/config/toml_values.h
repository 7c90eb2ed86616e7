// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <toml++/toml.h>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// A mistake at one line of a file. All are gathered, so that the user need not correct one at a time.
struct TomlProblem {
    std::uint32_t line = 0;
    std::string sentence;  ///< without the full stop; a question keeps its mark
};

/// Throws Error(Input) that names origin, line and column when the text is not TOML.
toml::table parsedToml(std::string_view text, const std::string& origin);

/// Thrown where a file has too many mistakes to gather them all.
struct TooManyProblems {};
/// Gathers one more. Throws TooManyProblems behind the first thousand: nobody corrects more at a time, and finding what
/// was meant takes its time for each.
void addProblem(std::vector<TomlProblem>& problems, std::uint32_t line, std::string sentence);
/// The value of a node that is a single one; absent for lists, tables and dates.
std::optional<OptionValue> optionValue(const toml::node& node);

/// A sentence as part of a longer one; a question keeps its mark.
std::string withoutStop(std::string sentence);

/// "FILE, line 3: ...; line 7: ..." as Error(Input); nothing when there is no problem.
void throwProblems(const std::string& origin, std::vector<TomlProblem> problems, const std::string& hint);

}  // namespace palimpsest
