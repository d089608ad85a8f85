#include "base/tree.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>

/* Set into[k] to the sum or the maximum of into[k] and from[k], for each k < count. */
static void join(enum tree_operation operation, double *restrict into, const double *restrict from, size_t count) {
    if (operation == TREE_SUM)
        for (size_t k = 0; k < count; ++k)
            into[k] += from[k];
    else
        for (size_t k = 0; k < count; ++k)
            into[k] = isnan(into[k]) || into[k] > from[k] ? into[k] : from[k];
}

double tree_block(enum tree_operation operation, const double *values, size_t count) {
    double lane[TREE_LANES] = {0};
    for (size_t k = 0; k < count; k += TREE_LANES)
        join(operation, lane, values + k, count - k < TREE_LANES ? count - k : TREE_LANES);
    for (size_t half = TREE_LANES / 2; half; half /= 2)
        join(operation, lane, lane + half, half);
    return lane[0];
}

double tree_reduce(enum tree_operation operation, const double *values, size_t count) {
    if (count <= TREE_BLOCK)
        return tree_block(operation, values, count);
    const size_t blocks = parts_of(count, TREE_BLOCK);
    AUTO_FREE double *results = memory_new(blocks, sizeof *results);
    for (size_t b = 0; b < blocks; ++b) {
        size_t rest = count - b * TREE_BLOCK;
        results[b] = tree_block(operation, values + b * TREE_BLOCK, rest < TREE_BLOCK ? rest : TREE_BLOCK);
    }
    return tree_reduce(operation, results, blocks);
}
