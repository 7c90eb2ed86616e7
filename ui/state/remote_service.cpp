// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/remote_service.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>

#include "engine/record/copy_mark.h"
#include "engine/remote/follow.h"
#include "engine/remote/remote_job.h"
#include "engine/remote/remote_sweep.h"
#include "engine/report/sweep_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/run_command.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "engine/sweep/sweep_slurm.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;
using std::chrono::seconds;
using std::chrono::steady_clock;

/// Plans, checks of data sets and weights, and Slurm itself take their time.
constexpr std::chrono::minutes kSubmitPatience{10};
/// Longest time between two tries while there is no connection.
constexpr seconds kLongestPause{60};

struct GridPlan {
    SweepGrid grid;
    SweepPlan plan;
};

GridPlan planOf(const OptionTable& table, const fs::path& file, FilePlace place) {
    SweepGrid grid =
        parseSweepGrid(table, readTextFile(file, place, file_limit::kSettings), file.string(), report::sweepMetrics());
    SweepPlan plan = planSweep(table, grid, file);
    return {std::move(grid), std::move(plan)};
}

/// What Slurm says of a sweep there, asked now and then, and noted in the copy.
class SlurmNews {
public:
    SlurmNews(const OptionTable& table, const RemoteCopy& copy, const Followed& what, std::string version,
              seconds pause, const RemoteService::Teller& teller)
        : table_(table), copy_(copy), what_(what), version_(std::move(version)), pause_(pause), teller_(teller) {}

    /// True where nothing waits or runs any more, asked twice: a task that queues itself again leaves the queue for a
    /// moment.
    bool over() {
        if (isPlainFile(copy_.local() / "sweep.sbatch") && (!asked_ || steady_clock::now() - *asked_ >= pause_)) ask();
        return quiet_ >= 2;
    }

    /// Whether all runs that the sweep plans have come.
    bool complete(std::size_t runs) {
        if (!planned_) {
            try {
                planned_ = planOf(table_, copy_.local() / "sweep.toml", FilePlace::InFolder).plan.runs.size();
            } catch (const Error&) {
                // Its grid begins with a file of the other machine.
                planned_ = runsSubmitted(copy_.shell());
            }
        }
        return planned_ && runs >= *planned_ && !active_;
    }

private:
    void ask() {
        asked_ = steady_clock::now();
        try {
            if (program_.empty()) program_ = findRemoteProgram(copy_.shell(), what_.program, version_);
            const RemoteSweep sweep(copy_.shell().place(), program_);
            const std::optional<bool> goes_on = sweep.goesOn();
            quiet_ = goes_on && !*goes_on ? quiet_ + 1 : 0;
            const std::map<std::int64_t, SlurmTask> tasks = parseListedTasks(sweep.list(true));
            active_ =
                goes_on.value_or(std::ranges::any_of(tasks, [](const auto& task) { return task.second.active(); }));
            const std::string text = formatListedTasks(tasks);
            if (text != noted_) replaceTextFile(copy_.local() / kSlurmNote, text, Keep::Written, FilePlace::InFolder);
            noted_ = text;
            if (!std::exchange(told_, {}).empty()) teller_.noted({});
        } catch (const RemoteError&) {
            // When the connection is back, the complaint is made anew.
            told_.clear();
            throw;
        } catch (const Error& error) {
            // The files come all the same.
            if (std::exchange(told_, error.sentence()) != error.sentence()) teller_.noted(error.sentence());
        }
    }

    const OptionTable& table_;
    const RemoteCopy& copy_;
    const Followed& what_;
    const std::string version_;
    const seconds pause_;
    const RemoteService::Teller& teller_;
    std::optional<steady_clock::time_point> asked_;
    std::optional<std::size_t> planned_;
    std::string program_, noted_, told_;
    int quiet_ = 0;
    bool active_ = false;
};

class SshService : public RemoteService {
public:
    SshService(const OptionTable* table, std::string version, fs::path program, RemotePace pace)
        : table_(table), version_(std::move(version)), program_(std::move(program)), pace_(pace) {}

    std::string startRun(const Experiment& experiment, const std::string& runs, const std::string& program) override {
        std::string problems;
        for (const std::string& problem : table_->problems(experiment))
            problems += (problems.empty() ? "" : " ") + problem;
        if (!problems.empty()) throw inputError(problems, "");
        const RemotePlace place = parseRemotePlace(runs);
        const std::string found = findRemoteProgram(RemoteShell(place), program, version_);
        return startRemoteRun(*table_, experiment, place, found).text();
    }

    bool stopRun(const std::string& place) override { return RemoteJob(parseRemotePlace(place)).stop(); }

