/* Leftovers are files of interrupted sweeps, killed runs and deleted experiments in OUT/<paper>/<experiment>/, and
 * traces that no manifest and no plan names. Only files of the kinds that springback creates can be leftovers. A folder
 * that a process is using has no leftovers. */
#ifndef SPRINGBACK_RUN_LEFTOVER_H
#define SPRINGBACK_RUN_LEFTOVER_H

#include "experiment/plan.h"

#include <stdbool.h>

struct leftover {
    char *path;
    const char *why; /* static text, for example "no row of the manifest names it" */
    double bytes;
    bool resumable; /* the file belongs to an interrupted run or sweep that a later run or sweep can resume */
    bool folder;    /* the leftover is a folder, which is listed after its contents, and removed only if it is empty */
};

struct leftovers {
    struct leftover *items;
    int count;
};

/* Add the leftovers of a plan's experiment, and of those experiments of the same paper whose experiment files no longer
 * exist. The plan must have all runs of its file. Each leftover is added once. The caller begins with a zeroed list,
 * and frees it, also after an error. Errors: a manifest cannot be read or parsed. */
int leftovers_find(const char *out, const struct plan *plan, struct leftovers *leftovers);

/* Remove a leftover. *gone is set to whether the leftover was removed. A folder that is not empty stays, without an
 * error. Errors: the leftover cannot be removed. */
int leftover_remove(const struct leftover *leftover, bool *gone);

void leftovers_free(struct leftovers *leftovers);

#endif
