/* Words of 1 to 8 bytes in little-endian order, which files and hashes have on every machine. */
#ifndef SPRINGBACK_BASE_LITTLE_ENDIAN_H
#define SPRINGBACK_BASE_LITTLE_ENDIAN_H

#include <stddef.h>

enum { LITTLE_ENDIAN_BYTES = 4096 }; /* of a buffer for little_endian_words */

/* How many of `count` words little_endian_words converts in one call: all on a little-endian machine. */
size_t little_endian_part(size_t count, size_t size);

/* little_endian_part's number of words in little-endian order: `words` itself on a little-endian machine, or `buffer`,
 * which has LITTLE_ENDIAN_BYTES bytes. */
const void *little_endian_words(const void *words, size_t size, size_t count, void *buffer);

#endif
