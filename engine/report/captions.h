// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/report/figure.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Title of a value in a catalogue; the value itself where the catalogue does not have it.
std::string choiceTitle(const std::vector<Choice>& choices, const std::string& value);

/// Facts about the runs for a paper's reader, in sentences of plain text: data set, stream, method, mask, prompts,
/// memory, seeds, device and precision; first what all share, then what each experiment has of its own.
std::string conditionsOf(const OptionTable& table, const ReportedRuns& runs);

/// Title of a run's mask: "Classes of the batch", or "batch → none" where the mask was changed on the way.
std::string maskTitle(const OptionTable& table, const RunRecord& run);

/// Caption of a figure: what it shows, how it is averaged, then the conditions.
std::string figureCaption(const OptionTable& table, const ReportedRuns& runs, const Figure& figure);

}  // namespace palimpsest::report