    std::vector<std::string> submit(const ClusterRequest& request) override {
        if (request.place.empty()) return submitHere(request);
        const RemotePlace place = parseRemotePlace(request.place);
        try {
            RemoteCopy(place, request.folder, false).requireRoom();
        } catch (const Error& error) {
            // Before anything is submitted that could not be followed.
            throw inputError(error.what(), "Choose another folder for the sweep; its copy comes there.");
        }
        const GridPlan planned = planOf(*table_, request.grid, FilePlace::Named);
        const std::string found = findRemoteProgram(RemoteShell(place), request.program, version_);
        return RemoteSweep(place, found).submit(request.grid, planned.plan, planned.grid.base, request.slurm);
    }

    std::vector<std::string> cancel(const std::string& place, const fs::path& folder) override {
        if (place.empty()) return cancelInSlurm(folder);
        return RemoteSweep(parseRemotePlace(place), {}).cancel();
    }

    std::int64_t bringCheckpoints(const std::string& place, const fs::path& folder) override {
        RemoteCopy copy(parseRemotePlace(place), folder, true);
        requireThere(copy, copy.look());
        copy.claim();
        return copy.bring().bytes;
    }

    void follow(const Followed& what, const Teller& teller) override {
        RemoteCopy copy(parseRemotePlace(what.place), what.folder, false);
        const RemoteFolder found = lookUntilItAnswers(copy, teller);
        requireThere(copy, found);
        copy.claim();
        SlurmNews slurm(*table_, copy, what, version_, pace_.slurm, teller);
        FollowPlan plan;
        plan.every = pace_.files;
        plan.patient = true;
        if (what.sweep) {
            plan.over = [&slurm] { return slurm.over(); };
            plan.done = [&slurm](const std::vector<fs::path>& runs) { return slurm.complete(runs.size()); };
        }
        FollowTeller told;
        told.copied = [&teller, first = true](const CopiedFiles&) mutable {
            if (std::exchange(first, false)) teller.arrived();
        };
        told.broken = [&teller](const Error& error, seconds) { teller.broken(error.what()); };
        told.back = [&teller] { teller.back(); };
        palimpsest::follow(copy, plan, told);
    }

private:
    std::vector<std::string> submitHere(const ClusterRequest& request) const {
        if (!runCommand({"sbatch", "--version"}, seconds(30)))
            throw inputError("This machine has no Slurm: there is no program sbatch.",
                             "Choose a machine of the cluster that you reach by ssh.");
        std::vector<std::string> words = submitWords(request.grid.string(), request.folder.string(), request.slurm);
        words.insert(words.begin(), program_.string());
        const std::optional<CommandResult> said = runCommand(words, kSubmitPatience);
        if (!said)
            throw runError("There is no program " + program_.string() + ".",
                           "Install palimpsest-cli, or name it with PALIMPSEST_CLI.");
        if (said->code == 0) return submittedJobs(said->output);
        const std::string sentence = complaintOf(said->errors);
        throw inputError(sentence.empty() ? plainSentence(said->errors) : sentence,
                         said->errors.empty() ? "It ended with exit code " + std::to_string(said->code) + "." : "");
    }

    static void requireThere(const RemoteCopy& copy, RemoteFolder found) {
        const RemotePlace& place = copy.shell().place();
        if (found == RemoteFolder::Missing)
            throw runError("There is no folder " + place.path + " on " + place.host + ".",
                           "It was removed, or has not begun: " + RemoteJob(place).side().path + " there has a log.");
        if (found == RemoteFolder::Other)
            throw runError("The work in " + place.text() + " has ended before it began.",
                           "Its log is in " + RemoteJob(place).side().path + " there.");
    }

    static RemoteFolder lookUntilItAnswers(RemoteCopy& copy, const Teller& teller) {
        bool broken = false;
        for (seconds pause{5};; pause = std::min(pause * 2, kLongestPause)) {
            try {
                const RemoteFolder found = lookOnceBegun(copy);
                if (broken) teller.back();
                return found;
            } catch (const Error& error) {
                if (error.kind() != ErrorKind::Run) throw;
                if (!broken) teller.broken(error.what());
                broken = true;
            }
            waitUnlessGivenUp(pause);
        }
    }

    const OptionTable* const table_;
    const std::string version_;
    const fs::path program_;
    const RemotePace pace_;
};

}  // namespace

std::optional<Failure> problemOf(const ClusterRequest& request) {
    return failureOf([&] {
        if (!request.place.empty()) {
            const RemotePlace place = parseRemotePlace(request.place);
            if (place.name().empty())
                throw inputError("The place names no folder.", "Name one, as in ssh://HOST/~/sweeps.");
        }
        SlurmJob job;
        job.name = "sweep";
        job.runs = {1};
        job.options = request.slurm.options;
        slurmScripts(job);
    });
}

std::string placeBelow(const std::string& place, const std::string& name) {
    try {
        return parseRemotePlace(place).below(name).text();
    } catch (const Error&) {
        return place;
    }
}

std::shared_ptr<RemoteService> makeRemoteService(const OptionTable* table, std::string version, fs::path program,
                                                 RemotePace pace) {
    return std::make_shared<SshService>(table, std::move(version), std::move(program), pace);
}

}  // namespace palimpsest
