#include "body/node_colours.h"

#include "base/rows.h"
#include "body/body.h"

#include <limits.h>

int node_colours_create(int nodes, int springs, const struct spring *spring, struct pool *pool,
                        struct node_colours *out) {
    const size_t ends = 2 * (size_t)springs;
    AUTO_FREE int *end = memory_large((ends + 1) * sizeof *end), *at = memory_large((ends + 1) * sizeof *at),
                  *first = memory_large(((size_t)nodes + 1) * sizeof *first),
                  *colour = memory_large((size_t)nodes * sizeof *colour);
    out->start = pool_add(pool, memory_large(((size_t)nodes + 1) * sizeof *out->start));
    out->node = pool_add(pool, memory_large((size_t)nodes * sizeof *out->node));
    if (springs > INT_MAX / 2 || !end || !at || !first || !colour || !out->start || !out->node)
        return fail("the colours of %d nodes with %d springs do not fit into memory", nodes, springs);
    for (int s = 0; s < springs; ++s) {
        end[2 * (size_t)s] = spring[s].a;
        end[2 * (size_t)s + 1] = spring[s].b;
    }
    rows_sort(nodes, 2 * springs, end, first, at);
    /* user[c] is the last node that found colour c at a neighbour. */
    AUTO_FREE int *user = memory_new((size_t)nodes + 1, sizeof *user);
    out->count = 0;
    for (int i = 0; i < nodes; ++i) {
        for (int k = first[i]; k < first[i + 1]; ++k) {
            const int other = end[at[k] ^ 1];
            if (other < i)
                user[colour[other]] = i;
        }
        colour[i] = 0;
        while (colour[i] < out->count && user[colour[i]] == i)
            ++colour[i];
        out->count = colour[i] < out->count ? out->count : colour[i] + 1;
    }
    rows_sort(out->count, nodes, colour, out->start, out->node);
    return STATUS_OK;
}
