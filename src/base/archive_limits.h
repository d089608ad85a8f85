/* How much an archive from somebody else may take when it is unpacked and judged. A small file can ask for any amount
 * of disk, time and memory. */
#ifndef SPRINGBACK_BASE_ARCHIVE_LIMITS_H
#define SPRINGBACK_BASE_ARCHIVE_LIMITS_H

#include "base/status.h"

enum archive_limit {
    LIMIT_FILES,
    LIMIT_FILE_SIZE, /* bytes of one file */
    LIMIT_SIZE,      /* bytes of all files together */
    LIMIT_RATIO,     /* unpacked bytes for each byte of the archive, once 64 MiB are unpacked */
    LIMIT_DEPTH,     /* folders within folders */
    LIMIT_SECONDS,   /* to unpack and to judge */
    LIMIT_COUNT
};

struct archive_limits {
    double most[LIMIT_COUNT];
};

extern const struct archive_limits archive_limits_default;

/* Set one by a text such as "files=500000". Errors: no such name, not a positive number. */
int archive_limits_set(struct archive_limits *limits, const char *setting);

/* Fail if an archive has more of something than it may; the message names the option that raises the limit. */
int archive_limits_check(const struct archive_limits *limits, enum archive_limit limit, double found, const char *path);

#endif
