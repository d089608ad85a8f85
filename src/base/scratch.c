#include "base/scratch.h"

#include "base/memory.h"
#include "base/temporary.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int scratch_make(char **path) {
    const char *parent = getenv("TMPDIR");
    *path = text_format("%s/springback-XXXXXX", parent && *parent ? parent : "/tmp");
    if (mkdtemp(*path)) {
        temporary_add(*path);
        return STATUS_OK;
    }
    const int status =
        fail("%s: no temporary folder can be made: %s; TMPDIR names another place", *path, strerror(errno));
    free(*path);
    *path = NULL;
    return status;
}

void scratch_remove(char *path) {
    if (path)
        temporary_remove(path);
    temporary_forget(path);
    free(path);
}
