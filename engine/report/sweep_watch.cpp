// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/sweep_watch.h"

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>
#include <utility>

#include "engine/metrics/metrics.h"
#include "engine/record/copy_mark.h"
#include "engine/record/run_folder.h"
#include "engine/report/grid_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "engine/support/share_work.h"
#include "engine/support/text.h"
#include "engine/sweep/slurm_cluster.h"
#include "engine/sweep/sweep_grid.h"

namespace palimpsest::report {

/// Whereabouts of a run: what only its run.json says.
struct Whereabouts {
    std::string host;
    std::int64_t begun_again = 0;  ///< resumed, or begun again by a job queue, whichever is more
};

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kSlurmPause{30};  // between two questions
constexpr int kReaders = 4;

bool sameListing(const SweepRun& one, const SweepRun& other) {
    return one.line == other.line && one.folder == other.folder && one.experiment.seed == other.experiment.seed;
}

/// The stamps of all attempts at a run.
std::string stampOf(const SweepRun& run, const fs::path& runs) {
    std::string stamp;
    for (int attempt = 1;; ++attempt) {
        const std::string name = attemptName(run, attempt);
        const std::string folder = changeStamp(runs / name / "run.json"), log = changeStamp(runs / (name + ".log"));
        if (folder.empty() && log.empty() && changeStamp(runs / (name + ".toml")).empty()) return stamp;
        stamp += folder + log + changeStamp(runs / name / "anytime.csv");
    }
}

std::vector<float> thinned(const std::vector<AnytimePoint>& points) {
    std::vector<float> curve;
    const std::size_t count = std::min(points.size(), kWatchedPoints);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = count < 2 ? 0 : i * (points.size() - 1) / (count - 1);
        curve.push_back(static_cast<float>(points[at].accuracy));
    }
    return curve;
}

Whereabouts whereaboutsOf(const fs::path& folder) {
    Whereabouts found;
    const auto json =
        parsedJson<nlohmann::json>(readTextFile(folder / "run.json", FilePlace::InFolder, file_limit::kDocument));
    if (!json.is_object()) return found;
    if (const auto host = json.find("host"); host != json.end() && host->is_string())
        found.host = plainSentence(host->get<std::string>());
    if (const auto resumed = json.find("resumed"); resumed != json.end() && resumed->is_array())
        found.begun_again = static_cast<std::int64_t>(resumed->size());
    if (const auto job = json.find("job");
        job != json.end() && job->is_object() && job->contains("restarts") && (*job)["restarts"].is_number_integer())
        found.begun_again = std::max(found.begun_again, (*job)["restarts"].get<std::int64_t>());
    return found;
}

std::string againText(std::int64_t times) {
    return times <= 0 ? "" : times == 1 ? ", begun again once" : ", begun again " + grouped(times) + " times";
}

std::string wordsOf(const WatchedRun& run, const std::string& error, const Whereabouts& where, const SlurmTask* task) {
    switch (run.state) {
        case RecordedState::None:
            if (!task) return "waiting";
            return task->active() ? task->words() : "not begun; Slurm: " + task->words();
        case RecordedState::Running:
            return "running" + (where.host.empty() ? "" : " on " + where.host) +
                   (run.share > 0 ? ", " + fixedText(100 * run.share, 0) + " %" : "") + againText(where.begun_again);
        case RecordedState::Finished:
            return "finished" + againText(where.begun_again);
        case RecordedState::Stopped:
            return (task && task->active() ? "stopped, " + task->words() : "stopped, and may go on") +
                   againText(where.begun_again);
        case RecordedState::Crashed:
            return "ended without a word, and may go on" + againText(where.begun_again);
        case RecordedState::Failed:
            return "failed: " + (error.empty() ? "it gave no reason." : error);
        case RecordedState::Imported:
        case RecordedState::Unknown:
            break;
    }
    return "unknown";
}

}  // namespace

bool sameRows(const WatchedSweep& before, const WatchedSweep& now) {
    return before.lines == now.lines &&
           std::ranges::equal(before.runs, now.runs, {}, &WatchedRun::line, &WatchedRun::line);
}

