// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest::report {

/// Runs of one experiment that differ in nothing but the seed, changes on their way included.
struct RunGroup {
    std::string name;             ///< of the experiment; where two share it, with what sets them apart or a number
    std::vector<RunRecord> runs;  ///< by seed
    bool complete = true;         ///< false: none of its runs has finished

    /// Results of another program, of whose settings and stream nothing is known.
    bool imported() const { return !runs.empty() && runs.front().state == RecordedState::Imported; }

    /// Extent of the numbers of a group without finished runs: "after 2 of 5 sessions", "after 1 to 3 of 5 sessions",
    /// "before the first session ended"; empty for a complete group.
    std::string stage() const;
};

struct ReportedRuns {
    std::vector<RunGroup> groups;  ///< in the order of the inputs
    std::vector<std::string> warnings;
    bool same_stream = false;           ///< all runs share one stream, session borders included
    std::vector<std::string> unread{};  ///< those of the warnings that say what could not be read of a run

    std::size_t runCount() const;
    /// True when a group has several seeds, so that its numbers are means.
    bool averaged() const;
};

/// Adds to what could not be read of a run, with its name.
void noteUnread(ReportedRuns& runs, const std::filesystem::path& folder, const std::vector<std::string>& sentences);

/// Groups the runs by experiment; runsThatCount() decides which of a group count. The warnings name the others, and sum
/// up those that the same seed's finished run replaces.
ReportedRuns groupRuns(const OptionTable& table, std::vector<RunRecord> records);

/// The option's value in a run, or all that it had in turn: "batch → none". A length of 0 that became 3 is "3 (for 0)".
std::string optionText(const OptionTable& table, const RunRecord& run, const Option& option);

/// A change on a run's way, spelled out: "logit mask: No mask".
std::string changeText(const OptionTable& table, const LiveChange& change);

/// Options in which the groups differ, seed and name aside. A group in which an option changes nothing, such as one of
/// another method, does not differ in it; imported groups have none.
std::vector<const Option*> differingOptions(const OptionTable& table, const std::vector<RunGroup>& groups);

}  // namespace palimpsest::report
