// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/report/run_groups.h"

namespace palimpsest::report {

// Numbers of the runs as a table for a paper: a row an experiment, in per cent, mean ± sample standard deviation
// (divided by N - 1) over the N seeds.

std::string resultCaption(const OptionTable& table, const ReportedRuns& runs);
std::string resultMarkdown(const OptionTable& table, const ReportedRuns& runs);
/// Needs the package booktabs.
std::string resultLatex(const OptionTable& table, const ReportedRuns& runs);

// Tables for other programs: a header line, fractions rather than per cent, one row a point.

/// experiment,evaluation,samples_seen,accuracy_mean,accuracy_std,runs
std::string anytimeCsv(const ReportedRuns& runs);
/// experiment,after_session,session,accuracy_mean,accuracy_std,runs; sessions count from 0, as in a run folder
std::string retentionCsv(const ReportedRuns& runs);
/// experiment,metric,definition,mean,std,runs,sessions_ended; the last is empty where runs got differently far
std::string metricsCsv(const ReportedRuns& runs);

}  // namespace palimpsest::report
