// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/report/figure.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// One file that needs no network and no other file: numbers, figures with their tables, what the numbers mean, where
/// they come from.
std::string htmlPage(const OptionTable& table, const ReportedRuns& runs, const std::vector<Figure>& figures);

}  // namespace palimpsest::report
