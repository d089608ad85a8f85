#include "run/runner.h"

#include "backend/source.h"
#include "base/file.h"
#include "base/memory.h"
#include "run/manifest.h"
#include "run/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

/* A change of what a trace holds makes all old ones stale. */
static const char trace_generation[] = "1";

/* One run of the plan on its way. */
struct job {
    const struct run *run;
    struct backend_choice choice;
    char *path, *file; /* the trace's path, and its name in the experiment's folder */
    char key[DIGEST_SIZE];
    bool missing, current; /* no such device; up to date */
    const char *status;
    char *reason;
    struct simulation *simulation;
    struct recorder *recorder;
    double *samples; /* seconds of each frame of the present repeat */
    double seconds;
    int frames, diverged_frame;
};

struct runner {
    const struct plan *plan;
    const struct runner_options *options;
    struct job *jobs;
    char *folder;
    struct manifest manifest;
    bool ran; /* whether any run was made anew */
    int lock;
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_timed(const struct run *run) {
    return run_number(run, "time.repeats", 0) > 0;
}

/* What a trace is made from: all parameters, the kernels, and the device; where it holds timings that are compared,
 * also the program and the driver. */
static int make_key(struct job *job, const struct model *model) {
    char kernels[DIGEST_SIZE];
    if (model_kernel_digest(model, kernels))
        return STATUS_BAD;
    struct digest *digest = digest_create();
    digest_add_text(digest, trace_generation);
    digest_add_text(digest, provenance_version());
    digest_add_text(digest, job->run->canonical);
    digest_add_text(digest, kernels);
    digest_add_text(digest, job->choice.device_name);
    if (is_timed(job->run)) {
        digest_add_text(digest, provenance_binary());
        digest_add_text(digest, job->choice.driver);
    }
    digest_finish(digest, job->key);
    return STATUS_OK;
}

/* All that can be known to go wrong, before anything runs: devices, memory, bits. */
static int prepare(struct runner *runner) {
    int bad = STATUS_OK;
    for (int r = 0; r < runner->plan->run_count; ++r) {
        struct job *job = &runner->jobs[r];
        job->run = &runner->plan->runs[r];
        job->file = text_format("%s.h5", job->run->id);
        job->path = text_format("%s/%s", runner->folder, job->file);
        int before = failure_count();
        if (backend_choose(run_text(job->run, "backend"), &job->choice)) {
            const bool is_device = !strcmp(backend_name(&job->choice), "opencl"); /* else the name is wrong */
            if (runner->options->missing_is_bad || failure_count() != 1 || !is_device) {
                bad = STATUS_BAD;
                continue;
            }
            job->missing = true;
            job->status = "missing";
            job->reason = text_copy(failure_text());
            failure_clear();
            continue;
        }
        struct model model;
        model_describe(job->run, &model);
        size_t needed = model_bytes(&model), available = memory_available();
        if (needed > available)
            bad =
                fail("%s: run %s: the body needs %zu bytes of memory, and %zu are available; a smaller body would fit",
                     runner->plan->experiment.file, job->run->id, needed, available);
        else if (backend_check(&job->choice, &model.program, runner->options->inexact) || make_key(job, &model))
            bad = STATUS_BAD;
        model_free(&model);
        if (failure_count() > before)
            continue;
        char *key = runner->options->force ? NULL : trace_peek(job->path, "key");
        job->current = key && !strcmp(key, job->key);
        free(key);
    }
    return bad;
}

/* Physics may run side by side; timings that will be compared have the machine to themselves. A machine where the lock
 * cannot be had is used without. */
static void lock_machine(struct runner *runner, bool alone) {
    if (runner->lock < 0) {
        char *path = text_format("/tmp/springback-%ld.lock", (long)getuid());
        runner->lock = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);
        free(path);
    }
    if (runner->lock >= 0)
        while (flock(runner->lock, alone ? LOCK_EX : LOCK_SH) && errno == EINTR)
            continue;
}

static void unlock_machine(const struct runner *runner) {
    if (runner->lock >= 0)
        flock(runner->lock, LOCK_UN);
}

static void progress(const struct runner *runner, const struct job *job, int frame, int frames) {
    static double last;
    if (runner->options->quiet || !isatty(STDERR_FILENO) || now() - last < 0.1)
        return;
    last = now();
    fprintf(stderr, "\r\033[K  %s  frame %d of %d", job->run->id, frame, frames);
}

