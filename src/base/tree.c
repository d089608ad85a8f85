#include "base/tree.h"

#include "base/memory.h"
#include "base/number.h"

#include <math.h>

static double join(enum tree_operation operation, double a, double b) {
    if (operation == TREE_SUM)
        return a + b;
    return isnan(a) || a > b ? a : b;
}

double tree_block(enum tree_operation operation, const double *values, size_t count) {
    double lane[TREE_LANES] = {0};
    for (size_t k = 0; k < count; ++k)
        lane[k % TREE_LANES] = join(operation, lane[k % TREE_LANES], values[k]);
    for (int half = TREE_LANES / 2; half; half /= 2)
        for (int k = 0; k < half; ++k)
            lane[k] = join(operation, lane[k], lane[k + half]);
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
