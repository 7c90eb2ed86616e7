// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/ending_signals.h"

#include <sys/syscall.h>
#include <unistd.h>
#include <algorithm>
#include <cstddef>
#include <iterator>

namespace palimpsest {
namespace {

/// When the program started.
bool g_ignored[std::size(kEndingSignals)];

/// By a bare system call, since it runs before sanitizers are ready.
[[gnu::no_sanitize("address", "thread", "undefined")]] void noteIgnored(int, char**, char**) {
    // As the kernel lays it out; the handler comes first on every processor that Debian's LibTorch knows.
    struct KernelAction {
        void (*handler)(int);
        unsigned long flags, restorer, mask[2];
    };
    for (std::size_t i = 0; i < std::size(kEndingSignals); ++i) {
        KernelAction action{};
        const bool known = syscall(SYS_rt_sigaction, kEndingSignals[i], nullptr, &action, std::size_t{8}) == 0;
        g_ignored[i] = known && action.handler == SIG_IGN;
    }
}

/// Before the initialisers of libraries: of those that Debian 13's LibTorch loads, one puts a handler where SIGHUP was
/// ignored.
[[gnu::section(".preinit_array"), gnu::used]] void (*const g_noteIgnored)(int, char**, char**) = noteIgnored;

}  // namespace

bool staysIgnored(int number) {
    struct sigaction now {};
    const bool ignored = sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
    const auto at =
        std::find(std::begin(kEndingSignals), std::end(kEndingSignals), number) - std::begin(kEndingSignals);
    if (!ignored && !(at < std::ssize(kEndingSignals) && g_ignored[at])) return false;
    std::signal(number, SIG_IGN);
    return true;
}

}  // namespace palimpsest
