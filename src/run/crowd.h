/* Runs many plans at once, as the members of a sweep are. Every run ends in the bits, and leaves the trace, that it
 * would alone; what becomes of one is nothing to the others.
 *
 * On the CPU the runs are shared out over the backend's threads, each run on one of them. On an OpenCL device those
 * whose programs are alike (backend/opencl/ensemble.h) step together, as many as fit device and memory; those of which
 * there is one alone, or whose program leaves something to the host, one by one. */
#ifndef SPRINGBACK_RUN_CROWD_H
#define SPRINGBACK_RUN_CROWD_H

#include "run/runner.h"

struct crowd {
    const char *backend; /* of all runs, which are untimed */
    int count;

    /* Make a member's plan, to be freed by the crowd, and say how it is run: into a folder of its own, and a part of
     * the progress bar from 0 to what it adds to it. What they point to lives until the member has ended. */
    int (*take)(void *context, int member, struct plan *plan, struct runner_options *options);

    /* Called when a member that was taken has ended; `done` is what all have added to the progress bar by then. */
    void (*ended)(void *context, int member, int status, double done);
    void *context;
};

/* Run them all, and write each one's manifest when it has ended. After a failure no further member is begun, and those
 * that were go on; after an interruption all end at the next frame. STATUS_BAD then. */
int crowd_run(const struct crowd *crowd);

#endif
