// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/sweep_results.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>

#include "engine/config/experiment_differences.h"
#include "engine/config/experiment_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_documents.h"
#include "engine/record/run_processors.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

bool there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string attemptName(const std::string& folder, int attempt) {
    return attempt == 1 ? folder : folder + "-" + std::to_string(attempt);
}

bool taken(const fs::path& runs, const std::string& name) {
    return there(runs / name) || there(runs / (name + ".log")) || there(runs / (name + ".toml"));
}

/// The experiment of a run folder, but for what a run itself writes into it: how many threads it was given, and the
/// place, length and edits of an imported stream.
Experiment asPlanned(const SweepRun& run, Experiment found) {
    const Experiment& planned = run.experiment;
    if (planned.threads == 0) found.threads = 0;
    // The name of prompts that the sweep made says how, wherever its folder has been moved to.
    if (run.prompts &&
        fs::path(found.initial_session.prompts).filename() == fs::path(planned.initial_session.prompts).filename())
        found.initial_session.prompts = planned.initial_session.prompts;
    if (planned.stream.isImported()) {
        found.stream.index_list = planned.stream.index_list;
        found.stream.sessions = planned.stream.sessions;
        found.stream.edits = planned.stream.edits;
    }
    return found;
}

bool sameExperiment(const OptionTable& table, const SweepRun& run, const Experiment& found) {
    return experimentIdentity(table, run.experiment) == experimentIdentity(table, asPlanned(run, found));
}

/// The experiment of an attempt: of its run folder, or as the run was to receive it. Absent where neither can be read.
std::optional<Experiment> experimentOf(const OptionTable& table, const fs::path& runs, const std::string& name) {
    try {
        if (there(runs / name / "run.json")) {
            requirePlainFolder(runs / name);
            return readExperiment(table, runs / name / "experiment.toml", FilePlace::InFolder);
        }
        return readExperiment(table, runs / (name + ".toml"), FilePlace::InSubfolder);
    } catch (const Error&) {
        return std::nullopt;
    }
}

/// Text behind the number in the name of a run's folder; empty where there is no number.
std::string_view behindNumber(std::string_view name) {
    const std::size_t end = name.find_first_not_of("0123456789");
    return end == 0 || end == std::string_view::npos ? std::string_view() : name.substr(end);
}

/// The folders among a sweep's runs. Each experiment is read once at most, and none where names say enough.
class BegunRuns {
public:
    BegunRuns(const OptionTable& table, const fs::path& runs) : table_(table), runs_(runs) {
        std::error_code ignored;
        for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored)) {
            std::string name = entry.path().filename().string();
            for (const std::string_view ending : {".toml", ".log"})
                if (name.ends_with(ending)) name.erase(name.size() - ending.size());
            if (const std::string_view rest = behindNumber(name); !rest.empty()) names_[std::string(rest)].insert(name);
        }
    }

    /// A plan of one line is called after its base. What runs were called when they began stays, as their names are
    /// among their settings, and a file without a name was not always called after itself.
    void keepName(SweepPlan& plan) {
        for (const SweepRun& run : plan.runs) {
            const auto same = names_.find(std::string(behindNumber(run.folder)));
            if (same != names_.end() && same->second.contains(run.folder)) return;
        }
        for (const SweepRun& run : plan.runs) {
            const std::string seed = "-seed-" + std::to_string(run.experiment.seed);
            for (const auto& [ending, names] : names_) {
                if (!ending.ends_with(seed)) continue;
                for (const std::string& name : names) {
                    const Experiment* found = experiment(name);
                    if (!found || found->name == run.experiment.name) continue;
                    SweepRun renamed = run;
                    renamed.experiment.name = found->name;
                    if (sameExperiment(table_, renamed, *found)) return renameOnlyLine(plan, found->name);
                }
            }
        }
    }

    /// For the runs of a plan of so many whose folders are called alike but for the number: finds those that have
    /// begun, and gives those that have not a folder of their own. False: a folder could not be read, so that it may be
    /// that of a run without one.
    bool keepFolders(const std::string& ending, const std::vector<SweepRun*>& planned, std::size_t count) {
        const auto group = names_.find(ending);
        if (group == names_.end()) return true;
        const std::set<std::string>& names = group->second;
        if (planned.size() == 1 && names.contains(planned.front()->folder)) return true;
        // Other rows may have the same letters in their names, so settings decide.
        using Key = std::pair<std::string, std::int64_t>;
        std::map<Key, std::vector<std::pair<const std::string*, const Experiment*>>> known;
        bool read = true;
        for (const std::string& name : names)
            for (int attempt = 1; taken(runs_, attemptName(name, attempt)); ++attempt) {
                const Experiment* found = experiment(attemptName(name, attempt));
                read = read && found;
                if (found) known[{found->name, found->seed}].emplace_back(&name, found);
            }
        std::set<std::string> kept;
        std::vector<SweepRun*> fresh;
        for (SweepRun* run : planned) {
            const std::string* folder = nullptr;
            for (const auto& [name, found] : known[{run->experiment.name, run->experiment.seed}])
                if ((!folder || *name == run->folder) && sameExperiment(table_, *run, *found)) folder = name;
            if (folder) {
                kept.insert(*folder);
                run->folder = *folder;
            } else {
                fresh.push_back(run);
            }
        }
        std::size_t number = count;
        for (SweepRun* run : fresh) {
            const std::size_t width = run->folder.size() - ending.size();
            while (kept.contains(run->folder)) {
                const std::string digits = std::to_string(++number);
                std::string name = std::string(width - std::min(width, digits.size()), '0') + digits + ending;
                if (!names.contains(name)) run->folder = std::move(name);
            }
            kept.insert(run->folder);
        }
        return read || fresh.empty();
    }

