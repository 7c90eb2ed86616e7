// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt_guard.h"

#include <cstdlib>
#include <utility>

namespace palimpsest {

namespace {

constexpr int kQuit = SIGUSR1;  // the guard's own word to its thread

}  // namespace

InterruptGuard::InterruptGuard(std::function<void(int)> onInterrupt) {
    sigset_t signals;
    sigemptyset(&signals);
    for (const int number : {SIGINT, SIGTERM, kQuit}) sigaddset(&signals, number);
    pthread_sigmask(SIG_BLOCK, &signals, &previous_);
    thread_ = std::thread([signals, act = std::move(onInterrupt)] {
        for (int interrupts = 1;; ++interrupts) {
            int number = 0;
            if (sigwait(&signals, &number) != 0 || number == kQuit) return;
            if (interrupts > 2) std::_Exit(1);
            act(interrupts);
        }
    });
}

InterruptGuard::~InterruptGuard() {
    pthread_kill(thread_.native_handle(), kQuit);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

}  // namespace palimpsest
