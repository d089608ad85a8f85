/* Content hashes: 128 bits of XXH3, written as 32 hexadecimal digits. XXH3 is not cryptographic: it distinguishes
 * results, but it does not detect forgery. */
#ifndef SPRINGBACK_BASE_DIGEST_H
#define SPRINGBACK_BASE_DIGEST_H

#include <stddef.h>

#define DIGEST_SIZE 33 /* 32 digits and the final zero */

struct digest; /* the state of a computation */

struct digest *digest_create(void);
void digest_add(struct digest *digest, const void *bytes, size_t count);

/* Add words of `size` bytes in little-endian order, so that every machine gives the same hash. */
void digest_add_words(struct digest *digest, const void *words, size_t size, size_t count);

/* Add a text with its final zero, so that the texts "ab", "c" give another hash than "a", "bc". */
void digest_add_text(struct digest *digest, const char *text);

/* The hash of `count` bytes. */
void digest_bytes(const void *bytes, size_t count, char out[DIGEST_SIZE]);

/* Write the hash of all bytes added so far, and free `digest`. */
void digest_finish(struct digest *digest, char out[DIGEST_SIZE]);

#endif
