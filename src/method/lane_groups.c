#include "method/lane_groups.h"

#include "base/memory.h"
#include "base/number.h"
#include "method/program.h"

#include <stdint.h>
#include <string.h>

static int springs_of(const int *start, int i) {
    return start[i + 1] - start[i];
}

/* Sort the nodes from `begin` to `end` - 1 by their number of springs in descending order, and nodes with equal numbers
 * by index. */
static void sort_block(const int *start, int begin, int end, int *out) {
    int most = 0;
    for (int i = begin; i < end; ++i)
        most = springs_of(start, i) > most ? springs_of(start, i) : most;
    AUTO_FREE int *place = memory_new((size_t)most + 2, sizeof *place); /* place[k]: index in `out` of the next node
                                                                           that has most - k springs */
    for (int i = begin; i < end; ++i)
        ++place[most - springs_of(start, i) + 1];
    for (int k = 0; k < most; ++k)
        place[k + 1] += place[k];
    for (int i = begin; i < end; ++i)
        out[place[most - springs_of(start, i)]++] = i;
}

/* Reserve the next array in a block of memory. */
static void *take(char **next, size_t bytes) {
    void *here = *next;
    *next += round_up(bytes, 64);
    return here;
}

static void integer_store(void *array, size_t k, int value, int size) {
    if (size == sizeof(int32_t))
        ((int32_t *)array)[k] = value;
    else
        ((int64_t *)array)[k] = value;
}

struct lane_groups *lane_groups_create(const int *start, const int *ring_end, const int *neighbour, const void *rest,
                                       int nodes, int real_size, int lanes) {
    const size_t width = (size_t)lanes, real = (size_t)real_size;
    const int groups = nodes / lanes + (nodes % lanes != 0);
    const size_t places = (size_t)groups * width;
    AUTO_FREE int *node = memory_large(places * sizeof *node);
    if (!node)
        return NULL;
    for (int begin = 0; begin < nodes; begin += begin + LIST_BLOCK < nodes ? LIST_BLOCK : nodes - begin)
        sort_block(start, begin, begin + LIST_BLOCK < nodes ? begin + LIST_BLOCK : nodes, node + begin);
    for (size_t k = (size_t)nodes; k < places; ++k)
        node[k] = node[nodes - 1];
    size_t slots = 0;
    for (size_t g = 0; g < (size_t)groups; ++g)
        slots += (size_t)springs_of(start, node[g * width]);
    const size_t bytes = round_up(sizeof(struct lane_groups), 64) +
                         round_up((size_t)groups * sizeof(struct lane_group), 64) + round_up(places * sizeof(int), 64) +
                         round_up(slots * width * sizeof(int), 64) + round_up(slots * width * real, 64) +
                         2 * round_up(places * real, 64);
    char *next = memory_large(bytes);
    struct lane_groups *out = (struct lane_groups *)next;
    if (!out)
        return NULL;
    take(&next, sizeof *out);
    struct lane_group *group = take(&next, (size_t)groups * sizeof *group);
    int *nodes_out = take(&next, places * sizeof(int)), *neighbours = take(&next, slots * width * sizeof(int));
    char *rests = take(&next, slots * width * real), *springs = take(&next, places * real),
         *ring = take(&next, places * real);
    *out = (struct lane_groups){group, nodes_out, neighbours, rests, springs, ring};
    memcpy(nodes_out, node, places * sizeof *node);
    size_t first = 0;
    for (int g = 0; g < groups; ++g) {
        const int *own = node + (size_t)g * width;
        struct lane_group *here = &group[g];
        *here = (struct lane_group){.first = first, .slots = springs_of(start, own[0]), .common = INT32_MAX};
        for (size_t l = 0; l < width; ++l) {
            const int i = own[l], count = springs_of(start, i), in_ring = ring_end ? ring_end[i] - start[i] : count;
            here->common = in_ring < here->common ? in_ring : here->common;
            integer_store(springs, (size_t)g * width + l, count, real_size);
            integer_store(ring, (size_t)g * width + l, in_ring, real_size);
            for (int k = 0; k < here->slots; ++k) {
                const size_t at = first + (size_t)k * width + l, from = (size_t)start[i] + (size_t)k;
                neighbours[at] = k < count ? neighbour[from] : i;
                if (k < count)
                    memcpy(rests + at * real, (const char *)rest + from * real, real);
            }
        }
        first += (size_t)here->slots * width;
    }
    return out;
}
