/* Sizes of kernel launches. */
#ifndef SPRINGBACK_BACKEND_LAUNCH_SIZE_H
#define SPRINGBACK_BACKEND_LAUNCH_SIZE_H

#include "base/number.h"

/* The largest power of two that is at most `most` and at most `limit`; 1 if one of them is 0. */
static inline size_t power_of_two_within(size_t most, size_t limit) {
    size_t size = 1;
    while (2 * size <= most && 2 * size <= limit)
        size *= 2;
    return size;
}

/* How many of `count` quads (vectors of four reals) each work item adds up if a group has `group` work items: a power
 * of two up to 8, the limit of sum_values in kernels/frame.h. */
static inline unsigned values_per_item(size_t count, size_t group) {
    unsigned take = 1;
    while (take < 8 && take * group < count)
        take *= 2;
    return take;
}

#endif
