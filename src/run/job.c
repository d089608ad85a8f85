#include "run/job.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void job_say(const struct job *job, const char *format, ...) {
    const struct runner *runner = job->runner;
    if (runner->options->quiet || runner->is_survey)
        return;
    va_list arguments;
    va_start(arguments, format);
    progress_hide();
    const bool label = runner->options->label;
    fprintf(stderr, "  %s%s%s: ", label ? runner->plan->experiment.name : "", label ? " " : "", job->run->id);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void job_set_reason(struct job *job, struct failure_mark before) {
    const char *text = failure_text() + before.length;
    if (!job->reason)
        job->reason = text_copy(text + (*text == '\n'));
}

static bool has_failed(const struct job *job) {
    return job->status == RUN_FAILED;
}

void job_check_status(struct job *job, int status, struct failure_mark before) {
    if (!status)
        return;
    job->status = RUN_FAILED;
    job->runner->status = STATUS_BAD;
    job_set_reason(job, before);
}

/* ---- Models ---- */

int job_describe(struct job *job) {
    if (job->model)
        return STATUS_OK;
    job->model = memory_new(1, sizeof *job->model);
    const int status = model_describe(job->run, job->model);
    job->nodes = job->model->body.nodes;
    job->springs = job->model->body.springs;
    job->is_invalid = job->model->is_invalid;
    if (status)
        job_forget_model(job);
    return status;
}

void job_forget_model(struct job *job) {
    if (job->model)
        model_free(job->model);
    free(job->model);
    job->model = NULL;
}

int jobs_build(struct job **jobs, int count) {
    const struct failure_mark before = failure_mark();
    int d = 0;
    while (d < count && !jobs[d]->model)
        ++d;
    struct job *described = jobs[d < count ? d : 0];
    int status = job_describe(described);
    if (!status)
        status = model_build(described->model);
    for (int j = 0; j < count; ++j) {
        jobs[j]->model = described->model;
        job_check_status(jobs[j], status, before);
    }
    return status;
}

void jobs_free_model(struct job **jobs, int count) {
    job_forget_model(jobs[0]);
    for (int j = 1; j < count; ++j)
        jobs[j]->model = NULL;
}

/* ---- Progress ---- */

/* Show that a part of a job is done: `part` is from 0 to 1, and `frame` of `frames` frames were run. Several runners
 * can share a progress bar, so a call adds only what was done since the last call for this job. */
static void show_progress(struct job *job, double part, long frame, long frames) {
    struct runner *runner = job->runner;
    double *done = runner->shared ? &runner->shared->done : &runner->done;
    const double share = job->weight * part, scale = runner->options->progress > 0 && runner->total > 0
                                                         ? runner->options->progress / runner->total
                                                         : 1;
    *done += scale * (share - job->shown);
    job->shown = share;
    progress_show(*done, job->run->id, "frames", frame, frames);
}

static void show_frame(struct job *job, int repeat) {
    const long frames = (long)job->repeats * job->planned_frames,
               frame = (long)repeat * job->planned_frames + job->run_frames;
    show_progress(job, (double)frame / (double)frames, frame, frames);
}

/* ---- Opening and closing ---- */

/* The frame after which each repeat ends. */
static int last_frame(const struct job *job) {
    return job->diverged_frame < 0 ? job->planned_frames : job->diverged_frame;
}

/* Whether the job was interrupted before its last frame. */
static bool was_interrupted(const struct job *job) {
    return interrupt_signal() && job->run_frames < last_frame(job);
}

static int open_job(struct job *job, struct engine *engine) {
    const struct runner *runner = job->runner;
    const struct experiment *experiment = &runner->plan->experiment;
    AUTO_FREE char *restarted = NULL;
    job->status = RUN_PENDING;
    job->diverged_frame = -1;
    job->samples = memory_new((size_t)job->planned_frames, sizeof *job->samples);
    if (strcmp(job->model->body.sum, job->recipe.body) != 0)
        return fail("%s: run %s: the body changed after the run was planned; run again", experiment->file,
                    job->run->id);
    int status = engine ? simulation_open_engine(job->model, engine, &job->simulation)
                        : simulation_open(job->model, &job->choice, &job->simulation);
    if (!status)
        status = recorder_open(job->path, experiment, job->model, job->run, &job->choice, &job->recipe,
                               runner->options->tier, runner->options->resume ? &restarted : NULL, &job->recorder);
    if (restarted)
        job_say(job, "restarting: %s", restarted);
    return status;
}

