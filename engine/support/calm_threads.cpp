// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/calm_threads.h"

#include <dlfcn.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <future>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace palimpsest {
namespace {

// As GCC calls them. They are looked up, since it has to be the very library that LibTorch uses: its own archive brings
// a copy under another name.
using Parallel = void(void (*work)(void*), void* data, unsigned threads, unsigned flags);
using ProcessorCount = int();

template <class Function>
Function* gompFunction(const char* name) {
    void* const found = dlsym(RTLD_DEFAULT, name);
    Dl_info info{};
    // LLVM's and Intel's OpenMP know GCC's names, too, but wait in another way.
    if (!found || !dladdr(found, &info) || std::string_view(info.dli_fname).find("libgomp") == std::string_view::npos)
        return nullptr;
    return reinterpret_cast<Function*>(found);
}

/// True if the machine lets the program have so many more threads: libgomp ends the program where one is refused.
bool threadsToBeHad(int count) {
    std::promise<void> enough;
    const std::shared_future<void> released = enough.get_future().share();
    std::vector<std::jthread> threads;
    bool had = true;
    try {
        for (int i = 0; i < count; ++i) threads.emplace_back([released] { released.wait(); });
    } catch (const std::exception&) {
        had = false;
    }
    enough.set_value();
    return had;
}

/// Keeps more OpenMP threads at hand than there are processors. While it does so, libgomp lets a thread that waits look
/// a hundred times before it sleeps, instead of 300000 times (do_spin in libgomp's wait.h), which takes 5 ms on a
/// recent Xeon. The threads themselves sleep until the program ends.
bool keepThreadsAtHand() {
    Parallel* const parallel = gompFunction<Parallel>("GOMP_parallel");
    ProcessorCount* const processors = gompFunction<ProcessorCount>("omp_get_num_procs");
    if (!parallel || !processors) return false;
    std::promise<void> ready;
    std::future<void> started = ready.get_future();
    // Signals are for the program's own threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int wanted = processors() + 2;
    bool kept = threadsToBeHad(wanted);
    try {
        // The threads belong to the one that started them, so it has to stay.
        if (kept)
            std::thread([parallel, wanted, ready = std::move(ready)]() mutable {
                parallel([](void*) {}, nullptr, static_cast<unsigned>(wanted), 0);
                ready.set_value();
                for (;;) pause();
            }).detach();
    } catch (const std::exception&) {
        kept = false;  // no thread to be had; a run learns without it
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (kept) started.wait();
    return kept;
}

}  // namespace

bool calmThreads() {
    if (std::getenv("GOMP_SPINCOUNT") || std::getenv("OMP_WAIT_POLICY")) return false;
    static const bool kept = keepThreadsAtHand();
    return kept;
}

void fixCublasWorkspace() {
    setenv("CUBLAS_WORKSPACE_CONFIG", ":4096:8", 0);
}

}  // namespace palimpsest
