#include "backend/opencl/node_order.h"

#include "base/memory.h"

#include <stdint.h>

enum {
    BANKS = 8,       /* quads of local memory that eight lanes read at once, if each is in a different bank */
    MOVES = 20000000 /* tries of the search. With 3,008 nodes, a read of eight lanes then takes 1.75 accesses to local
                        memory on average; 1.68 at best, 2.43 without the search */
};

/* The cost of moving a read from bank `from` to bank `to`: the increase of half the sum of the squares of reads[]. */
static int cost_of(const unsigned char *reads, int from, int to) {
    return from == to ? 0 : reads[to] - reads[from] + 1;
}

void node_order(const int *start, const int *neighbour, int nodes, int *node_at, int *places) {
    const int ends = start[nodes];
    int most = 0, at = 0;
    for (int i = 0; i < nodes; ++i)
        most = start[i + 1] - start[i] > most ? start[i + 1] - start[i] : most;
    AUTO_FREE int *place = memory_new((size_t)nodes, sizeof *place);
    /* reads[group * most + k][bank]: how many of the eight lanes of a group have their k-th neighbour in this bank */
    AUTO_FREE unsigned char(*reads)[BANKS] = memory_new((size_t)(nodes / BANKS + 1) * (size_t)(most + 1), BANKS);
    for (int count = most; count >= 0; --count)
        for (int i = 0; i < nodes; ++i)
            if (start[i + 1] - start[i] == count)
                node_at[place[i] = at++] = i;
    for (int i = 0; i < nodes; ++i)
        for (int s = start[i]; s < start[i + 1]; ++s) {
            places[s] =
                place[neighbour[s]] % BANKS; /* during the search: the neighbour's bank, which no exchange changes */
            ++reads[place[i] / BANKS * most + s - start[i]][places[s]];
        }
    uint64_t random = 1; /* linear congruential generator of Knuth (MMIX) */
    for (int m = 0; m < MOVES; ++m) {
        random = random * 6364136223846793005 + 1442695040888963407;
        const int p = (int)((random >> 40) % (uint64_t)nodes),
                  q = p % BANKS + (int)((random >> 16 & 0xffffff) % (uint64_t)(nodes / BANKS + 1)) * BANKS;
        const int a = node_at[p], b = node_at[q < nodes ? q : p], count = start[a + 1] - start[a];
        if (p / BANKS == q / BANKS || a == b || start[b + 1] - start[b] != count)
            continue;
        const int group_p = p / BANKS * most, group_q = q / BANKS * most;
        unsigned char(*at_p)[BANKS] = reads + group_p, (*at_q)[BANKS] = reads + group_q;
        const int *from = places + start[a], *to = places + start[b];
        int cost = 0;
        for (int k = 0; k < count; ++k)
            cost += cost_of(at_p[k], from[k], to[k]) + cost_of(at_q[k], to[k], from[k]);
        if (cost > 0)
            continue;
        for (int k = 0; k < count; ++k) {
            --at_p[k][from[k]];
            ++at_p[k][to[k]];
            --at_q[k][to[k]];
            ++at_q[k][from[k]];
        }
        node_at[p] = b;
        node_at[q] = a;
    }
    for (int p = 0; p < nodes; ++p)
        place[node_at[p]] = p;
    for (int s = 0; s < ends; ++s)
        places[s] = place[neighbour[s]];
}
