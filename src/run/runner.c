#include "run/runner.h"

#include "backend/source.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/memory.h"
#include "base/progress.h"
#include "run/forecast.h"
#include "run/job.h"
#include "trace/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A word to a person, on a line of its own, while runs go on. */
static void say(const struct runner *runner, const struct job *job, const char *format, ...) PRINTF_LIKE(3, 4);

static void say(const struct runner *runner, const struct job *job, const char *format, ...) {
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

bool job_is_timed(const struct run *run) {
    return run_number(run, "time.repeats", 0) > 0;
}

/* Whether each frame's positions are read back: where nothing is timed, to no purpose. */
static bool reads_back(const struct run *run) {
    return job_is_timed(run) && !strcmp(run_text(run, "time.read_back"), "positions");
}

/* How many runs are open at once with this one: those of its group, where they are timed. */
static int together(const struct plan *plan, const struct run *run) {
    int count = 0;
    for (int r = 0; r < plan->run_count; ++r)
        count += plan->runs[r].group == run->group;
    return job_is_timed(run) ? count : 1;
}

/* The outcome of a job from its trace, if that is up to date. A damaged trace is not: the run must be made anew. One
 * that cannot be read may be sound, and is an error. */
static bool recall(const struct runner *runner, struct job *job) {
    const struct failure_mark mark = failure_mark();
    struct trace_data trace;
    if (trace_open(job->path, &trace)) {
        if (trace_error())
            return false;
        char *reason = failure_take(mark);
        say(runner, job, "%s; run anew", reason);
        free(reason);
        return false;
    }
    const char *frames = trace_run_note(&trace, "frames"), *seconds = trace_run_note(&trace, "seconds");
    const char *status = trace_run_note(&trace, "status"), *key = trace_run_note(&trace, "key");
    const char *exact = trace_run_note(&trace, "bit_exact"), *hash = trace_run_note(&trace, "state_hash");
    const bool is_same = key && !strcmp(key, job->recipe.key);
    job->status = !is_same ? NULL : status && !strcmp(status, "diverged") ? "diverged" : "whole";
    job->frames = frames ? (int)strtol(frames, NULL, 10) : 0;
    job->seconds = seconds ? strtod(seconds, NULL) : 0;
    job->is_exact = exact ? !strcmp(exact, "yes") : job->choice.bit_exact;
    snprintf(job->hash, sizeof job->hash, "%s", hash ? hash : "");
    trace_close(&trace);
    return is_same;
}

/* Timings that are compared are taken together: where one of a group is to be made, all are. */
static void join_groups(struct runner *runner) {
    for (int r = 0; r < runner->plan->run_count; ++r) {
        const struct job *due = &runner->jobs[r];
        for (int k = 0;
             !due->missing && !due->refused && !due->current && job_is_timed(due->run) && k < runner->plan->run_count;
             ++k) {
            struct job *job = &runner->jobs[k];
            if (job->current && job->run->group == due->run->group) {
                job->current = false;
                job->company = due->run->id;
            }
        }
    }
}

void job_keep_reason(struct job *job, int status, size_t before) {
    const char *text = failure_text() + before;
    if (status && !job->reason)
        job->reason = text_copy(text + (*text == '\n'));
}

/* A job that cannot run: nothing of the plan will. */
static int refuse(struct job *job, struct failure_mark before) {
    job->refused = true;
    job_keep_reason(job, STATUS_BAD, before.length);
    return STATUS_BAD;
}

/* A backend that cannot be had is left out, unless a person asked for it. */
static int leave_out(const struct runner *runner, struct job *job, struct failure_mark before) {
    if (runner->options->missing_is_bad)
        return refuse(job, before);
    job->missing = true;
    job->status = "missing";
    job_keep_reason(job, STATUS_BAD, before.length);
    failure_rewind(before);
    return STATUS_OK;
}

/* Whether a job's trace is there, made from the same, and sound. One that only lacked its name gets it now. A failure
 * is told if the trace cannot be read. */
static bool is_current(const struct runner *runner, struct job *job) {
    if (runner->options->resume && trace_adopt(job->path, job->recipe.key) && trace_error())
        return false;
    if (runner->options->force)
        return false;
    char *key = trace_peek(job->path, "key"); /* far less is read than by recall */
    const bool is_known = key != NULL, is_other = is_known && strcmp(key, job->recipe.key) != 0;
    free(key);
    return !is_other && (is_known || trace_state(job->path) != TRACE_ABSENT) && recall(runner, job);
}

/* Describe a job's model; what is told of it later is kept. The model is to be freed in any case. */
static int describe_job(struct job *job, struct model *model) {
    const int status = model_describe(job->run, model);
    job->nodes = model->body.nodes;
    job->springs = model->body.springs;
    job->is_unfit = model->is_unfit;
    return status;
}

/* A job without a backend is described all the same, for a survey. */
static void describe_alone(struct job *job) {
    const struct failure_mark mark = failure_mark();
    struct model model;
    describe_job(job, &model);
    model_free(&model);
    failure_rewind(mark);
}

/* See that a job can run, and make its recipe. What keeps it from that is among the failures; returns whether it is
 * that its device cannot keep the bits. */
static bool check_job(const struct runner *runner, struct job *job) {
    struct model model;
    bool is_inexact = false;
    if (!describe_job(job, &model)) {
        const size_t needed = model_bytes(&model) * (size_t)together(runner->plan, job->run),
                     available = memory_available();
        if (needed > available)
            fail("%s: run %s: the body needs %zu bytes of memory, and %zu are available; a smaller body would fit",
                 runner->plan->experiment.file, job->run->id, needed, available);
        else if (!job->choice.bit_exact && !runner->options->inexact)
            is_inexact = backend_check(&job->choice, &model.program, false);
        else if (!backend_check(&job->choice, &model.program, true))
            recipe_make(job->run, &model, &job->choice, &job->recipe);
    }
    model_free(&model);
    return is_inexact;
}

/* All that can be known to go wrong, before anything runs: devices, memory, bits. */
static int prepare(struct runner *runner) {
    int bad = STATUS_OK;
    for (int r = 0; r < runner->plan->run_count; ++r) {
        struct job *job = &runner->jobs[r];
        job->run = &runner->plan->runs[r];
        job->resumed = -1;
        job->file = text_format("%s.h5", job->run->id);
        job->path = text_format("%s/%s", runner->folder, job->file);
        const struct failure_mark before = failure_mark();
        if (backend_choose(run_text(job->run, "backend"), &job->choice)) {
            const struct backend *backend = job->choice.backend;
            const bool is_device_missing = backend && backend->has_devices; /* else the choice is no backend's */
            if (runner->is_survey)
                describe_alone(job);
            bad = (is_device_missing ? leave_out(runner, job, before) : refuse(job, before)) ? STATUS_BAD : bad;
            continue;
        }
        const bool is_inexact = check_job(runner, job);
        if (failure_count() == before.count)
            job->current = is_current(runner, job);
        if (job->current && !runner->is_survey)
            trace_drop_part(job->path);
        if (failure_count() > before.count)
            bad = (is_inexact ? leave_out(runner, job, before) : refuse(job, before)) ? STATUS_BAD : bad;
    }
    join_groups(runner);
    return bad;
}

/* Whom a message of waiting names; NULL where none is wanted. */
static const char *who_waits(const struct runner *runner) {
    return runner->options->quiet || runner->is_survey ? NULL : runner->plan->experiment.name;
}

void runner_lock_machine(struct runner *runner, enum machine_use use) {
    machine_lock_take(&runner->lock, use, who_waits(runner));
}

/* How long a job may take; speeds may be NULL. */
static struct forecast forecast_of(const struct runner *runner, const struct job *job, struct speeds *speeds) {
    return forecast_make(speeds, runner->plan->experiment.name, job->run, job->nodes, job->springs, &job->choice);
}

static bool has_own_bar(const struct runner *runner) {
    return runner->options->progress_to <= runner->options->progress_from;
}

static void begin_progress(struct runner *runner) {
    for (int r = 0; r < runner->plan->run_count; ++r) {
        struct job *job = &runner->jobs[r];
        job->weight = job->current || job->missing ? 0 : forecast_of(runner, job, NULL).seconds;
        runner->total += job->weight;
    }
    if (!runner->options->quiet && !runner->options->label && has_own_bar(runner))
        progress_begin(runner->total);
}

/* Where the bar stands at so much of the weights. */
static double progress_at(const struct runner *runner, double done) {
    const double from = runner->options->progress_from, to = runner->options->progress_to;
    return has_own_bar(runner) || !(runner->total > 0) ? done : from + (to - from) * done / runner->total;
}

/* Of runners that go side by side each adds to the bar what it has done since. */
static double progress_of_all(const struct runner *runner, struct job *job, double part) {
    const double share = progress_at(runner, job->weight * part) - progress_at(runner, 0);
    runner->company->done += share - job->shown;
    job->shown = share;
    return runner->company->done;
}

void runner_show(const struct runner *runner, struct job *job, int repeat, int frame, int frames) {
    const double repeats = job_is_timed(job->run) ? run_number(job->run, "time.repeats", 0) : 1;
    const double part = (repeat + (double)frame / frames) / repeats;
    const double done = runner->company ? progress_of_all(runner, job, part)
                                        : progress_at(runner, runner->done + job->weight / repeats * frame / frames);
    progress_show(done, job->run->id, "frames", (long)repeat * frames + frame, (long)repeats * frames);
}

bool job_is_cut(const struct job *job) {
    const int frames = job->diverged_frame < 0 ? (int)run_number(job->run, "time.frames", 0) : job->diverged_frame;
    return interrupt_signal() && job->frames < frames;
}

/* What the frames of one repeat are run with. */
struct pass {
    int repeat, frames;
    bool reads_back;  /* each frame's positions, within its time */
    bool recorded;    /* the first repeat is: then it is also seen whether the run blows up */
    bool overlapping; /* a device computes the next frame while this one is recorded; never where frames are timed */
};

/* Where runners go side by side, each computes while others record. */
static void leave_house(const struct runner *runner) {
    if (runner->company)
        pthread_mutex_unlock(&runner->company->house);
}

static void enter_house(const struct runner *runner) {
    if (runner->company)
        pthread_mutex_lock(&runner->company->house);
}

int job_record(struct job *job, int f, bool wanted, bool kept, double fetched, bool *diverged) {
    int status = wanted ? recorder_take(job->recorder, job->simulation, f, diverged) : STATUS_OK;
    if (!status && kept && !*diverged)
        status = recorder_keep(job->recorder, job->simulation, f, job->seconds, wanted ? 0 : fetched);
    return status;
}

static int run_frames_from(struct runner *runner, struct job *job, const struct pass *pass, bool *diverged) {
    const int start = job->frames;
    bool is_on_its_way = false;
    int status = STATUS_OK;
    if (pass->recorded && start == 0 && !(status = simulation_fetch(job->simulation)))
        status = recorder_take(job->recorder, job->simulation, 0, diverged);
    double begin = clock_now();
    for (int f = start + 1; f <= pass->frames && !status && !*diverged; ++f) {
        if (interrupt_signal() && !is_on_its_way)
            break;
        if (!pass->overlapping)
            begin = clock_now();
        leave_house(runner);
        status = is_on_its_way ? simulation_wait(job->simulation) : simulation_advance(job->simulation);
        is_on_its_way = false;
        if (!status && pass->reads_back)
            status = simulation_read_back(job->simulation);
        const double end = clock_now();
        job->samples[f - 1] = end - begin;
        job->seconds += end - begin;
        begin = end;
        job->frames = f;
        const bool cut = interrupt_signal() != 0;
        const bool wanted = pass->recorded && recorder_wants(job->recorder, f);
        const bool kept = pass->recorded && (cut || recorder_is_due(job->recorder, 1));
        if (!status && (wanted || kept))
            status = simulation_fetch(job->simulation);
        const double fetched = clock_now() - end;
        if (!status && runner->company && wanted)
            status = simulation_state(job->simulation, true, &(const struct state *){NULL});
        enter_house(runner);
        if (!status && pass->overlapping && f < pass->frames && !cut) {
            status = simulation_start(job->simulation);
            is_on_its_way = !status;
        }
        if (!status)
            status = job_record(job, f, wanted, kept, fetched, diverged);
        runner_show(runner, job, pass->repeat, f, pass->frames);
    }
    if (is_on_its_way && !status) /* a frame after that which blew up: nobody wants it */
        status = simulation_wait(job->simulation);
    return status;
}

int job_run_frames(struct runner *runner, struct job *job, int repeat) {
    const int planned = (int)run_number(job->run, "time.frames", 0);
    const bool recorded = repeat == 0;
    const struct pass pass = {.repeat = repeat,
                              .frames = recorded || job->diverged_frame < 0 ? planned : job->diverged_frame,
                              .reads_back = reads_back(job->run),
                              .recorded = recorded,
                              .overlapping = !job_is_timed(job->run) && simulation_is_apart(job->simulation)};
    bool diverged = false;
    for (int f = 0; f < planned; ++f)
        job->samples[f] = NAN;
    job->frames = recorded && job->resumed >= 0 ? job->resumed : 0;
    int status = run_frames_from(runner, job, &pass, &diverged);
    runner->done += job->weight / (job_is_timed(job->run) ? run_number(job->run, "time.repeats", 0) : 1);
    if (diverged)
        job->diverged_frame = job->frames;
    if (job_is_cut(job))
        return status;
    if (!status && job_is_timed(job->run))
        status = recorder_time(job->recorder, repeat, job->samples);
    const struct state *state;
    if (!status && !recorded && !job->is_unordered && !(status = simulation_observe(job->simulation, false, &state)) &&
        strcmp(state->hash, recorder_hash(job->recorder)) != 0)
        status =
            fail("%s: run %s: repeat %d ended in the state %s, the first in %s; the backend is not deterministic",
                 runner->plan->experiment.file, job->run->id, repeat + 1, state->hash, recorder_hash(job->recorder));
    return status;
}

int job_open(struct runner *runner, struct job *job, const struct model *model, const struct backend_choice *where,
             struct engine *engine) {
    char *anew = NULL;
    job->diverged_frame = -1;
    job->seconds = 0;
    job->is_unordered = model->program.is_inexact;
    job->has_memory = model->program.has_memory;
    job->samples = memory_new((size_t)run_number(job->run, "time.frames", 0), sizeof *job->samples);
    int status = STATUS_OK;
    if (strcmp(model->body.sum, job->recipe.body) != 0)
        status = fail("%s: run %s: the body changed after the run was planned; run again",
                      runner->plan->experiment.file, job->run->id);
    if (!status)
        status = engine ? simulation_open_on(model, engine, &job->simulation)
                        : simulation_open(model, where, &job->simulation);
    if (!status)
        status = recorder_open(job->path, &runner->plan->experiment, model, job->run, &job->choice, &job->recipe,
                               runner->options->tier, runner->options->resume ? &anew : NULL, &job->recorder);
    if (anew)
        say(runner, job, "begun anew: %s", anew);
    free(anew);
    return status;
}

int job_begin(const struct runner *runner, struct job *job) {
    int status = STATUS_OK;
    if (job_is_timed(job->run)) /* one frame that is not counted: pages, compilers and clocks warm up */
        status = simulation_advance(job->simulation);
    if (!status && reads_back(job->run))
        status = simulation_read_back(job->simulation);
    if (!status)
        status = simulation_rewind(job->simulation);
    if (!status)
        status = recorder_restore(job->recorder, job->simulation, &job->frames, &job->seconds);
    if (!status && job->frames > 0) {
        job->resumed = job->frames;
        say(runner, job, "goes on after frame %d of %.0f", job->frames, run_number(job->run, "time.frames", 0));
    }
    return status;
}

void job_close(const struct runner *runner, struct job *job, int status, bool cut) {
    if (!status && !cut) {
        snprintf(job->hash, sizeof job->hash, "%s", recorder_hash(job->recorder));
        job->is_exact = job->choice.bit_exact && !job->is_unordered;
        status = recorder_finish(job->recorder, job->frames, job->diverged_frame, job->seconds);
        job->recorder = NULL;
    }
    job->status = status ? "failed" : cut ? "interrupted" : job->diverged_frame < 0 ? "whole" : "diverged";
    const bool left = recorder_leave(job->recorder);
    const char *way = left                     ? "--resume goes on from what was kept"
                      : job_is_timed(job->run) ? "a timed run begins anew"
                      : job->has_memory        ? "a run whose steps need more of the step before than "
                                                 "positions and velocities begins anew"
                                               : "nothing was kept yet: it begins anew";
    if (status && left)
        fail("%s: run %s: %s", runner->plan->experiment.file, job->run->id, way);
    else if (!status && cut)
        say(runner, job, "interrupted after frame %d of %.0f; %s", job->frames, run_number(job->run, "time.frames", 0),
            way);
    simulation_close(job->simulation);
    free(job->samples);
    job->recorder = NULL;
    job->simulation = NULL;
    job->samples = NULL;
}

int runner_run_together(struct runner *runner, const struct model *model, struct job **jobs, int count) {
    const bool timed = job_is_timed(jobs[0]->run);
    int *status = memory_new((size_t)count, sizeof *status), bad = STATUS_OK;
    bool cut = false;
    runner->ran = true;
    bool is_ready = false;
    for (int j = 0; j < count; ++j) {
        const size_t before = strlen(failure_text());
        struct backend_choice where = jobs[j]->choice;
        if (runner->company) /* the other threads have runs of their own */
            where.threads = 1;
        status[j] = job_open(runner, jobs[j], model, &where, NULL);
        job_keep_reason(jobs[j], status[j], before);
        is_ready = is_ready || !status[j];
    }
    if (timed && is_ready) {
        runner_lock_machine(runner, MACHINE_ALONE);
        cut = interrupt_signal() != 0; /* then it may not be alone */
    }
    for (int j = 0; j < count; ++j) {
        const size_t before = strlen(failure_text());
        if (!status[j] && !cut)
            status[j] = job_begin(runner, jobs[j]);
        job_keep_reason(jobs[j], status[j], before);
    }
    const int repeats = timed ? (int)run_number(jobs[0]->run, "time.repeats", 0) : 1;
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (int k = 0; k < count && !cut; ++k) {
            int j = (k + repeat) % count;
            const size_t before = strlen(failure_text());
            if (!status[j] && repeat)
                status[j] = simulation_rewind(jobs[j]->simulation);
            if (!status[j])
                status[j] = job_run_frames(runner, jobs[j], repeat);
            job_keep_reason(jobs[j], status[j], before);
            cut =
                !status[j] && (job_is_cut(jobs[j]) || (interrupt_signal() && (repeat + 1 < repeats || k + 1 < count)));
        }
    progress_hide();
    for (int j = 0; j < count; ++j) {
        const size_t before = strlen(failure_text());
        job_close(runner, jobs[j], status[j], cut);
        const bool failed = !strcmp(jobs[j]->status, "failed");
        job_keep_reason(jobs[j], failed, before);
        bad = failed || cut ? STATUS_BAD : bad;
    }
    free(status);
    return bad;
}

void runner_settle(struct runner *runner, struct job *job) {
    const char *sample = job->run->sample ? job->run->sample->field->path : "-";
    const bool there = !strcmp(job->status, "whole") || !strcmp(job->status, "diverged");
    manifest_put(&runner->manifest,
                 &(struct manifest_row){.id = job->run->id,
                                        .status = job->status,
                                        .trace = there ? job->file : "-",
                                        .sample = sample,
                                        .key = there ? job->recipe.key : "-",
                                        .plan = runner->options->sweep ? runner->options->sweep : job->run->alike,
                                        .reason = job->reason});
    const struct run_outcome outcome = {.status = job->status,
                                        .backend = run_text(job->run, "backend"),
                                        .device = job->choice.device_name,
                                        .bit_exact = there ? job->is_exact : job->choice.bit_exact,
                                        .up_to_date = job->current,
                                        .frames = job->frames,
                                        .resumed = job->resumed,
                                        .seconds = job->seconds,
                                        .hash = there ? job->hash : "",
                                        .trace = there ? job->path : "",
                                        .reason = job->reason ? job->reason : ""};
    if (runner->options->report)
        runner->options->report(runner->options->context, job->run, &outcome);
}

/* The jobs of one group: all together where they are timed and one is stale, one by one otherwise. */
static int run_group(struct runner *runner, int group) {
    const int count = runner->plan->run_count;
    struct job **jobs = memory_new((size_t)count, sizeof *jobs);
    int present = 0, stale = 0, bad = STATUS_OK;
    for (int r = 0; r < count; ++r) {
        struct job *job = &runner->jobs[r];
        if (job->run->group == group && !job->missing) {
            jobs[present++] = job;
            stale += !job->current;
        }
    }
    if (stale) {
        const bool together = job_is_timed(jobs[0]->run);
        runner_lock_machine(runner, together ? MACHINE_PREPARED : MACHINE_SHARED);
        struct model model;
        const size_t before = strlen(failure_text());
        int unbuilt = model_describe(jobs[0]->run, &model);
        if (!unbuilt)
            unbuilt = model_build(&model);
        for (int j = 0; j < present; ++j) {
            if (unbuilt && !jobs[j]->current) {
                jobs[j]->status = "failed";
                job_keep_reason(jobs[j], unbuilt, before);
            }
        }
        if (!unbuilt && together)
            bad = runner_run_together(runner, &model, jobs, present);
        else
            for (int j = 0; !unbuilt && j < present; ++j)
                if (!jobs[j]->current && !interrupt_signal() && runner_run_together(runner, &model, &jobs[j], 1))
                    bad = STATUS_BAD;
        bad = unbuilt ? unbuilt : bad;
        model_free(&model);
        machine_lock_release(&runner->lock);
    }
    free(jobs);
    for (int r = 0; r < count; ++r)
        if (runner->jobs[r].run->group == group && runner->jobs[r].status)
            runner_settle(runner, &runner->jobs[r]);
    return bad;
}

/* Have a folder's results to ourselves: another runner waits, and then finds what is up to date. Where there is no
 * folder yet there is none to wait for. */
static int lock_folder(const struct runner *runner) {
    char *path = text_format("%s/.lock", runner->folder);
    int lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    /* Into a folder that cannot be written nobody else writes either. */
    if (lock < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES && errno != EROFS)
        fail_and_end("%s: %s", path, strerror(errno));
    free(path);
    lock_wait(lock, LOCK_EX, who_waits(runner), "another run into the same folder");
    return lock;
}

/* A run that was stopped after its last trace and before its manifest leaves traces that are newer. */
static bool is_behind(const struct runner *runner) {
    char *path = text_format("%s/runs.tsv", runner->folder);
    struct stat manifest, trace;
    bool behind = stat(path, &manifest) != 0;
    for (int r = 0; r < runner->plan->run_count && !behind; ++r)
        behind = !stat(runner->jobs[r].path, &trace) &&
                 (trace.st_mtim.tv_sec > manifest.st_mtim.tv_sec || (trace.st_mtim.tv_sec == manifest.st_mtim.tv_sec &&
                                                                     trace.st_mtim.tv_nsec > manifest.st_mtim.tv_nsec));
    free(path);
    return behind;
}

static void runner_open(struct runner *runner, const struct plan *plan, const struct runner_options *options) {
    *runner =
        (struct runner){.plan = plan, .options = options, .lock = {.machine = -1, .ready = -1}, .folder_lock = -1};
    runner->folder =
        options->folder ? text_copy(options->folder) : text_format("%s/%s", options->out, plan->experiment.name);
    runner->jobs = memory_new((size_t)plan->run_count, sizeof *runner->jobs);
}

void runner_close(struct runner *runner) {
    if (runner->folder_lock >= 0)
        close(runner->folder_lock);
    for (int r = 0; r < runner->plan->run_count; ++r) {
        free(runner->jobs[r].path);
        free(runner->jobs[r].file);
        free(runner->jobs[r].reason);
    }
    machine_lock_close(&runner->lock);
    manifest_free(&runner->manifest);
    free(runner->jobs);
    free(runner->folder);
}

/* What of a manifest stays where a part of a plan is run. */
struct keeping {
    const struct runner *runner;
    int gone;
};

static bool is_kept(void *context, const struct manifest_row *row) {
    struct keeping *keeping = context;
    const struct plan *plan = keeping->runner->plan;
    if (keeping->runner->options->sweep)
        return !strcmp(row->plan, keeping->runner->options->sweep);
    /* Rows of before had the whole plan's digest in place of their own. */
    if (plan_has(plan, row->id, strcmp(row->plan, plan->digest) ? row->plan : NULL))
        return true;
    bool is_due = false; /* then it gets another row */
    for (int r = 0; r < plan->run_count && !is_due; ++r)
        is_due = !strcmp(plan->runs[r].id, row->id);
    keeping->gone += !is_due;
    return false;
}

/* Keep the results of runs that are not this time's, but are of the file as it is; say how many are not. */
static void keep_rows(struct runner *runner) {
    struct keeping keeping = {runner, 0};
    manifest_keep(&runner->manifest, is_kept, &keeping);
    if (keeping.gone && !runner->options->quiet)
        fprintf(stderr,
                "  %d result%s left out of %s: the file, or --set, has other values now; without --only all is run\n",
                keeping.gone, keeping.gone == 1 ? " is" : "s are", runner->plan->experiment.name);
}

int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options) {
    runner_open(runner, plan, options);
    runner->folder_lock = lock_folder(runner);
    /* Describing models would disturb what another times. The lock is not held for longer: who has the folder may wait
     * for it. */
    machine_lock_take(&runner->lock, MACHINE_SHARED, options->label ? NULL : who_waits(runner));
    int status = prepare(runner);
    machine_lock_release(&runner->lock);
    int refused = 0;
    for (int r = 0; r < plan->run_count; ++r)
        refused += runner->jobs[r].refused;
    if (refused && refused < plan->run_count)
        fail("%s: %d of its %d runs cannot run, and so none was started; --only leaves them out", plan->experiment.file,
             refused, plan->run_count);
    if (!status)
        status = folder_make(runner->folder);
    if (!status && runner->folder_lock < 0) {
        runner->folder_lock = lock_folder(runner);
        for (int r = 0; r < plan->run_count; ++r) { /* another may have been here first */
            const struct failure_mark before = failure_mark();
            struct job *job = &runner->jobs[r];
            job->current = !job->missing && is_current(runner, job);
            if (failure_count() > before.count)
                status = refuse(job, before);
        }
        join_groups(runner);
    }
    if (!status && options->partial && !(status = manifest_read(runner->folder, &runner->manifest)))
        keep_rows(runner);
    if (!status) {
        machine_lock_take(&runner->lock, MACHINE_SHARED, NULL);
        begin_progress(runner);
        machine_lock_release(&runner->lock);
    }
    return status;
}

