// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/interrupt_guard.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace palimpsest {

namespace {

constexpr int kQuit = SIGUSR1;  // the guard's own word to its thread

constexpr int kHeard[] = {SIGINT, SIGTERM, SIGHUP};

/// Which of them were ignored when the program started: SIGHUP under nohup, SIGINT for what a script puts into the
/// background.
bool g_ignored[std::size(kHeard)];

/// By a bare system call, since it runs before sanitizers are ready.
[[gnu::no_sanitize("address", "thread", "undefined")]] void noteIgnored(int, char**, char**) {
    // As the kernel lays it out; the handler comes first on every processor that Debian's LibTorch knows.
    struct KernelAction {
        void (*handler)(int);
        unsigned long flags, restorer, mask[2];
    };
    for (std::size_t i = 0; i < std::size(kHeard); ++i) {
        KernelAction action{};
        const bool known = syscall(SYS_rt_sigaction, kHeard[i], nullptr, &action, std::size_t{8}) == 0;
        g_ignored[i] = known && action.handler == SIG_IGN;
    }
}

/// Before the initialisers of libraries: of those that Debian 13's LibTorch loads, one puts a handler where SIGHUP was
/// ignored.
[[gnu::section(".preinit_array"), gnu::used]] void (*const g_noteIgnored)(int, char**, char**) = noteIgnored;

/// Did the terminal send it, because somebody pressed a key? Otherwise another program did.
bool fromTerminal(const siginfo_t& info) {
    return info.si_code == SI_KERNEL;
}

}  // namespace

InterruptGuard::InterruptGuard(std::function<void(Interrupt)> onInterrupt) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, kQuit);
    for (std::size_t i = 0; i < std::size(kHeard); ++i) {
        // A blocked signal would be heard even though it is ignored.
        if (g_ignored[i])
            std::signal(kHeard[i], SIG_IGN);
        else
            sigaddset(&signals, kHeard[i]);
    }
    pthread_sigmask(SIG_BLOCK, &signals, &previous_);
    thread_ = std::thread([this, signals, act = std::move(onInterrupt)] {
        int keys = 0;
        for (;;) {
            siginfo_t info{};
            const int number = sigwaitinfo(&signals, &info);
            if (ending_) return;
            if (number < 0) continue;  // interrupted by a debugger
            // A job queue may send SIGUSR1, too, as a warning that time runs out.
            if (number != SIGINT || !fromTerminal(info)) {
                act(Interrupt::Stop);
                continue;
            }
            if (++keys > 2) std::_Exit(1);
            act(keys == 1 ? Interrupt::CtrlC : Interrupt::CtrlCAgain);
        }
    });
}

InterruptGuard::~InterruptGuard() {
    ending_ = true;
    pthread_kill(thread_.native_handle(), kQuit);
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

}  // namespace palimpsest
