// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/report/sweep_table.h"
#include "engine/sweep/slurm_queue.h"
#include "engine/sweep/sweep_results.h"

namespace palimpsest::report {

/// A run of a sweep as its folder stands at a moment.
struct WatchedRun {
    std::int64_t number = 0;  ///< from 1
    std::size_t line = 0;     ///< of the table
    std::int64_t seed = 0;
    RecordedState state = RecordedState::None;
    std::string folder;           ///< of its present attempt; empty: none has begun
    std::string words;            ///< state and reason: "running on node7, 42 %, begun again 2 times"
    double share = 0;             ///< learned of its stream, 0..1
    std::vector<float> curve;     ///< accuracies of its evaluations, thinned out to kWatchedPoints
    std::optional<double> a_auc;  ///< of a finished run, else of what it has measured
};

/// The most evaluations of a curve that is shown as small as a cell of a table.
inline constexpr std::size_t kWatchedPoints = 120;

/// A sweep's folder at a moment. Never changes once it was made.
struct WatchedSweep {
    std::filesystem::path folder;
    std::vector<std::string> lines;
    std::vector<WatchedRun> runs;
    SweepTable table;                     ///< of the runs that have finished; empty until all were read
    std::optional<double> left;           ///< seconds; absent until a run has finished, and where none is running
    std::string note;                     ///< what could not be read, or is unusual; may be empty
    bool whole = true;                    ///< false: more runs are still to be read
    std::string copied_from;              ///< place on another machine of which the folder is a copy; empty: it is none
    bool slurm = false;                   ///< a Slurm was given its runs, here or there
    std::map<RecordedState, int> counts;  ///< of the runs
    std::int64_t look = 0;                ///< 1 for the first of a watch, 2 for the next; 0: no watch made it
    bool same_rows = false;               ///< against the one before: sameRows()
    std::vector<std::size_t> changed;     ///< against the one before: changedRuns(), where the rows are the same
};

/// Whether both have the same rows, and as many runs of each in the same order.
bool sameRows(const WatchedSweep& before, const WatchedSweep& now);
/// Places of the runs that look otherwise, ascending; of two sweeps with the same rows.
std::vector<std::size_t> changedRuns(const WatchedSweep& before, const WatchedSweep& now);

/// Follows the folder of a sweep that this or any other program works on: it only reads. Used by one thread at a time.
class SweepWatch {
public:
    /// The table must outlive it. Reads nothing yet.
    SweepWatch(const OptionTable* table, std::filesystem::path folder);
    ~SweepWatch();

    /// Reads what has changed since the last look, but no more than `most` runs: then `whole` is false, and the next
    /// call goes on. Null: nothing has changed. Throws Error(Input) for a folder that holds no sweep, or one that
    /// cannot be read.
    std::shared_ptr<const WatchedSweep> look(std::size_t most);

private:
    struct Seen;
    void readPlan();
    /// Finds the folders of runs that have none yet, where the listing of all folders has changed.
    void readFolders();
    void readListed(const std::string& text);
    bool readRun(std::size_t place);
    /// False: its complaint, or that there is none, is that of the last look.
    bool askSlurm();
    /// Where its runs are computed; false: as at the last look.
    bool readWhereabouts();

    const OptionTable* const table_;
    const std::filesystem::path folder_;
    std::string plan_stamp_;
    SweepPlan plan_;
    SweepPlan unplaced_;      ///< the same before its runs were given folders
    std::string runs_stamp_;  ///< of the listing of folders; empty: look again
    bool listed_ = false;     ///< the plan is that of sweep.json, as the grid names what is not here
    std::string note_;        ///< about the grid
    std::string slurm_note_;  ///< why Slurm did not answer, the last time that it was asked
    std::vector<Seen> seen_;
    std::map<std::int64_t, SlurmTask> tasks_;
    std::string copied_from_;
    bool slurm_ = false;
    std::optional<std::chrono::steady_clock::time_point> asked_;
    std::size_t next_ = 0;  ///< run with which the next look goes on
    /// The last two that were made: who shows them lets go of one while it takes the next, and the thread that looks is
    /// to free it.
    std::shared_ptr<const WatchedSweep> last_, before_;
};

}  // namespace palimpsest::report
