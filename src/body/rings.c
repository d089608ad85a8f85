#include "body/surface.h"

#include "base/memory.h"
#include "base/rows.h"

#include <stdlib.h>

/* A triangle seen from one of its corners. */
struct wedge {
    int from, to; /* the next corner of the triangle, and the corner after that */
};

/* Write the neighbours of a vertex in the order of its ring, from its wedges. Returns false if the wedges do not form
 * one ring. */
static bool order_ring(const struct wedge *wedges, int count, int *ring) {
    int here = wedges[0].from;
    for (int w = 1; w < count; ++w)
        here = wedges[w].from < here ? wedges[w].from : here;
    for (int k = 0; k < count; ++k) {
        int to = -1, found = 0;
        for (int w = 0; w < count; ++w)
            if (wedges[w].from == here) {
                to = wedges[w].to;
                ++found;
            }
        if (found != 1 || (k > 0 && here == ring[0]))
            return false;
        ring[k] = here;
        here = to;
    }
    return here == ring[0];
}

bool rings_create(int vertices, int triangles, const int *corner, struct rings *rings) {
    const size_t corners = 3 * (size_t)triangles;
    AUTO_FREE int *at = memory_new(corners, sizeof *at);
    AUTO_FREE struct wedge *wedges = memory_new(corners, sizeof *wedges);
    *rings = (struct rings){memory_new((size_t)vertices + 1, sizeof *rings->start),
                            memory_new(corners, sizeof *rings->neighbour)};
    rows_sort(vertices, 3 * triangles, corner, rings->start, at);
    for (size_t w = 0; w < corners; ++w) {
        const int *triangle = corner + at[w] - at[w] % 3;
        wedges[w] = (struct wedge){triangle[(at[w] + 1) % 3], triangle[(at[w] + 2) % 3]};
    }
    for (int v = 0; v < vertices; ++v) {
        const int begin = rings->start[v], count = rings->start[v + 1] - begin;
        if (count && !order_ring(wedges + begin, count, rings->neighbour + begin))
            return rings_free(rings), false;
    }
    return true;
}

void rings_free(struct rings *rings) {
    free(rings->start);
    free(rings->neighbour);
    *rings = (struct rings){NULL, NULL};
}
