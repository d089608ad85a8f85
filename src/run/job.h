/* A job is a run of a plan in this process. Its runner checks it (runner.c); then it is opened, begun, run frame by
 * frame and closed (job.c). Jobs advance one by one, or in lockstep as members of an ensemble. */
#ifndef SPRINGBACK_RUN_JOB_H
#define SPRINGBACK_RUN_JOB_H

#include "backend/opencl/ensemble.h"
#include "run/lock.h"
#include "run/manifest.h"
#include "run/recipe.h"
#include "run/recorder.h"
#include "run/runner.h"

#include <pthread.h>

/* A failure sets the job's status and reason, and the runner's status. */
struct job {
    struct runner *runner;
    const struct run *run;
    int planned_frames, repeats; /* frames of a repeat; number of repeats, which is 1 if the run is not timed */
    bool is_timed;
    bool reads_back; /* the time of a frame includes reading back its positions */
    struct backend_choice choice;
    char *path;       /* of the trace */
    const char *file; /* the trace's name in the experiment's folder; a part of `path` */
    struct recipe recipe;
    struct model *model; /* NULL before job_describe */
    int nodes;
    long springs;
    double bytes;    /* of the trace, about */
    bool is_invalid; /* its method refuses the combination of values */
    enum planned_action action;
    enum run_status status;
    const char *timed_with; /* run of its group that must run, if this one is up to date but timed together with it */
    char *reason;           /* why it failed, is missing or is refused */

    struct simulation *simulation;
    struct recorder *recorder;
    double *samples; /* seconds of each frame of the current repeat: of a timed run from the frame's start to its end;
                        if frames overlap with recording, from the end of the frame before */
    /* Wall-clock time of the frames. If they overlap with recording, it includes fetching, and recording if that is
     * slower. In an ensemble a frame's time is divided by the number of members that count the frame.
     * A member does not count a frame that was started before its divergence was found. */
    double seconds;
    int run_frames;                                 /* number of frames of the current repeat that were run */
    bool has_stepped, is_recorded, is_checkpointed; /* the current frame was run, is to be recorded, to be kept */
    bool has_diverged;      /* in the current repeat; only the first one is recorded and tested */
    int diverged_frame;     /* first recorded frame that is bad, at which every repeat ends; -1: none */
    int resumed_frame;      /* frame from which the run resumed; -1: none */
    double weight, shown;   /* rough forecast in seconds, 0 if it does not run; the part that the progress bar shows */
    bool is_exact;          /* once the trace exists: backend and method keep the bits */
    char hash[DIGEST_SIZE]; /* of the last state, once the trace exists; "" before */
};

/* Shared by the runners of one process that work at the same time. */
struct shared_progress {
    /* Released while a frame is computed, fetched and measured, and while a worker waits for main memory. Held at all
     * other times: bodies, engines and manifests are made by one worker at a time. */
    pthread_mutex_t mutex;
    double done; /* work of all runners, as the progress bar counts it */
};

struct runner {
    const struct plan *plan;
    const struct runner_options *options;
    struct job *jobs;
    char *folder;
    struct manifest manifest;
    struct trace_index *index; /* of the folder; NULL of a member's */
    int groups, status;
    bool has_new_runs;  /* a run was made in this process */
    bool is_survey;     /* plan only; nothing is run */
    double done, total; /* sums of the jobs' weights */
    struct machine_lock lock;
    int folder_lock;
    struct shared_progress *shared; /* NULL if this is the only runner */
};

/* ---- runner.c ---- */

/* Lock the folder, check all jobs and decide what to do. A folder that does not exist is made and locked after the
 * checks. It is then decided again which traces are up to date. A folder that is not writable is not locked. STATUS_BAD
 * if the plan is refused; then call runner_close. */
int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options);

/* Write the manifest, unless interrupted, and close. Returns the runner's status. */
int runner_end(struct runner *runner);
void runner_close(struct runner *runner);

/* Put the outcomes of a group's jobs into the manifest, and report them. */
void runner_report_group(struct runner *runner, int group);

/* Take runner->lock (run/lock.h). Unless the runner is quiet, a message says what it waits for. */
void runner_lock_machine(struct runner *runner, enum machine_use use);

/* ---- job.c ---- */

/* Print a line about a job to stderr. */
void job_say(const struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);

/* job_check_status marks the job and its runner as failed, and sets the job's reason, if a status is not STATUS_OK.
 * job_set_reason sets the reason, unless the job has one: the messages of the process since `before`. */
void job_set_reason(struct job *job, struct failure_mark before);
void job_check_status(struct job *job, int status, struct failure_mark before);

/* Count the model's items and make its program, without arrays, if that is not done. On failure the model is NULL. */
int job_describe(struct job *job);
void job_forget_model(struct job *job);

/* Build one model and give it to jobs that differ only in backend and read-back; if it fails, all these jobs fail.
 * jobs_free_model takes it back. */
int jobs_build(struct job **jobs, int count);
void jobs_free_model(struct job **jobs, int count);

/* Run jobs that have their models: in lockstep on an ensemble, or one by one if that is NULL. Timed jobs share one
 * model. First, all timed jobs are opened. Then they take the machine alone, and each runs a frame that does not count.
 * Their repeats are interleaved: each round begins with another job. The first repeat is recorded. Every repeat must
 * end in the same state, unless sums depend on the order of threads. Jobs that failed before are only closed. */
void jobs_run(struct job **jobs, int count, struct ensemble *ensemble);

#endif
