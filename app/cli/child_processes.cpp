// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/child_processes.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

Error cannotStart(const std::string& what, int number) {
    return runError("Cannot start a run: " + what + ": " + std::strerror(number) + ".",
                    "Make room, or use fewer --jobs, then call it again.");
}

}  // namespace

ChildProcesses::~ChildProcesses() {
    requestStop();
    while (!none()) waitForOne();
}

std::optional<pid_t> ChildProcesses::start(const std::vector<std::string>& arguments,
                                           const std::filesystem::path& log) {
    std::vector<std::string> words = {"palimpsest-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const std::lock_guard lock(mutex_);
    if (stopping_) return std::nullopt;
    // The parent may have set SIGCHLD to be ignored; then the system would not keep the children's exit status.
    std::signal(SIGCHLD, SIG_DFL);
    const ChildFile input("/dev/null", O_RDONLY);
    if (input.problem() != 0) throw cannotStart("/dev/null", input.problem());
    const ChildFile output(log, O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
    if (output.problem() != 0) throw cannotStart(log.string(), output.problem());
    ChildProcess child({.words = std::move(words),
                        .program = "/proc/self/exe",
                        .input = input.number(),
                        .output = output.number(),
                        .errors = output.number(),
                        .own_group = false,
                        .end_signal = SIGTERM});
    if (child.problem() != 0) {
        unlink(log.c_str());
        throw cannotStart("no new process", child.problem());
    }
    const pid_t pid = child.release();
    running_.insert(pid);
    return pid;
}

ChildEnd ChildProcesses::waitForOne() {
    siginfo_t info{};
    // Not reaped yet: until the process is removed from the list, its number must not be reused, or requestStop() might
    // signal an unrelated process.
    while (waitid(P_ALL, 0, &info, WEXITED | WNOWAIT) != 0)
        if (errno != EINTR) throw cannotStart("there is none to wait for", errno);
    const std::lock_guard lock(mutex_);
    running_.erase(info.si_pid);
    while (waitid(P_PID, static_cast<id_t>(info.si_pid), &info, WEXITED) != 0 && errno == EINTR) {
    }
    return {info.si_pid, info.si_code != CLD_EXITED, info.si_status};
}

bool ChildProcesses::none() const {
    const std::lock_guard lock(mutex_);
    return running_.empty();
}

void ChildProcesses::requestStop() {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const pid_t pid : running_) kill(pid, SIGTERM);
}

}  // namespace palimpsest
