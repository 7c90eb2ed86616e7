// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

namespace palimpsest {

/// How a program is asked to end. Only a person at a terminal can press a key twice: what a job queue or `timeout`
/// sends, however often, is never more than a wish to stop.
enum class Interrupt {
    Stop,        ///< SIGTERM, SIGHUP, SIGUSR1, or SIGINT from another program
    CtrlC,       ///< the first Ctrl-C of this terminal
    CtrlCAgain,  ///< the second
};

/// While it lives, SIGINT, SIGTERM, SIGHUP and SIGUSR1 call `onInterrupt` on a thread that waits for signals; a third
/// Ctrl-C ends the program at once. What is ignored (nohup) stays so. Make it before anything else starts a thread:
/// threads inherit the blocked signals.
class InterruptGuard {
public:
    explicit InterruptGuard(std::function<void(Interrupt)> onInterrupt);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    sigset_t previous_{};
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

}  // namespace palimpsest
