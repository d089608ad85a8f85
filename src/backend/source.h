/* The files of kernels/, embedded at build time. */
#ifndef SPRINGBACK_BACKEND_SOURCE_H
#define SPRINGBACK_BACKEND_SOURCE_H

#include "base/digest.h"

#include <stdbool.h>

struct kernel_file {
    const char *name, *text;
};

extern const struct kernel_file kernel_files[]; /* ends with a NULL name */

/* The OpenCL source of a program: dialect.h, the files `names`, and frame.h, in this order. #line directives make the
 * compiler's messages name the files. The files come from the folder SPRINGBACK_KERNELS if this variable is set and
 * `embedded` is false; otherwise the embedded files are used. Newly allocated. NULL, with a message, if a file cannot
 * be read. */
char *source_read(const char *const *names, int count, bool embedded);

/* Hash of a source without comments and with normalised white space, so that the hash does not change if only comments
 * change. */
void source_digest(const char *source, char out[DIGEST_SIZE]);

#endif
