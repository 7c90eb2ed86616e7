// SPDX-License-Identifier: GPL-3.0-or-later
// Refuses memory to a program, as a machine that has none left. Loaded before the C library (LD_PRELOAD), told by the
// environment:
//   MEMORY_LEAST  bytes of the smallest request that counts; without it nothing fails. Requests of libraries that get
//                 ready before the program begins never count: OpenBLAS waits for ever there
//   MEMORY_AT     the first request of that size that fails, from 1
//   MEMORY_MANY   how many fail (default 1; 0: all that follow)
//   MEMORY_LOG    file that receives the number of such requests
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

// The allocator of glibc under its other names.
void* __libc_malloc(size_t size);
void* __libc_calloc(size_t count, size_t size);
void* __libc_realloc(void* old, size_t size);
void* __libc_memalign(size_t alignment, size_t size);

static size_t least = (size_t)-1;
static long first, many, requests;
static int begun;
static int (*programMain)(int, char**, char**);

static int refused(size_t size) {
    if (!begun || size < least) return 0;
    const long number = __atomic_add_fetch(&requests, 1, __ATOMIC_SEQ_CST);
    if (number < first || (many != 0 && number >= first + many)) return 0;
    errno = ENOMEM;
    return 1;
}

__attribute__((constructor)) static void begin(void) {
    const char* const size = getenv("MEMORY_LEAST");
    const char* const at = getenv("MEMORY_AT");
    const char* const number = getenv("MEMORY_MANY");
    first = at ? atol(at) : 1;
    many = number ? atol(number) : 1;
    if (size) least = strtoul(size, NULL, 10);
}

__attribute__((destructor)) static void end(void) {
    const char* const name = getenv("MEMORY_LOG");
    if (!name || least == (size_t)-1) return;
    char text[64];
    const int length = snprintf(text, sizeof text, "requests %ld\n", requests);
    const long file = syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (file < 0) return;
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

static int mainWithFaults(int count, char** words, char** environment) {
    begun = 1;
    return programMain(count, words, environment);
}

/// Called by every program's first code, with its main().
int __libc_start_main(int (*main)(int, char**, char**), int count, char** words, void (*init)(void), void (*fini)(void),
                      void (*loaderFini)(void), void* stackEnd) {
    int (*start)(int (*)(int, char**, char**), int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
    *(void**)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    programMain = main;
    return start(mainWithFaults, count, words, init, fini, loaderFini, stackEnd);
}

void* malloc(size_t size) {
    return refused(size) ? NULL : __libc_malloc(size);
}
void* calloc(size_t count, size_t size) {
    return size != 0 && refused(count * size) ? NULL : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
    return refused(size) ? NULL : __libc_realloc(old, size);
}
void* memalign(size_t alignment, size_t size) {
    return refused(size) ? NULL : __libc_memalign(alignment, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}
int posix_memalign(void** place, size_t alignment, size_t size) {
    void* const found = memalign(alignment, size);
    if (!found) return ENOMEM;
    *place = found;
    return 0;
}
