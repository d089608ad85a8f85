#include "body/banks.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Lanes that read numbers at once, and banks; lanes that read quads at once, and places for them. A collision costs
 * more than any number of banks that are met a second time. */
enum { LANES = 32, QUAD_LANES = 8, SIZE_MOST = 4, WINDOW = 256, COLLISION = 100, QUAD_COLLISION = 20 };

/* How often each bank was met, and the most that any was: by each of a constraint's particles. */
struct load {
    int met[SIZE_MOST][LANES], most[SIZE_MOST];
};

static int cost(const struct load *load, const int *particle, int size, int banks, int collision) {
    int sum = 0;
    for (int k = 0; k < size; ++k)
        if (particle[k] >= 0) {
            const int met = load->met[k][particle[k] % banks];
            sum += met * (met + 2) + (met + 1 > load->most[k] && met > 0 ? collision : 0);
        }
    return sum;
}

static void add(struct load *load, const int *particle, int size, int banks) {
    for (int k = 0; k < size; ++k)
        if (particle[k] >= 0) {
            const int met = ++load->met[k][particle[k] % banks];
            load->most[k] = met > load->most[k] ? met : load->most[k];
        }
}

void banks_order(const int *particle, int size, int count, int *list) {
    int *left = memory_new((size_t)count, sizeof *left);
    struct load numbers, quads;
    memcpy(left, list, (size_t)count * sizeof *left);
    for (int placed = 0, first = 0; placed < count; ++placed) {
        if (placed % LANES == 0)
            memset(&numbers, 0, sizeof numbers);
        if (placed % QUAD_LANES == 0)
            memset(&quads, 0, sizeof quads);
        /* What is left of the window stands at its end, in order. */
        const int end = first + WINDOW < count ? first + WINDOW : count;
        int best = first, least = -1;
        for (int i = first; i < end && least != 0; ++i) {
            const int *own = particle + (size_t)left[i] * (size_t)size;
            const int all =
                cost(&numbers, own, size, LANES, COLLISION) + cost(&quads, own, size, QUAD_LANES, QUAD_COLLISION);
            if (least < 0 || all < least) {
                least = all;
                best = i;
            }
        }
        const int taken = left[best];
        memmove(left + first + 1, left + first, (size_t)(best - first) * sizeof *left);
        ++first;
        add(&numbers, particle + (size_t)taken * (size_t)size, size, LANES);
        add(&quads, particle + (size_t)taken * (size_t)size, size, QUAD_LANES);
        list[placed] = taken;
    }
    free(left);
}
