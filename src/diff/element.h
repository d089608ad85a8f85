/* Elements of a program's buffers, compared bit for bit. NaN equals NaN, whatever its bits: they differ between
 * devices. */
#ifndef SPRINGBACK_DIFF_ELEMENT_H
#define SPRINGBACK_DIFF_ELEMENT_H

#include "method/program.h"

#include <stdint.h>

struct real_pair {
    const char *buffer;
    char component[24]; /* "x", "y", "z", "w"; "[5]" of longer items, "" of single ones */
    double value[2];
    uint64_t bits[2];
    bool has_ulps; /* false where one of them is NaN */
    uint64_t ulps; /* how many steps of the last place lie between; the two zeros are one apart */
};

enum { PARTING_PAIRS = 64 };

/* The first element at which any of some buffers differ. */
struct parting {
    bool found;
    size_t element;  /* a node, or what else the buffers hold */
    int column, row; /* of a grid; -1 elsewhere */
    struct real_pair pairs[PARTING_PAIRS];
    int pair_count;
    struct {
        const char *buffer;
        size_t elements, differing;
    } buffers[PROGRAM_BUFFERS];
    int buffer_count;
    int real_size;
};

/* Whether two buffers of `items` items of `item_size` bytes differ, as reals of `real_size` (4 or 8) bytes. */
bool elements_differ(const void *a, const void *b, size_t items, size_t item_size, int real_size);

/* Compare one more buffer: the parting keeps the lowest element, and what differs there in all buffers. */
void parting_add(struct parting *parting, const char *buffer, const void *a, const void *b, size_t items,
                 size_t item_size);

/* Steps of the last place between two reals of 4 or 8 bytes. */
uint64_t real_ulps(uint64_t a, uint64_t b, int real_size);

#endif
