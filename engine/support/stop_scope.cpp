// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/stop_scope.h"

#include <condition_variable>
#include <mutex>

namespace palimpsest {

void waitUnlessGivenUp(std::chrono::milliseconds time) {
    std::mutex mutex;
    std::condition_variable_any never;
    std::unique_lock lock(mutex);
    never.wait_for(lock, StopScope::token(), time, [] { return false; });
    StopScope::check();
}

}  // namespace palimpsest
