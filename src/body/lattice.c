#include "body/groups.h"

#include "base/memory.h"
#include "body/order.h"

#include <stdint.h>
#include <stdlib.h>

enum { NONE = -1, COLOURS_MOST = 64 };

/* An edge as a key: the lower vertex, then the higher one. The key of its neighbour (i + 1, j + 1) is larger by
 * NEXT. */
#define NEXT (((uint64_t)1 << 32) + 1)

/* The edges sorted by key; the caller frees them. */
static struct keyed *keyed_of(int edges, const int (*end)[2]) {
    struct keyed *list = memory_new((size_t)edges, sizeof *list);
    for (int e = 0; e < edges; ++e) {
        const int low = end[e][0] < end[e][1] ? end[e][0] : end[e][1], high = end[e][0] + end[e][1] - low;
        list[e] = (struct keyed){(uint64_t)low << 32 | (uint64_t)high, e};
    }
    qsort(list, (size_t)edges, sizeof *list, keyed_compare);
    return list;
}

/* The index of the edge whose key is `number`, or NONE. The search begins at list[*at] and advances *at, so successive
 * calls need ascending keys. */
static int edge_of(const struct keyed *list, int edges, uint64_t number, int *at) {
    while (*at < edges && list[*at].key < number)
        ++*at;
    return *at < edges && list[*at].key == number ? list[*at].index : NONE;
}

bool lattice_is(int edges, const int (*end)[2]) {
    AUTO_FREE struct keyed *list = keyed_of(edges, end);
    int found = 0;
    for (int e = 0, at = 0; e < edges; ++e)
        found += edge_of(list, edges, list[e].key + NEXT, &at) != NONE;
    return edges > 0 && found >= edges - edges / 20;
}

int lattice_colour(int vertices, int edges, const int (*end)[2], int most, int *colour) {
    AUTO_FREE struct keyed *list = keyed_of(edges, end);
    AUTO_FREE uint64_t *used = memory_new((size_t)vertices, sizeof *used);
    int colours = 0;
    for (int e = 0, at[2] = {0}; e < edges; ++e) {
        const int *ends = end[list[e].index];
        const uint64_t used_colours = used[ends[0]] | used[ends[1]];
        int own = NONE;
        for (int s = 0; s < 2 && own == NONE; ++s) {
            const uint64_t back = (uint64_t)(s + 1) * NEXT;
            const int before = list[e].key < back ? NONE : edge_of(list, edges, list[e].key - back, &at[s]);
            if (before != NONE && !(used_colours >> colour[before] & 1))
                own = colour[before];
        }
        if (own == NONE)
            for (own = 0; own < COLOURS_MOST && (used_colours >> own & 1);)
                ++own;
        if (own >= most || own >= COLOURS_MOST)
            return NONE;
        colour[list[e].index] = own;
        used[ends[0]] |= (uint64_t)1 << own;
        used[ends[1]] |= (uint64_t)1 << own;
        if (own >= colours)
            colours = own + 1;
    }
    return colours;
}
