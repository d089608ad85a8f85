/* Runs a plan, one group of runs after another. Each run writes a trace. */
#ifndef SPRINGBACK_RUN_RUNNER_H
#define SPRINGBACK_RUN_RUNNER_H

#include "experiment/plan.h"
#include "run/manifest.h"
#include "run/simulation.h"

#include <stdbool.h>

/* ---- Forecasts of the duration of a run, from the times of similar runs (forecast.c) ---- */

enum forecast_basis {
    FORECAST_SAME,  /* from an earlier run of the same experiment with the same id, method, backend and device */
    FORECAST_LIKE,  /* from a run with the same method, backend and device. Runs with the same variant are preferred to
                       other runs. Of equally preferred runs, the run with the closest amount of work is chosen */
    FORECAST_ROUGH, /* from constants of the backend and the relative cost of the method */
    FORECAST_BASES
};

struct forecast {
    double seconds; /* wall-clock time of the frames; see job.h */
    enum forecast_basis basis;
};

/* Speeds of the runs whose traces are below a folder. The speeds of an experiment are read at the first forecast for
 * one of its runs. The speeds of all other experiments are read at the first forecast that cannot be FORECAST_SAME. */
struct speeds;
struct speeds *speeds_create(const char *out);
void speeds_free(struct speeds *speeds);

/* The forecast of a run on a body with `nodes` nodes and `springs` springs. Times of earlier runs are scaled by the
 * work: (nodes + springs) times iterations, steps, frames and repeats. If `speeds` is NULL, only the constants of the
 * backend are used. `own` is the index of the experiment's traces, or NULL. */
struct forecast forecast_make(struct speeds *speeds, const char *experiment, const struct run *run, int nodes,
                              long springs, const struct backend_choice *choice, struct trace_index *own);

/* ---- Running (runner.c) ---- */

struct run_outcome {
    enum run_status status;
    const char *device;
    bool bit_exact, up_to_date;
    int frames;         /* frames that were run */
    int resumed;        /* frame after which the run resumed; -1 if it did not resume */
    double seconds;     /* wall-clock time of the frames; see job.h */
    const char *hash;   /* state hash of the last frame, or "" */
    const char *trace;  /* path, or "" */
    const char *reason; /* why the run failed or is missing; "" for other runs */
};

struct runner_options {
    const char *out;    /* folder of this machine's results; traces are in OUT/<paper>/<experiment>/ */
    const char *folder; /* folder of the traces instead of OUT/<paper>/<experiment>/, or NULL */
    const char *tier;
    bool allow_inexact; /* allow devices that are not bit-exact */
    bool force;         /* repeat runs that are up to date */
    bool force_timed;   /* repeat timed runs that are up to date */
    bool resume;        /* resume interrupted runs: for `run --resume`, for all runs of the command `view`, and for
                           members of a sweep */
    bool partial;       /* the plan does not have all runs of its file; the manifest keeps the rows of the other runs */
    bool is_shard; /* run --shard: other processes run the other runs of the file. No shard writes the manifest or the
                      index; a later run of the whole file makes both from the traces. (A shard of a sweep is a set of
                      members; the runners of these members are not shards.) */
    const char *sweep; /* for a member of a sweep: digest of the sweep, for the manifest's rows; NULL for other plans */
    bool quiet;        /* print nothing to stderr */
    bool label; /* several processes print at the same time, so messages begin with the experiment's name, and there is
                   no progress bar */
    bool missing_is_bad; /* a missing device is an error, because the user requested it */

    double progress; /* the part of the caller's progress bar for this plan, in the bar's units; 0: the runner has its
                        own bar */

    /* Called for each run that has ended, was interrupted, is up to date, or is skipped (ACTION_SKIP). */
    void (*report)(void *context, const struct run *run, const struct run_outcome *outcome);
    void *context;
};

/* Check all runs. Then run the outdated runs, and all runs that are timed together with an outdated run. Then write the
 * manifest.
 *
 * If a check fails, nothing runs. Returns STATUS_BAD if a check or a run fails. A run that blows up does not fail.
 * After an interruption (base/interrupt.h), all runs stop at the next frame, and the function returns STATUS_BAD. The
 * manifest is then unchanged, and the traces of finished runs are complete. */
int runner_run(const struct plan *plan, const struct runner_options *options);

/* What runner_run does with a run. */
enum planned_action {
    ACTION_KEEP,  /* keep its trace, which is up to date */
    ACTION_RUN,   /* run it */
    ACTION_SKIP,  /* skip it, because its device is missing, or is inexact and --inexact was not given */
    ACTION_REFUSE /* refuse it, and therefore the whole plan */
};

struct run_preview {
    enum planned_action action;
    const char *reason;       /* why this action; "" if the run is up to date */
    bool is_invalid;          /* refused, because the values of its parameters do not fit together (model.is_invalid) */
    struct forecast forecast; /* valid if the action is ACTION_RUN */
    int nodes;
    long springs;
    double bytes; /* approximate size of its trace on the disk */
};

/* Call `report` with the action that runner_run would choose for each run. Writes nothing. STATUS_BAD if a run would be
 * refused. `speeds` as for forecast_make. */
int runner_survey(const struct plan *plan, const struct runner_options *options, struct speeds *speeds,
                  void (*report)(void *context, const struct run *run, const struct run_preview *preview),
                  void *context);

/* ---- Members of a sweep (members.c) ----
 *
 * Runs the members of a sweep. Each member has a plan. The recorded states of a run are bit-identical to those of the
 * same run outside a sweep; times and provenance differ. If a run cannot be opened or recorded, only this run fails. If
 * a body cannot be built, or a call of the device fails, all runs of the batch fail. After a failed member has ended,
 * no further member begins, but members that have begun are finished.
 *
 * On a backend without ensembles, each thread runs one run after another. On a device with ensembles
 * (backend/opencl/ensemble.h), runs that have the same index in their plans, and compatible programs, form a batch and
 * run in lockstep. ensemble_capacity and main memory limit the size of a batch. A run without a compatible run, or with
 * a stage on the host, runs alone. */
struct members {
    const char *backend; /* the backend of all runs; none of the runs is timed */
    int count;

    /* Make the plan and the options of a member. members_run frees the plan. The options must name a separate folder
     * for each member, and the units of the progress bar that the member takes. Pointers in the options must stay valid
     * until the member has ended. */
    int (*begin)(void *context, int member, struct plan *plan, struct runner_options *options);

    /* Called after the runs of a member have ended without an error and its manifest is written. Two threads never call
     * this function at the same time. */
    int (*end)(void *context, int member);
    void *context;
};

/* Run all members, and write the manifest of each member when it has ended. After an interruption all runs stop at the
 * next frame. Returns STATUS_BAD after a failure or an interruption. *failed becomes the lowest index of a member that
 * failed or was interrupted; -1 if there is none. */
int members_run(const struct members *members, int *failed);

#endif
