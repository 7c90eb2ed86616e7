// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/remote/remote_job.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>

#include "engine/config/experiment_file.h"
#include "engine/support/clock.h"
#include "engine/support/file_io.h"
#include "engine/support/scratch_folder.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

/// Exit codes of our own scripts.
constexpr int kMissing = 41, kThere = 42;
/// How long a run is watched at its beginning, where most of what can be wrong with it is found.
constexpr int kFirstLooks = 10;
/// Times that a machine is asked what became of a command whose connection broke.
constexpr int kQuestions = 4;
constexpr std::chrono::seconds kBetweenQuestions{3};
constexpr std::size_t kTail = 2000;

std::string firstLine(const std::string& text) {
    return plainLine(text.substr(0, text.find('\n')));
}

/// "1.2." of "1.2.3"; empty where the text is no such version.
std::string lineOfVersions(const std::string& version) {
    const std::size_t first = version.find('.'), second = version.find('.', first + 1);
    const bool three = first != std::string::npos && second != std::string::npos && first > 0 && second > first + 1 &&
                       second + 1 < version.size() && std::ranges::count(version, '.') == 2 &&
                       version.find_first_not_of("0123456789.") == std::string::npos;
    return three ? version.substr(0, second + 1) : std::string();
}

/// Sets `state` to running, elsewhere, gone or none, and `pid` and `host`, from the file pid.
constexpr const char* kAskState =
    "state=none; if [ -f pid ]; then read -r pid start boot host < pid; "
    "if [ \"$host\" != \"$(uname -n)\" ]; then state=elsewhere; "
    "elif [ \"$(cut -d\" \" -f22 /proc/$pid/stat 2>/dev/null)\" = \"$start\" ] && "
    "[ \"$(cat /proc/sys/kernel/random/boot_id)\" = \"$boot\" ]; then state=running; else state=gone; fi; fi; "
    "if [ -f exit ]; then state=ended; fi; ";

/// Parts runs of one name that begin in one second, on one machine or on several.
std::string anyDigits() {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::random_device device;
    std::string text;
    for (int i = 0; i < 6; ++i) text += kDigits[device() % kDigits.size()];
    return text;
}

/// Starts the work. A connection that breaks meanwhile does not tell whether it began, so the machine is asked.
void startOrLearnWhether(const RemoteJob& job, const std::string& program, const std::vector<std::string>& words) {
    try {
        job.start(program, words);
    } catch (const RemoteError& error) {
        if (error.fault() != RemoteFault::Connection) throw;
        for (int question = 0; question < kQuestions; ++question) {
            waitUnlessGivenUp(kBetweenQuestions);
            RemoteJob::Facts facts;
            try {
                facts = job.facts();
            } catch (const Error&) {
                continue;
            }
            if (facts.state == RemoteJob::State::None) throw;
            return;
        }
        throw RemoteError(error.fault(), error.what(),
                          "Whether the run has begun is not known: palimpsest-cli follow " +
                              shellQuoted(job.folder().text()) + " tells.");
    }
}

}  // namespace

std::string findRemoteProgram(const RemoteShell& shell, const std::string& named, const std::string& version,
                              const VersionTeller& tell) {
    const std::string& host = shell.place().host;
    const CommandResult said = shell.run(std::string(kAsLogin) +
                                         "PATH=\"$PATH:$HOME/.local/bin:/usr/local/bin:/opt/palimpsest/bin\"; "
                                         "program=$(command -v " +
                                         shellQuoted(named.empty() ? "palimpsest-cli" : named) + ") || exit " +
                                         std::to_string(kMissing) + "; echo \"$program\"; \"$program\" --version");
    if (said.code == kMissing)
        throw inputError("There is no program " + (named.empty() ? "palimpsest-cli" : named) + " on " + host + ".",
                         "Install Palimpsest " + version + " there, or name the program with --program.");
    const std::string program = firstLine(said.output);
    const std::size_t next = said.output.find('\n');
    std::string there = next == std::string::npos ? "" : firstLine(said.output.substr(next + 1));
    constexpr std::string_view kName = "palimpsest-cli ";
    if (said.code != 0 || !there.starts_with(kName))
        throw inputError(
            program + " on " + host + " is no palimpsest-cli that works: " +
                (firstComplaint(said.errors).empty() ? "it does not say its version" : firstComplaint(said.errors)) +
                ".",
            "Install Palimpsest " + version + " there, or name the program with --program.");
    there.erase(0, kName.size());
    if (there == version) return program;
    const std::string line = lineOfVersions(version);
    const std::string both = host + " has Palimpsest " + there + ", this computer " + version;
    if (line.empty() || lineOfVersions(there) != line)
        throw inputError(
            both + ", which need not understand each other's files.",
            "Install Palimpsest " + (line.empty() ? version : line + "x") + " there, or name one with --program.");
    tell(both + ": what it computes need not be the same bit for bit as here.");
    return program;
}

