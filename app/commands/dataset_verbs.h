// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "app/commands/commands.h"

namespace palimpsest {

/// What all verbs of `dataset` take.
struct DatasetArguments {
    std::string name;
    std::string root;
    bool json = false;

    /// Returns the option of the name.
    CLI::Option* addTo(CLI::App& verb);
};

void addDatasetFetch(CLI::App& command, Shell& shell);

}  // namespace palimpsest
