// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <functional>
#include <string>

#include "engine/support/error.h"

namespace palimpsest::test {

/// Runs `action` in a child process that cannot write files beyond `most` bytes, as on a full disk. Returns "run: " or
/// "input: " and the sentence of the Error it threw, "fine" when it threw none.
inline std::string onSmallDisk(std::int64_t most, const std::function<void()>& action) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{static_cast<rlim_t>(most), static_cast<rlim_t>(most)};
        setrlimit(RLIMIT_FSIZE, &limit);
        std::string outcome = "fine";
        try {
            action();
        } catch (const Error& error) {
            outcome = (error.kind() == ErrorKind::Run ? "run: " : "input: ") + error.sentence();
        } catch (const std::exception& error) {
            outcome = std::string("not an Error: ") + error.what();
        }
        const bool told = write(ends[1], outcome.data(), outcome.size()) == static_cast<ssize_t>(outcome.size());
        _exit(told ? 0 : 1);
    }
    close(ends[1]);
    std::string outcome;
    char block[4096];
    for (ssize_t got = 0; (got = read(ends[0], block, sizeof block)) > 0;)
        outcome.append(block, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? outcome : "killed by signal " + std::to_string(WTERMSIG(status));
}

}  // namespace palimpsest::test
