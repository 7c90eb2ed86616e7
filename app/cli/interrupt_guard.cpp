// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/interrupt_guard.h"

#include <unistd.h>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <string>
#include <utility>

#include "engine/support/process.h"

namespace palimpsest {
namespace {

constexpr int kQuit = SIGUSR1;  // ends the guard's thread

/// Signals within this time are one request.
constexpr std::chrono::seconds kSameRequest{1};

volatile std::sig_atomic_t g_outputClosed = 0;

/// The signal goes to the thread that wrote. Passed on to the whole program it reaches the guard's thread.
void passOnClosedPipe(int) {
    if (g_outputClosed != 0) return;
    g_outputClosed = 1;
    kill(getpid(), kQuit);
}

/// For when the guard's thread is about to end: nobody would receive the signal but the program itself, which it ends.
void noteClosedPipe(int) {
    g_outputClosed = 1;
}

void handleClosedPipe(void (*handler)(int)) {
    struct sigaction pass {};
    pass.sa_handler = handler;
    pass.sa_flags = SA_RESTART;
    sigemptyset(&pass.sa_mask);
    sigaction(SIGPIPE, &pass, nullptr);
}

/// Takes back a signal that was sent to the whole program and that no thread has received.
void discardPending(int number) {
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    const timespec now{};
    while (sigtimedwait(&one, nullptr, &now) == number) {
    }
}

/// True if the terminal sent the signal, because a key was pressed; false for another program.
bool fromTerminal(const siginfo_t& info) {
    return info.si_code == SI_KERNEL;
}

void sayStopping(const std::string& piece, const std::string& further) {
    std::cerr << (isatty(STDERR_FILENO) ? "\n" : "") << "Stopping at the next " << piece
              << "; what was learned is kept." << further << std::endl;
}

}  // namespace

InterruptGuard::InterruptGuard(std::function<void(Interrupt)> onInterrupt, std::function<Clock::time_point()> now) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, kQuit);
    // A blocked signal would be received even though it is ignored.
    for (const int number : kEndingSignals)
        if (!staysIgnored(number)) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &previous_);
    sigaction(SIGPIPE, nullptr, &previous_pipe_);
    if (previous_pipe_.sa_handler == SIG_DFL) handleClosedPipe(passOnClosedPipe);
    thread_ = std::thread([this, signals, act = std::move(onInterrupt), clock = std::move(now)] {
        int keys = 0;
        std::optional<Clock::time_point> asked;  // by another program's SIGINT
        for (;;) {
            siginfo_t info{};
            const int number = sigwaitinfo(&signals, &info);
            if (ending_) return;
            if (number < 0) continue;  // interrupted by a debugger
            // A job queue may also send SIGUSR1, as a warning that time runs out.
            if (number != SIGINT) {
                act(Interrupt::Stop);
                continue;
            }
            if (!fromTerminal(info)) {
                const Clock::time_point now = clock();
                const bool again = asked && now - *asked >= kSameRequest;
                asked = now;
                act(again ? Interrupt::StopAgain : Interrupt::Stop);
                continue;
            }
            if (++keys > 2) std::_Exit(1);
            act(keys == 1 ? Interrupt::CtrlC : Interrupt::CtrlCAgain);
        }
    });
}

InterruptGuard::~InterruptGuard() {
    if (previous_pipe_.sa_handler == SIG_DFL) handleClosedPipe(noteClosedPipe);
    ending_ = true;
    pthread_kill(thread_.native_handle(), kQuit);
    thread_.join();
    // A pipe that closed, or a job queue that warned, while the thread ended: unblocked, it would end the program.
    discardPending(kQuit);
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
    // A last line to a reader that has gone must not end the program before its time.
    if (outputWasClosed())
        signal(SIGPIPE, SIG_IGN);
    else
        sigaction(SIGPIPE, &previous_pipe_, nullptr);
}

bool outputWasClosed() {
    return g_outputClosed != 0;
}

std::function<void(Interrupt)> stopThenAbort(RunControl& control, std::string piece, std::string work) {
    return [&control, piece = std::move(piece), work = std::move(work)](Interrupt interrupt) {
        if (interrupt == Interrupt::CtrlCAgain) {
            control.abort();
            return;
        }
        control.stop();
        sayStopping(piece, interrupt == Interrupt::CtrlC ? " Ctrl-C once more throws " + work + " away." : "");
    };
}

std::function<void(Interrupt)> stopThenEndLearner(RunControl& control) {
    return [&control](Interrupt interrupt) {
        if (interrupt == Interrupt::CtrlCAgain || interrupt == Interrupt::StopAgain) {
            control.stopNow();
            return;
        }
        control.stop();
        sayStopping("batch", interrupt == Interrupt::CtrlC ? " Ctrl-C once more ends the learner at once and keeps the "
                                                             "newest checkpoint."
                                                           : "");
    };
}

}  // namespace palimpsest
