/* SHA-256 as 64 hexadecimal digits, the format of published checksums. SHA-256 detects damaged and replaced files. For
 * anything else use base/digest.h, which is faster. */
#ifndef SPRINGBACK_BASE_CHECKSUM_H
#define SPRINGBACK_BASE_CHECKSUM_H

#include "base/status.h"

#include <stdbool.h>

#define CHECKSUM_SIZE 65 /* 64 digits and the final zero */

struct checksum; /* the state of a computation */

struct checksum *checksum_create(void);
void checksum_add(struct checksum *checksum, const void *bytes, size_t count);

/* Write the checksum of all bytes added so far, and free `checksum`. */
void checksum_finish(struct checksum *checksum, char out[CHECKSUM_SIZE]);

/* Compute the checksum of a file. Errors: the file cannot be read. */
int checksum_file(const char *path, char out[CHECKSUM_SIZE]);

/* Whether a text consists of 64 lower-case hexadecimal digits. */
bool checksum_is(const char *text);

#endif
