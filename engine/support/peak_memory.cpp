// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/peak_memory.h"

#include <sys/resource.h>

namespace palimpsest {

std::int64_t peakMemoryBytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace palimpsest
