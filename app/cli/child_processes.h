// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/support/child_process.h"

namespace palimpsest {

/// Child processes that run this program. They stay in its process group, so that the terminal's Ctrl-C reaches them;
/// they get SIGTERM when this process ends, also when it is killed; and all are reaped. Used by one thread, which must
/// live as long as they do; only requestStop() may be called from another.
class ChildProcesses {
public:
    ChildProcesses() = default;
    /// Asks all to stop and waits for them.
    ~ChildProcesses();
    ChildProcesses(const ChildProcesses&) = delete;
    ChildProcesses& operator=(const ChildProcesses&) = delete;

    /// Starts `palimpsest-cli ARGUMENTS`; both outputs go to `log`, which must not exist. Absent once requestStop() was
    /// called. Throws Error(Run).
    std::optional<pid_t> start(const std::vector<std::string>& arguments, const std::filesystem::path& log);
    /// Blocks until one has ended. There must be one.
    ChildEnd waitForOne();
    bool none() const;
    /// Sends SIGTERM to all; none is started afterwards. Any thread.
    void requestStop();

private:
    mutable std::mutex mutex_;
    std::set<pid_t> running_;
    bool stopping_ = false;
};

}  // namespace palimpsest
