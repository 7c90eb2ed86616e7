// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/run_groups.h"

namespace palimpsest::report {

// The numbers of the runs as a table for a paper: a row an experiment, in per cent, mean ± sample standard deviation
// (divided by N - 1) over the N seeds.

std::string resultCaption(const OptionTable& table, const ReportedRuns& runs);
std::string resultMarkdown(const OptionTable& table, const ReportedRuns& runs);
/// Needs the package booktabs.
std::string resultLatex(const OptionTable& table, const ReportedRuns& runs);

}  // namespace palimpsest::report
