/* Runs the members of a sweep, a plan each. Every run leaves the trace that it would leave alone, bit by bit; a member
 * that fails does not disturb the others.
 *
 * On the CPU the backend's threads are workers, and take run after run from a queue. On a device that has ensembles
 * (backend/opencl/ensemble.h), runs whose programs are alike step in lockstep as a batch, as many as fit device and
 * memory. A run that no other is like, or whose program leaves work to the host, runs alone. */
#ifndef SPRINGBACK_RUN_MEMBERS_H
#define SPRINGBACK_RUN_MEMBERS_H

#include "run/runner.h"

struct members {
    const char *backend; /* of all runs, which are untimed */
    int count;

    /* Make a member's plan, to be freed by members_run, and say how it is run: into a folder of its own, with its part
     * of the progress bar. What they point to lives until the member has ended. */
    int (*begin)(void *context, int member, struct plan *plan, struct runner_options *options);

    /* Called when a member that was begun has ended. */
    void (*end)(void *context, int member, int status);
    void *context;
};

/* Run all, and write each member's manifest when it has ended. After a failure no further member is begun, and those
 * that were go on; after an interruption all end at the next frame. STATUS_BAD then. */
int members_run(const struct members *members);

#endif
