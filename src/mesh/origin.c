#include "mesh/origin.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/process.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double longest = 600; /* s: time limit of each program that downloads or unpacks */

/* ---- Programs ---- */

/* Run a program. If `why` is not NULL, a failure is not an error, because there may be no network: *why becomes the
 * reason. If `why` is NULL, a failure is an error, because the program only unpacks a package that was downloaded. An
 * interruption is always an error. */
static int run(const char *const *argv, const char *folder, const char *package, char **why) {
    const struct process process = {.argv = argv, .folder = folder, .package = package, .seconds = longest};
    AUTO(process_free) struct process_outcome outcome;
    const struct failure_mark mark = failure_mark();
    const int status = process_succeed(&process, &outcome);
    if (!status || !why || interrupt_signal())
        return status;
    *why = failure_take(mark);
    for (char *c = *why; *c; ++c)
        *c = *c == '\n' ? ' ' : *c;
    return STATUS_OK;
}

/* Find the first file in a folder that matches a pattern; *path is newly allocated. Fails if no file matches. */
static int only_file(const char *folder, const char *pattern, char **path) {
    glob_t found = {0};
    AUTO_FREE char *whole = text_format("%s/%s", folder, pattern);
    const int none = glob(whole, 0, NULL, &found);
    *path = none ? NULL : text_copy(found.gl_pathv[0]);
    globfree(&found);
    return none ? fail("%s: the download has made no file that matches this pattern", whole) : STATUS_OK;
}

/* ---- Kinds ---- */

static int bring_deb(const struct mesh_origin *origin, const char *folder, char **why) {
    const char *const download[] = {"apt-get", "-q", "download", origin->package, NULL};
    AUTO_FREE char *package = NULL;
    int status = run(download, folder, "apt", why);
    if (!status && !*why && !(status = only_file(folder, "*.deb", &package))) {
        const char *const open[] = {"dpkg-deb", "--extract", package, ".", NULL};
        const char *const open_member[] = {"tar", "-x", "--file", origin->member, NULL};
        status = run(open, folder, "dpkg", NULL);
        if (!status && origin->member)
            status = run(open_member, folder, "tar", NULL);
    }
    return status;
}

/* The option --ignore-scripts makes sure that npm runs no scripts of the package. */
static int bring_npm(const struct mesh_origin *origin, const char *folder, char **why) {
    AUTO_FREE char *what = text_format("%s@%s", origin->package, origin->version);
    AUTO_FREE char *package = NULL;
    const char *const pack[] = {
        "npm", "pack", "--ignore-scripts", "--fetch-retries=1", "--fetch-timeout=60000", "--silent", what, NULL};
    int status = run(pack, folder, "npm", why);
    if (!status && !*why && !(status = only_file(folder, "*.tgz", &package)))
        status = run((const char *const[]){"tar", "-x", "--file", package, NULL}, folder, "tar", NULL);
    return status;
}

static const struct origin_kind kinds[] = {
    {"folder", "file", "", NULL, ""},
    {"deb", "package file", "member", bring_deb, ""},
    {"npm", "package version file", "", bring_npm, "package/"},
    {.name = NULL},
};

const struct origin_kind *origin_kind_find(const char *name) {
    for (const struct origin_kind *kind = kinds; kind->name; ++kind)
        if (!strcmp(kind->name, name))
            return kind;
    return NULL;
}

const char *origin_kinds(void) {
    return "folder deb npm";
}

/* ---- Fetching ---- */

static int check_sum(const struct mesh_origin *origin, const char *path, const char *mend) {
    char sum[CHECKSUM_SIZE];
    if (checksum_file(path, sum))
        return STATUS_BAD;
    if (!strcmp(sum, origin->sum))
        return STATUS_OK;
    return fail_at(origin->place, "%s: the SHA-256 of %s is %s; it must be %s; %s", origin->name, path, sum,
                   origin->sum, mend);
}

static int from_folder(const struct mesh_origin *origin, const char *folder, char **path, char **why) {
    if (!folder || !*folder) {
        *why = text_copy("no folder of meshes is given; use `springback meshes --from FOLDER`");
        return STATUS_OK;
    }
    if (access(folder, R_OK | X_OK))
        return fail("%s: the folder of meshes cannot be read: %s; give another folder, or none", folder,
                    strerror(errno));
    AUTO_FREE char *file = text_format("%s/%s", folder, origin->file);
    if (!file_exists(file)) {
        *why = text_format("%s does not exist", file);
        return STATUS_OK;
    }
    if (check_sum(origin, file, "replace the file, or remove it"))
        return STATUS_BAD;
    *path = text_copy(file);
    return STATUS_OK;
}

/* Download into a temporary folder, check the sum, and then move the file to its place. */
static int download(const struct mesh_origin *origin, const char *cache, const char *place, char **why) {
    AUTO_FREE char *parent = text_copy(place);
    *strrchr(parent, '/') = 0;
    int status = folder_make(cache);
    AUTO_FREE char *whole = status ? NULL : realpath(cache, NULL);
    AUTO_FREE char *folder = whole ? text_format("%s/.part-XXXXXX", whole) : NULL;
    if (status)
        return status;
    if (!folder || !mkdtemp(folder))
        return fail("%s: a folder for a download cannot be created: %s", cache, strerror(errno));
    AUTO_FREE char *file = text_format("%s/%s%s", folder, origin->kind->root, origin->file);
    temporary_add(folder);
    status = origin->kind->bring(origin, folder, why);
    if (!status && !*why)
        status = check_sum(origin, file, "the contents of the package have changed") || folder_make(parent) ? STATUS_BAD
                                                                                                            : STATUS_OK;
    if (!status && !*why && rename(file, place))
        status = fail("%s: cannot be written: %s", place, strerror(errno));
    temporary_remove(folder);
    temporary_forget(folder);
    return status;
}

int origin_fetch(const struct mesh_origin *origin, const struct origin_options *options, char **path, char **why) {
    *path = *why = NULL;
    if (!origin->kind->bring)
        return from_folder(origin, options->folder ? options->folder : getenv("SPRINGBACK_MESHES"), path, why);
    const char *cache = options->cache ? options->cache : "out/originals";
    AUTO_FREE char *place = origin->version
                                ? text_format("%s/%s-%s/%s", cache, origin->package, origin->version, origin->file)
                                : text_format("%s/%s/%s", cache, origin->package, origin->file);
    int status = STATUS_OK;
    if (file_exists(place))
        status = check_sum(origin, place, "remove the file to download it again");
    else if (options->offline)
        *why = text_format("%s does not exist, and the network is not used", place);
    else if (origin->missed && *origin->missed)
        *why = text_copy(origin->missed);
    else if (!(status = download(origin, cache, place, why)) && *why && origin->missed)
        snprintf(origin->missed, ORIGIN_MISSED, "%s", *why);
    if (!status && !*why)
        *path = text_copy(place);
    return status;
}
