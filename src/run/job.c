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

void job_keep_reason(struct job *job, struct failure_mark before) {
    const char *text = failure_text() + before.length;
    if (!job->reason)
        job->reason = text_copy(text + (*text == '\n'));
}

static bool has_failed(const struct job *job) {
    return job->status == RUN_FAILED;
}

void job_note(struct job *job, int status, struct failure_mark before) {
    if (!status)
        return;
    job->status = RUN_FAILED;
    job->runner->status = STATUS_BAD;
    job_keep_reason(job, before);
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
        job_note(jobs[j], status, before);
    }
    return status;
}

void jobs_free_model(struct job **jobs, int count) {
    job_forget_model(jobs[0]);
    for (int j = 1; j < count; ++j)
        jobs[j]->model = NULL;
}

/* ---- Progress ---- */

/* Show that a part of a job is done, from 0 to 1. Of a bar that runners share, each adds what it has done since. */
static void show(struct job *job, double part, long frame, long frames) {
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
    const long frames = (long)job->repeats * job->planned, frame = (long)repeat * job->planned + job->frames;
    show(job, (double)frame / (double)frames, frame, frames);
}

/* ---- Opening and closing ---- */

/* Whether an interruption came before the end. */
static bool is_cut(const struct job *job) {
    return interrupt_signal() && job->frames < (job->diverged_frame < 0 ? job->planned : job->diverged_frame);
}

static int open_job(struct job *job, struct engine *engine) {
    const struct runner *runner = job->runner;
    const struct experiment *experiment = &runner->plan->experiment;
    struct backend_choice where = job->choice;
    AUTO_FREE char *restarted = NULL;
    if (runner->shared) /* the other threads have runs of their own */
        where.threads = 1;
    job->status = RUN_PENDING;
    job->diverged_frame = -1;
    job->samples = memory_new((size_t)job->planned, sizeof *job->samples);
    if (strcmp(job->model->body.sum, job->recipe.body) != 0)
        return fail("%s: run %s: the body changed after the run was planned; run again", experiment->file,
                    job->run->id);
    int status = engine ? simulation_open_on(job->model, engine, &job->simulation)
                        : simulation_open(job->model, &where, &job->simulation);
    if (!status)
        status = recorder_open(job->path, experiment, job->model, job->run, &job->choice, &job->recipe,
                               runner->options->tier, runner->options->resume ? &restarted : NULL, &job->recorder);
    if (restarted)
        job_say(job, "begun anew: %s", restarted);
    return status;
}

/* Bring what was opened to its first frame, or to where it was interrupted. A timed job first runs a frame that is not
 * counted, and so must be alone on the machine: pages, compilers and clocks warm up. */
static int begin_job(struct job *job) {
    int status = job->is_timed ? simulation_advance(job->simulation) : STATUS_OK;
    if (!status && job->reads_back)
        status = simulation_read_back(job->simulation);
    if (!status)
        status = simulation_rewind(job->simulation);
    if (!status)
        status = recorder_restore(job->recorder, job->simulation, &job->frames, &job->seconds);
    if (!status && job->frames > 0) {
        job->resumed = job->frames;
        job_say(job, "goes on after frame %d of %d", job->frames, job->planned);
    }
    return status;
}

static void close_job(struct job *job, bool cut) {
    const struct failure_mark before = failure_mark();
    if (!has_failed(job) && cut) {
        job->status = RUN_INTERRUPTED;
        job->runner->status = STATUS_BAD;
    } else if (!has_failed(job)) {
        snprintf(job->hash, sizeof job->hash, "%s", recorder_hash(job->recorder));
        job->is_exact = job->choice.bit_exact && !job->model->program.is_inexact;
        const int status = recorder_finish(job->recorder, job->frames, job->diverged_frame, job->seconds);
        job->recorder = NULL;
        job->status = status ? RUN_FAILED : job->diverged_frame < 0 ? RUN_WHOLE : RUN_DIVERGED;
    }
    const bool left = recorder_leave(job->recorder);
    const char *way = left            ? "--resume goes on from what was kept"
                      : job->is_timed ? "a timed run begins anew"
                      : job->model && job->model->program.has_memory
                          ? "a run whose steps need more of the step before than positions and velocities begins anew"
                          : "nothing was kept yet: it begins anew";
    if (has_failed(job) && left)
        fail("%s: run %s: %s", job->runner->plan->experiment.file, job->run->id, way);
    else if (job->status == RUN_INTERRUPTED)
        job_say(job, "interrupted after frame %d of %d; %s", job->frames, job->planned, way);
    job_note(job, has_failed(job), before);
    simulation_close(job->simulation);
    free(job->samples);
    job->recorder = NULL;
    job->simulation = NULL;
    job->samples = NULL;
}

