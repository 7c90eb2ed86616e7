// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "app/commands/commands.h"
#include "engine/run/dataset_service.h"

namespace palimpsest {

/// What all verbs of `dataset` take.
struct DatasetArguments {
    std::string name;
    std::string root;
    bool json = false;

    /// Returns the option of the name.
    CLI::Option* addTo(CLI::App& verb);
};

/// Where a data set is, or how to come by it: "in /data/cifar10", "to fetch, 170 MB".
std::string placeOf(const DatasetCard& card);

/// Runs a verb; an error that would have a folder named as an option of an experiment names this command's instead.
int withRootOption(const std::function<int()>& verb);

void addDatasetFetch(CLI::App& command, Shell& shell);
void addDatasetShow(CLI::App& command, Shell& shell);

}  // namespace palimpsest
