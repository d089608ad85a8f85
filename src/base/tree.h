/* Reductions with one fixed tree, whatever the number of threads.
 *
 * Blocks of 4,096 values lie as 16 rows of 256 lanes: each lane adds its rows in order, the lanes fold by halves, and
 * the blocks' results are reduced in the same way. Missing values count as the operation's neutral element. */
#ifndef SPRINGBACK_BASE_TREE_H
#define SPRINGBACK_BASE_TREE_H

#include <stddef.h>

enum { TREE_LANES = 256, TREE_ROWS = 16, TREE_BLOCK = TREE_LANES * TREE_ROWS };

enum tree_operation { TREE_SUM, TREE_MAX }; /* TREE_MAX is of values >= 0, and NaN wins over all */

/* Reduce one block of 1 to TREE_BLOCK values. */
double tree_block(enum tree_operation operation, const double *values, size_t count);

/* Reduce any number of values; none give 0. */
double tree_reduce(enum tree_operation operation, const double *values, size_t count);

#endif
