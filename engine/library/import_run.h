// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// True when the name is that of a file that can be imported: a table (.csv, .tsv) with columns for images seen and
/// accuracy, a .npy of the official code, or a log of another program (.pyd, .log, .txt, .out, .csv).
bool isForeignCurve(const std::filesystem::path& file);

struct ImportRequest {
    std::filesystem::path file;        ///< see isForeignCurve(); a log may have any ending
    std::string name;                  ///< empty: from the log, or the file's name
    std::filesystem::path out;         ///< folder of runs
    std::optional<std::int64_t> seed;  ///< absent: as the log or the file's name says, or 1
    std::int64_t every = 0;            ///< images between two evaluations, for a file that does not say; 0: not known
};

struct ImportedRuns {
    std::vector<std::filesystem::path> folders;  ///< one or more: a log may hold several seeds
    std::vector<std::string> notes;              ///< sentences on what was left out or had to be assumed
};

/// Makes run folders, of state "imported", of results that another program measured. Plots and reports take them as
/// any other. Throws Error(Input), and leaves nothing behind.
ImportedRuns importRuns(const OptionTable& table, const ImportRequest& request);

}  // namespace palimpsest
