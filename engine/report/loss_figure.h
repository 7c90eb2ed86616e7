// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/record/run_history.h"
#include "engine/report/measured_figures.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// The loss of every update of one run. Nothing: it has none.
std::optional<MeasuredFigure> lossFigure(const RunHistory& history);
/// Losses of several runs, read from their folders: each run's losses as a thin line, and over them the mean of each
/// experiment's, taken over a fortieth of the images at a time. Nothing: none has any. Never throws: what cannot be
/// read is absent.
std::optional<MeasuredFigure> lossFigure(const ReportedRuns& runs);

}  // namespace palimpsest::report
