/* Leftovers: what earlier sweeps, killed runs and deleted experiment files left in OUT/<paper>/<experiment>/. Only
 * files that springback itself makes there are ever taken for one, and none that a manifest or a plan names: what
 * figures and verdicts read, and what a run would use, is not left over. Where a run is going on, nothing is. */
#ifndef SPRINGBACK_RUN_LEFTOVER_H
#define SPRINGBACK_RUN_LEFTOVER_H

#include "experiment/plan.h"

#include <stdbool.h>

struct leftover {
    char *path;
    const char *why; /* "no row of the manifest names it" */
    double bytes;
    bool resumable; /* an interrupted run's frames, which a later run can go on from */
    bool folder;    /* a folder whose other leftovers stand before it; removed if that leaves it empty */
};

struct leftovers {
    struct leftover *items;
    int count;
};

/* Add those of a plan's experiment, and those of its paper's experiments whose files are no longer beside the plan's.
 * The plan must be the file's whole one. What is there already is not added again. Errors: a manifest that is none. */
int leftovers_find(const char *out, const struct plan *plan, struct leftovers *leftovers);

/* Remove one. A folder that is not empty stays, silently; *gone tells. Errors: it cannot be removed. */
int leftover_remove(const struct leftover *leftover, bool *gone);

void leftovers_free(struct leftovers *leftovers);

#endif
