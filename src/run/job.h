/* What a runner of one plan (runner.c) and one of many plans (crowd.c) have in common: a plan's runs on their way. */
#ifndef SPRINGBACK_RUN_JOB_H
#define SPRINGBACK_RUN_JOB_H

#include "run/lock.h"
#include "run/manifest.h"
#include "run/recipe.h"
#include "run/recorder.h"
#include "run/runner.h"

#include <pthread.h>

/* One run of the plan on its way. */
struct job {
    const struct run *run;
    struct backend_choice choice;
    char *path, *file; /* the trace's path, and its name in the experiment's folder */
    struct recipe recipe;
    int nodes;
    long springs;
    bool is_unfit;                  /* its method says that values do not go together */
    bool missing, current, refused; /* no such device; up to date; it cannot run */
    const char *status;
    const char *company; /* the run that it is timed together with, where only that one is not up to date */
    char *reason;
    struct simulation *simulation;
    struct recorder *recorder;
    double *samples; /* seconds of each frame of the present repeat */
    double seconds;
    int frames, diverged_frame, resumed;
    double weight, shown;   /* of the plan's work; how much of it the progress bar has */
    bool is_unordered;      /* repeats need not be bit-identical */
    bool has_memory;        /* a step needs more of the one before than positions and velocities */
    bool is_exact;          /* once its trace is there: the backend and the method keep the bits */
    char hash[DIGEST_SIZE]; /* likewise, of the last state; "" before */
};

/* What runners share that go side by side in one process. */
struct company {
    pthread_mutex_t house; /* all but what is computed is done by one thread at a time */
    double done;           /* of all runners' work, as the progress bar counts it */
};

struct runner {
    const struct plan *plan;
    const struct runner_options *options;
    struct job *jobs;
    char *folder;
    struct manifest manifest;
    bool ran;           /* whether any run was made anew */
    bool is_survey;     /* nothing is run */
    double done, total; /* of the weights of all jobs */
    struct machine_lock lock;
    int folder_lock;
    struct company *company; /* NULL: it is alone */
};

/* See what is to be done, and have the folder to oneself. STATUS_BAD where the plan is refused: then only to be closed.
 */
int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options);

/* Write the manifest, unless the runs did not come to their end, and let go of all; returns `status`, or STATUS_BAD. */
int runner_end(struct runner *runner, int status);
void runner_close(struct runner *runner);

/* Run jobs that differ only in backend and read-back, over one model, while the machine is locked as for their
 * preparation; timings have it alone, are interleaved, and start with another job each repeat. */
int runner_run_together(struct runner *runner, const struct model *model, struct job **jobs, int count);

/* Note the end of a job, or that it was up to date, in the manifest, and report it. */
void runner_settle(struct runner *runner, struct job *job);

/* Take runner->lock (run/lock.h), and say for what it waits, unless all is quiet. */
void runner_lock_machine(struct runner *runner, enum machine_use use);

/* Open a job's simulation, on an engine of the caller's where one is given, else on `where`, and its recorder. To be
 * closed in any case. */
int job_open(struct runner *runner, struct job *job, const struct model *model, const struct backend_choice *where,
             struct engine *engine);

/* What was opened, at its first frame, or where it was when it was cut off. Of what is timed a frame is run before that
 * is not counted, and so must be alone on the machine. */
int job_begin(const struct runner *runner, struct job *job);
void job_close(const struct runner *runner, struct job *job, int status, bool cut);

/* Run all frames of one repeat. The first repeat is recorded; every one must end in the same bits, unless its sums hang
 * on who comes first. */
int job_run_frames(struct runner *runner, struct job *job, int repeat);

/* Take or keep what was fetched after frame f, while the next may be on its way. */
int job_record(struct job *job, int f, bool wanted, bool kept, double fetched, bool *diverged);

/* Whether an interruption came before the end. */
bool job_is_cut(const struct job *job);

/* Keep what went wrong with a job, out of the messages that follow the first `before` bytes. */
void job_keep_reason(struct job *job, int status, size_t before);

void runner_show(const struct runner *runner, struct job *job, int repeat, int frame, int frames);
bool job_is_timed(const struct run *run);

#endif
