// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/remote_service.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

#include "engine/record/copy_mark.h"
#include "engine/remote/follow.h"
#include "engine/remote/remote_job.h"
#include "engine/remote/remote_sweep.h"
#include "engine/remote/slurm_news.h"
#include "engine/remote/sweep_whole.h"
#include "engine/report/grid_file.h"
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

/// Longest time between two tries while there is no connection.
constexpr seconds kLongestPause{60};

struct GridPlan {
    SweepGrid grid;
    SweepPlan plan;
};

GridPlan planOf(const OptionTable& table, const fs::path& file, FilePlace place) {
    SweepGrid grid = report::readGridFile(table, file, place);
    SweepPlan plan = planSweep(table, grid, file);
    return {std::move(grid), std::move(plan)};
}

class SshService : public RemoteService {
public:
    SshService(const OptionTable* table, std::string version, fs::path program, RemotePace pace)
        : table_(table), version_(std::move(version)), program_(std::move(program)), pace_(pace) {}

    std::string startRun(const Experiment& experiment, const std::string& runs, const std::string& program,
                         const VersionTeller& tell) override {
        std::string problems;
        for (const std::string& problem : table_->problems(experiment))
            problems += (problems.empty() ? "" : " ") + problem;
        if (!problems.empty()) throw inputError(problems, "");
        const RemotePlace place = parseRemotePlace(runs);
        const std::string found = findRemoteProgram(RemoteShell(place), program, version_, tell);
        return startRemoteRun(*table_, experiment, place, found).text();
    }

    bool stopRun(const std::string& place) override { return RemoteJob(parseRemotePlace(place)).stop(); }

    std::vector<std::string> submit(const ClusterRequest& request, const VersionTeller& tell) override {
        if (request.place.empty()) return submitHere(request);
        const RemotePlace place = parseRemotePlace(request.place);
        try {
            RemoteCopy(place, request.folder, false).requireRoom();
        } catch (const Error& error) {
            // Before anything is submitted that could not be followed.
            throw inputError(error.what(), "Choose another folder for the sweep; its copy comes there.");
        }
        const GridPlan planned = planOf(*table_, request.grid, FilePlace::Named);
        const std::string found = findRemoteProgram(RemoteShell(place), request.program, version_, tell);
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
        SlurmNews slurm(copy, {what.program, version_, pace_.slurm, teller.noted});
        SweepWhole whole(*table_, report::sweepMetrics(), copy.local(), &copy.shell());
        FollowPlan plan;
        plan.every = pace_.files;
        plan.patient = true;
        if (what.sweep) {
            plan.over = [&slurm] { return slurm.over(); };
            plan.done = [&](const std::vector<fs::path>& runs) { return whole(runs.size()) && !slurm.active(); };
        }
        FollowTeller told;
        told.copied = [&teller, first = true](const CopiedFiles&) mutable {
            if (std::exchange(first, false)) teller.arrived();
        };
        told.broken = [&teller](const Error& error, seconds) {
            const auto* const remote = dynamic_cast<const RemoteError*>(&error);
            const bool full = remote != nullptr && remote->fault() == RemoteFault::NoRoomHere;
            (full ? teller.full : teller.broken)(error.what());
        };
        told.back = [&teller] { teller.back(); };
        told.paused = [&teller](const std::string& why) { teller.noted(why); };
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

void takeBackGrid(const ClusterRequest& request) {
    std::error_code ignored;
    // A sweep on another machine has a copy of its own; one here takes its folder back where Slurm took nothing.
    if (!request.fresh_grid || (request.place.empty() && fs::exists(request.folder / "sweep.toml", ignored))) return;
    fs::remove(request.grid, ignored);
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
