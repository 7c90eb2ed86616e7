// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/run_groups.h"

namespace palimpsest::report {

// Tables for other programs: a header line, fractions rather than per cent, one row a point.

/// A field of such a table, in quotation marks where it needs them.
std::string csvText(const std::string& text);
/// experiment,evaluation,samples_seen,accuracy_mean,accuracy_std,runs
std::string anytimeCsv(const ReportedRuns& runs);
/// experiment,after_session,session,accuracy_mean,accuracy_std,runs; sessions count from 0, as in a run folder
std::string retentionCsv(const ReportedRuns& runs);
/// experiment,metric,definition,mean,std,runs,sessions_ended; the last is empty where runs got differently far
std::string metricsCsv(const ReportedRuns& runs);

}  // namespace palimpsest::report
