/* The 99th percentile. */
#ifndef SPRINGBACK_BASE_PERCENTILE_H
#define SPRINGBACK_BASE_PERCENTILE_H

#include <stddef.h>

/* The smallest of `count` >= 1 values that is at least as large as 99 % of them. The values are >= 0; NaN counts as the
 * largest value. The result does not depend on the order of the values. The values are reordered and partly
 * overwritten. */
double percentile_99(double *values, size_t count);

#endif
