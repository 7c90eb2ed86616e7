// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/remote/remote_job.h"
#include "engine/sweep/slurm_cluster.h"
#include "engine/sweep/sweep_plan.h"

namespace palimpsest {

/// A sweep in a folder of another machine, which has a Slurm.
class RemoteSweep {
public:
    /// `program`: as findRemoteProgram() gives it.
    RemoteSweep(const RemotePlace& folder, std::string program) : job_(folder), program_(std::move(program)) {}

    const RemotePlace& folder() const { return job_.folder(); }

    /// Copies the grid and the files beside it that it names there, and submits an array job for the runs that have not
    /// finished. Returns the numbers of the jobs; none where all runs have finished. Throws Error(Input) where there is
    /// no Slurm, for a grid that names files elsewhere, and while jobs that were submitted from here wait or run;
    /// Error(Run) with the words of the program there. The machine notes the numbers by itself, whatever becomes of the
    /// connection. A submission that is refused takes back what it has written, unless an earlier one made the folder.
    std::vector<std::string> submit(const std::filesystem::path& grid, const SweepPlan& plan, const std::string& base,
                                    const SlurmChoice& slurm) const;
    /// What `sweep --list` there says of the runs and of Slurm's tasks; `json`: one object a line. Throws Error(Input)
    /// where there is no sweep.
    std::string list(bool json) const;
    /// Whether a job that was submitted from here waits or runs; absent where none was, or where Slurm does not say.
    std::optional<bool> goesOn() const;
    /// Cancels the jobs that were submitted from here and have not ended. Returns their numbers.
    std::vector<std::string> cancel() const;

private:
    /// Numbers of the jobs that were submitted from here.
    std::vector<std::string> jobs() const;
    std::string call(const std::vector<std::string>& words) const;
    /// Output of the program there.
    std::string sendAndSubmit(const std::filesystem::path& grid, const std::vector<std::filesystem::path>& files,
                              std::size_t runs, const SlurmChoice& slurm) const;
    /// Removes what a refused submission has written there, unless Slurm has, or may have, jobs of it.
    void takeBack(const std::filesystem::path& grid, const std::vector<std::filesystem::path>& files) const;
    CommandResult submitAndNote(const std::vector<std::string>& words) const;

    RemoteJob job_;
    std::string program_;
};

/// Number of runs of the sweep in a folder there, if it was submitted from another machine. Throws RemoteError.
std::optional<std::size_t> runsSubmitted(const RemoteShell& shell);

/// Paths of the files that a grid needs beside it: its base, where that is a file, and imported streams. Throws
/// Error(Input) for one that does not lie in the grid's own folder.
std::vector<std::filesystem::path> filesBesideGrid(const std::filesystem::path& grid, const SweepPlan& plan,
                                                   const std::string& base);

}  // namespace palimpsest
