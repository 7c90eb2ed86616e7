// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/thread_count.h"

#include <ATen/Parallel.h>

namespace palimpsest {

int computingThreads() {
    return at::get_num_threads();
}

}  // namespace palimpsest
