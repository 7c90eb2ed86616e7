// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/metric_card.h"
#include "ui/state/run_set.h"

namespace palimpsest {

/// What the plots know of a run's numbers; `record` adds what its folder says at the end, and may be null.
MetricFacts factsOf(const ShownRun& run, const RunRecord* record = nullptr);
/// Of a run that is in no plot.
MetricFacts factsOf(const RunRecord& record);

}  // namespace palimpsest
