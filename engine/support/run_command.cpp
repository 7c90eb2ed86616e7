// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <thread>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/pipe.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

extern char** environ;

namespace palimpsest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostOutput = std::size_t{64} << 20U;
constexpr std::size_t kMostErrors = std::size_t{64} << 10U;
/// Milliseconds between two looks at whether anybody still wants the answer.
constexpr long long kGlance = 100;
constexpr std::chrono::milliseconds kEndLook{1};

/// A process that is killed and reaped, unless it was waited for.
class Child {
public:
    explicit Child(pid_t pid) : pid_(pid) {}
    ~Child() {
        if (pid_ <= 0) return;
        kill(-pid_, SIGKILL);
        wait();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;
    bool hasEnded() const {
        siginfo_t info{};
        return waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == pid_;
    }
    /// Exit code, or 128 and the signal.
    int wait() {
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
        pid_ = 0;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

private:
    pid_t pid_;
};

pid_t spawned(const std::vector<std::string>& words, const std::filesystem::path& input, const Pipe& output,
              const Pipe& errors, int& problem) {
    std::vector<std::string> copies = words;
    std::vector<char*> arguments;
    for (std::string& word : copies) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files, output.writing(), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, errors.writing(), STDERR_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    // A group of its own, so that what it starts ends with it; and no signal blocked, as on the thread that waits for
    // signals here.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    pid_t pid = 0;
    problem = posix_spawnp(&pid, words.front().c_str(), &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return problem == 0 ? pid : 0;
}

}  // namespace

std::optional<CommandResult> runCommand(const std::vector<std::string>& words, std::chrono::milliseconds patience,
                                        const std::filesystem::path& input) {
    // Else a file that is missing would be taken for a missing program.
    if (access(input.c_str(), R_OK) != 0)
        throw inputError("Cannot read " + input.string() + ": " + std::strerror(errno) + ".", "Check the path.");
    const auto end = Clock::now() + patience;
    Pipe output, errors;
    int problem = 0;
    const pid_t pid = spawned(words, input, output, errors, problem);
    if (problem == ENOENT) return std::nullopt;
    if (problem != 0)
        throw runError("Cannot start " + plainLine(words.front()) + ": " + std::strerror(problem) + ".",
                       "Try it in a terminal.");
    Child child(pid);
    output.closeWriting();
    errors.closeWriting();
    const auto silent = [&] {
        return runError(
            plainLine(words.front()) + " has not ended within " + std::to_string(patience.count() / 1000) + " seconds.",
            "Try it in a terminal.");
    };
    CommandResult result;
    std::array<pollfd, 2> waiting{pollfd{output.reading(), POLLIN, 0}, pollfd{errors.reading(), POLLIN, 0}};
    while (waiting[0].fd >= 0 || waiting[1].fd >= 0) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
        StopScope::check();
        const int ready =
            left > 0 ? poll(waiting.data(), waiting.size(), static_cast<int>(std::min<long long>(left, kGlance))) : 0;
        if ((ready < 0 && errno == EINTR) || (ready == 0 && left > kGlance)) continue;
        if (ready <= 0) throw silent();
        for (std::size_t i = 0; i < waiting.size(); ++i) {
            if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
            std::array<char, std::size_t{1} << 16U> room;
            const ssize_t count = read(waiting[i].fd, room.data(), room.size());
            if (count < 0 && errno == EINTR) continue;
            if (count <= 0) {
                waiting[i].fd = -1;
                continue;
            }
            std::string& text = i == 0 ? result.output : result.errors;
            const std::size_t most = i == 0 ? kMostOutput : kMostErrors;
            text.append(room.data(), std::min(static_cast<std::size_t>(count), most - text.size()));
            if (i == 0 && text.size() == most)
                throw runError(plainLine(words.front()) + " says more than 64 MB.", "Try it in a terminal.");
        }
    }
    // It may have closed its outputs and go on.
    while (!child.hasEnded()) {
        if (Clock::now() >= end) throw silent();
        std::this_thread::sleep_for(kEndLook);
    }
    result.code = child.wait();
    return result;
}

}  // namespace palimpsest
