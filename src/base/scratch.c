#include "base/scratch.h"

#include "base/memory.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int scratch_make(char **path) {
    const char *parent = getenv("TMPDIR");
    *path = text_format("%s/springback-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(*path))
        return STATUS_OK;
    const int status =
        fail("%s: no temporary folder can be made: %s; TMPDIR names another place", *path, strerror(errno));
    free(*path);
    *path = NULL;
    return status;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status, (void)type, (void)place;
    (void)remove(path);
    return 0;
}

void scratch_remove(char *path) {
    if (path)
        nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(path);
}
