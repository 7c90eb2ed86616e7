// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace palimpsest {

/// Words as a shell would part them: by spaces, unless quoted or behind a backslash. Throws Error(Input) for a quote
/// that is never closed and for line breaks.
std::vector<std::string> shellWords(std::string_view text);

/// "1-3,7" of 1, 2, 3, 7 (rising).
std::string numberRanges(const std::vector<std::int64_t>& numbers);

struct SlurmJob {
    std::string name;
    std::vector<std::int64_t> runs;               ///< numbers, rising; none: the prompts of the initial sessions
    std::string options;                          ///< as the user gives them to sbatch
    std::filesystem::path program, grid, folder;  ///< absolute
    std::filesystem::path prompts = {};           ///< folder of prompts, absolute; empty: none was named
};

/// An array job with one task a run, or a single job that makes the prompts. Options of the user come last, so that
/// they win over ours. Throws Error(Input) for words that are no options and for --array, which would leave runs out.
std::string slurmScript(const SlurmJob& job);

}  // namespace palimpsest