std::vector<std::size_t> changedRuns(const WatchedSweep& before, const WatchedSweep& now) {
    std::vector<std::size_t> changed;
    for (std::size_t i = 0; i < std::min(before.runs.size(), now.runs.size()); ++i) {
        const WatchedRun &was = before.runs[i], &is = now.runs[i];
        if (was.words != is.words || was.curve != is.curve || was.a_auc != is.a_auc || was.folder != is.folder ||
            was.seed != is.seed)
            changed.push_back(i);
    }
    return changed;
}

struct SweepWatch::Seen {
    std::string stamp;
    bool read = false;
    SweepResult result;
    WatchedRun run;
    Whereabouts where;
};

SweepWatch::SweepWatch(const OptionTable* table, fs::path folder)
    : table_(table), folder_(fs::absolute(folder).lexically_normal()) {}

SweepWatch::~SweepWatch() = default;

void SweepWatch::readPlan() {
    const fs::path grid = folder_ / "sweep.toml", list = folder_ / "sweep.json";
    const std::string stamp =
        changeStamp(grid) + changeStamp(folder_ / kKeptBase) + (listed_ ? changeStamp(list) : std::string());
    if (!seen_.empty() && stamp == plan_stamp_) return readFolders();
    if (const std::string from = copiedFrom(folder_); changeStamp(grid).empty() && !from.empty())
        throw inputError("Nothing has come from " + from + " yet.", "It is shown as soon as it has.");
    if (changeStamp(grid).empty())
        throw inputError("The folder " + folder_.string() + " holds no sweep.",
                         "Choose the folder that `palimpsest-cli sweep --out` wrote, with a sweep.toml in it.");
    requirePlainFolder(folder_ / "runs");
    note_.clear();
    SweepPlan plan;
    try {
        plan = planSweep(*table_, readGridFile(*table_, grid, FilePlace::InFolder), grid);
        placePrompts(plan, folder_ / "prompts");
        listed_ = false;
    } catch (const Error& error) {
        // The grid may be based on a file that lies elsewhere; the list of its runs is here all the same.
        if (changeStamp(list).empty()) throw;
        readListed(readTextFile(list, FilePlace::InFolder, file_limit::kDocument));
        note_ = "The grid cannot be planned here, so the table shows the runs that sweep.json lists: " +
                std::string(error.what());
        plan_stamp_ = changeStamp(grid) + changeStamp(folder_ / kKeptBase) + changeStamp(list);
        return;
    }
    unplaced_ = plan;
    plan_ = std::move(plan);
    seen_.assign(plan_.runs.size(), {});
    next_ = 0;
    plan_stamp_ = stamp;
    runs_stamp_.clear();
    readFolders();
}

void SweepWatch::readFolders() {
    // Folders of a copy come one by one, and the grid may come before them.
    if (listed_ || next_ != 0) return;
    const bool missing =
        std::ranges::any_of(seen_, [](const Seen& seen) { return seen.result.state == RecordedState::None; });
    const fs::path runs = folder_ / "runs";
    const std::string stamp = changeStamp(runs);
    if (!missing || (!runs_stamp_.empty() && stamp == runs_stamp_)) return;
    SweepPlan placed = unplaced_;
    const bool whole = keepRunFolders(*table_, placed, runs);
    for (std::size_t i = 0; i < placed.runs.size(); ++i)
        if (placed.runs[i].folder != plan_.runs[i].folder ||
            placed.runs[i].experiment.name != plan_.runs[i].experiment.name)
            seen_[i] = {};
    plan_ = std::move(placed);
    runs_stamp_ = whole ? stamp : std::string();
}

