/* SHA-256, as the world's download pages write it: 64 hexadecimal digits. It guards against damage and exchange;
 * base/digest.h is faster where nothing has to be guarded. */
#ifndef SPRINGBACK_BASE_CHECKSUM_H
#define SPRINGBACK_BASE_CHECKSUM_H

#include "base/status.h"

#include <stdbool.h>

#define CHECKSUM_SIZE 65 /* 64 digits and the final zero */

struct checksum; /* a running sum */

struct checksum *checksum_create(void);
void checksum_add(struct checksum *checksum, const void *bytes, size_t count);

/* Write the sum of all that was added, and free it. */
void checksum_finish(struct checksum *checksum, char out[CHECKSUM_SIZE]);

/* The sum of a file's bytes. Errors: it cannot be read. */
int checksum_file(const char *path, char out[CHECKSUM_SIZE]);

/* Whether a text is 64 hexadecimal digits, in lower case. */
bool checksum_is(const char *text);

#endif
