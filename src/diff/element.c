#include "diff/diff.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The bits of the k-th real of an array, as an integer; `size` is 4 or 8 bytes. */
static uint64_t bits_at(const void *array, size_t k, size_t size) {
    uint32_t half;
    uint64_t whole;
    const char *at = (const char *)array + k * size;
    if (size == sizeof half) {
        memcpy(&half, at, sizeof half);
        return half;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

static bool is_equal(const void *a, const void *b, size_t k, int real_size) {
    return bits_at(a, k, (size_t)real_size) == bits_at(b, k, (size_t)real_size) ||
           (isnan(real_load(a, k, real_size)) && isnan(real_load(b, k, real_size)));
}

/* The size of the words in which items are compared: real_size, or 4 bytes if an item is not a whole number of reals,
 * for example an item with indices and doubles. */
static int word_size(size_t item_size, int real_size) {
    return item_size % (size_t)real_size ? 4 : real_size;
}

bool elements_differ(const void *a, const void *b, size_t items, size_t item_size, int real_size) {
    if (!memcmp(a, b, items * item_size))
        return false;
    const int size = word_size(item_size, real_size);
    for (size_t k = 0; k < items * item_size / (size_t)size; ++k)
        if (!is_equal(a, b, k, size))
            return true;
    return false;
}

/* The position of a real among all reals of its size, in order of value. */
static int64_t rank(uint64_t bits, int real_size) {
    const uint64_t sign = (uint64_t)1 << (8 * real_size - 1);
    return bits & sign ? -1 - (int64_t)(bits & ~sign) : (int64_t)bits;
}

uint64_t real_ulps(uint64_t a, uint64_t b, int real_size) {
    const int64_t x = rank(a, real_size), y = rank(b, real_size);
    return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

static void pair_add(struct difference *difference, const char *buffer, const void *a, const void *b, size_t item,
                     size_t reals, size_t k, int size) {
    static const char *const axes[] = {"x", "y", "z", "w"};
    if (difference->pair_count == DIFFERENCE_PAIRS)
        return;
    const size_t at = item * reals + k;
    struct real_pair *pair = &difference->pairs[difference->pair_count++];
    *pair = (struct real_pair){.buffer = buffer,
                               .value = {real_load(a, at, size), real_load(b, at, size)},
                               .bits = {bits_at(a, at, (size_t)size), bits_at(b, at, (size_t)size)}};
    pair->has_ulps = !isnan(pair->value[0]) && !isnan(pair->value[1]);
    pair->ulps = pair->has_ulps ? real_ulps(pair->bits[0], pair->bits[1], size) : 0;
    if (reals == 3 || reals == 4)
        snprintf(pair->component, sizeof pair->component, "%s", axes[k]);
    else if (reals > 1)
        snprintf(pair->component, sizeof pair->component, "[%zu]", k);
}

void difference_add(struct difference *difference, const char *buffer, const void *a, const void *b, size_t items,
                    size_t item_size) {
    const int size = word_size(item_size, difference->real_size);
    const size_t reals = item_size / (size_t)size;
    size_t differing = 0, first = 0;
    for (size_t i = 0; i < items; ++i) {
        bool equal = true;
        for (size_t k = 0; k < reals; ++k)
            equal = equal && is_equal(a, b, i * reals + k, size);
        if (!equal && differing++ == 0)
            first = i;
    }
    if (!differing)
        return;
    const int n = difference->buffer_count++;
    difference->buffers[n].buffer = buffer;
    difference->buffers[n].elements = items;
    difference->buffers[n].differing = differing;
    if (difference->found && first > difference->element)
        return;
    if (!difference->found || first < difference->element)
        difference->pair_count = 0;
    difference->found = true;
    difference->element = first;
    for (size_t k = 0; k < reals; ++k)
        if (!is_equal(a, b, first * reals + k, size))
            pair_add(difference, buffer, a, b, first, reals, k, size);
}
