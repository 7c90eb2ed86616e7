// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"

namespace palimpsest::report {

/// Makes the experiment "Palimpsest" in a folder of MLflow's file store, unless it is there; its folder.
/// Source: MLflow, mlflow/store/tracking/file_store.py. Throws Error(Input) where it cannot be written.
std::filesystem::path makeMlflowExperiment(const std::filesystem::path& store);

/// Writes a run of the experiment, in place of one that was exported before; its folder. `warnings` gets
/// what eachScalar() returns. Throws likewise.
std::filesystem::path writeMlflowRun(const OptionTable& table, const RunRecord& run,
                                     const std::filesystem::path& experiment, std::vector<std::string>& warnings);

}  // namespace palimpsest::report