void SweepWatch::readListed(const std::string& text) {
    const auto refuse = [&](const std::string& what) {
        throw inputError("The list " + (folder_ / "sweep.json").string() + " is damaged: " + what + ".",
                         "`palimpsest-cli sweep GRID --table --out FOLDER` makes it anew from the runs.");
    };
    const auto json = parsedJson<nlohmann::json>(text);
    const auto member = [&](const nlohmann::json& object, const char* key) -> const nlohmann::json& {
        static const nlohmann::json kNothing;
        const auto found = object.is_object() ? object.find(key) : object.end();
        return object.is_object() && found != object.end() ? *found : kNothing;
    };
    SweepPlan plan;
    if (!member(json, "rows").is_array() || !member(json, "runs").is_array()) refuse("it has no rows or no runs");
    if (member(json, "title").is_string()) plan.title = plainSentence(member(json, "title").get<std::string>());
    std::map<std::string, std::size_t> lines;
    for (const auto& row : member(json, "rows")) {
        if (!row.is_string() || plan.lines.size() >= static_cast<std::size_t>(kMostSweepRuns))
            refuse("a row is no text");
        const std::string name = plainSentence(row.get<std::string>());
        lines.try_emplace(name, plan.lines.size());
        plan.lines.push_back({name, 0, {}});
    }
    const std::vector<std::string> known = sweepMetrics();
    if (member(json, "metrics").is_array())
        for (const auto& metric : member(json, "metrics"))
            if (metric.is_string() && std::ranges::find(known, metric.get<std::string>()) != known.end())
                plan.metrics.push_back(metric.get<std::string>());
    if (member(json, "differences").is_array())
        for (const auto& one : member(json, "differences")) {
            if (!member(one, "row").is_string() || !member(one, "baseline").is_string()) continue;
            const auto row = lines.find(plainSentence(member(one, "row").get<std::string>()));
            const auto baseline = lines.find(plainSentence(member(one, "baseline").get<std::string>()));
            if (row != lines.end() && baseline != lines.end()) plan.lines[row->second].baseline = baseline->second;
        }
    for (const auto& one : member(json, "runs")) {
        if (plan.runs.size() >= static_cast<std::size_t>(kMostSweepRuns)) refuse("it has too many runs");
        SweepRun run;
        run.number = static_cast<std::int64_t>(plan.runs.size()) + 1;
        const auto& row = member(one, "row");
        const auto line = row.is_string() ? lines.find(plainSentence(row.get<std::string>())) : lines.end();
        if (line == lines.end()) refuse("a run has no row");
        run.line = line->second;
        if (member(one, "seed").is_number_integer()) run.experiment.seed = member(one, "seed").get<std::int64_t>();
        if (const auto& folder = member(one, "folder"); folder.is_string()) {
            const fs::path place = folder.get<std::string>();
            // Nothing but a folder among the runs.
            if (place.parent_path() == "runs" && place.filename() != ".." && place.filename() != ".")
                run.folder = place.filename().string();
        }
        plan.runs.push_back(std::move(run));
    }
    // What was read of a run stays only while the list says the same of it.
    const bool rows = listed_ && std::ranges::equal(plan.lines, plan_.lines, {}, &SweepLine::name, &SweepLine::name);
    if (!rows) seen_.clear();
    seen_.resize(plan.runs.size());
    for (std::size_t i = 0; rows && i < std::min(plan.runs.size(), plan_.runs.size()); ++i)
        if (!sameListing(plan.runs[i], plan_.runs[i])) seen_[i] = {};
    listed_ = true;
    plan_ = std::move(plan);
    next_ = 0;
}

/// False: nothing has changed.
bool SweepWatch::readRun(std::size_t place) {
    const SweepRun& run = plan_.runs[place];
    Seen& seen = seen_[place];
    const fs::path runs = folder_ / "runs";
    const std::string stamp = run.folder.empty() ? std::string() : stampOf(run, runs);
    // A program that is gone changes no file.
    const bool gone = seen.read && seen.run.state == RecordedState::Running &&
                      readRunState(runs / seen.run.folder) != RecordedState::Running;
    const auto task = tasks_.find(run.number);
    const SlurmTask* told = task == tasks_.end() ? nullptr : &task->second;
    if (seen.read && stamp == seen.stamp && !gone) {
        const std::string words = wordsOf(seen.run, seen.result.error, seen.where, told);
        return std::exchange(seen.run.words, words) != words;
    }
    seen = {};
    seen.stamp = stamp;
    seen.read = true;
    seen.run.number = run.number;
    seen.run.line = run.line;
    seen.run.seed = run.experiment.seed;
    try {
        if (listed_ && !run.folder.empty()) {
            const RunRecord record = palimpsest::readRun(*table_, runs / run.folder);
            seen.result.state = record.state;
            seen.result.folder = run.folder;
            seen.result.error = record.error;
            seen.result.summary = record.summary;
            seen.run.seed = record.experiment.seed;
        } else if (!listed_ && !stamp.empty()) {
            seen.result = readSweepRun(*table_, run, runs);
        }
        seen.run.state = seen.result.state;
        seen.run.folder = seen.result.folder;
        if (!seen.run.folder.empty()) {
            const RunRecord record = palimpsest::readRun(*table_, runs / seen.run.folder);
            seen.run.curve = thinned(record.anytime);
            seen.run.a_auc = record.summary.a_auc;
            if (record.total_samples > 0)
                seen.run.share = std::clamp(
                    static_cast<double>(record.samples_learned) / static_cast<double>(record.total_samples), 0.0, 1.0);
            seen.where = whereaboutsOf(runs / seen.run.folder);
        }
    } catch (const Error& error) {
        seen.run.state = seen.result.state = RecordedState::Failed;
        seen.result.error = error.sentence();
    }
    seen.run.words = wordsOf(seen.run, seen.result.error, seen.where, told);
    return true;
}

