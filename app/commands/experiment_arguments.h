// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// EXPERIMENT and --set, as used by `run` and `stream`.
struct ExperimentArguments {
    std::string experiment;
    std::vector<std::string> settings;

    /// Adds both to a command; the first is returned.
    CLI::Option* addTo(CLI::App& command);
    /// The experiment with all settings applied. Throws Error(Input) also for problems between options.
    Experiment resolve(const OptionTable& table) const;
    /// Applies the settings alone; throws likewise.
    void change(const OptionTable& table, Experiment& resolved) const;
};

}  // namespace palimpsest