/* ---- Stepping ---- */

enum { WORTH_THREADS = 16384 }; /* nodes to be looked at */

/* Jobs that step together: one on an engine of its own, or those of an ensemble. */
struct lockstep {
    struct job **jobs;
    int count, repeat;         /* the first repeat is recorded: then it is also seen whether a run blows up */
    struct ensemble *ensemble; /* NULL: one job */
    bool *going;               /* [count]: whose frame was started */
    bool is_overlapping; /* a device computes the next frame while this one is recorded; never where frames are timed */
};

/* Whether a frame of the job is still to be run. */
static bool is_live(const struct job *job) {
    return !has_failed(job) && !job->has_diverged && job->frames < job->limit;
}

static int count_live(const struct lockstep *set) {
    int count = 0;
    for (int j = 0; j < set->count; ++j)
        count += is_live(set->jobs[j]);
    return count;
}

/* Start a frame of the jobs that are live. Only a device returns before the frame's end. */
static int start_frame(struct lockstep *set) {
    for (int j = 0; j < set->count; ++j)
        set->going[j] = is_live(set->jobs[j]);
    if (set->ensemble)
        return ensemble_start(set->ensemble, set->going);
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

/* Count the frame of the `live` jobs, and note what is to be done with it. Returns whether there is anything. */
static bool count_frame(struct lockstep *set, double seconds, int live, bool cut) {
    bool any = false;
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        job->has_stepped = set->going[j] && is_live(job);
        job->is_wanted = job->is_kept = false;
        if (!job->has_stepped)
            continue;
        job->samples[job->frames] = seconds / live;
        job->seconds += seconds / live;
        ++job->frames;
        job->is_wanted = set->repeat == 0 && recorder_wants(job->recorder, job->frames);
        job->is_kept = set->repeat == 0 && (cut || recorder_is_due(job->recorder, live));
        any = any || job->is_wanted || job->is_kept;
    }
    return any;
}

static int fetch(struct lockstep *set) {
    return set->ensemble ? ensemble_fetch(set->ensemble) : simulation_fetch(set->jobs[0]->simulation);
}

/* Take the states over from what was fetched, and measure them: each job by itself. Threads that come for little work
 * spin for longer than it takes. */
static void measure(struct lockstep *set) {
    const long nodes = (long)set->count * set->jobs[0]->nodes;
#pragma omp parallel for schedule(dynamic, 1) if (set->count > 1 && nodes >= WORTH_THREADS)
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        if (has_failed(job) || (!job->is_wanted && !job->is_kept))
            continue;
        if (set->ensemble && simulation_fetch(job->simulation)) /* from memory: it cannot fail */
            job->status = RUN_FAILED;
        else if (job->is_wanted)
            simulation_state(job->simulation, true);
    }
}

/* Record or keep what was fetched, while the next frame may be on its way. */
static void record(struct lockstep *set, double fetched) {
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        const struct failure_mark before = failure_mark();
        int status = STATUS_OK;
        if (!has_failed(job) && job->is_wanted)
            status = recorder_take(job->recorder, job->simulation, job->frames, &job->has_diverged);
        if (!has_failed(job) && !status && job->is_kept && !job->has_diverged)
            status = recorder_keep(job->recorder, job->simulation, job->frames, job->seconds,
                                   job->is_wanted ? 0 : fetched / set->count);
        job_note(job, status, before);
        if (job->has_stepped)
            show_frame(job, set->repeat);
    }
}

/* Record the state before the first frame, of those that begin. */
static int record_start(struct lockstep *set) {
    for (int j = 0; j < set->count; ++j) {
        struct job *job = set->jobs[j];
        job->is_wanted = set->repeat == 0 && job->frames == 0;
        job->is_kept = job->has_stepped = false;
    }
    const int status = set->ensemble || !set->jobs[0]->is_wanted ? STATUS_OK : fetch(set);
    if (!status) {
        measure(set);
        record(set, 0);
    }
    return status;
}

/* Start a frame, wait for its end, fetch what is to be recorded, start the next one if that overlaps, and record. */
static int step_frames(struct lockstep *set) {
    struct shared_progress *shared = set->jobs[0]->runner->shared;
    bool is_started = false;
    int status = record_start(set), live;
    double begin = 0;
    while (!status && (live = count_live(set)) > 0 && (is_started || !interrupt_signal())) {
        if (!is_started)
            begin = clock_now();
        if (shared)
            pthread_mutex_unlock(&shared->mutex);
        if (!is_started)
            status = start_frame(set);
        if (!status)
            status = wait_for_frame(set);
        const double end = clock_now();
        const bool cut = interrupt_signal() != 0, is_needed = !status && count_frame(set, end - begin, live, cut);
        begin = end;
        if (is_needed)
            status = fetch(set);
        const double fetched = clock_now() - end;
        is_started = !status && set->is_overlapping && !cut && count_live(set) > 0;
        if (is_started)
            status = start_frame(set);
        if (!status && is_needed)
            measure(set);
        if (shared)
            pthread_mutex_lock(&shared->mutex);
        if (!status)
            record(set, fetched);
    }
    if (is_started && !status) /* a frame after the one that blew up, which nobody needs */
        status = wait_for_frame(set);
    return status;
}

