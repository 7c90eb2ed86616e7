// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/run/run_folder.h"

namespace palimpsest::report {

/// Runs of one experiment that differ in nothing but the seed, changes on their way included.
struct RunGroup {
    std::string name;             ///< of the experiment; where two share it, with what sets them apart or a number
    std::vector<RunRecord> runs;  ///< by seed
    bool complete = true;         ///< false: none of its runs has finished

    /// Results of another program, of whose settings and stream nothing is known.
    bool imported() const { return !runs.empty() && runs.front().state == "imported"; }

    /// How far the numbers of a group without finished runs go: "after 2 of 5 sessions", "after 1 to 3 of 5 sessions",
    /// "before the first session ended"; empty for a complete group.
    std::string stage() const;
};

struct RunSet {
    std::vector<RunGroup> groups;  ///< in the order of the inputs
    std::vector<std::string> warnings;
    bool same_stream = false;  ///< all runs share one stream, session borders included
};

/// Run folders among the inputs, and one level below those that are not runs themselves: oldest first, or for a sweep
/// (its folder, or that folder's `runs`) in the order of its grid. Each once.
/// Throws Error(Input) for an input that is neither.
std::vector<std::filesystem::path> collectRunFolders(const std::vector<std::filesystem::path>& inputs);

/// Which runs of a group count is runsThatCount()'s to say. The warnings name the others, and sum up those that the
/// same seed's finished run replaces.
RunSet groupRuns(const OptionTable& table, std::vector<RunRecord> records);

/// The option's value in a run, or all that it had in turn: "batch → none".
std::string optionText(const OptionTable& table, const RunRecord& run, const Option& option);

/// Options in which the groups differ, seed and name aside. A group in which an option changes nothing, such as one of
/// another method, does not differ in it; imported groups have none.
std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups);

}  // namespace palimpsest::report
