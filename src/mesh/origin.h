/* Origins of mesh files: a folder of the user, a Debian package, or an npm package. */
#ifndef SPRINGBACK_MESH_ORIGIN_H
#define SPRINGBACK_MESH_ORIGIN_H

#include "base/checksum.h"

#include <stdbool.h>

struct mesh_origin;

struct origin_kind {
    const char *name, *required, *optional; /* the required and the optional keys of such an origin, separated by
                                               spaces */
    /* Download the package to `folder` (absolute, empty) and unpack it there. If the package cannot be downloaded, *why
     * becomes the reason, newly allocated. This function is NULL for the kind `folder`, which needs no download. */
    int (*bring)(const struct mesh_origin *origin, const char *folder, char **why);
    const char *root; /* the folder of the unpacked package to which the file's path is relative */
};

/* Where one file comes from. The SHA-256 makes sure that each user has the same file. */
struct mesh_origin {
    const char *name;   /* the origin's name in the catalogue */
    struct place place; /* the origin's place in the catalogue, for messages */
    const struct origin_kind *kind;
    const char *package, *version; /* package: for deb and npm. version: for npm only, because apt on the machine
                                      chooses the version of a deb. NULL otherwise */
    const char *member;            /* for deb: the archive in the package that contains the file; NULL: the package
                                      itself contains the file */
    const char *file;              /* the file's path in the user's folder, the archive or the package */
    const char *sum;               /* SHA-256 of the file */
    const char *licence, *credit;
    char *missed; /* [ORIGIN_MISSED] why the download failed; it is then not tried again. "" if no download has failed.
                     May be NULL */
};
enum { ORIGIN_MISSED = 512 };

struct origin_options {
    const char *folder; /* the user's folder of meshes; NULL: the folder in the environment variable SPRINGBACK_MESHES,
                           if this is set */
    const char *cache;  /* folder of downloads; created when first needed. NULL: out/originals */
    bool offline;       /* use only the folder and the cache, not the network */
};

/* The kind with a name, or NULL. */
const struct origin_kind *origin_kind_find(const char *name);
const char *origin_kinds(void); /* all names, separated by spaces */

/* Provide an origin's file and check its sum. *path is newly allocated. If the file does not exist and cannot be
 * downloaded, the function succeeds, *path is NULL, and *why is the reason, newly allocated; the caller may then try
 * the next source. The caller frees *why also after an error. Errors: a file, present or downloaded, whose sum is not
 * origin->sum (both sums are reported); a package without the file; the user's folder cannot be read; the cache cannot
 * be written; an interruption. */
int origin_fetch(const struct mesh_origin *origin, const struct origin_options *options, char **path, char **why);

#endif
