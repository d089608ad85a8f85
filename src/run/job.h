/* Jobs: the runs of a plan while they are made. A job is checked by its runner (runner.c), then opened, begun, run
 * frame by frame and closed (job.c). Jobs step one by one, or in lockstep on the engines of an ensemble. */
#ifndef SPRINGBACK_RUN_JOB_H
#define SPRINGBACK_RUN_JOB_H

#include "backend/opencl/ensemble.h"
#include "run/lock.h"
#include "run/manifest.h"
#include "run/recipe.h"
#include "run/recorder.h"
#include "run/runner.h"

#include <pthread.h>

/* One run of the plan. What fails is noted in its status and its reason, and in the status of its runner. */
struct job {
    struct runner *runner;
    const struct run *run;
    int planned, repeats; /* frames; of an untimed run one repeat */
    bool is_timed;
    bool reads_back; /* each frame's positions are, within its time */
    struct backend_choice choice;
    char *path, *file; /* the trace's path, and its name in the experiment's folder */
    struct recipe recipe;
    struct model *model; /* NULL while it is not described */
    int nodes;
    long springs;
    bool is_invalid; /* its method says that values do not go together */
    enum planned_action action;
    enum run_status status;
    const char *timed_with; /* the run that it is timed together with, where only that one is not up to date */
    char *reason;           /* why it failed, is missing or is refused */

    struct simulation *simulation;
    struct recorder *recorder;
    double *samples; /* seconds of each frame of the present repeat */
    double seconds;
    int frames, limit;                    /* that were run of the present repeat, and are to be */
    bool has_stepped, is_wanted, is_kept; /* the present frame: it was run, is recorded, is kept for going on */
    bool has_diverged;                    /* in the present repeat, which is recorded */
    int diverged_frame, resumed;          /* -1: none */
    double weight, shown;                 /* of the plan's work; how much of it the progress bar has */
    bool is_exact;                        /* once its trace is there: the backend and the method keep the bits */
    char hash[DIGEST_SIZE];               /* likewise, of the last state; "" before */
};

/* What the runners of one process share that work at the same time. */
struct shared_progress {
    pthread_mutex_t mutex; /* a thread gives it up while it computes */
    double done;           /* of all runners' work, as the progress bar counts it */
};

struct runner {
    const struct plan *plan;
    const struct runner_options *options;
    struct job *jobs;
    char *folder;
    struct manifest manifest;
    int groups, status;
    bool has_run;       /* whether any run was made anew */
    bool is_survey;     /* nothing is run */
    double done, total; /* of the weights of all jobs */
    struct machine_lock lock;
    int folder_lock;
    struct shared_progress *shared; /* NULL: it is the only one */
};

/* ---- runner.c ---- */

/* See what is to be done, and have the folder to oneself. STATUS_BAD where the plan is refused: then only to be closed.
 */
int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options);

/* Write the manifest, unless the runs did not come to their end, and close; returns the runner's status. */
int runner_end(struct runner *runner);
void runner_close(struct runner *runner);

/* Put how a group's jobs ended, or that they were up to date, into the manifest, and report it. */
void runner_settle(struct runner *runner, int group);

/* Take runner->lock (run/lock.h), and say for what it waits, unless all is quiet. */
void runner_lock_machine(struct runner *runner, enum machine_use use);

/* ---- job.c ---- */

/* A word to a person, on a line of its own, while runs go on. */
void job_say(const struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);

/* Keep what was said since `before` as the reason, unless there is one. And the same of a step whose status is bad:
 * then the job has failed. */
void job_keep_reason(struct job *job, struct failure_mark before);
void job_note(struct job *job, int status, struct failure_mark before);

/* Describe the model unless that is done. A model that cannot be had is told; nothing of it stays. */
int job_describe(struct job *job);
void job_forget_model(struct job *job);

/* Give jobs that differ only in backend and read-back one built model, from a description that one of them has, or a
 * new one; all fail where it cannot be. And take it back. */
int jobs_build(struct job **jobs, int count);
void jobs_free_model(struct job **jobs, int count);

/* Run jobs that have their models: without an ensemble, which may be NULL, one by one. Jobs that are timed have one
 * model, and the machine alone; their repeats are interleaved, and start with another job each time. The first repeat
 * is recorded; every one must end in the same bits, unless the sums depend on the order of threads. Jobs that failed
 * before are only closed. */
void jobs_run(struct job **jobs, int count, struct ensemble *ensemble);

#endif
