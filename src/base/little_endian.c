#include "base/little_endian.h"

size_t little_endian_part(size_t count, size_t size) {
    return __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ || count < LITTLE_ENDIAN_BYTES / size ? count
                                                                                           : LITTLE_ENDIAN_BYTES / size;
}

const void *little_endian_words(const void *words, size_t size, size_t count, void *buffer) {
    if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
        return words;
    for (size_t k = 0; k < count * size; ++k)
        ((char *)buffer)[k] = ((const char *)words)[k - k % size + (size - 1 - k % size)];
    return buffer;
}