static void progress_end(const struct runner *runner) {
    if (!runner->options->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K");
}

/* Run all frames of one repeat. The first repeat is recorded; every one must end in the same bits. */
static int run_frames(struct runner *runner, struct job *job, int repeat) {
    const int frames = (int)run_number(job->run, "time.frames", 0);
    const bool recorded = repeat == 0;
    bool diverged = false;
    int status = STATUS_OK;
    if (recorded)
        status = recorder_take(job->recorder, job->simulation, 0, &diverged);
    for (int f = 0; f < frames; ++f)
        job->samples[f] = NAN;
    job->frames = 0;
    for (int f = 1; f <= frames && !status && !diverged; ++f) {
        double begin = now();
        status = simulation_advance(job->simulation);
        job->samples[f - 1] = now() - begin;
        job->seconds += job->samples[f - 1];
        job->frames = f;
        if (!status && recorded && recorder_wants(job->recorder, f))
            status = recorder_take(job->recorder, job->simulation, f, &diverged);
        progress(runner, job, f, frames);
    }
    if (diverged)
        job->diverged_frame = job->frames;
    if (!status && is_timed(job->run))
        status = recorder_time(job->recorder, repeat, job->samples);
    const struct state *state;
    if (!status && !recorded && !(status = simulation_observe(job->simulation, false, &state)) &&
        job->diverged_frame < 0 && strcmp(state->hash, recorder_hash(job->recorder)) != 0)
        status =
            fail("%s: run %s: repeat %d ended in the state %s, the first in %s; the backend is not deterministic",
                 runner->plan->experiment.file, job->run->id, repeat + 1, state->hash, recorder_hash(job->recorder));
    return status;
}

/* Keep what went wrong with a job, out of the messages that follow the first `before` bytes. */
static void keep_reason(struct job *job, int status, size_t before) {
    const char *text = failure_text() + before;
    if (status && !job->reason)
        job->reason = text_copy(text + (*text == '\n'));
}

static int open_job(struct runner *runner, struct job *job, const struct model *model) {
    job->diverged_frame = -1;
    job->samples = memory_new((size_t)run_number(job->run, "time.frames", 0), sizeof *job->samples);
    int status = simulation_open(model, &job->choice, &job->simulation);
    if (!status)
        status = recorder_open(job->path, &runner->plan->experiment, model, job->run, &job->choice, job->key,
                               runner->options->tier, &job->recorder);
    if (!status && is_timed(job->run)) /* one frame that is not counted: pages, compilers and clocks warm up */
        status = simulation_advance(job->simulation);
    return status ? status : simulation_rewind(job->simulation);
}

static void close_job(struct job *job, int status) {
    if (!status) {
        status = recorder_finish(job->recorder, job->frames, job->diverged_frame, job->seconds);
        job->recorder = NULL;
    }
    job->status = status ? "failed" : job->diverged_frame < 0 ? "whole" : "diverged";
    recorder_discard(job->recorder);
    simulation_close(job->simulation);
    free(job->samples);
    job->recorder = NULL;
    job->simulation = NULL;
    job->samples = NULL;
}

/* Run jobs that differ only in backend, over one model; timings are interleaved, and start with another job each
 * repeat. */
static int run_together(struct runner *runner, const struct model *model, struct job **jobs, int count) {
    const bool timed = is_timed(jobs[0]->run);
    int *status = memory_new((size_t)count, sizeof *status), bad = STATUS_OK;
    runner->ran = true;
    lock_machine(runner, timed);
    for (int j = 0; j < count; ++j) {
        const size_t before = strlen(failure_text());
        status[j] = open_job(runner, jobs[j], model);
        keep_reason(jobs[j], status[j], before);
    }
    const int repeats = timed ? (int)run_number(jobs[0]->run, "time.repeats", 0) : 1;
    for (int repeat = 0; repeat < repeats; ++repeat)
        for (int k = 0; k < count; ++k) {
            int j = (k + repeat) % count;
            const size_t before = strlen(failure_text());
            if (!status[j] && repeat)
                status[j] = simulation_rewind(jobs[j]->simulation);
            if (!status[j])
                status[j] = run_frames(runner, jobs[j], repeat);
            keep_reason(jobs[j], status[j], before);
        }
    for (int j = 0; j < count; ++j) {
        const size_t before = strlen(failure_text());
        close_job(jobs[j], status[j]);
        const bool failed = !strcmp(jobs[j]->status, "failed");
        keep_reason(jobs[j], failed, before);
        bad = failed ? STATUS_BAD : bad;
    }
    unlock_machine(runner);
    progress_end(runner);
    free(status);
    return bad;
}

/* An up-to-date job's outcome, from its trace. */
static void recall(struct job *job) {
    struct trace_data trace;
    job->status = "failed";
    if (trace_open(job->path, &trace))
        return;
    const char *frames = trace_run_note(&trace, "frames"), *seconds = trace_run_note(&trace, "seconds");
    const char *status = trace_run_note(&trace, "status");
    job->status = status && !strcmp(status, "diverged") ? "diverged" : "whole";
    job->frames = frames ? (int)strtol(frames, NULL, 10) : 0;
    job->seconds = seconds ? strtod(seconds, NULL) : 0;
    trace_close(&trace);
}

static void settle(struct runner *runner, struct job *job) {
    const char *sample = job->run->sample ? job->run->sample->field->path : "-";
    const bool there = !job->missing && strcmp(job->status, "failed") != 0;
    manifest_put(&runner->manifest, job->run->id, job->status, there ? job->file : "-", sample,
                 job->reason ? job->reason : "-");
    char *hash = there ? trace_peek(job->path, "state_hash") : NULL;
    const struct run_outcome outcome = {.status = job->status,
                                        .backend = run_text(job->run, "backend"),
                                        .device = job->choice.device_name,
                                        .bit_exact = job->choice.bit_exact,
                                        .up_to_date = job->current,
                                        .frames = job->frames,
                                        .seconds = job->seconds,
                                        .hash = hash ? hash : "",
                                        .trace = there ? job->path : "",
                                        .reason = job->reason ? job->reason : ""};
    if (runner->options->report)
        runner->options->report(runner->options->context, job->run, &outcome);
    free(hash);
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
        struct model model;
        model_describe(jobs[0]->run, &model);
        const size_t before = strlen(failure_text());
        const int unbuilt = model_build(&model);
        const bool together = is_timed(jobs[0]->run);
        for (int j = 0; j < present; ++j) {
            jobs[j]->current = jobs[j]->current && !together;
            if (unbuilt && !jobs[j]->current) {
                jobs[j]->status = "failed";
                keep_reason(jobs[j], unbuilt, before);
            }
        }
        if (!unbuilt && together)
            bad = run_together(runner, &model, jobs, present);
        else
            for (int j = 0; !unbuilt && j < present; ++j)
                if (!jobs[j]->current && run_together(runner, &model, &jobs[j], 1))
                    bad = STATUS_BAD;
        bad = unbuilt ? unbuilt : bad;
        model_free(&model);
    }
    for (int j = 0; j < present; ++j)
        if (jobs[j]->current)
            recall(jobs[j]);
    free(jobs);
    for (int r = 0; r < count; ++r)
        if (runner->jobs[r].run->group == group)
            settle(runner, &runner->jobs[r]);
    return bad;
}

int runner_run(const struct plan *plan, const struct runner_options *options) {
    struct runner runner = {.plan = plan, .options = options, .lock = -1};
    runner.folder = text_format("%s/%s", options->out, plan->experiment.name);
    runner.jobs = memory_new((size_t)plan->run_count, sizeof *runner.jobs);
    int status = prepare(&runner);
    if (!status)
        status = folder_make(runner.folder);
    if (!status && options->partial)
        status = manifest_read(runner.folder, &runner.manifest);
    if (!status) {
        int groups = 0;
        for (int r = 0; r < plan->run_count; ++r)
            groups = plan->runs[r].group >= groups ? plan->runs[r].group + 1 : groups;
        for (int g = 0; g < groups; ++g)
            if (run_group(&runner, g))
                status = STATUS_BAD;
        if (manifest_write(runner.folder, &runner.manifest, runner.ran))
            status = STATUS_BAD;
    }
    for (int r = 0; r < plan->run_count; ++r) {
        free(runner.jobs[r].path);
        free(runner.jobs[r].file);
        free(runner.jobs[r].reason);
    }
    if (runner.lock >= 0)
        close(runner.lock);
    manifest_free(&runner.manifest);
    free(runner.jobs);
    free(runner.folder);
    return status;
}