/* Go to the first frame, or to the frame from which the job resumes. A timed job first runs one frame that does not
 * count, so that memory pages are mapped, kernels are compiled and clocks have their full rate. Therefore a timed job
 * must have the machine alone before this call. */
static int begin_job(struct job *job) {
    if ((job->is_timed && simulation_advance(job->simulation)) ||
        (job->reads_back && simulation_read_back(job->simulation)) || simulation_rewind(job->simulation) ||
        recorder_restore(job->recorder, job->simulation, &job->run_frames, &job->seconds))
        return STATUS_BAD;
    if (job->run_frames > 0) {
        job->resumed_frame = job->run_frames;
        job_say(job, "resuming after frame %d of %d", job->run_frames, job->planned_frames);
    }
    return STATUS_OK;
}

static void close_job(struct job *job, bool is_interrupted) {
    const struct failure_mark before = failure_mark();
    if (!has_failed(job) && is_interrupted) {
        job->status = RUN_INTERRUPTED;
        job->runner->status = STATUS_BAD;
    } else if (!has_failed(job)) {
        snprintf(job->hash, sizeof job->hash, "%s", recorder_hash(job->recorder));
        job->is_exact = model_is_exact(job->model, &job->choice);
        const int status = recorder_finish(job->recorder, job->run_frames, job->diverged_frame, job->seconds);
        job->recorder = NULL;
        job->status = status ? RUN_FAILED : job->diverged_frame < 0 ? RUN_WHOLE : RUN_DIVERGED;
    }
    const bool can_resume = recorder_abandon(job->recorder);
    const char *resume_text =
        can_resume      ? "use --resume to continue from the last checkpoint"
        : job->is_timed ? "a timed run cannot resume"
        : job->model && job->model->program.has_hidden_state
            ? "this run cannot resume, because its method has more state than positions and velocities"
            : "there is no checkpoint yet, so the run cannot resume";
    if (has_failed(job) && can_resume)
        fail("%s: run %s: %s", job->runner->plan->experiment.file, job->run->id, resume_text);
    else if (job->status == RUN_INTERRUPTED)
        job_say(job, "interrupted after frame %d of %d; %s", job->run_frames, job->planned_frames, resume_text);
    job_check_status(job, has_failed(job), before);
    simulation_close(job->simulation);
    free(job->samples);
    job->recorder = NULL;
    job->simulation = NULL;
    job->samples = NULL;
}

/* ---- Stepping ---- */

enum { WORTH_THREADS = 16384 }; /* if the jobs have this number of nodes or more, several threads are faster */

/* Jobs that advance together: one job on its own engine, or the members of an ensemble. */
struct lockstep {
    struct job **jobs;
    int count, repeat;         /* number of jobs; index of the repeat (repeat 0 is recorded) */
    struct ensemble *ensemble; /* NULL for a single job */
    bool *is_stepping;         /* [count]: whether the job's current frame was started */
    bool is_overlapping;       /* a device computes the next frame while the current frame is recorded; not if timed */
};

/* Whether the job has frames left to run. */
static bool is_live(const struct job *job) {
    return !has_failed(job) && !job->has_diverged && job->run_frames < last_frame(job);
}

static int count_live(const struct lockstep *set) {
    int count = 0;
    for (int j = 0; j < set->count; ++j)
        count += is_live(set->jobs[j]);
    return count;
}

/* Start a frame of all live jobs. Without overlapping and without an ensemble, the frame has ended on return. */
static int start_frame(struct lockstep *set) {
    for (int j = 0; j < set->count; ++j)
        set->is_stepping[j] = is_live(set->jobs[j]);
    if (set->ensemble)
        return ensemble_start(set->ensemble, set->is_stepping);
    return set->is_overlapping ? engine_start(simulation_engine(set->jobs[0]->simulation))
                               : simulation_advance(set->jobs[0]->simulation);
}

static int wait_for_frame(struct lockstep *set) {
    struct simulation *simulation = set->jobs[0]->simulation;
    if (set->ensemble)
        return ensemble_wait(set->ensemble);
    if (set->is_overlapping)
        return engine_wait(simulation_engine(simulation));
    return set->jobs[0]->reads_back ? simulation_read_back(simulation) : STATUS_OK;
}

