// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "engine/config/option_table.h"

namespace palimpsest {

/// True when the name is that of a file that can be imported: a .csv or .tsv with columns for images seen and accuracy,
/// or a .npy of the official code.
bool isForeignCurve(const std::filesystem::path& file);

struct ImportRequest {
    std::filesystem::path file;        ///< see isForeignCurve()
    std::string name;                  ///< empty: from the file's name
    std::filesystem::path out;         ///< folder of runs
    std::optional<std::int64_t> seed;  ///< absent: as the file's name says, or 1
    std::int64_t every = 0;            ///< images between two evaluations, for a .npy without their times; 0: not known
};

/// Makes a run folder, of state "imported", of results that another program measured; its folder. Plots and reports
/// take it as any other. Throws Error(Input), and leaves nothing behind.
std::filesystem::path importRun(const OptionTable& table, const ImportRequest& request);

}  // namespace palimpsest
