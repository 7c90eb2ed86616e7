// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#if defined(__SANITIZE_THREAD__)
extern "C" void __tsan_acquire(void* address);
extern "C" void __tsan_release(void* address);
#endif

namespace palimpsest {

// What one thread gives to another through Qt is guarded by Qt's own locks. ThreadSanitizer sees only code that was
// compiled with it, so it is told at both ends; any other build does nothing here.

/// All that this thread wrote until now is for whoever takes `object`. Before Qt gets it.
inline void giveAway([[maybe_unused]] void* object) {
#if defined(__SANITIZE_THREAD__)
    __tsan_release(object);
#endif
}

/// Before the first look into an object that Qt handed over.
inline void takeOver([[maybe_unused]] void* object) {
#if defined(__SANITIZE_THREAD__)
    __tsan_acquire(object);
#endif
}

}  // namespace palimpsest