bool RemoteJob::prepare(bool again) const {
    const std::string side = shellQuoted(side_.word()), folder = shellQuoted(this->folder().word());
    RemotePlace above = side_;
    above.path = fs::path(side_.path).parent_path().string();
    const std::string taken = "exit " + std::to_string(kMissing);
    // Of two that begin at once, one makes the folder.
    const CommandResult said =
        shell_.run("mkdir -p " + shellQuoted(above.word()) + " || exit 1; made=; if mkdir " + side +
                   " 2>/dev/null; then made=yes; elif [ ! -d " + side + " ]; then mkdir " + side + "; exit 1; fi; cd " +
                   side + " || exit 1; " + kAskState + "if [ $state = running ] || [ $state = elsewhere ]; then exit " +
                   std::to_string(kThere) + "; fi; " +
                   (again ? ""
                          : "[ -n \"$made\" ] || " + taken + "; cd; if [ -e " + folder + " ]; then rmdir " + side +
                                "; " + taken + "; fi; ") +
                   "echo $made");
    if (said.code == kThere)
        throw inputError("Work goes on in " + this->folder().text() + ".",
                         "Follow it: palimpsest-cli follow " + shellQuoted(this->folder().text()) + ".");
    if (said.code == kMissing)
        throw inputError("There is a folder " + this->folder().text() + " already.", "Name another one.");
    if (said.code == 0) return said.output.starts_with("yes");
    throwRemoteFault(this->folder(), said);
    throw inputError("Cannot make " + side_.path + " on " + side_.host + ": " + firstComplaint(said.errors) + ".",
                     "Check the path and your rights there.");
}

void RemoteJob::send(const fs::path& folder) const {
    for (const fs::path& file : folderEntries(folder)) sendFile(shell_, file, side_.below(file.filename().string()));
}

void RemoteJob::takeBack(const std::vector<std::string>& names, std::string_view kept) const {
    std::string script = "cd " + shellQuoted(side_.word()) + " || exit 1; ";
    if (!kept.empty()) script += "if " + std::string(kept) + "; then exit 0; fi; ";
    script += "rm -f --";
    for (const std::string& name : names) script += " " + shellQuoted(name) + " " + shellQuoted(name + ".part");
    script += "; cd; rmdir " + shellQuoted(side_.word());
    try {
        shell_.run(script);
    } catch (const Error&) {
        // What failed before is told; this is a courtesy.
    }
}

void RemoteJob::start(const std::string& program, const std::vector<std::string>& words) const {
    std::string line = shellQuoted(program);
    for (const std::string& word : words) line += " " + shellQuoted(word);
    // A signal for the whole group is heard here, too, so that the exit code is noted; a program that is started has no
    // trap.
    const std::string body =
        "trap : TERM INT HUP; echo $$ $(cut -d\" \" -f22 /proc/$$/stat) "
        "$(cat /proc/sys/kernel/random/boot_id) $(uname -n) > pid.part && mv pid.part pid; " +
        line + " > log 2>&1; echo $? > exit.part; mv exit.part exit";
    shell_.require("Starting the work",
                   "cd " + shellQuoted(side_.word()) + " && rm -f pid exit && { nohup setsid sh -c " +
                       shellQuoted(body) +
                       " </dev/null >/dev/null 2>&1 & } ; tries=0; while [ ! -s pid ] && [ $tries -lt 50 ]; do "
                       "sleep 0.1; tries=$((tries+1)); done; [ -s pid ] || { echo \"it did not start\" >&2; exit 1; }");
}

