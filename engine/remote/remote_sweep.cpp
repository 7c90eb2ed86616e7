// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remote_sweep.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <system_error>

#include "engine/support/file_io.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Exit codes of our own scripts.
constexpr int kNoSlurm = 43, kNotYet = 44, kNoSweep = 45;
/// Times that a machine is asked what became of a submission whose connection broke.
constexpr int kQuestionsForJobs = 10;
constexpr std::chrono::seconds kBetweenJobQuestions{3};

std::string commandLine(const std::string& program, const std::vector<std::string>& words) {
    std::string line = shellQuoted(program);
    for (const std::string& word : words) line += " " + shellQuoted(word);
    return line;
}

/// Output of the program there. Throws where it failed.
std::string answerOf(const RemotePlace& folder, CommandResult said) {
    if (said.code == 0) return std::move(said.output);
    throwRemoteFault(folder, said);
    // The whole sentence, which the program there has put into words, with what to do.
    const std::string sentence = complaintOf(said.errors);
    throw runError(folder.host + " says: " + (sentence.empty() ? firstComplaint(said.errors) + "." : sentence), "");
}

}  // namespace

std::vector<fs::path> filesBesideGrid(const fs::path& grid, const SweepPlan& plan, const std::string& base) {
    const fs::path folder = fs::absolute(grid).lexically_normal().parent_path();
    std::set<fs::path> files;
    const auto add = [&](const fs::path& file, const std::string& what) {
        if (file.parent_path() != folder)
            throw inputError(what + " of the grid, " + file.string() + ", does not lie beside it.",
                             "Copy it to " + folder.string() +
                                 " and name it without a folder; only files beside the "
                                 "grid go with it.");
        files.insert(file);
    };
    if (const fs::path kept = keptBaseOf(grid); !kept.empty())
        add(kept.lexically_normal(), "The base");
    else if (base.find('/') != std::string::npos || base.ends_with(".toml"))
        add((folder / base).lexically_normal(), "The base");
    for (const SweepRun& run : plan.runs)
        if (const std::string& list = run.experiment.stream.index_list; !list.empty())
            add(fs::absolute(list).lexically_normal(), "An index list");
    return {files.begin(), files.end()};
}

/// In the folder beside the sweep's; that of a sweep which was submitted there has none.
std::string RemoteSweep::call(const std::vector<std::string>& words) const {
    return answerOf(folder(),
                    job_.shell().run(kAsLogin + ("{ cd " + shellQuoted(job_.side().word())) + " 2>/dev/null || cd " +
                                         shellQuoted(folder().word()) + "; } && " + commandLine(program_, words),
                                     kSubmitPatience));
}

CommandResult RemoteSweep::submitAndNote(const std::vector<std::string>& words) const {
    const std::string enter = "cd " + shellQuoted(job_.side().word());
    const std::string answer = "cat submitted.errors >&2; cat submitted; exit $code";
    const RemoteShell& shell = job_.shell();
    shell.require("Preparing the jobs", enter + " && rm -f submitted submitted.errors submitted.exit");
    try {
        // Numbers are noted before anything is said, which a broken connection ends.
        return shell.run(
            kAsLogin + enter + " || exit 1; trap \"\" HUP; " + commandLine(program_, words) +
                " > submitted 2> submitted.errors; code=$?; for key in job after; do sed -n "
                "\"s/.*\\\"$key\\\": *\\\"\\([0-9][0-9]*\\)\\\".*/\\1/p\" submitted; done | sort -u >> jobs; "
                "echo $code > submitted.part; mv submitted.part submitted.exit; " +
                answer,
            kSubmitPatience);
    } catch (const RemoteError& error) {
        if (error.fault() != RemoteFault::Connection) throw;
        for (int question = 0; question < kQuestionsForJobs; ++question) {
            waitUnlessGivenUp(kBetweenJobQuestions);
            try {
                CommandResult said = shell.run(enter + " && [ -f submitted.exit ] || exit " + std::to_string(kNotYet) +
                                               "; code=$(cat submitted.exit); " + answer);
                if (said.code != kNotYet) return said;
            } catch (const Error&) {
                // It may be back at the next question.
            }
        }
        throw RemoteError(error.fault(), error.what(),
                          "Whether Slurm has the jobs is not known. Submitting again tells, and submits nothing "
                          "twice.");
    }
}

std::vector<std::string> RemoteSweep::submit(const fs::path& grid, const SweepPlan& plan, const std::string& base,
                                             const SlurmChoice& slurm) const {
    const std::vector<fs::path> files = filesBesideGrid(grid, plan, base);
    if (job_.shell()
            .run(std::string(kAsLogin) + "command -v sbatch >/dev/null || exit " + std::to_string(kNoSlurm))
            .code == kNoSlurm)
        throw inputError(folder().host + " has no Slurm: there is no program sbatch.",
                         "Name a machine of the cluster that jobs are submitted from.");
    const bool fresh = job_.prepare(true);
    if (goesOn().value_or(false))
        throw inputError("Slurm of " + folder().host + " has jobs of this sweep already: " + enumeration(jobs()) + ".",
                         "Wait for their end or cancel them; `palimpsest-cli follow " + shellQuoted(folder().text()) +
                             "` follows them.");
    std::string said;
    try {
        said = sendAndSubmit(grid, files, plan.runs.size(), slurm);
    } catch (const Error& error) {
        const auto* const remote = dynamic_cast<const RemoteError*>(&error);
        const bool known = remote == nullptr || remote->fault() != RemoteFault::Connection;
        if (fresh && known) takeBack(grid, files);
        throw;
    }
    return submittedJobs(said);
}

