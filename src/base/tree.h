/* Reductions with a fixed tree that does not depend on the number of threads.
 *
 * A block of 4,096 values consists of 16 rows of 256 lanes. Each lane combines its 16 values in order. Then the second
 * half of the lanes is combined with the first half, and this is repeated until one lane is left. The results of the
 * blocks are reduced in the same manner. Missing values count as 0, the neutral element of both operations. */
#ifndef SPRINGBACK_BASE_TREE_H
#define SPRINGBACK_BASE_TREE_H

#include <stddef.h>

enum { TREE_LANES = 256, TREE_ROWS = 16, TREE_BLOCK = TREE_LANES * TREE_ROWS };

enum tree_operation { TREE_SUM, TREE_MAX }; /* TREE_MAX is for values >= 0; NaN counts as the largest value */

/* Combine the values of one block into one value. `count` is 1 to TREE_BLOCK. */
double tree_block(enum tree_operation operation, const double *values, size_t count);

/* Combine any number of values into one value; 0 values give 0. */
double tree_reduce(enum tree_operation operation, const double *values, size_t count);

#endif
