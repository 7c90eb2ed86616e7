// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/sweep/slurm_cluster.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "engine/record/copy_mark.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/run_command.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;

constexpr seconds kPatience{30};

/// The first line that says anything, without the name of the program that says it.
std::string slurmComplaint(const CommandResult& result) {
    std::string_view text = result.errors;
    while (text.starts_with('\n')) text.remove_prefix(1);
    std::string line = plainLine(text.substr(0, text.find('\n')));
    for (const std::string_view sign :
         {"sbatch: error: ", "squeue: error: ", "scancel: error: ", "slurm_load_jobs error: "})
        if (line.starts_with(sign)) line.erase(0, sign.size());
    return line.empty() ? "exit code " + std::to_string(result.code) : line;
}

/// Whether the command found no controller of a cluster, which no other option would change.
bool isSilent(const std::string& errors) {
    constexpr std::string_view kSigns[] = {"resolve_ctls_from_dns_srv", "Could not establish a configuration source",
                                           "Unable to contact slurm controller"};
    return std::ranges::any_of(kSigns, [&](std::string_view sign) { return errors.find(sign) != std::string::npos; });
}

/// Scripts of array jobs in the folder, by their path.
std::map<std::string, std::string> scriptsIn(const fs::path& folder) {
    std::map<std::string, std::string> scripts;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with("sweep") && name.ends_with(".sbatch"))
            scripts[entry.path().string()] = readTextFile(entry.path(), FilePlace::InFolder, file_limit::kTable);
    }
    return scripts;
}

/// Numbers of jobs that wrote slurm-JOB_TASK.out there.
std::set<std::string> jobsIn(const fs::path& folder) {
    std::set<std::string> jobs;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        const std::string_view sign = "slurm-";
        if (!name.starts_with(sign) || !name.ends_with(".out")) continue;
        const std::string job = name.substr(sign.size(), name.find('_') - sign.size());
        if (isSlurmJobNumber(job)) jobs.insert(job);
    }
    return jobs;
}

/// The tasks in this machine's queue; absent where it has no Slurm.
std::optional<std::vector<SlurmTask>> queue() {
    const std::optional<CommandResult> json = runCommand({"squeue", "--json"}, kPatience);
    if (!json) return std::nullopt;
    if (json->code == 0 && json->output.find('{') != std::string::npos) {
        // Some versions print a warning before it.
        return parseSqueueJson(json->output.substr(json->output.find('{')));
    }
    const std::optional<CommandResult> lines =
        runCommand({"squeue", "--noheader", "--array", std::string("--format=") + kSqueueFormat}, kPatience);
    if (!lines) return std::nullopt;
    if (lines->code != 0)
        throw runError("Slurm does not say which jobs there are: " + slurmComplaint(*lines) + ".",
                       "Try `squeue` in a terminal.");
    return parseSqueueLines(lines->output);
}

}  // namespace

std::int64_t clusterArraySize() {
    try {
        const std::optional<CommandResult> answer = runCommand({"scontrol", "show", "config"}, kPatience);
        return arraySizeIn(answer && answer->code == 0 ? answer->output : std::string());
    } catch (const Error&) {
        return arraySizeIn({});
    }
}

std::string submitToSlurm(const fs::path& script, const std::string& after) {
    std::vector<std::string> words = {"sbatch", "--parsable"};
    if (!after.empty()) words.push_back("--dependency=afterok:" + after);
    words.push_back(script.string());
    const std::optional<CommandResult> answer = runCommand(words, kPatience);
    if (!answer)
        throw inputError("This machine has no Slurm: there is no program sbatch.",
                         "Call sbatch " + shellQuoted(script.string()) + " on a machine of the cluster.");
    if (answer->code != 0 && isSilent(answer->errors))
        throw SlurmRefusal(
            "No Slurm answers this machine: " + slurmComplaint(*answer) + ".",
            "Call the same on a machine of the cluster, or ask who looks after it; `sinfo` tells the same.");
    if (answer->code != 0)
        throw SlurmRefusal("Slurm refuses " + script.filename().string() + ": " + slurmComplaint(*answer) + ".",
                           "Call the same again with other options of sbatch in --slurm; `sinfo` lists partitions.");
    // "12" or, where there are several clusters, "12;name".
    return answer->output.substr(0, answer->output.find_first_not_of("0123456789"));
}

