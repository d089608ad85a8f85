/* Time that passes. */
#ifndef SPRINGBACK_BASE_CLOCK_H
#define SPRINGBACK_BASE_CLOCK_H

#include <time.h>

/* Seconds of a clock that is never set, from some moment on. */
static inline double clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

#endif
