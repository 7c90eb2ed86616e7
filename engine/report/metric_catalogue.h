// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>

#include "engine/run/run_events.h"

namespace palimpsest::report {

enum class MetricFamily { Both, Paper, OfficialCode };

/// A number of summary.json with the words and the formula that explain it.
struct Metric {
    const char* key;     ///< as in summary.json
    const char* symbol;  ///< "A_AUC"
    const char* title;
    MetricFamily family;
    bool higher_is_better;
    bool on_the_way;     ///< of the evaluations on the way; false: of the ends of sessions
    const char* formula;  ///< HTML
    const char* meaning;  ///< one or two plain sentences
    std::optional<double> Summary::*value;
};

std::span<const Metric> metrics();
const char* toText(MetricFamily family);

}  // namespace palimpsest::report
