// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace palimpsest {

/// How a process ended.
struct ChildEnd {
    pid_t pid = 0;
    bool killed = false;       ///< by a signal
    int code = 0;              ///< exit code, or the signal
    std::string text() const;  ///< "exit code 1", "signal 9 (Killed)"
};

/// Copies of this program that work for it. They stay in its process group, so that Ctrl-C reaches them from the
/// terminal; they are asked to end (SIGTERM) when it does, also when it is killed; and none is left unreaped. Of one
/// thread, which must live as long as they do; only askToStop() may be called from another.
class ChildProcesses {
public:
    ChildProcesses() = default;
    /// Asks all to stop and waits for them.
    ~ChildProcesses();
    ChildProcesses(const ChildProcesses&) = delete;
    ChildProcesses& operator=(const ChildProcesses&) = delete;

    /// Starts `palimpsest-cli ARGUMENTS`; both outputs go to `log`, which must not be there yet. Absent once
    /// askToStop() was called. Throws Error(Run).
    std::optional<pid_t> start(const std::vector<std::string>& arguments, const std::filesystem::path& log);
    /// Blocks until one has ended. There must be one.
    ChildEnd waitForOne();
    bool none() const;
    /// SIGTERM to all there are; no other one is started from then on. Any thread.
    void askToStop();

private:
    mutable std::mutex mutex_;
    std::set<pid_t> running_;
    bool stopping_ = false;
};

}  // namespace palimpsest
