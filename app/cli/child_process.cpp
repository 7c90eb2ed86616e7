// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

/// The parent may have closed this program's standard files, so that a newly opened one gets such a number. dup2() of
/// it onto itself would leave it to be closed when the new program begins.
int beyondStandardFiles(int number) {
    if (number < 0 || number > STDERR_FILENO) return number;
    const int higher = fcntl(number, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int reason = errno;
    close(number);
    errno = reason;
    return higher;
}

/// A file descriptor that the destructor closes.
class File {
public:
    File(const char* path, int flags) : number_(beyondStandardFiles(open(path, flags | O_CLOEXEC, 0666))) {}
    ~File() {
        if (number_ >= 0) close(number_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    int number() const { return number_; }

private:
    const int number_;
};

/// Runs in the new process. Another thread may have held any lock at the fork, so only system calls are allowed.
[[noreturn]] void startProgram(char* const* arguments, int input, int output, pid_t parent) {
    constexpr int kCannotStart = 127;
    // A parent that ended before this call cannot send the signal any more.
    if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0 || getppid() != parent) _exit(kCannotStart);
    // The parent handles signals on one thread and blocks them on all others; a new program would inherit that.
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    if (dup2(input, STDIN_FILENO) < 0 || dup2(output, STDOUT_FILENO) < 0 || dup2(output, STDERR_FILENO) < 0)
        _exit(kCannotStart);
    execv("/proc/self/exe", arguments);
    _exit(kCannotStart);
}

Error cannotStart(const std::string& what, int number) {
    return runError("Cannot start a run: " + what + ": " + std::strerror(number) + ".",
                    "Make room, or use fewer --jobs, then call it again.");
}

}  // namespace

std::string ChildEnd::text() const {
    if (!killed) return "exit code " + std::to_string(code);
    const char* name = strsignal(code);
    return "signal " + std::to_string(code) + (name ? " (" + std::string(name) + ")" : "");
}

ChildProcesses::~ChildProcesses() {
    requestStop();
    while (!none()) waitForOne();
}

std::optional<pid_t> ChildProcesses::start(const std::vector<std::string>& arguments,
                                           const std::filesystem::path& log) {
    std::vector<std::string> words = {"palimpsest-cli"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);

    const std::lock_guard lock(mutex_);
    if (stopping_) return std::nullopt;
    // The parent may have set SIGCHLD to be ignored; then the system would not keep the children's exit status.
    std::signal(SIGCHLD, SIG_DFL);
    const File input("/dev/null", O_RDONLY);
    if (input.number() < 0) throw cannotStart("/dev/null", errno);
    const File output(log.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND);
    if (output.number() < 0) throw cannotStart(log.string(), errno);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) {
        const int reason = errno;
        unlink(log.c_str());
        throw cannotStart("no new process", reason);
    }
    if (pid == 0) startProgram(pointers.data(), input.number(), output.number(), parent);
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
