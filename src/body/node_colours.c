#include "body/node_colours.h"

#include "base/rows.h"

#include <limits.h>
#include <string.h>

int node_colours_create(int nodes, int springs, const int (*end)[2], struct pool *pool, struct node_colours *out) {
    const size_t rows = (size_t)nodes + 1;
    const int *ends = (const int *)end;
    AUTO_FREE int *at = memory_large((2 * (size_t)springs + 1) * sizeof *at),
                  *first = memory_large(rows * sizeof *first), *colour = memory_large(rows * sizeof *colour),
                  *user = memory_large(rows * sizeof *user);
    out->start = pool_add(pool, memory_large(rows * sizeof *out->start));
    out->node = pool_add(pool, memory_large(rows * sizeof *out->node));
    if (springs > INT_MAX / 2 || !at || !first || !colour || !user || !out->start || !out->node)
        return fail("the colours of %d nodes with %d springs do not fit into memory", nodes, springs);
    rows_sort(nodes, 2 * springs, ends, first, at);
    memset(user, 0, rows * sizeof *user); /* user[c]: the last node that found colour c at a neighbour */
    out->count = 0;
    for (int i = 0; i < nodes; ++i) {
        for (int k = first[i]; k < first[i + 1]; ++k) {
            const int other = ends[at[k] ^ 1];
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
