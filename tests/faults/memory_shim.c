// SPDX-License-Identifier: GPL-3.0-or-later
// Refuses memory to a program, as a system does whose memory is limited. Loaded before the C library (LD_PRELOAD), it
// answers calls of malloc() and its like through the library's own, and is told by the environment:
//   MEMORY_FROM   bytes from which a request counts (default 1)
//   MEMORY_AFTER  file whose existence begins the count; empty: the count begins at once
//   MEMORY_AT     the first request that is refused, from 1; MEMORY_MANY  how many are (default 1; 0: all that follow)
//   MEMORY_LOG    file that receives "asked N" and "struck 1" or "struck 0", at the first refusal and in the end
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// The names of the C library for its own functions, which need no dlsym(): that one asks for memory itself.
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static size_t from = 1;
static long asked, firstRefused, refused, struck;
static const char *after, *logName;
static int ready, begun;

__attribute__((constructor)) static void begin(void) {
    const char* const size = getenv("MEMORY_FROM");
    const char* const at = getenv("MEMORY_AT");
    const char* const many = getenv("MEMORY_MANY");
    from = size ? (size_t)atol(size) : 1;
    firstRefused = at ? atol(at) : 0;
    refused = many ? atol(many) : 1;
    logName = getenv("MEMORY_LOG");
    after = getenv("MEMORY_AFTER");
    begun = !after || !*after;
    ready = 1;
}

/// Writes the log; asks for no memory itself.
__attribute__((destructor)) static void writeLog(void) {
    if (!logName) return;
    char text[64];
    const int length = snprintf(text, sizeof text, "asked %ld\nstruck %ld\n", asked, struck);
    const long file = syscall(SYS_openat, AT_FDCWD, logName, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

/// Counts a request of so many bytes; true when it is to be refused.
static int refuses(size_t size) {
    if (!ready || size < from) return 0;
    if (!__atomic_load_n(&begun, __ATOMIC_RELAXED)) {
        const int kept = errno;
        const int there = syscall(SYS_faccessat, AT_FDCWD, after, F_OK) == 0;
        errno = kept;
        if (!there) return 0;
        __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
    }
    const long number = __atomic_add_fetch(&asked, 1, __ATOMIC_SEQ_CST);
    if (firstRefused == 0 || number < firstRefused || (refused > 0 && number >= firstRefused + refused)) return 0;
    // What is refused may be what the C library cannot do without: it then ends the program, and no destructor runs.
    if (__atomic_exchange_n(&struck, 1, __ATOMIC_SEQ_CST) == 0) writeLog();
    errno = ENOMEM;
    return 1;
}

void* malloc(size_t size) {
    return refuses(size) ? NULL : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) {
    size_t whole;
    if (__builtin_mul_overflow(count, size, &whole)) whole = (size_t)-1;
    return refuses(whole) ? NULL : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) {
    return refuses(size) ? NULL : __libc_realloc(old, size);
}

void* memalign(size_t alignment, size_t size) {
    return refuses(size) ? NULL : __libc_memalign(alignment, size);
}

void* aligned_alloc(size_t alignment, size_t size) {
    return refuses(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) {
    const int kept = errno;
    if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
    void* const made = refuses(size) ? NULL : __libc_memalign(alignment, size);
    errno = kept;
    if (!made) return ENOMEM;
    *place = made;
    return 0;
}
