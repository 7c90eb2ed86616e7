// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt_guard.h"

#include <unistd.h>
#include <cstdlib>
#include <utility>

namespace palimpsest {

namespace {

constexpr int kQuit = SIGUSR1;  // the guard's own word to its thread

/// Under nohup.
bool hangUpIgnored() {
    struct sigaction action {};
    return sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Does a key pressed at the terminal reach this program? Not where another one (timeout, a job queue, the shell's &)
/// has put it into the background.
bool ownsTerminal() {
    return isatty(STDIN_FILENO) != 0 && tcgetpgrp(STDIN_FILENO) == getpgrp();
}

}  // namespace

InterruptGuard::InterruptGuard(std::function<void(Interrupt)> onInterrupt) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, kQuit}) sigaddset(&signals, number);
    // A blocked signal would be heard even though it is ignored.
    if (!hangUpIgnored()) sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, &previous_);
    thread_ = std::thread([signals, act = std::move(onInterrupt)] {
        int keys = 0;
        for (;;) {
            int number = 0;
            if (sigwait(&signals, &number) != 0 || number == kQuit) return;
            if (number != SIGINT || !ownsTerminal()) {
                act(Interrupt::Stop);
                continue;
            }
            if (++keys > 2) std::_Exit(1);
            act(keys == 1 ? Interrupt::CtrlC : Interrupt::CtrlCAgain);
        }
    });
}

InterruptGuard::~InterruptGuard() {
    pthread_kill(thread_.native_handle(), kQuit);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

}  // namespace palimpsest