std::string RemoteSweep::sendAndSubmit(const fs::path& grid, const std::vector<fs::path>& files, std::size_t runs,
                                       const SlurmChoice& slurm) const {
    const std::string name = grid.filename().string();
    // That of an earlier grid of this name is none of this one.
    job_.shell().require("Preparing the files", "rm -f -- " + shellQuoted(job_.side().below(kKeptBase).word()));
    sendFile(job_.shell(), grid, job_.side().below(name));
    for (const fs::path& file : files) sendFile(job_.shell(), file, job_.side().below(file.filename().string()));
    job_.shell().require("Noting the runs",
                         "cd " + shellQuoted(job_.side().word()) + " && echo " + std::to_string(runs) + " > runs");
    // Without the dot such a name could be taken for an option.
    return answerOf(folder(), submitAndNote(submitWords("./" + name, "../" + folder().name(), slurm)));
}

void RemoteSweep::takeBack(const fs::path& grid, const std::vector<fs::path>& files) const {
    std::vector<std::string> names = {
        "runs", "jobs", "submitted", "submitted.errors", "submitted.exit", grid.filename().string()};
    for (const fs::path& file : files) names.push_back(file.filename().string());
    // Jobs that wait or run need them, and so does a submission that has not ended.
    job_.takeBack(names, "[ -s jobs ] || { [ -f submitted ] && [ ! -f submitted.exit ]; }");
}

std::optional<std::size_t> runsSubmitted(const RemoteShell& shell) {
    const CommandResult said =
        shell.run("cat " + shellQuoted(shell.place().beside(".job").below("runs").word()) + " 2>/dev/null");
    std::size_t runs = 0;
    const auto [end, error] = std::from_chars(said.output.data(), said.output.data() + said.output.size(), runs);
    return error == std::errc() && runs > 0 ? std::optional(runs) : std::nullopt;
}

std::string RemoteSweep::list(bool json) const {
    if (job_.shell()
            .run("[ -f " + shellQuoted(folder().below("sweep.toml").word()) + " ] || exit " + std::to_string(kNoSweep))
            .code == kNoSweep)
        throw inputError("There is no sweep in " + folder().path + " on " + folder().host + ".",
                         "--slurm OPTIONS in place of --list submits one.");
    std::vector<std::string> words = {"sweep", "../" + folder().name() + "/sweep.toml", "--out",
                                      "../" + folder().name(), "--list"};
    // The grid in the sweep's folder names files beside the one that was sent.
    const CommandResult found =
        job_.shell().run("cd " + shellQuoted(job_.side().word()) + " 2>/dev/null && ls -t -- *.toml");
    std::istringstream names(found.output);
    for (std::string name; std::getline(names, name);) {
        const CommandResult same =
            job_.shell().run("cd " + shellQuoted(job_.side().word()) + " && cmp -s " + shellQuoted("./" + name) + " " +
                             shellQuoted("../" + folder().name() + "/sweep.toml"));
        if (same.code != 0) continue;
        words[1] = "./" + name;
        break;
    }
    if (json) words.emplace_back("--json");
    return call(words);
}

std::vector<std::string> RemoteSweep::jobs() const {
    const CommandResult noted =
        job_.shell().run("cd " + shellQuoted(job_.side().word()) + " 2>/dev/null && cat jobs 2>/dev/null");
    std::istringstream words(noted.output);
    std::vector<std::string> jobs;
    for (std::string job; words >> job;)
        if (isSlurmJobNumber(job) && std::ranges::find(jobs, job) == jobs.end()) jobs.push_back(job);
    return jobs;
}

std::optional<bool> RemoteSweep::goesOn() const {
    const std::vector<std::string> noted = jobs();
    if (noted.empty()) return std::nullopt;
    const CommandResult said =
        job_.shell().run(std::string(kAsLogin) + "squeue --noheader --user=\"$(id -un)\" --format=%F");
    if (said.code != 0) return std::nullopt;
    std::istringstream words(said.output);
    for (std::string job; words >> job;)
        if (std::ranges::find(noted, job) != noted.end()) return true;
    return false;
}

std::vector<std::string> RemoteSweep::cancel() const {
    std::string line;
    for (const std::string& job : jobs()) line += " " + job;
    if (line.empty())
        throw inputError("No job was submitted from here for " + folder().text() + ".",
                         "`scancel` there cancels those that were submitted there.");
    // Those that have ended are no mistake.
    const std::string left = job_.shell().require(
        "Cancelling jobs",
        std::string(kAsLogin) +
            "command -v scancel >/dev/null || { echo \"there is no program scancel\" >&2; exit 1; }; "
            "for job in" +
            line +
            "; do [ -n \"$(squeue --noheader --jobs=$job 2>/dev/null)\" ] && scancel \"$job\" && echo \"$job\"; done; "
            "true");
    std::vector<std::string> cancelled;
    std::istringstream answers(left);
    for (std::string job; answers >> job;)
        if (isSlurmJobNumber(job)) cancelled.push_back(job);
    return cancelled;
}

}  // namespace palimpsest