/* Count the current frame, and decide for each job whether to record the frame and whether to store a checkpoint.
 * Returns whether any job needs the state. `seconds` is the time of the frame for all jobs together. `live` is the
 * number of jobs that count the frame. If a job's divergence was found after the frame was started, the job does not
 * count the frame.
 *
 * If an interruption came before the end of this frame, a checkpoint of this frame is stored, and no other frame is
 * started. If the interruption comes later, the next frame is the last one, and a checkpoint of that frame is stored.
 *
 * Only jobs that can resume have checkpoints. A diverged state is never stored as a checkpoint. */
static bool count_frame(struct lockstep *set, double seconds, int live, bool is_interrupted) {
    bool any = false;
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        job->has_stepped = set->is_stepping[j] && is_live(job);
        job->is_recorded = job->is_checkpointed = false;
        if (!job->has_stepped)
            continue;
        job->samples[job->run_frames] = seconds / live;
        job->seconds += seconds / live;
        ++job->run_frames;
        job->is_recorded = set->repeat == 0 && recorder_records(job->recorder, job->run_frames);
        job->is_checkpointed = set->repeat == 0 && (is_interrupted || recorder_checkpoint_due(job->recorder, live));
        any = any || job->is_recorded || job->is_checkpointed;
    }
    return any;
}

static int fetch(struct lockstep *set) {
    return set->ensemble ? ensemble_fetch(set->ensemble) : simulation_fetch(set->jobs[0]->simulation);
}

/* Compute the values of the fetched states that are recorded. Several threads are used only for many nodes. */
static void measure(struct lockstep *set) {
    const long nodes = (long)set->count * set->jobs[0]->nodes;
#pragma omp parallel for schedule(dynamic, 1) if (set->count > 1 && nodes >= WORTH_THREADS)
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        if (has_failed(job) || (!job->is_recorded && !job->is_checkpointed))
            continue;
        if (set->ensemble && simulation_fetch(job->simulation)) /* cannot fail: it copies from main memory */
            job->status = RUN_FAILED;
        else if (job->is_recorded)
            simulation_state(job->simulation, true);
    }
}

/* Record the fetched states, while a device may compute the next frame. `fetched` is the time of fetching, in seconds.
 */
static void record(struct lockstep *set, double fetched) {
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        const struct failure_mark before = failure_mark();
        int status = STATUS_OK;
        if (!has_failed(job) && job->is_recorded)
            status = recorder_add_frame(job->recorder, job->simulation, job->run_frames, &job->has_diverged);
        if (!has_failed(job) && !status && job->is_checkpointed && !job->has_diverged)
            status = recorder_add_checkpoint(job->recorder, job->simulation, job->run_frames, job->seconds,
                                             job->is_recorded ? 0 : fetched / set->count);
        job_check_status(job, status, before);
        if (job->has_stepped)
            show_frame(job, set->repeat);
    }
}

/* Record the state before the first frame, unless the job resumed. */
static int record_start(struct lockstep *set) {
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        job->is_recorded = set->repeat == 0 && job->run_frames == 0;
        job->is_checkpointed = job->has_stepped = false;
    }
    const int status = set->ensemble || !set->jobs[0]->is_recorded ? STATUS_OK : fetch(set);
    if (!status) {
        measure(set);
        record(set, 0);
    }
    return status;
}

/* Run all frames. For each frame: start the frame, wait for its end, fetch the states to record, start the next frame
 * if frames overlap, and record the states. */
static int step_frames(struct lockstep *set) {
    struct shared_progress *shared = set->jobs[0]->runner->shared;
    bool is_started = false, is_interrupted = interrupt_signal() != 0;
    int status = record_start(set), live;
    double begin = 0;
    while (!status && (live = count_live(set)) > 0 && (is_started || !is_interrupted)) {
        if (!is_started)
            begin = clock_now();
        if (shared)
            pthread_mutex_unlock(&shared->mutex);
        if (!is_started)
            status = start_frame(set);
        if (!status)
            status = wait_for_frame(set);
        const double end = clock_now();
        is_interrupted = interrupt_signal() != 0;
        const bool is_needed = !status && count_frame(set, end - begin, live, is_interrupted);
        begin = end;
        if (is_needed)
            status = fetch(set);
        const double fetched = clock_now() - end;
        is_started = !status && set->is_overlapping && !is_interrupted && count_live(set) > 0;
        if (is_started)
            status = start_frame(set);
        if (!status && is_needed)
            measure(set);
        if (shared)
            pthread_mutex_lock(&shared->mutex);
        if (!status)
            record(set, fetched);
    }
    if (is_started && !status) /* the last job diverged after the next frame was started */
        status = wait_for_frame(set);
    return status;
}

