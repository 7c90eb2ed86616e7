// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/support/pipe.h"

extern char** environ;

namespace palimpsest {
namespace {

constexpr std::chrono::milliseconds kEndLook{1};
constexpr mode_t kUsualMode = 0666;
constexpr int kCannotStart = 127;

/// What posix_spawn() wants to be told, freed by the destructor.
struct SpawnPlan {
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t traits{};
    SpawnPlan() {
        posix_spawn_file_actions_init(&files);
        posix_spawnattr_init(&traits);
    }
    ~SpawnPlan() {
        posix_spawn_file_actions_destroy(&files);
        posix_spawnattr_destroy(&traits);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;
};

struct StandardFile {
    int from, to;
};

const char* programOf(const ChildStart& start) {
    return start.program.empty() ? start.words.front().c_str() : start.program.c_str();
}

/// Copies no memory of a large program, but has neither limits nor signals at the end of a thread.
int spawned(const ChildStart& start, char* const* words, const StandardFile (&files)[3], pid_t& pid) {
    SpawnPlan plan;
    for (const StandardFile& file : files)
        if (file.from >= 0) posix_spawn_file_actions_adddup2(&plan.files, file.from, file.to);
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    for (const int number : start.usual_signals) sigaddset(&usual, number);
    posix_spawnattr_setsigmask(&plan.traits, &none);
    posix_spawnattr_setsigdefault(&plan.traits, &usual);
    posix_spawnattr_setpgroup(&plan.traits, 0);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    if (start.own_group) flags |= POSIX_SPAWN_SETPGROUP;
    posix_spawnattr_setflags(&plan.traits, static_cast<short>(flags));
    const auto spawn = start.searched ? posix_spawnp : posix_spawn;
    return spawn(&pid, programOf(start), &plan.files, &plan.traits, words, environ);
}

/// Runs in the new process. Another thread may have held any lock at the fork, so only system calls are allowed.
[[noreturn]] void becomeProgram(const ChildStart& start, char* const* words, const StandardFile (&files)[3], int report,
                                pid_t parent) {
    const auto fail = [report] {
        const int reason = errno;
        const auto sent = write(report, &reason, sizeof reason);
        _exit(sent == sizeof reason ? kCannotStart : kCannotStart - 1);
    };
    if (start.own_group) setpgid(0, 0);
    // A parent that ended before this call cannot send the signal any more.
    if (start.end_signal != 0 && (prctl(PR_SET_PDEATHSIG, start.end_signal) != 0 || getppid() != parent)) fail();
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const int number : start.usual_signals) signal(number, SIG_DFL);
    if (start.memory > 0) {
        const rlimit limit{static_cast<rlim_t>(start.memory), static_cast<rlim_t>(start.memory)};
        if (setrlimit(RLIMIT_DATA, &limit) != 0) fail();
    }
    for (const StandardFile& file : files)
        if (file.from >= 0 && dup2(file.from, file.to) < 0) fail();
    (start.searched ? execvp : execv)(programOf(start), words);
    fail();
    _exit(kCannotStart);
}

int forked(const ChildStart& start, char* const* words, const StandardFile (&files)[3], pid_t& pid) {
    Pipe report;
    const pid_t parent = getpid();
    pid = fork();
    if (pid < 0) return errno;
    if (pid == 0) becomeProgram(start, words, files, report.writing(), parent);
    if (start.own_group) setpgid(pid, pid);
    report.closeWriting();
    // Closed by the new program's start, or told why there is none.
    int reason = 0;
    ssize_t came = 0;
    while ((came = read(report.reading(), &reason, sizeof reason)) < 0 && errno == EINTR) {
    }
    if (came != static_cast<ssize_t>(sizeof reason)) return 0;
    waitForChild(pid);
    return reason != 0 ? reason : ECHILD;
}

ChildEnd endWith(pid_t pid, int status) {
    const bool killed = !WIFEXITED(status);
    return {pid, killed, killed ? WTERMSIG(status) : WEXITSTATUS(status)};
}

}  // namespace

ChildFile::ChildFile(const std::filesystem::path& path, int flags)
    : number_(open(path.c_str(), flags | O_CLOEXEC, kUsualMode)) {
    if (number_ < 0) problem_ = errno;
    // The parent may have closed this program's standard files, so that a newly opened one gets such a number.
    if (number_ < 0 || number_ > STDERR_FILENO) return;
    const int higher = fcntl(number_, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (higher < 0) problem_ = errno;
    close(std::exchange(number_, higher));
}

ChildFile::~ChildFile() {
    if (number_ >= 0) close(number_);
}

std::string ChildEnd::text() const {
    if (!killed) return "exit code " + std::to_string(code);
    const char* const name = strsignal(code);
    return "signal " + std::to_string(code) + (name != nullptr ? " (" + std::string(name) + ")" : "");
}

ChildProcess::ChildProcess(const ChildStart& start) : own_group_(start.own_group) {
    std::vector<std::string> words = start.words;
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    const StandardFile files[3] = {
        {start.input, STDIN_FILENO}, {start.output, STDOUT_FILENO}, {start.errors, STDERR_FILENO}};
    const bool limited = start.end_signal != 0 || start.memory > 0;
    pid_t pid = 0;
    problem_ = limited ? forked(start, pointers.data(), files, pid) : spawned(start, pointers.data(), files, pid);
    if (problem_ == 0) pid_ = pid;
}

ChildProcess::~ChildProcess() {
    if (pid_ <= 0) return;
    kill();
    wait();
}

bool ChildProcess::hasEnded(std::chrono::milliseconds patience) const {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (pid_ > 0) {
        siginfo_t info{};
        if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_)
            return true;
        if (std::chrono::steady_clock::now() >= until) return false;
        std::this_thread::sleep_for(kEndLook);
    }
    return true;
}

void ChildProcess::kill() const {
    if (pid_ <= 0) return;
    // The group first: once its leader is reaped, its number may be given to others.
    if (own_group_) ::kill(-pid_, SIGKILL);
    ::kill(pid_, SIGKILL);
}

ChildEnd ChildProcess::wait() {
    int status = 0;
    while (pid_ > 0 && waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return endWith(std::exchange(pid_, 0), status);
}

pid_t ChildProcess::release() {
    return std::exchange(pid_, 0);
}

ChildLook lookAtChild(pid_t pid) {
    int status = 0;
    // 0 and -1 would be any child.
    const pid_t got = pid > 0 ? waitpid(pid, &status, WNOHANG) : -1;
    if (got < 0) return {};
    if (got == 0) return {true, {}};
    return {true, endWith(got, status)};
}

void waitForChild(pid_t pid) {
    while (pid > 0 && waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

}  // namespace palimpsest
