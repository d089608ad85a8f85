/* Runs a plan: each group of runs on its backends, each run into its trace. */
#ifndef SPRINGBACK_RUN_RUNNER_H
#define SPRINGBACK_RUN_RUNNER_H

#include "experiment/plan.h"
#include "run/forecast.h"
#include "run/manifest.h"

#include <stdbool.h>

struct run_outcome {
    enum run_status status;
    const char *backend, *device;
    bool bit_exact, up_to_date;
    int frames;         /* run to */
    int resumed;        /* frame from which an interrupted run went on, else -1 */
    double seconds;     /* in the backend */
    const char *hash;   /* of the last frame; "" where there is none */
    const char *trace;  /* path; "" where there is none */
    const char *reason; /* "" unless failed or missing */
};

struct runner_options {
    const char *out;    /* folder of this machine's results: traces go to OUT/<paper>/<experiment>/ */
    const char *folder; /* where they go instead; NULL: there */
    const char *tier;
    bool inexact;        /* run on devices that cannot keep the bits, too */
    bool force;          /* run also what is up to date */
    bool resume;         /* go on with interrupted runs */
    bool partial;        /* not the whole plan: keep the manifest's other rows that the file plans */
    const char *sweep;   /* digest of the sweep whose member this is, for the manifest's rows; NULL: of none */
    bool quiet;          /* nothing on stderr: progress, what is resumed or begun anew and why */
    bool label;          /* the experiment's name in what is said, and no bar: others write there as well */
    bool missing_is_bad; /* a backend without a device is an error, since a person asked for it */

    double progress; /* how much of a progress bar of the caller's this plan fills; 0: it has a bar of its own */

    /* Called when a run has ended or was found up to date. */
    void (*report)(void *context, const struct run *run, const struct run_outcome *outcome);
    void *context;
};

/* Check all runs, then run what is not up to date. Writes the manifest. STATUS_BAD where a check failed (then nothing
 * was run) or a run did; a blow-up is a result, not a failure. After an interruption (base/interrupt.h) it ends at the
 * next frame: STATUS_BAD, the manifest as it was before, and traces of ended runs in their places. */
int runner_run(const struct plan *plan, const struct runner_options *options);

/* What runner_run would do with a run. */
enum planned_action {
    ACTION_KEEP,  /* nothing: its trace is up to date */
    ACTION_RUN,   /* run it */
    ACTION_SKIP,  /* nothing: there is no such device */
    ACTION_REFUSE /* refuse it, and with it the plan */
};

struct run_preview {
    enum planned_action action;
    const char *reason;       /* why; "" where it is up to date */
    bool is_invalid;          /* refused by its method: values do not go together */
    struct forecast forecast; /* of a run that would be made */
    int nodes;
    long springs;
};

/* Say of each run what runner_run would do with it. Writes nothing. STATUS_BAD where one would be refused. `speeds` may
 * be NULL. */
int runner_survey(const struct plan *plan, const struct runner_options *options, struct speeds *speeds,
                  void (*tell)(void *context, const struct run *run, const struct run_preview *preview), void *context);

#endif
