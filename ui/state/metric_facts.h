// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/metrics/metric_card.h"
#include "ui/state/run_set.h"

namespace palimpsest {

/// Numbers of a run for metric cards; `record` adds the summary in its folder, and may be null.
MetricFacts metricFacts(const ShownRun& run, const RunRecord* record = nullptr);
/// Numbers of a run that is in no plot.
MetricFacts metricFacts(const RunRecord& record);

}  // namespace palimpsest
