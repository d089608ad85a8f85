/* Runs a plan: its groups in order, and in a group each run on its backend, into its trace. */
#ifndef SPRINGBACK_RUN_RUNNER_H
#define SPRINGBACK_RUN_RUNNER_H

#include "experiment/plan.h"
#include "run/manifest.h"
#include "run/simulation.h"

#include <stdbool.h>

/* ---- Forecasts of how long a run takes, from the times of similar runs (forecast.c) ---- */

enum forecast_basis {
    FORECAST_SAME,  /* from an earlier run of the same id, method, backend and device */
    FORECAST_LIKE,  /* from a run of the same method, backend and device: of the same variant first, then of the
                       nearest work */
    FORECAST_ROUGH, /* from constants of the backend and the method's relative cost */
    FORECAST_BASES
};

struct forecast {
    double seconds; /* wall-clock time of the frames; see job.h */
    enum forecast_basis basis;
};

/* Speeds of the runs whose traces are below a folder. Those of an experiment are read when its speeds are first needed,
 * and all others when a run has no earlier one. */
struct speeds;
struct speeds *speeds_create(const char *out);
void speeds_free(struct speeds *speeds);

/* The forecast of a run on a body with so many nodes and springs. Times of earlier runs are scaled by the work: (nodes
 * + springs) times iterations, steps, frames and repeats. Without `speeds` (NULL) it has only the backend's constants.
 * `own` is the index of the experiment's traces, or NULL.
 */
struct forecast forecast_make(struct speeds *speeds, const char *experiment, const struct run *run, int nodes,
                              long springs, const struct backend_choice *choice, struct trace_index *own);

/* ---- Running (runner.c) ---- */

struct run_outcome {
    enum run_status status;
    const char *device;
    bool bit_exact, up_to_date;
    int frames;         /* frames that were run */
    int resumed;        /* frame from which it resumed, or -1 */
    double seconds;     /* wall-clock time of the frames; see job.h */
    const char *hash;   /* state hash of the last frame, or "" */
    const char *trace;  /* path, or "" */
    const char *reason; /* "" unless failed or missing */
};

struct runner_options {
    const char *out;    /* folder of this machine's results; traces are in OUT/<paper>/<experiment>/ */
    const char *folder; /* folder of the traces in place of OUT/<paper>/<experiment>/, or NULL */
    const char *tier;
    bool allow_inexact; /* allow devices that cannot keep the bits */
    bool force;         /* also run what is up to date */
    bool force_timed;   /* the same for timed runs alone */
    bool resume;        /* resume interrupted runs: run --resume, and always in view and for members of a sweep */
    bool partial;       /* the plan lacks runs of its file, whose rows in the manifest stay */
    bool is_shard;      /* run --shard: other processes make the other runs of the file, so that none of them writes the
                         * manifest or the index. A run of the whole file, when they have ended, makes both from the
                         * traces. (A shard of a sweep is a set of members; their runners are not shards.) */
    const char *sweep;  /* the sweep's digest for the manifest's rows, if this is a member of a sweep; else NULL */
    bool quiet;         /* print nothing to stderr */
    bool label; /* messages begin with the experiment's name, and there is no progress bar, because several runners
                 * print */
    bool missing_is_bad; /* a missing device is an error, because the user asked for it */

    double progress; /* share of the caller's progress bar; 0: a bar of its own */

    /* Called when a run has ended or was found to be up to date. */
    void (*report)(void *context, const struct run *run, const struct run_outcome *outcome);
    void *context;
};

/* Check all runs, run those that are not up to date, with those that are timed together with one of them, and write the
 * manifest. STATUS_BAD if a check failed, in which case nothing runs, or if a run failed. A run that blows up does not
 * fail. After an interruption (base/interrupt.h) it ends at the next frame with STATUS_BAD; the manifest is unchanged,
 * and traces of finished runs are in place. */
int runner_run(const struct plan *plan, const struct runner_options *options);

/* What runner_run does with a run. */
enum planned_action {
    ACTION_KEEP,  /* keep its trace, which is up to date */
    ACTION_RUN,   /* run it */
    ACTION_SKIP,  /* skip it, because its device is missing, or is inexact and --inexact is not given */
    ACTION_REFUSE /* refuse it, and with it the plan */
};

struct run_preview {
    enum planned_action action;
    const char *reason;       /* "" if it is up to date */
    bool is_invalid;          /* its method refuses the combination of values */
    struct forecast forecast; /* if the action is ACTION_RUN */
    int nodes;
    long springs;
    double bytes; /* that its trace takes on the disk, about */
};

/* Call `tell` with what runner_run would do for each run. Writes nothing. STATUS_BAD if a run would be refused.
 * `speeds` as in forecast_make. */
int runner_survey(const struct plan *plan, const struct runner_options *options, struct speeds *speeds,
                  void (*tell)(void *context, const struct run *run, const struct run_preview *preview), void *context);

/* ---- Members of a sweep (members.c) ----
 *
 * Runs the members of a sweep, each of which has a plan. Every run has the recorded states of the run alone, to the
 * bit; times and provenance differ. A run that cannot be opened or recorded fails alone. If a body cannot be built, or
 * a call of the device fails, all runs of the batch fail. When a failed member has ended, no further member
 * begins; members that have begun are finished.
 *
 * On a backend without ensembles each thread takes the next run when it has ended one. On a device with ensembles
 * (backend/opencl/ensemble.h) runs of the same index in their plans form a batch, if their programs are compatible,
 * and run in lockstep: as many as ensemble_capacity and main memory allow. A run without compatible ones, or with a
 * stage on the host, runs alone. */
struct members {
    const char *backend; /* of all runs, none of which is timed */
    int count;

    /* Make a member's plan, which members_run frees, and its options: its own folder, and its share of the progress
     * bar. What they point to must live until the member has ended. */
    int (*begin)(void *context, int member, struct plan *plan, struct runner_options *options);

    /* A member's runs have ended without an error, and its manifest is written. Called by one thread at a time. */
    int (*end)(void *context, int member);
    void *context;
};

/* Run all members, and write each one's manifest when it has ended. After an interruption all end at the next frame.
 * Returns STATUS_BAD after a failure or an interruption. *failed is the first member that failed or was interrupted, or
 * -1. */
int members_run(const struct members *members, int *failed);

#endif