bool SweepWatch::askSlurm() {
    const auto now = std::chrono::steady_clock::now();
    // A copy says at once what came of it.
    if (asked_ && copied_from_.empty() && now - *asked_ < kSlurmPause) return false;
    asked_ = now;
    std::string complaint;
    try {
        tasks_ = slurmTasks(folder_);
    } catch (const Error& error) {
        complaint = error.sentence();
    }
    return std::exchange(slurm_note_, complaint) != complaint;
}

bool SweepWatch::readWhereabouts() {
    const std::string from = copiedFrom(folder_);
    const bool slurm = hasSlurmScripts(folder_);
    return (std::exchange(copied_from_, from) != from) | (std::exchange(slurm_, slurm) != slurm);
}

std::shared_ptr<const WatchedSweep> SweepWatch::look(std::size_t most) {
    const std::string before = plan_stamp_;
    readPlan();
    const bool first = next_ == 0;
    bool moved = first && readWhereabouts();
    if (first && askSlurm()) moved = true;
    const std::size_t begin = next_, end = std::min(plan_.runs.size(), begin + std::max<std::size_t>(1, most));
    std::atomic<bool> changed = moved;
    shareWork(end - begin, kReaders, [&](std::size_t part) {
        if (readRun(begin + part)) changed = true;
    });
    next_ = end >= plan_.runs.size() ? 0 : end;
    if (!changed && plan_stamp_ == before && next_ == 0 && first) return nullptr;

    auto news = std::make_shared<WatchedSweep>();
    news->folder = folder_;
    news->note = note_ + (note_.empty() || slurm_note_.empty() ? "" : " ") + slurm_note_;
    news->whole = next_ == 0;
    news->copied_from = copied_from_;
    news->slurm = slurm_;
    for (const SweepLine& line : plan_.lines) news->lines.push_back(line.name);
    std::vector<SweepResult> results;
    SweepPace pace;
    std::vector<std::size_t> waiting;
    std::vector<SweepPace::Running> running;
    for (std::size_t i = 0; i < seen_.size(); ++i) {
        Seen& seen = seen_[i];
        if (!seen.read) {
            seen.run.number = plan_.runs[i].number;
            seen.run.line = plan_.runs[i].line;
            seen.run.seed = plan_.runs[i].experiment.seed;
            seen.run.words = "not read yet";
        }
        results.push_back(seen.result);
        news->runs.push_back(seen.run);
        const double seconds = seen.result.summary.seconds;
        if (seen.result.state == RecordedState::Finished && seconds > 0)
            pace.finished(seen.run.line, seconds);
        else if (seen.result.state == RecordedState::Running)
            running.push_back({seen.run.line, seconds});
        else if (seen.result.state == RecordedState::None)
            waiting.push_back(seen.run.line);
    }
    // Of a part of the runs, differences would mislead.
    if (news->whole) news->table = tabulate(plan_, results);
    if (news->whole && !running.empty()) news->left = pace.left(waiting, running, static_cast<int>(running.size()));
    for (const WatchedRun& run : news->runs) ++news->counts[run.state];
    news->look = last_ ? last_->look + 1 : 1;
    news->same_rows = last_ && sameRows(*last_, *news);
    if (news->same_rows) news->changed = changedRuns(*last_, *news);
    before_ = std::exchange(last_, news);
    return news;
}

}  // namespace palimpsest::report