/* Take over the timing of a repeat; and see that it ended as the first did. */
static void end_repeat(struct job *job, int repeat) {
    const struct failure_mark before = failure_mark();
    const struct state *state;
    if (job->has_diverged)
        job->diverged_frame = job->frames;
    if (has_failed(job) || is_cut(job))
        return;
    int status = job->is_timed ? recorder_time(job->recorder, repeat, job->samples) : STATUS_OK;
    if (!status && repeat > 0 && !job->model->program.is_inexact &&
        !(status = simulation_observe(job->simulation, false, &state)) &&
        strcmp(state->hash, recorder_hash(job->recorder)) != 0)
        status = fail("%s: run %s: repeat %d ended in the state %s, the first in %s; the backend is not deterministic",
                      job->runner->plan->experiment.file, job->run->id, repeat + 1, state->hash,
                      recorder_hash(job->recorder));
    job_note(job, status, before);
}

static void run_repeat(struct job **jobs, int count, struct ensemble *ensemble, int repeat) {
    const struct failure_mark before = failure_mark();
    struct lockstep set = {.jobs = jobs,
                           .count = count,
                           .repeat = repeat,
                           .ensemble = ensemble,
                           .going = memory_new((size_t)count, sizeof *set.going)};
    set.is_overlapping = ensemble || (!jobs[0]->is_timed && engine_is_apart(simulation_engine(jobs[0]->simulation)));
    for (int j = 0; j < count; ++j) {
        struct job *job = jobs[j];
        for (int f = 0; job->samples && f < job->planned; ++f)
            job->samples[f] = NAN;
        job->frames = repeat == 0 && job->resumed >= 0 ? job->resumed : 0;
        job->limit = job->diverged_frame < 0 ? job->planned : job->diverged_frame;
        job->has_diverged = false;
    }
    const int status = step_frames(&set);
    for (int j = 0; j < count; ++j) {
        job_note(jobs[j], status, before);
        end_repeat(jobs[j], repeat);
    }
    free(set.going);
}

/* The repeats of jobs that step one by one. Returns whether an interruption came before the end. */
static bool run_repeats(struct job **jobs, int count) {
    const int repeats = jobs[0]->repeats;
    bool cut = false;
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (int k = 0; k < count && !cut; ++k) {
            struct job **at = &jobs[(k + repeat) % count], *job = *at;
            const struct failure_mark before = failure_mark();
            if (!has_failed(job) && repeat)
                job_note(job, simulation_rewind(job->simulation), before);
            if (!has_failed(job))
                run_repeat(at, 1, NULL, repeat);
            cut = !has_failed(job) && (is_cut(job) || (interrupt_signal() && (repeat + 1 < repeats || k + 1 < count)));
        }
    return cut;
}

void jobs_run(struct job **jobs, int count, struct ensemble *ensemble) {
    bool cut = false, is_ready = false;
    for (int j = 0; j < count; ++j) {
        const struct failure_mark before = failure_mark();
        jobs[j]->runner->has_run = true;
        if (!has_failed(jobs[j]))
            job_note(jobs[j], open_job(jobs[j], ensemble ? ensemble_engine(ensemble, j) : NULL), before);
        is_ready = is_ready || !has_failed(jobs[j]);
    }
    if (jobs[0]->is_timed && is_ready) {
        runner_lock_machine(jobs[0]->runner, MACHINE_ALONE);
        cut = interrupt_signal() != 0; /* then it may not be alone */
    }
    for (int j = 0; j < count && !cut; ++j) {
        const struct failure_mark before = failure_mark();
        if (!has_failed(jobs[j]))
            job_note(jobs[j], begin_job(jobs[j]), before);
    }
    if (ensemble)
        run_repeat(jobs, count, ensemble, 0);
    else if (!cut)
        cut = run_repeats(jobs, count);
    for (int j = 0; j < count; ++j)
        show(jobs[j], 1, jobs[j]->planned, jobs[j]->planned);
    progress_hide();
    for (int j = 0; j < count; ++j)
        close_job(jobs[j], cut || is_cut(jobs[j]));
}
