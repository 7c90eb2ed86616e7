// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/record/copy_mark.h"
#include "engine/remote/remote_shell.h"

namespace palimpsest {

/// What one round brought.
struct CopiedFiles {
    std::int64_t files = 0;
    std::int64_t bytes = 0;  ///< that came over the line
};

/// What a folder on another machine holds.
enum class RemoteFolder {
    Missing,
    Other,  ///< neither a run, nor a sweep, nor runs
    Run,
    Sweep,
    Runs
};

/// A run folder, a sweep's or one of runs on another machine, and its copy here: the small files, which say all that
/// was measured, and on demand checkpoints and prompts. A file of the copy is always one that stood there as a whole;
/// of a table that grows, the last line may be torn, as there.
class RemoteCopy {
public:
    enum class Way {
        Rsync,  ///< only what has changed within the files
        Sftp    ///< whole files, where one of the machines has no rsync
    };

    /// `local`: absolute.
    RemoteCopy(const RemotePlace& place, std::filesystem::path local, bool checkpoints)
        : shell_(place), local_(std::move(local)), checkpoints_(checkpoints) {}

    /// Asks what is there, and how it can be copied. Throws RemoteError.
    RemoteFolder look();
    Way way() const { return way_; }
    const RemoteShell& shell() const { return shell_; }
    const std::filesystem::path& local() const { return local_; }

    /// Throws Error(Input) where the folder here holds anything that is not from there.
    void requireRoom() const;
    /// Makes the folder here, with a file that says where it comes from (kCopyMark). Throws what requireRoom() does.
    void claim();
    /// Brings what has changed, after look() and claim(). Waits while another program, or thread, brings something
    /// into the same folder. Throws RemoteError, and Error(Run) for anything else; what was here before is as it was
    /// then.
    CopiedFiles bring();
    /// Runs of the copy: itself, or those in it and in its folder runs.
    std::vector<std::filesystem::path> runs() const;

private:
    /// A file there, named from the folder.
    struct Listed {
        std::string name, size, date;
    };

    CopiedFiles bringByRsync();
    CopiedFiles bringBySftp();
    CommandResult sftp(const std::string& batch) const;
    std::vector<Listed> listBySftp() const;
    bool wantsFolder(const std::string& name) const;
    bool wantsFile(const std::string& name) const;

    RemoteShell shell_;
    std::filesystem::path local_;
    bool checkpoints_;
    Way way_ = Way::Rsync;
    std::map<std::string, std::string> seen_;  // size and date of what came by sftp
};

}  // namespace palimpsest
