// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/calm_threads.h"

#include <unistd.h>

#include <cstdlib>

#include "engine/support/ending_signals.h"

namespace palimpsest {

void calmThreads(char** argv) {
    // cuBLAS repeats its results only with a fixed workspace, and reads this once, before the first CUDA call.
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
    if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return;
    setenv("GOMP_SPINCOUNT", "1000", 0);
    // If a library has put a handler meanwhile, starting anew would forget that the signal was ignored.
    for (const int number : kEndingSignals) staysIgnored(number);
    // Only a failure returns; the program then goes on as it was started.
    execv("/proc/self/exe", argv);
}

}  // namespace palimpsest
