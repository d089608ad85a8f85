/* Runs the members of a sweep, each of which has a plan. Every run has the recorded states of the run alone, to the
 * bit; times and provenance differ. A run that cannot be opened or recorded fails alone. If a body cannot be built, or
 * a call of the device fails, all runs of the batch fail. After a failure no further member begins.
 *
 * On a backend without ensembles each thread takes the next run when it has ended one. On a device with ensembles
 * (backend/opencl/ensemble.h) runs of the same index in their plans form a batch, if their programs are compatible,
 * and run in lockstep: as many as ensemble_capacity and main memory allow. A run without compatible ones, or with a
 * stage on the host, runs alone. */
#ifndef SPRINGBACK_RUN_MEMBERS_H
#define SPRINGBACK_RUN_MEMBERS_H

#include "run/runner.h"

struct members {
    const char *backend; /* of all runs, none of which is timed */
    int count;

    /* Make a member's plan, which members_run frees, and its options: its own folder, and its share of the progress
     * bar. What they point to must live until the member has ended. */
    int (*begin)(void *context, int member, struct plan *plan, struct runner_options *options);
    void *context;
};

/* Run all members, and write each one's manifest when it has ended. After a failure no further member begins. After an
 * interruption all end at the next frame. Returns STATUS_BAD in both cases. *failed is the first member that failed or
 * was interrupted, or -1. */
int members_run(const struct members *members, int *failed);

#endif
