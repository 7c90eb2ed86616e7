// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/report/figure.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Anytime accuracy of all groups; what is left of session 1 where there are several; the retention of every session
/// for each group; the R matrix where there is one group.
std::vector<Figure> makeFigures(const ReportedRuns& runs);

}  // namespace palimpsest::report
