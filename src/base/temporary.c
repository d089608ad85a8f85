#include "base/temporary.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_PATHS = 64, MAX_DEPTH = 600 };

static _Atomic(const char *) paths[MAX_PATHS];

void temporary_add(const char *path) {
    static atomic_flag is_registered = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&is_registered))
        (void)atexit(temporary_remove_all);
    for (int p = 0; p < MAX_PATHS && path; ++p) {
        const char *none = NULL;
        if (atomic_compare_exchange_strong(&paths[p], &none, path))
            return;
    }
}

void temporary_forget(const char *path) {
    for (int p = 0; p < MAX_PATHS && path; ++p) {
        const char *held = path;
        if (atomic_compare_exchange_strong(&paths[p], &held, NULL))
            return;
    }
}

/* ---- Removal, by system calls alone: memory may be exhausted, or a signal have come at any place ---- */

static int contents_remove(int folder, int depth);

static bool entry_remove(int folder, const char *name, int depth) {
    if (!unlinkat(folder, name, 0))
        return true;
    const int child = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (child < 0)
        return false;
    while (depth < MAX_DEPTH && contents_remove(child, depth + 1)) /* removing may make the kernel skip entries */
        lseek(child, 0, SEEK_SET);
    close(child);
    return !unlinkat(folder, name, AT_REMOVEDIR);
}

/* Remove what a folder holds; returns how many entries went. */
static int contents_remove(int folder, int depth) {
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

void temporary_remove(const char *path) {
    if (!entry_remove(AT_FDCWD, path, 0)) /* a system call that failed once may not fail again */
        (void)entry_remove(AT_FDCWD, path, 0);
}

void temporary_remove_all(void) {
    for (int p = 0; p < MAX_PATHS; ++p) {
        const char *path = atomic_exchange(&paths[p], NULL);
        if (path)
            temporary_remove(path);
    }
}

/* ---- Folders ---- */

int temporary_make(char **folder) {
    const char *parent = getenv("TMPDIR");
    *folder = text_format("%s/springback-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(*folder)) {
        temporary_add(*folder);
        return STATUS_OK;
    }
    fail("%s: no temporary folder can be made: %s; TMPDIR names another place", *folder, strerror(errno));
    free(*folder);
    *folder = NULL;
    return STATUS_BAD;
}

void temporary_end(char *folder) {
    if (folder)
        temporary_remove(folder);
    temporary_forget(folder);
    free(folder);
}
