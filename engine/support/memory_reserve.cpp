// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/memory_reserve.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "engine/support/process.h"

namespace palimpsest {
namespace {

/// More than writing the files of a run takes. It costs no memory while nobody writes to it, but counts as taken.
constexpr std::size_t kHeldBack = std::size_t{8} << 20;
/// Smaller amounts are worth no wait of the other threads.
[[maybe_unused]] constexpr std::size_t kMuchKept = std::size_t{128} << 20;

std::atomic<void*> held{nullptr};

/// operator new asks again whenever this returns.
void giveOrFail() {
    void* const block = held.exchange(nullptr);
    if (!block) throw std::bad_alloc();
    std::free(block);
}

}  // namespace

bool holdMemoryBack() {
    std::set_new_handler(giveOrFail);
    if (held.load()) return true;
    void* const block = std::malloc(kHeldBack);
    void* none = nullptr;
    // Another thread may have been quicker.
    if (block && !held.compare_exchange_strong(none, block)) std::free(block);
    return held.load() != nullptr;
}

void giveMemoryBack() noexcept {
#ifdef __GLIBC__
    try {
        const struct mallinfo2 heap = mallinfo2();
        if (ownMemoryBytes() > static_cast<std::int64_t>(heap.uordblks + heap.hblkhd + kMuchKept)) malloc_trim(0);
    } catch (const std::exception&) {
        // There is not even the memory to ask.
    }
#endif
}

}  // namespace palimpsest
