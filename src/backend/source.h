/* Kernel sources, as embedded at build time. */
#ifndef SPRINGBACK_BACKEND_SOURCE_H
#define SPRINGBACK_BACKEND_SOURCE_H

#include "base/digest.h"

#include <stdbool.h>

struct kernel_file {
    const char *name, *text;
};

extern const struct kernel_file kernel_files[]; /* ends with a NULL name */

/* The source of one program: dialect.h, the named files in order, and frame.h, as the OpenCL compiler takes it, with
 * #line marks so that its messages point into kernels/. From the folder that SPRINGBACK_KERNELS names instead of the
 * embedded files, if it is set and they are not insisted on. Newly allocated; NULL (with a message) where a file cannot
 * be read. */
char *source_read(const char *const *names, int count, bool embedded);

/* Hash of a source with comments taken out and white space evened: equal where only the wording changed. */
void source_digest(const char *source, char out[DIGEST_SIZE]);

#endif
