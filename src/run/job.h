/* A job is a run of a plan in this process. A runner checks its jobs (runner.c). Then each job is opened, begun, run
 * frame by frame and closed (job.c). Jobs advance one by one, or in lockstep as members of an ensemble. */
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
    int planned_frames, repeats; /* frames of one repeat; number of repeats, 1 if the run is not timed */
    bool is_timed;
    bool reads_back; /* the time of a frame includes reading back its positions */
    struct backend_choice choice;
    char *path;       /* path of the trace */
    const char *file; /* the trace's name in the experiment's folder; a part of `path` */
    struct recipe recipe;
    struct model *model; /* NULL before job_describe; shared by jobs of a group, see jobs_build */
    int nodes;
    long springs;
    double bytes;    /* approximate size of the trace */
    bool is_invalid; /* model.is_invalid, also after the model is freed */
    enum planned_action action;
    enum run_status status;
    const char *timed_with; /* id of an outdated run with which this run is timed together. Because of the outdated run,
                               this run must run again although its trace is up to date. Otherwise NULL */
    char *reason;           /* why the run failed, is missing or is refused; NULL for other runs */

    struct simulation *simulation;
    struct recorder *recorder;
    /* Seconds of each frame of the current repeat, from the start of the frame to its end. If frames overlap with the
     * recording of earlier frames: from the end of the previous frame to the end of the frame. */
    double *samples;
    /* Wall-clock time of the frames, in seconds. If frames overlap with the recording of earlier frames, this time
     * includes the fetching of states. If recording takes longer than computing, the time includes the recording. In an
     * ensemble, the time of a frame is divided by the number of members that count the frame. A member whose divergence
     * is found after a frame was started does not count this frame. */
    double seconds;
    int run_frames;                                 /* number of frames of the current repeat that were run */
    bool has_stepped, is_recorded, is_checkpointed; /* three facts on the current frame: it was run; it is recorded; it
                                                       is stored as a checkpoint */
    bool has_diverged;    /* a recorded frame of the current repeat diverged; only the first repeat is recorded */
    int diverged_frame;   /* first recorded frame that diverged, at which every repeat ends; -1: none */
    int resumed_frame;    /* frame from which the run resumed; -1: none */
    double weight, shown; /* weight: rough forecast of the job's time in seconds, 0 if the job does not run; shown: the
                             part of `weight` that the progress bar shows as done */
    bool is_exact;        /* result of model_is_exact; not valid before the trace exists */
    char hash[DIGEST_SIZE]; /* state hash of the last recorded frame; "" before the trace exists */
};

/* Shared by the runners of one process that work at the same time. */
struct shared_progress {
    /* A worker (members.c) unlocks the mutex while it computes, fetches and measures a frame, and while it waits for
     * main memory. At all other times it has the mutex locked, so that one worker at a time makes bodies, engines and
     * manifests. */
    pthread_mutex_t mutex;
    double done; /* work that all runners have done, in units of the progress bar */
};

struct runner {
    const struct plan *plan;
    const struct runner_options *options;
    struct job *jobs;
    char *folder;
    struct manifest manifest;
    struct trace_index *index; /* index of the folder; NULL for a member of a sweep */
    int groups, status;        /* number of groups of the plan; STATUS_BAD after a failure or an interruption */
    bool has_new_runs;         /* a job ran in this process */
    bool is_survey;            /* runner_survey uses this runner: nothing runs, and nothing is written */
    double done, total; /* done: work done, in units of the progress bar, unless `shared` counts it; total: sum of
                           the jobs' weights */
    struct machine_lock lock;
    int folder_lock;                /* descriptor; -1 if the folder is not locked */
    struct shared_progress *shared; /* NULL if this is the only runner */
};

/* ---- runner.c ---- */

/* Lock the folder, check all jobs and choose their actions. A folder that does not exist is created and locked after
 * the checks; then the actions are chosen again. A folder that is not writable is not locked. Returns STATUS_BAD if the
 * plan is refused, or if the folder or its manifest cannot be used; the caller must then call runner_close. */
int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options);

/* Write the manifest and add new traces to the index, unless there was an interruption, or the runner runs a shard.
 * Then close the runner and return its status; STATUS_BAD after an interruption. */
int runner_end(struct runner *runner);
void runner_close(struct runner *runner);

/* Add the outcomes of a group's jobs to the manifest, and report them. */
void runner_report_group(struct runner *runner, int group);

/* Acquire runner->lock (run/lock.h). If this takes over a second and the runner is not quiet, a message says for what
 * the runner waits. */
void runner_lock_machine(struct runner *runner, enum machine_use use);

/* ---- job.c ---- */

/* Print a line about a job to stderr. */
void job_say(const struct job *job, const char *format, ...) PRINTF_LIKE(2, 3);

/* job_set_reason sets the job's reason to the messages since `before`, unless the job has a reason already. If `status`
 * is not STATUS_OK, job_check_status marks the job and its runner as failed, and calls job_set_reason. */
void job_set_reason(struct job *job, struct failure_mark before);
void job_check_status(struct job *job, int status, struct failure_mark before);

/* If job->model is NULL, make it by model_describe: the program and the numbers of items, without arrays. On failure
 * job->model is NULL. job_forget_model frees the model. */
int job_describe(struct job *job);
void job_forget_model(struct job *job);

/* Build one model and share it among jobs that differ only in backend and read-back. If this fails, all these jobs
 * fail. jobs_free_model frees the model. */
int jobs_build(struct job **jobs, int count);
void jobs_free_model(struct job **jobs, int count);

/* Run jobs that have their models: in lockstep on an ensemble, or one by one if `ensemble` is NULL. All jobs are opened
 * first. Timed jobs share one model, wait until they are alone on the machine, and run one frame each that does not
 * count. Then each round runs one repeat of every job. The order of the jobs rotates by one job from round to round.
 * The first repeat is recorded. All repeats of a job must end in the same state, unless sums depend on the order of
 * threads. Jobs that failed before are only closed. */
void jobs_run(struct job **jobs, int count, struct ensemble *ensemble);

#endif
