// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include "engine/run/run_control.h"

namespace palimpsest {

/// Requests to end the program. Only a terminal's Ctrl-C can throw something away: signals of a job queue or of
/// `timeout`, however many, only request a stop.
enum class Interrupt {
    Stop,        ///< SIGTERM, SIGHUP, SIGUSR1, or SIGINT from another program
    StopAgain,   ///< SIGINT from another program, a second or more after the one before: `timeout` sends each twice
    CtrlC,       ///< the first Ctrl-C of this terminal
    CtrlCAgain,  ///< the second
};

/// While it exists, SIGINT, SIGTERM, SIGHUP and SIGUSR1 call `onInterrupt` on a thread that waits for signals; a third
/// Ctrl-C ends the program at once. The end of what reads standard output or error (`| head`) counts as
/// Interrupt::Stop; what is written there afterwards goes nowhere. Ignored signals (nohup) stay ignored. It must be
/// made before any thread is started: threads inherit the blocked signals.
class InterruptGuard {
public:
    using Clock = std::chrono::steady_clock;
    /// `now` tells requests of another program apart, on the guard's thread.
    explicit InterruptGuard(std::function<void(Interrupt)> onInterrupt,
                            std::function<Clock::time_point()> now = Clock::now);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    sigset_t previous_{};
    struct sigaction previous_pipe_ {};
    std::atomic<bool> ending_{false};
    std::thread thread_;
};

/// True once standard output or error was closed by its reader while an InterruptGuard existed.
bool outputWasClosed();

/// Handler for an InterruptGuard around work that `control` ends: the first signal stops it and says so on standard
/// error, a second Ctrl-C discards what was learned. The work stops at the next `piece` ("batch"); `work` names what
/// would be lost ("the run"). `control` must outlive the handler.
std::function<void(Interrupt)> stopThenAbort(RunControl& control, std::string piece, std::string work);
/// The same around a run in which a program of its own learns: a second Ctrl-C, or SIGINT, ends that program at once
/// and keeps what the newest checkpoint holds.
std::function<void(Interrupt)> stopThenEndLearner(RunControl& control);

}  // namespace palimpsest
