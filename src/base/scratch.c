#include "base/scratch.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_FOLDERS = 8, MAX_DEPTH = 600 };

/* Those that were made and not removed. */
static char *folders[MAX_FOLDERS];

int scratch_make(char **path) {
    static bool is_registered;
    const char *parent = getenv("TMPDIR");
    int place = 0;
    while (place < MAX_FOLDERS && folders[place])
        ++place;
    *path = text_format("%s/springback-XXXXXX", parent && *parent ? parent : "/tmp");
    if (place < MAX_FOLDERS && mkdtemp(*path)) {
        if (!is_registered)
            is_registered = !atexit(scratch_remove_all);
        folders[place] = *path;
        return STATUS_OK;
    }
    const int status = fail("%s: no temporary folder can be made: %s; TMPDIR names another place", *path,
                            place < MAX_FOLDERS ? strerror(errno) : "too many are in use");
    free(*path);
    *path = NULL;
    return status;
}

static int remove_contents(int folder, int depth);

static bool entry_remove(int folder, const char *name, int depth) {
    if (!unlinkat(folder, name, 0))
        return true;
    const int child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (child < 0)
        return false;
    while (depth < MAX_DEPTH && remove_contents(child, depth + 1)) /* removing may make the kernel skip entries */
        lseek(child, 0, SEEK_SET);
    close(child);
    return !unlinkat(folder, name, AT_REMOVEDIR);
}

/* Remove what a folder holds; returns how many entries went. System calls alone: memory may be exhausted, or a signal
 * have come at any place. */
static int remove_contents(int folder, int depth) {
    char buffer[4096] __attribute__((aligned(8)));
    ssize_t got;
    int removed = 0;
    while ((got = getdents64(folder, buffer, sizeof buffer)) > 0)
        for (const char *at = buffer; at < buffer + got; at += ((const struct dirent64 *)at)->d_reclen) {
            const char *name = ((const struct dirent64 *)at)->d_name;
            removed += strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && entry_remove(folder, name, depth);
        }
    return removed;
}

static void folder_remove(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0) {
        while (remove_contents(folder, 0))
            lseek(folder, 0, SEEK_SET);
        close(folder);
    }
    rmdir(path);
}

void scratch_remove_all(void) {
    for (int f = 0; f < MAX_FOLDERS; ++f)
        if (folders[f])
            folder_remove(folders[f]);
}

void scratch_remove(char *path) {
    if (!path)
        return;
    folder_remove(path);
    for (int f = 0; f < MAX_FOLDERS; ++f)
        if (folders[f] == path)
            folders[f] = NULL;
    free(path);
}
