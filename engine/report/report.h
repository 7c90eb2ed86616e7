// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

struct ReportRequest {
    std::vector<std::filesystem::path> inputs;  ///< run folders, or folders that hold run folders
    std::filesystem::path out;                  ///< made when absent; files of the same name are replaced
    std::vector<std::string> formats;           ///< html, png, svg, pdf, csv; empty: all but csv
};

/// Writes a page (report.html), figures and tables about one or several runs and returns the files in that order. Runs
/// that differ only in the seed are shown as mean and population standard deviation. The same runs give the same bytes.
/// Throws Error(Input) for an unknown format, an input that is not a run and a folder that cannot be written.
std::vector<std::filesystem::path> writeReport(const OptionTable& table, const ReportRequest& request);

}  // namespace palimpsest
