/* Archives of many files: tar files that begin with the SHA-256 of each file. The extension selects the compression.
 *
 * The first entry, SHA256SUMS, has one line per file in the format of `sha256sum --check`, sorted by the bytes of the
 * names. The other entries are the listed files, in the same order. No time, place or author is stored, so the same
 * files give the same bytes if the compression libraries are the same. */
#ifndef SPRINGBACK_BASE_TARBALL_H
#define SPRINGBACK_BASE_TARBALL_H

#include "base/checksum.h"
#include "base/memory.h"

#include <stdbool.h>

/* Limits for an archive that somebody else made. Without limits a small file can require any amount of disk, time and
 * memory. */
enum archive_limit {
    LIMIT_FILES,     /* number of files */
    LIMIT_FILE_SIZE, /* bytes of one file */
    LIMIT_SIZE,      /* bytes of all files together */
    LIMIT_RATIO,     /* unpacked bytes per byte of the archive, checked after 64 MiB are unpacked */
    LIMIT_DEPTH,     /* number of folders inside each other */
    LIMIT_SECONDS,   /* time to unpack the archive and to judge its claims */
    LIMIT_COUNT
};

struct archive_limits {
    double most[LIMIT_COUNT];
};

extern const struct archive_limits archive_limits_default;

/* Set a limit by a text such as "files=500000". Errors: no such limit, not a positive whole number. */
int archive_limits_set(struct archive_limits *limits, const char *setting);

/* Fail if `found` exceeds the limit. The message names the archive `path` and the option that raises the limit. */
int archive_limits_check(const struct archive_limits *limits, enum archive_limit limit, double found, const char *path);

/* The source of one file in the archive: `text` if it is not NULL, otherwise the file at `path`. */
struct tarball_item {
    char *name; /* name in the archive: a relative path with '/' as separator */
    char *path, *text;
    char sum[CHECKSUM_SIZE]; /* set by tarball_sum, otherwise "" */
    double bytes;            /* size of the file; set together with `sum` */
};

/* The files of an archive. The list owns its texts. */
struct tarball_list {
    struct tarball_item *items;
    int count;
    double bytes; /* total size of all files; set by tarball_write */
    struct pool pool;
};

/* Add a file or a text. All arguments are copied. */
void tarball_add_file(struct tarball_list *list, const char *name, const char *path);
void tarball_add_text(struct tarball_list *list, const char *name, const char *text);
void tarball_list_free(struct tarball_list *list);

/* Whether a file in an archive may have this name: a relative path of at most 1,024 bytes, without control characters
 * and backslashes. No part may be empty, "." or "..", and the first part may not be SHA256SUMS. With such a name a file
 * is unpacked within the target folder, and has one line in SHA256SUMS. */
bool tarball_is_name(const char *name);

/* Fail unless the name of an archive ends in .tar, .tar.gz, .tar.xz or .tar.zst. */
int tarball_check_ending(const char *path);

/* Sort the list, and compute the checksum of each file that has none yet. Errors: a file that cannot be read or that
 * changes meanwhile, an interruption. */
int tarball_sum(struct tarball_list *list);

/* Write an archive to a temporary file and rename it, so that an error leaves an earlier file at `path` unchanged.
 * Sorts the list. Errors: a file that cannot be read or that changes meanwhile, two equal names, a name that
 * tarball_unpack would refuse, a full disk, an interruption (base/interrupt.h). */
int tarball_write(const char *path, struct tarball_list *list);

/* Unpack an archive of any supported compression into an empty folder. The caller enforces LIMIT_SECONDS, and removes
 * the files that were unpacked before an error. Errors:
 *
 * - The archive is not a regular file, not an archive of springback, truncated or damaged.
 * - A file is not in the list SHA256SUMS, has another checksum there, or is in the list but missing.
 * - An entry is a link or a device, or the list has a name that tarball_is_name refuses.
 * - There is too little disk space, or the archive exceeds a limit, or a signal was received (base/interrupt.h). */
int tarball_unpack(const char *path, const char *folder, const struct archive_limits *limits);

#endif
