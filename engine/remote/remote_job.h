// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/remote/remote_copy.h"
#include "engine/remote/remote_shell.h"

namespace palimpsest {

/// Told once where the program there fits, but is of another version: a sentence for the user.
using VersionTeller = std::function<void(const std::string& sentence)>;
/// The command line there that takes the work: `named`, or palimpsest-cli where programs usually are. A version fits
/// `version` if only the last of its three numbers is another one: such versions read each other's files and words,
/// but their numbers may differ. Throws Error(Input) where the program is missing or does not fit.
std::string findRemoteProgram(const RemoteShell& shell, const std::string& named, const std::string& version,
                              const VersionTeller& tell);

/// Work of palimpsest-cli on another machine that goes on when the connection ends. Beside the folder that it fills, a
/// folder with ".job" behind its name holds its files, its process (pid), what it says (log) and how it ended (exit).
class RemoteJob {
public:
    /// `folder`: that the work fills.
    explicit RemoteJob(const RemotePlace& folder) : shell_(folder), side_(folder.beside(".job")) {}

    const RemotePlace& folder() const { return shell_.place(); }
    const RemoteShell& shell() const { return shell_; }
    /// The folder of its files.
    const RemotePlace& side() const { return side_; }

    /// Makes the folder of its files. Throws Error(Input) where work goes on there and, unless `again`, where anything
    /// is there: of two that begin at once, one makes the folder. True where this call made it.
    bool prepare(bool again) const;
    /// Copies the files of a folder of this machine there.
    void send(const std::filesystem::path& folder) const;
    /// Removes these files and, when nothing else is left in it, the folder that this call's prepare() made; nothing
    /// where the condition `kept`, of sh in that folder, holds. Never throws Error.
    void takeBack(const std::vector<std::string>& names, std::string_view kept = {}) const;
    /// Starts `program` with these words, in the folder of its files; `../NAME` is the folder that it fills.
    void start(const std::string& program, const std::vector<std::string>& words) const;

    enum class State {
        None,  ///< nothing was started there
        Running,
        Elsewhere,  ///< on a machine that the same name also leads to
        Ended,
        Gone  ///< it was killed, or the machine went down
    };
    struct Facts {
        State state = State::None;
        int code = 0;            ///< exit code of what has ended
        std::string host;        ///< that it runs on, where that is another
        std::string log;         ///< end of what it said
        std::int64_t room = -1;  ///< KiB free on the disk of its files; negative: not known
    };
    Facts facts() const;
    /// Asks it to end at the next batch, and to keep what was learned; false where nothing runs.
    bool stop() const;

private:
    RemoteShell shell_;
    RemotePlace side_;
};

/// Complaint of the work, or else the last line of its log that says anything, made plain.
std::string lastWords(std::string_view log);

/// What is there (RemoteCopy::look()); a run that was just started there is waited for until it has begun.
RemoteFolder lookOnceBegun(RemoteCopy& copy);

/// Starts an experiment in a new folder below `runs`, named after it. Its imported stream goes with it. Waits a moment,
/// so that what is wrong with it is said at once: throws Error(Run) with the words from there. Returns the run's place,
/// also where the connection breaks once it has begun.
RemotePlace startRemoteRun(const OptionTable& table, const Experiment& experiment, const RemotePlace& runs,
                           const std::string& program);

}  // namespace palimpsest