/* Store the timings of a repeat, and check that the repeat ended in the same state as the first one. */
static void end_repeat(struct job *job, int repeat) {
    const struct failure_mark before = failure_mark();
    const struct state *state;
    if (job->has_diverged)
        job->diverged_frame = job->run_frames;
    if (has_failed(job) || was_interrupted(job))
        return;
    int status = job->is_timed ? recorder_time(job->recorder, repeat, job->samples) : STATUS_OK;
    if (!status && repeat > 0 && !job->model->program.has_unordered_sums &&
        !(status = simulation_observe(job->simulation, false, &state)) &&
        strcmp(state->hash, recorder_hash(job->recorder)) != 0)
        status = fail(
            "%s: run %s: repeat %d ended in the state %s, but repeat 1 in %s: the backend is not deterministic",
            job->runner->plan->experiment.file, job->run->id, repeat + 1, state->hash, recorder_hash(job->recorder));
    job_check_status(job, status, before);
}

static void run_repeat(struct job **jobs, int count, struct ensemble *ensemble, int repeat) {
    const struct failure_mark before = failure_mark();
    struct lockstep set = {.jobs = jobs,
                           .count = count,
                           .repeat = repeat,
                           .ensemble = ensemble,
                           .is_stepping = memory_new((size_t)count, sizeof *set.is_stepping)};
    set.is_overlapping =
        ensemble || (!jobs[0]->is_timed && engine_is_asynchronous(simulation_engine(jobs[0]->simulation)));
    for (int j = 0; j < count; ++j) {
        struct job *job = jobs[j];
        for (int f = 0; job->samples && f < job->planned_frames; ++f)
            job->samples[f] = NAN;
        job->run_frames = repeat == 0 && job->resumed_frame >= 0 ? job->resumed_frame : 0;
        job->has_diverged = false;
    }
    const int status = step_frames(&set);
    for (int j = 0; j < count; ++j) {
        job_check_status(jobs[j], status, before);
        end_repeat(jobs[j], repeat);
    }
    free(set.is_stepping);
}

/* Run all repeats of jobs that advance one by one. The order of the jobs rotates: repeat r begins with job r % count.
 * Returns whether an interruption left repeats or frames undone. */
static bool run_repeats(struct job **jobs, int count) {
    const int repeats = jobs[0]->repeats;
    bool is_interrupted = false;
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (int k = 0; k < count && !is_interrupted; ++k) {
            struct job **at = &jobs[(k + repeat) % count], *job = *at;
            const struct failure_mark before = failure_mark();
            if (!has_failed(job) && repeat)
                job_check_status(job, simulation_rewind(job->simulation), before);
            if (!has_failed(job))
                run_repeat(at, 1, NULL, repeat);
            is_interrupted = !has_failed(job) &&
                             (was_interrupted(job) || (interrupt_signal() && (repeat + 1 < repeats || k + 1 < count)));
        }
    return is_interrupted;
}

void jobs_run(struct job **jobs, int count, struct ensemble *ensemble) {
    bool is_interrupted = false, is_ready = false;
    for (int j = 0; j < count; ++j) {
        const struct failure_mark before = failure_mark();
        jobs[j]->runner->has_new_runs = true;
        if (!has_failed(jobs[j]))
            job_check_status(jobs[j], open_job(jobs[j], ensemble ? ensemble_engine(ensemble, j) : NULL), before);
        is_ready = is_ready || !has_failed(jobs[j]);
    }
    if (jobs[0]->is_timed && is_ready) {
        runner_lock_machine(jobs[0]->runner, MACHINE_ALONE);
        is_interrupted = interrupt_signal() != 0; /* an interruption ends the wait, perhaps without the lock */
    }
    for (int j = 0; j < count && !is_interrupted; ++j) {
        const struct failure_mark before = failure_mark();
        if (!has_failed(jobs[j]))
            job_check_status(jobs[j], begin_job(jobs[j]), before);
    }
    if (ensemble)
        run_repeat(jobs, count, ensemble, 0);
    else if (!is_interrupted)
        is_interrupted = run_repeats(jobs, count);
    for (int j = 0; j < count; ++j)
        show_progress(jobs[j], 1, jobs[j]->planned_frames, jobs[j]->planned_frames);
    progress_hide();
    for (int j = 0; j < count; ++j)
        close_job(jobs[j], is_interrupted || was_interrupted(jobs[j]));
}
