// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/documents/command_tree.h"

namespace palimpsest {

/// Words that completions offer as values of arguments, besides commands and flags.
struct CompletionWords {
    std::vector<std::string> presets;
    std::vector<std::string> grids;
    std::vector<std::string> lessons;
    std::vector<std::string> settings;  ///< "stream.sessions=", and "mask.name=batch" where there are choices
};

/// Names of the shells that there are completions for.
std::span<const char* const> completionShells();

/// Completions of palimpsest-cli and palimpsest for a shell. Throws Error(Input) for one that is not known.
std::string completions(const std::string& shell, const std::vector<DocumentedCommand>& commands,
                        const CompletionWords& words);

}  // namespace palimpsest
