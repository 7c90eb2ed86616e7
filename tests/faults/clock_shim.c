// SPDX-License-Identifier: GPL-3.0-or-later
// Sets the clock of a program back, as a person or a time server might while it runs. Loaded before the C library
// (LD_PRELOAD): from the CLOCK_BACK_AT-th question for the time of day on, it is CLOCK_BACK_BY seconds earlier. Clocks
// that only go forward are left alone, as the system does.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long backAt, backBy, questions;

__attribute__((constructor)) static void begin(void) {
    const char* const at = getenv("CLOCK_BACK_AT");
    const char* const by = getenv("CLOCK_BACK_BY");
    backAt = at ? atol(at) : 0;
    backBy = by ? atol(by) : 0;
}

static long earlier(void) {
    const long number = __atomic_add_fetch(&questions, 1, __ATOMIC_SEQ_CST);
    return backBy != 0 && number >= backAt ? backBy : 0;
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    const long result = syscall(SYS_clock_gettime, clock, now);
    if (result == 0 && clock == CLOCK_REALTIME) now->tv_sec -= earlier();
    return (int)result;
}

time_t time(time_t* place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval* restrict place, void* restrict zone) {
    struct timespec now;
    (void)zone;
    clock_gettime(CLOCK_REALTIME, &now);
    place->tv_sec = now.tv_sec;
    place->tv_usec = now.tv_nsec / 1000;
    return 0;
}
