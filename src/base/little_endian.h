/* Conversion of words of 1 to 8 bytes to little-endian order. Files and hashes use this order on every machine. */
#ifndef SPRINGBACK_BASE_LITTLE_ENDIAN_H
#define SPRINGBACK_BASE_LITTLE_ENDIAN_H

#include <stddef.h>

enum { LITTLE_ENDIAN_BYTES = 4096 }; /* size of the buffer that little_endian_words needs */

/* How many of `count` words of `size` bytes one call of little_endian_words can convert: all of them on a little-endian
 * machine, otherwise at most as many as fit into the buffer. */
size_t little_endian_part(size_t count, size_t size);

/* Convert `count` words, at most little_endian_part(count, size), to little-endian order. Returns the result: `words`
 * itself on a little-endian machine, otherwise `buffer`, which has LITTLE_ENDIAN_BYTES bytes. */
const void *little_endian_words(const void *words, size_t size, size_t count, void *buffer);

#endif
