/* Content hashes: 128 bits of XXH3, written as 32 hexadecimal digits. Not cryptographic: they tell honest results
 * apart, they do not guard against forgery. */
#ifndef SPRINGBACK_BASE_DIGEST_H
#define SPRINGBACK_BASE_DIGEST_H

#include <stddef.h>

#define DIGEST_SIZE 33 /* 32 digits and the final zero */

struct digest; /* a running hash */

struct digest *digest_create(void);
void digest_add(struct digest *digest, const void *bytes, size_t count);
void digest_add_text(struct digest *digest,
                     const char *text); /* with its final zero, so that "ab","c" is not "a","bc" */

/* The hash of some bytes alone. */
void digest_bytes(const void *bytes, size_t count, char out[DIGEST_SIZE]);

/* Write the hash of all that was added, and free the digest. */
void digest_finish(struct digest *digest, char out[DIGEST_SIZE]);

#endif
