// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/config/program_identity.h"
#include "engine/config/prompt_lengths.h"
#include "engine/record/memory_balance.h"
#include "engine/record/run_origin.h"
#include "engine/run/live_change.h"
#include "engine/run/run_events.h"
#include "engine/support/error.h"

namespace palimpsest {

/// State of a run as its folder says it.
enum class RecordedState {
    None,  ///< no run, or none that has begun
    Running,
    Finished,
    Stopped,
    Failed,
    Crashed,   ///< run.json says "running", but its program is gone
    Imported,  ///< another program's results
    Unknown    ///< a word that this version does not know
};

/// Word of run.json: "running", "finished", ...; empty for None.
const char* toText(RecordedState state);
/// State with this word.
RecordedState recordedState(std::string_view word);
/// State that the folder of a run has after this end: what an aborted run leaves behind was stopped.
RecordedState recordedState(RunEnd end);

struct AnytimePoint {
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;
    double accuracy = 0;
    double loss = 0;
    std::int64_t classes_seen = 0;
    std::int64_t updates = 0;
    std::optional<double> reference{};  ///< accuracy of the nearest class mean on the same images, where known
    std::optional<double> router{};     ///< how often the right prompt or expert was chosen, where known
    std::optional<double> agreement{};  ///< how often all heads agree, where known
};

struct RetentionPoint {
    std::int64_t after_session = 0;
    std::int64_t session = 0;
    double accuracy = 0;
    std::int64_t samples = 0;
};

/// A moment at which the method found that the loss had settled.
struct PlateauPoint {
    std::int64_t samples_seen = 0;
    std::int64_t update = 0;  ///< from 1
    double mean = 0;          ///< of the last losses
    double variance = 0;      ///< likewise
};

/// A run as read back from its folder.
struct RunRecord {
    std::filesystem::path folder;
    Experiment experiment;
    RecordedState state = RecordedState::None;
    std::string error;
    std::string started;              ///< ISO 8601, UTC
    std::string ended;                ///< the same; empty while running and after a crash
    std::filesystem::path parent;     ///< the run it was forked from, wherever that is now; empty: none
    std::int64_t forked_at = -1;      ///< samples seen where it was; -1: nowhere
    std::vector<LiveChange> changes;  ///< made while it went on, in order; `at`: samples seen when they took effect
    std::string fingerprint;
    std::string device;
    std::string precision;
    std::int64_t total_samples = 0;
    std::int64_t samples_learned = 0;          ///< of its last update; not before its last evaluation
    std::int64_t trainable_parameters = 0;     ///< 0: not known
    std::optional<ProgramIdentity> program;    ///< that learned, last where it changed; absent: none, or not known
    PromptLengths prompt_lengths;              ///< folders of older versions do not say them
    std::int64_t unreadable_images = 0;        ///< left out
    std::vector<std::int64_t> session_starts;  ///< samples seen when each session begins
    std::vector<std::string> class_names;      ///< by raw label; empty: not known
    std::vector<std::string> class_kinds;      ///< likewise: "disjoint", "blurry", or empty when not known
    std::optional<MemoryBalance> memory;       ///< as recorded last; absent: no memory, or nothing known of it
    std::vector<PlateauPoint> plateaus;        ///< of the loss, in order; empty: the method looks for none
    std::vector<AnytimePoint> early;           ///< early looks, which no number counts; mostly one or none
    std::vector<AnytimePoint> anytime;
    std::vector<RetentionPoint> retention;
    Summary summary;  ///< of a run without one: A_AUC so far and how many sessions have ended
    RunOrigin origin;
    std::vector<std::string> warnings;  ///< of this reading: "anytime.csv line 7: ..." (a torn last line is skipped)
};

/// Subfolder of a folder of runs that holds the deleted ones.
inline constexpr const char* kTrashFolder = ".trash";

/// Error for a folder that is no run: it is not there, or is none.
Error notARun(const std::filesystem::path& folder);
/// Throws Error(Input) when the folder is not a run. Torn last lines are skipped.
RunRecord readRun(const OptionTable& table, const std::filesystem::path& folder);
/// State that readRun() would give, at little cost; None when the folder is not a run. Never throws.
RecordedState readRunState(const std::filesystem::path& folder);
/// Learner that a run waits for since ten seconds or more, with the seconds until now. Never throws.
std::optional<LearnerWait> readLearnerWait(const std::filesystem::path& folder);
/// Folders below `parent` (one level) that hold a run, newest first. Throws Error(Input) where it cannot be
/// read.
std::vector<std::filesystem::path> findRuns(const std::filesystem::path& parent);
/// $PALIMPSEST_RUNS, or XDG_DATA_HOME/palimpsest/runs. Throws Error(Input); see userFolder().
std::filesystem::path defaultRunsFolder();

/// Samples seen when a session of a recorded run ends, from 0.
std::int64_t samplesAtEndOf(const RunRecord& record, std::int64_t session);

/// Name of a class by its raw label: "class 7" where it is not known.
std::string className(const RunRecord& record, std::int32_t label);

/// The evaluations at the ends of the sessions, in their order. The run folder holds no row of them, but their counts
/// per session add up to them, unless only disjoint classes belong to a session. A session whose rows are not all there
/// yet is left out.
std::vector<AnytimePoint> sessionEnds(const RunRecord& record);

}  // namespace palimpsest
