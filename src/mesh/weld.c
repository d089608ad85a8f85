#include "mesh/repair.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* A hash table of vertices by their cell. A cell is a cube whose side is the welding distance. If this distance is 0, a
 * cell is one position. Vertices with the same hash form a linked list. */
struct grid {
    size_t mask;       /* number of lists minus 1; the number of lists is a power of 2 */
    int *first, *next; /* first: [mask + 1] the first vertex of each list. next: [vertices] the vertex after each vertex
                          in its list. -1: none */
};

static void cell_of(const double position[3], double distance, double cell[3]) {
    for (int k = 0; k < 3; ++k) /* + 0: -0 becomes +0 */
        cell[k] = (distance > 0 ? floor(position[k] / distance) : position[k]) + 0.0;
}

static size_t slot_of(const struct grid *grid, const double cell[3]) {
    return (size_t)XXH3_64bits(cell, 3 * sizeof *cell) & grid->mask;
}

static bool are_near(const double a[3], const double b[3], double distance) {
    if (!(distance > 0))
        return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
    double sum = 0; /* sum of squared quotients, because squares of tiny distances would underflow */
    for (int k = 0; k < 3; ++k) {
        const double part = (a[k] - b[k]) / distance;
        sum += part * part;
    }
    return sum <= 1;
}

/* The lowest index of a vertex of the cell's list that is lower than `found` and at most `distance` from v; `found` if
 * there is none. */
static int lowest_near(const struct grid *grid, const double (*position)[3], int v, const double cell[3],
                       double distance, int found) {
    for (int other = grid->first[slot_of(grid, cell)]; other >= 0; other = grid->next[other])
        if (other < found && are_near(position[other], position[v], distance))
            found = other;
    return found;
}

int weld_find(int vertices, const double (*position)[3], double distance, int *one_with) {
    struct grid grid = {.mask = 63};
    while (grid.mask < 2 * (size_t)vertices)
        grid.mask = 2 * grid.mask + 1;
    grid.first = memory_new(grid.mask + 1, sizeof *grid.first);
    grid.next = memory_new((size_t)vertices, sizeof *grid.next);
    memset(grid.first, 0xff, (grid.mask + 1) * sizeof *grid.first);
    int joined = 0;
    const int reach = distance > 0;
    for (int v = 0; v < vertices; ++v) {
        double own[3], cell[3];
        int found = v;
        cell_of(position[v], distance, own);
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= reach; ++y)
                for (int z = -reach; z <= reach; ++z) {
                    cell[0] = own[0] + x;
                    cell[1] = own[1] + y;
                    cell[2] = own[2] + z;
                    found = lowest_near(&grid, position, v, cell, distance, found);
                }
        one_with[v] = found;
        joined += found != v;
        if (found == v) { /* v joins no other vertex, so later vertices may join v */
            const size_t slot = slot_of(&grid, own);
            grid.next[v] = grid.first[slot];
            grid.first[slot] = v;
        }
    }
    free(grid.first);
    free(grid.next);
    return joined;
}
