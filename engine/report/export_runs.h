// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

struct ExportRequest {
    std::vector<std::filesystem::path> inputs;  ///< run folders, or folders that hold run folders
    std::filesystem::path out;                  ///< made when absent; what was exported there before is replaced
    std::string format;                         ///< of exportFormats()
};

/// tensorboard: an event file a run, each in a folder of its own; mlflow: a folder as `mlruns`, with an experiment
/// "Palimpsest" and a run of it each.
std::vector<std::string> exportFormats();

/// Writes what runs measured for programs that show it, each number at the images seen, and returns the folder of each
/// run. The same runs give the same bytes. Throws Error(Input) for an unknown format, an input that is not a run, and a
/// folder that cannot be written. `leftOut`: gets a sentence on each run of a named folder that cannot be read, and on
/// each line of a run's tables that cannot.
std::vector<std::filesystem::path> exportRuns(const OptionTable& table, const ExportRequest& request,
                                              std::vector<std::string>* leftOut = nullptr);

}  // namespace palimpsest