int runner_end(struct runner *runner, int status) {
    /* After an interruption, as after any other end in the middle, the manifest is the old one: it tells of whole
     * plans. */
    if (interrupt_signal() || manifest_write(runner->folder, &runner->manifest, runner->ran || is_behind(runner)))
        status = STATUS_BAD;
    runner_close(runner);
    return status;
}

int runner_run(const struct plan *plan, const struct runner_options *options) {
    struct runner runner;
    int status = runner_begin(&runner, plan, options);
    if (status) {
        runner_close(&runner);
        return status;
    }
    int groups = 0;
    for (int r = 0; r < plan->run_count; ++r)
        groups = plan->runs[r].group >= groups ? plan->runs[r].group + 1 : groups;
    for (int g = 0; g < groups && !interrupt_signal(); ++g)
        if (run_group(&runner, g))
            status = STATUS_BAD;
    if (has_own_bar(&runner))
        progress_end();
    return runner_end(&runner, status);
}

/* What is to be said of one run. */
static struct run_prospect prospect_of(const struct runner *runner, const struct job *job, struct speeds *speeds) {
    struct run_prospect prospect = {.outlook = OUTLOOK_DUE,
                                    .is_unfit = job->refused && job->is_unfit,
                                    .nodes = job->nodes,
                                    .springs = job->springs};
    if (job->missing || job->refused)
        prospect.outlook = job->missing ? OUTLOOK_MISSING : OUTLOOK_REFUSED;
    else if (job->current)
        prospect.outlook = OUTLOOK_CURRENT;
    else
        prospect.forecast = forecast_of(runner, job, speeds);
    return prospect;
}

int runner_survey(const struct plan *plan, const struct runner_options *options, struct speeds *speeds,
                  void (*tell)(void *context, const struct run *run, const struct run_prospect *prospect),
                  void *context) {
    struct runner runner;
    runner_open(&runner, plan, options);
    runner.is_survey = true;
    const int status = prepare(&runner);
    for (int r = 0; r < plan->run_count; ++r) {
        const struct job *job = &runner.jobs[r];
        struct run_prospect prospect = prospect_of(&runner, job, speeds);
        char *reason = prospect.outlook != OUTLOOK_DUE ? NULL
                       : job->company
                           ? text_format("it is timed together with %s, which is not up to date", job->company)
                           : recipe_differs(&job->recipe, job->path);
        prospect.reason = reason ? reason : job->reason ? job->reason : "";
        tell(context, job->run, &prospect);
        free(reason);
    }
    runner_close(&runner);
    return status;
}
