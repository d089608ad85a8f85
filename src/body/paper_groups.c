#include "body/paper_groups.h"

#include "base/memory.h"
#include "body/groups.h"
#include "mesh/edges.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* GetConnectedEdges of the algorithm's line 3, for one pair of edges. */
static bool is_adjacent(const int a[2], const int b[2]) {
    return a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
}

static int check(int particles, int edges, const int (*end)[2]) {
    if (edges > PAPER_GROUPS_EDGES_MOST)
        return fail("%d edges are too many for the paper's grouping, whose time grows with the square of their number; "
                    "use at most %d",
                    edges, PAPER_GROUPS_EDGES_MOST);
    if (groups_bound(particles, edges, 2, edges > 0 ? end[0] : NULL) < 0)
        return STATUS_BAD;
    for (int e = 0; e < edges; ++e)
        if (end[e][0] < 0 || end[e][1] < 0)
            return fail("edge %d joins fewer than two particles; it must join two", e);
    return STATUS_OK;
}

/* Lines 5 to 11: list the edges that are not adjacent to edge `to`. The list does not contain edge `to` itself. Returns
 * the number of edges in the list. */
static int not_adjacent(int edges, const int (*end)[2], int to, int *list) {
    int count = 0;
    for (int e = 0; e < edges; ++e)
        if (e != to && !is_adjacent(end[e], end[to]))
            list[count++] = e;
    return count;
}

/* Lines 20 to 34: for each edge of the list `source` in order, remove the edges that are adjacent to it. Returns the
 * new number of edges. `is_kept`, unless NULL, marks edges that are not removed. */
static int prune(const int (*end)[2], const bool *is_kept, int *source, int count) {
    for (int i = 0; i < count; ++i) {
        const int target = source[i];
        int left = 0;
        for (int j = 0; j < count; ++j) {
            const int edge = source[j];
            if (edge == target || !is_adjacent(end[edge], end[target]) || (is_kept && is_kept[edge]))
                source[left++] = edge;
        }
        count = left;
    }
    return count;
}

/* Line 35: append `source` as a new group. */
static void append(struct groups *groups, const int *source, int count) {
    const int start = groups->start[groups->count];
    groups->start = memory_grow(groups->start, (size_t)groups->count + 2, sizeof *groups->start);
    groups->constraint = memory_grow(groups->constraint, (size_t)start + (size_t)count, sizeof *groups->constraint);
    memcpy(groups->constraint + start, source, (size_t)count * sizeof *source);
    groups->start[++groups->count] = start + count;
}

int paper_groups_as_printed(int particles, int edges, const int (*end)[2], int arrays, struct groups *groups) {
    *groups = (struct groups){.count = 0};
    if (arrays < 0 || arrays > edges || (long)arrays * edges > PAPER_GROUPS_PLACES_MOST)
        return fail(
            "algorithm 2 cannot use %d arrays (IndEdgesArrays) for %d edges; use at most one array for each edge, "
            "and at most %d for the product of arrays and edges",
            arrays, edges, PAPER_GROUPS_PLACES_MOST);
    if (check(particles, edges, end))
        return STATUS_BAD;
    groups->start = memory_new(1, sizeof *groups->start);
    AUTO_FREE int *source = memory_new((size_t)edges, sizeof *source);
    AUTO_FREE bool *is_grouped = memory_new((size_t)edges, sizeof *is_grouped);
    for (int g = 0; g < arrays; ++g) {
        is_grouped[0] |= g == 0;
        const int count = prune(end, is_grouped, source, not_adjacent(edges, end, g, source));
        is_grouped[0] &= g != 0; /* line 35 overwrites edge 0 */
        for (int i = 0; i < count; ++i)
            is_grouped[source[i]] = true;
        append(groups, source, count);
    }
    return STATUS_OK;
}

int paper_groups_repaired(int particles, int edges, const int (*end)[2], struct groups *groups) {
    *groups = (struct groups){.count = 0};
    if (check(particles, edges, end))
        return STATUS_BAD;
    groups->start = memory_new(1, sizeof *groups->start);
    AUTO_FREE int *source = memory_new((size_t)edges + 1, sizeof *source);
    AUTO_FREE bool *is_grouped = memory_new((size_t)edges, sizeof *is_grouped);
    for (int first = 0; first < edges; ++first) {
        if (is_grouped[first])
            continue;
        source[0] = first;
        int count = 1;
        for (int i = 0, listed = not_adjacent(edges, end, first, source + 1); i < listed; ++i)
            if (!is_grouped[source[1 + i]])
                source[count++] = source[1 + i];
        count = 1 + prune(end, NULL, source + 1, count - 1);
        append(groups, source, count);
        for (int i = 0; i < count; ++i)
            is_grouped[source[i]] = true;
    }
    return STATUS_OK;
}

void paper_groups_judge(const struct groups *groups, int edges, const int (*end)[2],
                        struct paper_groups_verdict *verdict) {
    *verdict = (struct paper_groups_verdict){.missing = edges};
    AUTO_FREE int *times = memory_new((size_t)edges, sizeof *times);
    for (int g = 0; g < groups->count; ++g)
        for (int i = groups->start[g]; i < groups->start[g + 1]; ++i) {
            const int edge = groups->constraint[i];
            verdict->missing -= times[edge] == 0;
            verdict->repeated += times[edge] == 1;
            ++times[edge];
            for (int j = groups->start[g]; j < i; ++j)
                verdict->conflicts +=
                    groups->constraint[j] != edge && is_adjacent(end[groups->constraint[j]], end[edge]);
        }
}

int paper_groups_lay(struct prepared *prepared) {
    struct part *edges = &prepared->parts[PART_EDGES];
    const size_t count = (size_t)edges->count;
    AUTO(groups_free) struct groups groups;
    struct paper_groups_verdict verdict;
    AUTO_FREE int *end = memory_new(2 * count, sizeof *end);
    memcpy(end, edges->particle, 2 * count * sizeof *end);
    qsort(end, count, 2 * sizeof *end, edges_compare);
    const int(*ends)[2] = (const int(*)[2])end;
    if (paper_groups_repaired(prepared->vertices, edges->count, ends, &groups))
        return STATUS_BAD;
    paper_groups_judge(&groups, edges->count, ends, &verdict);
    if (verdict.conflicts || verdict.missing || verdict.repeated)
        return fail(
            "the paper's groups have %ld pairs of edges that share a particle, omit %d edges, and have %d edges "
            "more than once",
            verdict.conflicts, verdict.missing, verdict.repeated);
    if (groups.constraint) { /* NULL if there are no edges */
        for (size_t e = 0; e < count; ++e)
            memcpy(edges->particle + 2 * e, ends[groups.constraint[e]], sizeof *ends);
        edges->groups = groups.count;
        free(edges->start);
        edges->start = groups.start;
        groups.start = NULL;
    }
    return STATUS_OK;
}
