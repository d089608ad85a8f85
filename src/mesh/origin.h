/* Where the files of meshes come from: a folder of the user's own, a Debian package, an npm package. */
#ifndef SPRINGBACK_MESH_ORIGIN_H
#define SPRINGBACK_MESH_ORIGIN_H

#include "base/checksum.h"

#include <stdbool.h>

struct mesh_origin;

struct origin_kind {
    const char *name, *required, *optional; /* the keys that it must and may have, separated by spaces */
    /* Bring the package into `folder` (absolute, empty) and unpack it there; *why where it cannot be reached. NULL: a
     * folder. */
    int (*bring)(const struct mesh_origin *origin, const char *folder, char **why);
    const char *root; /* the folder of the unpacked package that the file's path begins at */
};

/* One file, the same for everyone: what it is, where it lies, under which terms. */
struct mesh_origin {
    const char *name; /* in the catalogue */
    struct place place;
    const struct origin_kind *kind;
    const char *package, *version; /* of deb and npm; a deb's version is left to the machine */
    const char *member;            /* of deb: the archive inside the package that holds the file; may be NULL */
    const char *file;              /* the path in the folder, the archive or the package */
    const char *sum;               /* SHA-256 of the file */
    const char *licence, *credit;
    char *missed; /* [ORIGIN_MISSED] why it could not be downloaded, once that was tried: it is not tried again */
};
enum { ORIGIN_MISSED = 512 };

struct origin_options {
    const char *folder; /* of the user's own; NULL: the environment's SPRINGBACK_MESHES, if set */
    const char *cache;  /* where downloads are kept; made when first needed. NULL: out/originals */
    bool offline;       /* take what the folder and the cache have, ask no network */
};

/* The kind of a name, or NULL. */
const struct origin_kind *origin_kind_find(const char *name);
const char *origin_kinds(void); /* all names, separated by spaces */

/* Have an origin's file at hand, with the sum it must have. *path is newly allocated; where the origin cannot be
 * reached *path is NULL and *why says why, newly allocated too (so perhaps after an error): the next source may then be
 * tried. Errors: a file that is there, or came, with another sum, both of which are named; a package without the file;
 * the cache cannot be written; we were asked to end. */
int origin_fetch(const struct mesh_origin *origin, const struct origin_options *options, char **path, char **why);

#endif
