// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// The option's value in a run, or all that it had in turn: "batch → none".
std::string optionText(const OptionTable& table, const RunRecord& run, const Option& option);

/// A change on a run's way, spelled out: "logit mask: No mask".
std::string changeText(const OptionTable& table, const LiveChange& change);

/// Options in which the groups differ, seed and name aside. A group in which an option changes nothing, such as one of
/// another method, does not differ in it; imported groups have none.
std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups);

/// Gives groups that share a name what sets them apart ("er, logit mask: Seen classes"), or else a number.
void nameApart(const OptionTable& table, std::vector<RunGroup>& groups);

}  // namespace palimpsest::report