void cancelSlurmJobs(const std::vector<std::string>& jobs) {
    for (const std::string& job : jobs) {
        const std::optional<CommandResult> said = runCommand({"scancel", job}, kPatience);
        if (!said) throw inputError("This machine has no program scancel.", "Cancel job " + job + " on one that has.");
        if (said->code != 0)
            throw runError("Slurm does not cancel job " + job + ": " + slurmComplaint(*said) + ".",
                           "Try `scancel " + job + "` in a terminal.");
    }
}

std::vector<std::string> submitWords(const std::string& grid, const std::string& folder, const SlurmChoice& choice) {
    std::vector<std::string> words = {"sweep", grid, "--out", folder};
    // The options begin with a hyphen; of an empty value the command line would take the next word for it.
    if (choice.options.empty())
        words.insert(words.end(), {"--slurm", ""});
    else
        words.push_back("--slurm=" + choice.options);
    words.insert(words.end(), {"--submit", "--json", "--runs-per-task", std::to_string(choice.runs_per_task)});
    if (choice.throttle > 0) words.insert(words.end(), {"--throttle", std::to_string(choice.throttle)});
    return words;
}

std::vector<std::string> submittedJobs(const std::string& output) {
    std::istringstream lines(output);
    std::vector<std::string> jobs;
    for (std::string line; std::getline(lines, line);) {
        const Json said = parsedJson(line);
        if (!said.is_object()) continue;
        for (const char* key : {"job", "after"}) {
            const auto found = said.find(key);
            if (found == said.end() || !found->is_string()) continue;
            const std::string job = found->get<std::string>();
            if (isSlurmJobNumber(job) && std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(job);
        }
    }
    return jobs;
}

bool hasSlurmScripts(const fs::path& folder) {
    return isPlainFile(folder / "sweep.sbatch");
}

std::vector<std::string> cancelInSlurm(const fs::path& folder) {
    const std::optional<std::vector<SlurmTask>> tasks = queue();
    if (!tasks)
        throw inputError("This machine has no Slurm: there is no program squeue.",
                         "Cancel the jobs on a machine of the cluster, with scancel.");
    std::vector<std::string> jobs;
    for (const SlurmTask& task : *tasks) {
        const fs::path script = task.script;
        if (!task.active() || script.extension() != ".sbatch" || script.parent_path() != folder) continue;
        const std::string job = std::to_string(task.job);
        if (std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(job);
    }
    cancelSlurmJobs(jobs);
    return jobs;
}

std::map<std::int64_t, SlurmTask> slurmTasks(const fs::path& folder) {
    // The Slurm of this machine, if it has one, knows nothing of another machine's jobs, but may have some of their
    // numbers.
    if (isPlainFile(folder / kCopyMark)) {
        if (!isPlainFile(folder / kSlurmNote)) return {};
        return parseListedTasks(readTextFile(folder / kSlurmNote, FilePlace::InFolder, file_limit::kSettings));
    }
    const std::map<std::string, std::string> scripts = scriptsIn(folder);
    std::map<std::int64_t, SlurmTask> found;
    if (scripts.empty()) return found;
    const std::optional<std::vector<SlurmTask>> waiting = queue();
    if (!waiting) return found;
    const auto note = [&](const SlurmTask& task, const std::string& script) {
        for (const std::int64_t run : runsOfTask(script, task.index)) {
            const auto [known, fresh] = found.try_emplace(run, task);
            const SlurmTask& before = known->second;
            if (!fresh && std::pair(task.active(), task.job) > std::pair(before.active(), before.job))
                known->second = task;
        }
    };
    std::set<std::string> ended = jobsIn(folder);
    for (const SlurmTask& task : *waiting) {
        const auto script = scripts.find(task.script);
        if (script == scripts.end()) continue;
        note(task, script->second);
    }
    // Tasks that have left the queue are known to sacct alone, where the cluster keeps accounts. sacct does not name
    // the script of a task, so nothing is asked where there are several.
    if (ended.empty() || scripts.size() > 1) return found;
    std::string jobs;
    for (const std::string& job : ended) jobs += (jobs.empty() ? "" : ",") + job;
    const std::optional<CommandResult> past = runCommand({"sacct", "--noheader", "--parsable2", "--allocations",
                                                          std::string("--format=") + kSacctFormat, "--jobs=" + jobs},
                                                         kPatience);
    if (past && past->code == 0)
        for (const SlurmTask& task : parseSacct(past->output))
            if (!task.active()) note(task, scripts.begin()->second);
    return found;
}

}  // namespace palimpsest