RemoteJob::Facts RemoteJob::facts() const {
    const std::string said =
        shell_.require("Asking for the work",
                       "cd " + shellQuoted(side_.word()) + " 2>/dev/null || { echo none; exit 0; }; " + kAskState +
                           "echo $state; if [ $state = ended ]; then echo \"$(cat exit)\"; else echo \"$host\"; "
                           "fi; df -Pk . 2>/dev/null | { read -r line; read -r disk all used room line; "
                           "echo \"$room\"; }; if [ -f log ]; then tail -c " +
                           std::to_string(kTail) + " log; fi");
    std::string_view rest = said;
    const auto next = [&rest] {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string line = plainLine(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        return line;
    };
    Facts facts;
    const std::string state = next(), detail = next(), room = next();
    facts.state = state == "running"     ? State::Running
                  : state == "elsewhere" ? State::Elsewhere
                  : state == "ended"     ? State::Ended
                  : state == "gone"      ? State::Gone
                                         : State::None;
    if (facts.state == State::Ended)
        std::from_chars(detail.data(), detail.data() + detail.size(), facts.code);
    else
        facts.host = detail;
    std::from_chars(room.data(), room.data() + room.size(), facts.room);
    facts.log = rest;
    return facts;
}

bool RemoteJob::stop() const {
    const CommandResult said =
        shell_.run("cd " + shellQuoted(side_.word()) + " 2>/dev/null || exit " + std::to_string(kMissing) + "; " +
                   kAskState + "if [ $state = elsewhere ]; then echo \"$host\"; exit " + std::to_string(kThere) +
                   "; fi; [ $state = running ] || exit " + std::to_string(kMissing) + "; kill -TERM -$pid");
    if (said.code == kMissing) return false;
    if (said.code == kThere)
        throw inputError("The work runs on " + firstLine(said.output) + ", another machine than " + side_.host + ".",
                         "Name that machine in place of " + side_.host + ".");
    if (said.code != 0)
        throw runError("The work on " + side_.host + " could not be stopped: " + firstComplaint(said.errors) + ".",
                       "Call it again.");
    return true;
}

std::string lastWords(std::string_view log) {
    if (const std::string sentence = complaintOf(log); !sentence.empty()) return sentence;
    while (!log.empty() && (log.back() == '\n' || log.back() == ' ')) log.remove_suffix(1);
    return shortLine(plainLine(log.substr(log.rfind('\n') + 1)));
}

RemoteFolder lookOnceBegun(RemoteCopy& copy) {
    for (;;) {
        const RemoteFolder found = copy.look();
        if (found != RemoteFolder::Missing && found != RemoteFolder::Other) return found;
        try {
            if (RemoteJob(copy.shell().place()).facts().state != RemoteJob::State::Running) return found;
        } catch (const RemoteError&) {
            return found;
        }
        waitUnlessGivenUp(std::chrono::seconds(1));
    }
}

RemotePlace startRemoteRun(const OptionTable& table, const Experiment& experiment, const RemotePlace& runs,
                           const std::string& program) {
    const std::string name = slug(experiment.name, 40);
    const RemoteJob job(runs.below((name.empty() ? "run" : name) + "-" + utcStamp() + "-" + anyDigits()));
    const ScratchFolder scratch("remote");
    Experiment sent = experiment;
    if (!sent.stream.index_list.empty()) {
        const fs::path list = sent.stream.index_list;
        const fs::path beside = scratch.path() / ("stream" + list.extension().string());
        replaceTextFile(beside, readTextFile(list));
        sent.stream.index_list = beside.string();
    }
    writeExperiment(table, sent, scratch.path() / "experiment.toml");
    job.prepare(false);
    try {
        job.send(scratch.path());
    } catch (const Error&) {
        std::vector<std::string> names;
        for (const fs::path& file : folderEntries(scratch.path())) names.push_back(file.filename().string());
        job.takeBack(names);
        throw;
    }
    startOrLearnWhether(job, program, {"run", "experiment.toml", "--out", "../" + job.folder().name()});
    for (int look = 0; look < kFirstLooks; ++look) {
        RemoteJob::Facts facts;
        bool begun = false;
        try {
            facts = job.facts();
            begun = job.shell().run("[ -f " + shellQuoted(job.folder().below("run.json").word()) + " ]").code == 0;
        } catch (const Error&) {
            // It goes on there; whoever follows it learns the rest.
            break;
        }
        if (facts.state == RemoteJob::State::Ended && facts.code != 0)
            throw runError("The run on " + runs.host + " has failed: " + lastWords(facts.log), "");
        if (facts.state == RemoteJob::State::Gone)
            throw runError("The run on " + runs.host + " was killed as it began: " + lastWords(facts.log),
                           "Perhaps that machine ends what a login leaves behind; ask who looks after it.");
        if (begun) break;
        waitUnlessGivenUp(std::chrono::milliseconds(500));
    }
    return job.folder();
}

}  // namespace palimpsest
