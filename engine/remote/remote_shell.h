// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engine/remote/remote_place.h"
#include "engine/support/error.h"
#include "engine/support/run_command.h"

namespace palimpsest {

/// What is wrong between this machine and another one.
enum class RemoteFault {
    NoProgram,    ///< this machine lacks ssh
    UnknownHost,  ///< no machine has that name
    HostKey,      ///< the machine is not known yet, or is not the one that it was
    Refused,      ///< it takes none of the user's keys
    Connection,   ///< it does not answer, or no longer
    NoShell,      ///< it runs no commands, as where only sftp is allowed
    DiskFull,     ///< there
    NoRoomHere    ///< on this machine, for a copy
};

class RemoteError : public Error {
public:
    RemoteError(RemoteFault fault, const std::string& message, const std::string& hint)
        : Error(ErrorKind::Run, message, hint), fault_(fault) {}
    RemoteFault fault() const { return fault_; }

private:
    RemoteFault fault_;
};

/// Throws what ssh's complaint means, where `code` is its own exit code (255), or rsync's or sftp's over it.
void throwRemoteFault(const RemotePlace& place, const CommandResult& said);

/// Commands on another machine, by the user's own ssh with the user's own settings and keys. It never asks for a
/// password: what needs one is refused.
class RemoteShell {
public:
    /// Time that a script has by which something is written there.
    static constexpr std::chrono::seconds kPatience{120};

    explicit RemoteShell(RemotePlace place) : place_(std::move(place)) {}

    const RemotePlace& place() const { return place_; }
    /// Options that ssh and sftp share. $PALIMPSEST_SSH_CONFIG: a file of settings in place of the user's.
    std::vector<std::string> options() const;
    /// Runs a script of sh, in one line, which reads a file of this machine as its standard input. Its output is what
    /// the script said, whatever the login says before, and whichever the login shell is. Throws RemoteError where it
    /// did not run, and Error(Input) for a script with a line break, as that of a name.
    CommandResult run(std::string_view script, std::chrono::milliseconds patience = std::chrono::seconds(60),
                      const std::filesystem::path& input = "/dev/null") const;
    /// The same; throws Error(Run), too, where the script fails: "`what` on HOST: its complaint".
    std::string require(const std::string& what, std::string_view script,
                        const std::filesystem::path& input = "/dev/null",
                        std::chrono::milliseconds patience = kPatience) const;

private:
    RemotePlace place_;
};

/// Copies a file there: whole, or not at all, also where the connection breaks. Its folder must exist. Throws
/// Error(Run), of a full disk a RemoteError.
void sendFile(const RemoteShell& shell, const std::filesystem::path& file, const RemotePlace& to);

/// Stands before a script that needs what a login sets, such as the path of Slurm's programs.
inline constexpr const char* kAsLogin = "[ ! -r /etc/profile ] || . /etc/profile >/dev/null 2>&1; ";

/// True where a program complains of a full disk.
bool saysFull(std::string_view text);

/// The first line that says anything, as a plain line.
std::string firstComplaint(std::string_view errors);

}  // namespace palimpsest
