#include "body/prepared.h"

#include "base/memory.h"
#include "body/groups.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* BANKS: number of quads that fit side by side into the banks of local memory, which is also the number of lanes that
 * read at once. WINDOW: number of constraints from which the next one is chosen. WINDOW is small, because constraints
 * near each other share cache lines. SIZE_MOST: largest number of particles of a constraint. */
enum { BANKS = 8, WINDOW = 256, SIZE_MOST = 4 };

/* The constraints chosen so far for the current eight lanes. The bank of a particle is its index modulo BANKS.
 * reads[k][b]: how many of the constraints' k-th particles are in bank b. most[k]: the largest of reads[k]. */
struct eight {
    unsigned char reads[SIZE_MOST][BANKS], most[SIZE_MOST];
};

/* The cost of adding a constraint: first the number of its particles whose bank already has the most reads, because
 * each such particle adds an access for which the eight lanes wait. Constraints that are equal in this number are
 * compared by the number of earlier reads from the banks of their particles. */
static int cost_of(const struct eight *eight, const int *particle, int size) {
    int longer = 0, reads = 0;
    for (int k = 0; k < size; ++k) {
        const int here = eight->reads[k][particle[k] % BANKS];
        longer += here == eight->most[k];
        reads += here;
    }
    return longer * SIZE_MOST * BANKS + reads;
}

static void add(struct eight *eight, const int *particle, int size) {
    for (int k = 0; k < size; ++k) {
        unsigned char *here = &eight->reads[k][particle[k] % BANKS];
        ++*here;
        if (*here > eight->most[k])
            eight->most[k] = *here;
    }
}

static void order_group(const struct part *part, int size, int begin, int end, int *order) {
    int window[WINDOW], held = 0, next = begin;
    struct eight eight;
    for (int i = begin; i < end; ++i) {
        const bool is_first = (i - begin) % BANKS == 0;
        int best = 0, least = INT_MAX;
        if (is_first)
            memset(&eight, 0, sizeof eight);
        while (held < WINDOW && next < end)
            window[held++] = next++;
        for (int w = 0; w < (is_first ? 1 : held) && least > 0; ++w) {
            const int cost = cost_of(&eight, part->particle + (size_t)window[w] * (size_t)size, size);
            if (cost < least) {
                least = cost;
                best = w;
            }
        }
        order[i] = window[best];
        add(&eight, part->particle + (size_t)order[i] * (size_t)size, size);
        memmove(window + best, window + best + 1, (size_t)(held - best - 1) * sizeof *window);
        --held;
    }
}

void banks_order(const struct part *part, int size, int *order) {
    for (int i = 0; i < part->count; ++i)
        order[i] = i;
    if (!part->count || (size == 2 && lattice_is(part->count, (const int(*)[2])part->particle)))
        return;
    for (int g = 0; g < part->groups; ++g)
        order_group(part, size, part->start[g], part->start[g + 1], order);
}

void banks_lay(struct prepared *prepared) {
    for (int k = 0; k < BODY_PARTS; ++k) {
        struct part *part = &prepared->parts[k];
        const size_t size = (size_t)part_kinds[k].size, count = (size_t)part->count;
        AUTO_FREE int *order = memory_new(count, sizeof *order);
        int *particle = memory_new(count * size, sizeof *particle);
        banks_order(part, part_kinds[k].size, order);
        groups_lay(&(struct groups){.constraints = part->count, .constraint = order}, size * sizeof *particle,
                   part->particle, particle);
        free(part->particle);
        part->particle = particle;
    }
}
