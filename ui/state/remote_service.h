// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/remote/followed_file.h"
#include "engine/remote/remote_job.h"
#include "engine/sweep/slurm_cluster.h"
#include "ui/state/engine_text.h"

namespace palimpsest {

/// A sweep for a Slurm, of this machine or of one that is reached by ssh.
struct ClusterRequest {
    std::filesystem::path grid;    ///< its file here, absolute
    std::filesystem::path folder;  ///< of the sweep, or of its copy here; absolute
    std::string place = {};        ///< of the sweep there, ssh://...; empty: this machine
    std::string program = {};      ///< palimpsest-cli there; empty: it is found by itself
    SlurmChoice slurm = {};
    bool fresh_grid = false;  ///< the file of the grid was written for this request
};

/// Why a request cannot be one, before anything is asked: a place that is none, options that sbatch does not take.
std::optional<Failure> problemOf(const ClusterRequest& request);
/// After a refusal: removes the file of a fresh grid, unless Slurm may have tasks here that read it.
void takeBackGrid(const ClusterRequest& request);
/// "ssh://HOST/PATH/NAME", or the place where it is none.
std::string placeBelow(const std::string& place, const std::string& name);

/// What the window asks of other machines and of Slurm. Each call waits for its answer, on a thread of its caller in a
/// StopScope, and throws Error.
class RemoteService {
public:
    virtual ~RemoteService() = default;

    /// Starts an experiment in a new folder below `runs`; returns its place. `tell`: see findRemoteProgram().
    virtual std::string startRun(const Experiment& experiment, const std::string& runs, const std::string& program,
                                 const VersionTeller& tell) = 0;
    /// Asks a run to end at its next batch; false: it no longer goes on.
    virtual bool stopRun(const std::string& place) = 0;
    /// Returns the numbers of the jobs; none where all runs have finished. `tell`: see findRemoteProgram().
    virtual std::vector<std::string> submit(const ClusterRequest& request, const VersionTeller& tell) = 0;
    /// Cancels the jobs of a sweep; `place`: empty for the Slurm of this machine. Returns their numbers.
    virtual std::vector<std::string> cancel(const std::string& place, const std::filesystem::path& folder) = 0;
    /// Brings checkpoints and prompts into a copy; returns the bytes that came.
    virtual std::int64_t bringCheckpoints(const std::string& place, const std::filesystem::path& folder) = 0;

    /// What is told of a copy that is followed; on the thread that follows.
    struct Teller {
        std::function<void()> arrived;                           ///< its first files are here
        std::function<void(const std::string& message)> broken;  ///< once for each break; it is tried again
        /// The same, where the disk of this computer has no room for the copy.
        std::function<void(const std::string& message)> full = [](const std::string&) {};
        std::function<void()> back;
        /// What does not keep the files from coming; empty: it is over.
        std::function<void(const std::string& message)> noted;
    };
    /// Keeps the copy up to date until nothing is left to come. A machine that does not answer is a break from the
    /// beginning. Throws where what is followed is no longer there.
    virtual void follow(const Followed& what, const Teller& teller) = 0;
};

/// Times between two questions.
struct RemotePace {
    std::chrono::seconds files{5}, slurm{30};
};
/// Over the user's own ssh, and palimpsest-cli here and there. The table must outlive it. `version`: of this program,
/// which the one there must fit; `program`: palimpsest-cli here.
std::shared_ptr<RemoteService> makeRemoteService(const OptionTable* table, std::string version,
                                                 std::filesystem::path program, RemotePace pace = {});

}  // namespace palimpsest
