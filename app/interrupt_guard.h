// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace palimpsest {

/// While it lives, Ctrl-C and SIGTERM call `onInterrupt` with 1 the first time, 2 the second, on a thread that waits
/// for signals; a third ends the program at once. Make it before anything else starts a thread: threads inherit the
/// blocked signals.
class InterruptGuard {
public:
    explicit InterruptGuard(std::function<void(int)> onInterrupt);
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;

private:
    sigset_t previous_{};
    std::thread thread_;
};

}  // namespace palimpsest
