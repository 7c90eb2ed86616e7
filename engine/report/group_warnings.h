// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/report/run_groups.h"

namespace palimpsest::report {

// Warnings to a reader of a report who compares its numbers, in whole sentences.

/// A run's folder by its name: “0001-er-1”.
std::string quotedName(const std::filesystem::path& folder);

/// Runs that have not finished and whose seed was run again to the end, summed up in one sentence.
void warnOfSuperseded(const std::vector<std::filesystem::path>& folders, std::vector<std::string>& warnings);
/// Runs of one group that were computed on different devices or in different precisions.
void warnOfMixtures(const RunGroup& group, std::vector<std::string>& warnings);
/// Groups whose streams or seeds differ, or are not known.
void warnOfStreams(const std::vector<RunGroup>& groups, std::vector<std::string>& warnings);

}  // namespace palimpsest::report
