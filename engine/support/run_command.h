// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace palimpsest {

struct CommandResult {
    int code = 0;        ///< exit code; 128 and the number of the signal that ended it
    std::string output;  ///< standard output, at most 64 MB of it
    std::string errors;  ///< standard error, at most 64 kB of it
};

/// Runs another program, found in $PATH, which reads `input` as standard input, and waits for it. Absent when there is
/// no such program. Throws Error(Run) when it takes longer than `patience`, says more than 64 MB, or cannot be started,
/// and GivenUp where a StopScope ends it; it is killed then.
std::optional<CommandResult> runCommand(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                                        const std::filesystem::path& input = "/dev/null");

}  // namespace palimpsest
