/* Leftovers are files of earlier sweeps, killed runs and deleted experiments in OUT/<paper>/<experiment>/. Only files
 * of the kinds that springback creates can be leftovers. A finished trace that a manifest or a plan names is not a
 * leftover. A folder in which a process runs or sweeps has no leftovers. */
#ifndef SPRINGBACK_RUN_LEFTOVER_H
#define SPRINGBACK_RUN_LEFTOVER_H

#include "experiment/plan.h"

#include <stdbool.h>

struct leftover {
    char *path;
    const char *why; /* static text, for example "no row of the manifest names it" */
    double bytes;
    bool resumable; /* frames of an interrupted run, which a later run can resume */
    bool folder;    /* a folder, listed after its contents; removed only if it is then empty */
};

struct leftovers {
    struct leftover *items;
    int count;
};

/* Add the leftovers of a plan's experiment, and of experiments of its paper whose files no longer exist next to the
 * plan's file. The plan must have all runs of its file. Each leftover is added once. The caller begins with a zeroed
 * list, and frees it, also after an error. Errors: a manifest cannot be parsed. */
int leftovers_find(const char *out, const struct plan *plan, struct leftovers *leftovers);

/* Remove a leftover. *gone is set to whether it was removed. A folder that is not empty stays, without an error.
 * Errors: it cannot be removed. */
int leftover_remove(const struct leftover *leftover, bool *gone);

void leftovers_free(struct leftovers *leftovers);

#endif