private:
    const Experiment* experiment(const std::string& name) {
        const auto [found, first] = read_.try_emplace(name);
        if (first) found->second = experimentOf(table_, runs_, name);
        return found->second ? &*found->second : nullptr;
    }

    const OptionTable& table_;
    const fs::path& runs_;
    std::map<std::string, std::set<std::string>> names_;  ///< by what stands behind the number
    std::map<std::string, std::optional<Experiment>> read_;
};

/// Absent: no attempt at this run, as it is planned now.
std::optional<SweepResult> readAttempt(const OptionTable& table, const SweepRun& run, const fs::path& runs,
                                       const std::string& name) {
    SweepResult result;
    if (!there(runs / name / "run.json")) {
        // It ended before it began, or its folder was thrown away. What begins next to it may be another run.
        if (const auto found = experimentOf(table, runs, name); found && !sameExperiment(table, run, *found))
            return std::nullopt;
        result.error = complaintIn(runs / (name + ".log"));
        if (!result.error.empty()) result.state = RecordedState::Failed;
        return result;
    }
    try {
        requirePlainFolder(runs / name);
        const RunRecord record = readRun(table, runs / name);
        if (!sameExperiment(table, run, record.experiment)) return std::nullopt;
        result = {record.state,
                  name,
                  record.error,
                  record.summary,
                  record.experiment.threads,
                  record.trainable_parameters,
                  record.precision,
                  record.device,
                  record.origin.versions,
                  !record.changes.empty(),
                  record.origin.processors};
        // A damaged summary would be counted among the seeds and leave its row without a number.
        if (record.state == RecordedState::Finished && !record.anytime.empty() && !record.summary.a_auc) {
            result.state = RecordedState::Failed;
            result.error = "The a_auc in " + (runs / name / "summary.json").string() + " is missing or no number.";
        }
    } catch (const Error&) {
        return std::nullopt;
    }
    if (result.state == RecordedState::Crashed)
        result.error = "It ended without a word: killed, or the machine went down.";
    return result;
}

Json jsonOf(const SweepPlan& plan, const SweepRun& run, const SweepResult& result) {
    const bool finished = result.state == RecordedState::Finished;
    const Summary& s = result.summary;
    return {{"number", run.number},
            {"row", plan.lines[run.line].name},
            {"seed", run.experiment.seed},
            {"state", sweepStateText(result.state)},
            {"folder", orNull(result.folder.empty() ? "" : "runs/" + result.folder)},
            {"error", orNull(result.error)},
            {"a_auc", finished ? orNull(s.a_auc) : Json(nullptr)},
            {"seconds", finished ? Json(s.seconds) : Json(nullptr)},
            {"batch_seconds", finished && s.batch_seconds > 0 ? Json(s.batch_seconds) : Json(nullptr)},
            {"trainable_parameters", finished ? Json(result.parameters) : Json(nullptr)},
            {"threads", result.threads > 0 ? Json(result.threads) : Json(nullptr)},
            {"precision", orNull(result.precision)},
            {"device", orNull(result.device)},
            {"versions", orNull(result.versions)},
            {"processors", result.processors}};
}

}  // namespace

std::string attemptName(const SweepRun& run, int attempt) {
    return attemptName(run.folder, attempt);
}

std::string complaintIn(const fs::path& log) {
    if (!there(log)) return {};
    std::string text;
    try {
        text = readTextFile(log, FilePlace::InFolder, file_limit::kTable);
    } catch (const Error&) {
        return {};
    }
    return complaintOf(text);
}

SweepResult readSweepRun(const OptionTable& table, const SweepRun& run, const fs::path& runs) {
    SweepResult last;
    for (int attempt = 1; taken(runs, attemptName(run, attempt)); ++attempt) {
        const std::optional<SweepResult> result = readAttempt(table, run, runs, attemptName(run, attempt));
        if (!result) continue;
        last = *result;
        if (last.state == RecordedState::Finished) break;
    }
    return last;
}

