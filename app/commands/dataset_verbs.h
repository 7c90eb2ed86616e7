// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "app/commands/commands.h"
#include "datasets/table/image_dataset.h"
#include "engine/run/dataset_service.h"

namespace palimpsest {

/// Arguments of all verbs of `dataset`.
struct DatasetArguments {
    std::string name;
    std::string root;
    bool json = false;

    DatasetRequest request() const;
    /// Returns the option of the name.
    CLI::Option* addTo(CLI::App& verb);
};

/// Folder of a data set, or how to get it: "in /data/cifar10", "to fetch, 170 MB".
std::string placeOf(const DatasetCard& card);

/// Runs a verb; in errors, this command's option for the folder replaces the experiment's.
int withRootOption(const std::function<int()>& verb);

void addDatasetFetch(CLI::App& command, Shell& shell);
void addDatasetShow(CLI::App& command, Shell& shell);
void addDatasetCheck(CLI::App& command, Shell& shell);

}  // namespace palimpsest
