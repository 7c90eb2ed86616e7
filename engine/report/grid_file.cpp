// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/grid_file.h"

#include "engine/report/sweep_table.h"

namespace palimpsest::report {

SweepGrid readGridFile(const OptionTable& table, const std::filesystem::path& file, FilePlace place) {
    return parseSweepGrid(table, readTextFile(file, place, file_limit::kSettings), file.string(), sweepMetrics());
}

}  // namespace palimpsest::report
