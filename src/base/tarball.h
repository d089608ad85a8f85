/* Many files as one: a tar, compressed as its name says, that begins with the SHA-256 of all that follows.
 *
 * The first entry, SHA256SUMS, has a line a file, as `sha256sum --check` reads it, in the order of the names' bytes;
 * the others are these files in that order. Nothing of when, where or by whom it was made is written: the same files
 * give the same bytes, of one build of the libraries that compress. */
#ifndef SPRINGBACK_BASE_TARBALL_H
#define SPRINGBACK_BASE_TARBALL_H

#include "base/memory.h"

#include <stdbool.h>

/* How much an archive from somebody else may take when it is unpacked and judged. A small file can ask for any amount
 * of disk, time and memory. */
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

/* What a file in it is made from: another file, or a text where that is not NULL. */
struct tarball_item {
    char *name; /* in the tarball: relative, of '/' between its parts */
    char *path, *text;
};

/* A growing list; it owns the texts. */
struct tarball_list {
    struct tarball_item *items;
    int count;
    double bytes; /* of all, once written */
    struct pool pool;
};

/* Add a file, or a text. What is given is copied. */
void tarball_add_file(struct tarball_list *list, const char *name, const char *path);
void tarball_add_text(struct tarball_list *list, const char *name, const char *text);
void tarball_list_free(struct tarball_list *list);

/* Whether a file in a tarball may have this name, which then stays in the folder that it is unpacked into, and in one
 * line of the list: relative, none of its parts empty, "." or "..", no control characters. */
bool tarball_is_name(const char *name);

/* Fail unless an archive's name has a known ending, which says how it is compressed. */
int tarball_check_ending(const char *path);

/* Write a tarball at once: a temporary twin, then renamed. The list is put in order. Errors, which leave nothing: a
 * file that cannot be read or that changes meanwhile, two of one name, a name that tarball_unpack would refuse, a full
 * disk, an interruption (base/interrupt.h). */
int tarball_write(const char *path, struct tarball_list *list);

/* Unpack one into an empty folder, whatever its compression. Errors: it is no regular file, it is none, is cut off or
 * damaged; a file whose sum is not the one listed, that is not listed, or listed and not there; a name that would lead
 * out of the folder, a link, a device; too little space; more than the limits allow, of which the seconds are the
 * caller's to watch. What was unpacked until then is the caller's to remove. */
int tarball_unpack(const char *path, const char *folder, const struct archive_limits *limits);

#endif