bool keepRunFolders(const OptionTable& table, SweepPlan& plan, const fs::path& runs) {
    BegunRuns begun(table, runs);
    if (plan.lines.size() == 1) begun.keepName(plan);
    std::map<std::string, std::vector<SweepRun*>> groups;
    for (SweepRun& run : plan.runs) groups[std::string(behindNumber(run.folder))].push_back(&run);
    bool whole = true;
    for (const auto& [ending, planned] : groups) whole = begun.keepFolders(ending, planned, plan.runs.size()) && whole;
    return whole;
}

std::string settingsChangedSince(const OptionTable& table, const SweepPlan& plan, const fs::path& runs) {
    for (const SweepRun& run : plan.runs) {
        std::string other;
        for (int attempt = 1; taken(runs, attemptName(run, attempt)); ++attempt) {
            const std::string name = attemptName(run, attempt);
            const std::optional<Experiment> found = experimentOf(table, runs, name);
            if (!found) continue;
            const std::string difference =
                firstSettingApart(table, spelledOut(asPlanned(run, *found)), spelledOut(run.experiment));
            if (difference.empty()) {
                other.clear();
                break;
            }
            if (other.empty()) other = name + ", " + difference;
        }
        if (!other.empty()) return other;
    }
    return {};
}

bool SweepResult::isContinuedElsewhere() const {
    return continuedElsewhere(processors, device);
}

bool isUnfinished(RecordedState state) {
    return state == RecordedState::Stopped || state == RecordedState::Crashed;
}

std::vector<SweepResult> unfinishedAttempts(const OptionTable& table, const SweepRun& run, const fs::path& runs) {
    std::vector<SweepResult> found;
    for (int attempt = 1; taken(runs, attemptName(run, attempt)); ++attempt)
        if (auto result = readAttempt(table, run, runs, attemptName(run, attempt));
            result && !result->folder.empty() && isUnfinished(result->state))
            found.push_back(std::move(*result));
    std::ranges::reverse(found);
    return found;
}

std::string obstacleToResuming(const OptionTable& table, const SweepResult& result, const fs::path& runs) {
    const fs::path folder = runs / result.folder;
    if (result.changed) return "Its settings were changed while it went on.";
    try {
        if (listCheckpoints(folder).empty() && !neverLearned(table, folder)) return "It kept no checkpoint.";
    } catch (const Error& error) {
        return error.sentence();
    }
    return {};
}

bool refusedForGood(const std::string& complaint) {
    return complaint.find(kUnlikeItBegan) != std::string::npos || complaint.find(kNoCheckpoint) != std::string::npos;
}

const char* sweepStateText(RecordedState state) {
    return state == RecordedState::None ? "waiting" : toText(state);
}

std::string beginAttempt(const OptionTable& table, const SweepRun& run, const fs::path& runs) {
    for (int attempt = 1;; ++attempt) {
        const std::string name = attemptName(run, attempt);
        const fs::path file = runs / (name + ".toml");
        if (taken(runs, name) || !makeFile(file, FilePlace::InSubfolder)) continue;
        try {
            writeExperiment(table, run.experiment, file, FilePlace::InSubfolder);
        } catch (const Error&) {
            std::error_code ignored;
            fs::remove(file, ignored);
            throw;
        }
        return name;
    }
}

std::string sweepJson(const SweepPlan& plan, const std::vector<SweepResult>& results, const std::string& differences,
                      const std::string& published) {
    Json rows = Json::array();
    for (const SweepLine& line : plan.lines) rows.push_back(line.name);
    Json prompts = Json::array();
    for (const SweepPrompts& made : plan.prompts) prompts.push_back({{"name", made.name}, {"file", made.file}});
    Json runs = Json::array();
    for (std::size_t i = 0; i < plan.runs.size(); ++i) runs.push_back(jsonOf(plan, plan.runs[i], results[i]));
    const Json json = {{"title", plan.title},
                       {"rows", std::move(rows)},
                       {"seeds", plan.seeds},
                       {"metrics", plan.metrics},
                       {"prompts", std::move(prompts)},
                       {"runs", std::move(runs)},
                       {"differences", parsedJson(differences)},
                       {"published_in", orNull(plan.published_in)},
                       {"published", parsedJson(published)}};
    return documentText(json);
}

void SweepPace::finished(std::size_t line, double seconds) {
    for (Sum* sum : {&lines_[line], &all_}) {
        sum->seconds += seconds;
        ++sum->runs;
    }
}

std::optional<double> SweepPace::left(const std::vector<std::size_t>& waiting, const std::vector<Running>& running,
                                      int jobs) const {
    if (all_.runs == 0) return std::nullopt;
    double work = 0;
    double longest = 0;
    const auto add = [&](std::size_t line, double spent) {
        const auto known = lines_.find(line);
        const double seconds = std::max(0.0, (known == lines_.end() ? all_ : known->second).mean() - spent);
        work += seconds;
        longest = std::max(longest, seconds);
    };
    for (const std::size_t line : waiting) add(line, 0);
    for (const Running& run : running) add(run.line, run.seconds);
    return std::max(longest, work / std::max(1, jobs));
}

}  // namespace palimpsest
