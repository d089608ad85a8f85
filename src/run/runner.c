#include "run/runner.h"

#include "base/amount.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/progress.h"
#include "run/job.h"
#include "run/slurm.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* ---- Choosing actions ---- */

/* Read the outcome of a job from its trace. Returns whether the trace is up to date. A damaged trace is not up to date.
 * A trace that the system cannot read may be valid, so this is reported as an error. */
static bool read_outcome(struct job *job) {
    const struct failure_mark mark = failure_mark();
    AUTO(trace_close) struct trace_data trace;
    if (trace_index_read(job->runner->index, job->runner->folder, job->file, &trace)) {
        if (trace_error())
            return false;
        AUTO_FREE char *reason = failure_take(mark);
        job_say(job, "%s; running it again", reason);
        return false;
    }
    if (strcmp(trace_run_text(&trace, "key"), job->recipe.key) != 0)
        return false;
    const bool has_diverged = !strcmp(trace_run_text(&trace, "status"), run_status_word(RUN_DIVERGED));
    job->status = has_diverged ? RUN_DIVERGED : RUN_WHOLE;
    job->run_frames = (int)strtol(trace_run_text(&trace, "frames"), NULL, 10);
    job->seconds = strtod(trace_run_text(&trace, "seconds"), NULL);
    job->is_exact = !strcmp(trace_run_text(&trace, "bit_exact"), "yes");
    snprintf(job->hash, sizeof job->hash, "%s", trace_run_text(&trace, "state_hash"));
    return true;
}

/* Whether a job's trace is up to date. If runs may resume, a finished trace that still has the name PATH.part is
 * renamed, except in a survey, which writes nothing. Reports an error if the trace cannot be read. */
static bool is_current(struct job *job) {
    const struct runner_options *options = job->runner->options;
    if (options->resume && !job->runner->is_survey && trace_adopt(job->path, job->recipe.key) && trace_error())
        return false;
    if (options->force || (options->force_timed && job->is_timed))
        return false;
    if (job->runner->is_survey || trace_index_has(job->runner->index, job->file))
        return read_outcome(job); /* a survey reads the whole trace later, to report differences */
    AUTO_FREE char *key = trace_peek(job->path, "key"); /* reads much less of the file than read_outcome */
    const bool is_outdated = key ? strcmp(key, job->recipe.key) != 0 : trace_state(job->path) == TRACE_ABSENT;
    return !is_outdated && read_outcome(job);
}

/* Timings that are compared are measured together: if one job of a timed group must run, all jobs of the group run. */
static void complete_groups(struct runner *runner) {
    for (int r = 0; r < runner->plan->run_count; ++r) {
        const struct job *due = &runner->jobs[r];
        for (int k = 0; due->action == ACTION_RUN && due->is_timed && k < runner->plan->run_count; ++k) {
            struct job *job = &runner->jobs[k];
            if (job->action == ACTION_KEEP && job->run->group == due->run->group) {
                job->action = ACTION_RUN;
                job->timed_with = due->run->id;
            }
        }
    }
}

/* Refuse a job, and therefore the plan. */
static int refuse(struct job *job, struct failure_mark before) {
    job->action = ACTION_REFUSE;
    job_set_reason(job, before);
    return STATUS_BAD;
}

/* Skip a job whose device is not available, or not bit-exact. If the user requested this device, refuse the job. */
static int skip(struct job *job, struct failure_mark before) {
    if (job->runner->options->missing_is_bad)
        return refuse(job, before);
    job->action = ACTION_SKIP;
    job->status = RUN_MISSING;
    job_set_reason(job, before);
    failure_rewind(before);
    return STATUS_OK;
}

/* Decide whether to keep a job's trace or to run the job. Refuse the job if its trace cannot be read. */
static int choose_action(struct job *job) {
    const struct failure_mark before = failure_mark();
    job->action = is_current(job) ? ACTION_KEEP : ACTION_RUN;
    return failure_count() > before.count ? refuse(job, before) : STATUS_OK;
}

/* Check that a job can run, and make its recipe. A failure is reported (failure_count). Returns true if the check
 * failed because the job's device is not bit-exact, otherwise false. */
static bool check_job(struct job *job) {
    const struct runner *runner = job->runner;
    if (job_describe(job))
        return false;
    const struct model *model = job->model;
    job->bytes = recorder_bytes(&runner->plan->experiment, model, job->run);
    size_t open =
        job->is_timed ? 0 : 1; /* runs that are open at the same time: all runs of a timed group, otherwise one */
    for (int r = 0; job->is_timed && r < runner->plan->run_count; ++r)
        open += runner->plan->runs[r].group == job->run->group;
    const size_t engine = job->choice.backend->has_devices ? 0 : program_bytes(&model->program),
                 needed = (model_bytes(model) + engine) * open, available = memory_available();
    if (needed > available)
        fail("%s: run %s: the body needs %zu bytes of memory, but %zu are available; use a smaller body",
             runner->plan->experiment.file, job->run->id, needed, available);
    else if (!job->choice.bit_exact && !runner->options->allow_inexact)
        return backend_check(&job->choice, &model->program, false) != STATUS_OK; /* fails with the reason */
    else if (!backend_check(&job->choice, &model->program, true))
        recipe_make(job->run, model, &job->choice, &job->recipe);
    return false;
}

/* Free bytes on the disk of a folder, or of its first parent that exists. */
static double disk_available(const char *folder) {
    AUTO_FREE char *path = text_copy(*folder ? folder : ".");
    struct statvfs disk;
    int failed;
    while ((failed = statvfs(path, &disk)) && errno == ENOENT && strcmp(path, ".") != 0 && strcmp(path, "/") != 0) {
        char *above = text_copy(dirname(path));
        free(path);
        path = above;
    }
    return failed ? (double)INFINITY : (double)disk.f_bavail * (double)disk.f_frsize;
}

/* Check that the trace of a job fits on the disk. The message names the line of a parameter that makes the trace large.
 */
static int check_disk(const struct job *job) {
    static const char *const paths[] = {"record.mesh_every", "time.frames", "time.repeats", "record.every"};
    const double available = disk_available(job->runner->folder);
    struct place place = {job->runner->plan->experiment.file, 0, 0};
    bool is_found = false;
    char needed[AMOUNT_SIZE], free_text[AMOUNT_SIZE];
    if (job->bytes <= available)
        return STATUS_OK;
    for (size_t p = 0; p < sizeof paths / sizeof *paths && !is_found; ++p) {
        const struct parameter *parameter = run_parameter(job->run, paths[p]);
        is_found = parameter && (parameter->place.line || parameter->origin == ORIGIN_COMMAND);
        if (is_found)
            place = parameter->place;
    }
    return fail_at(place, "a run's trace needs %s, but %s are free on the disk; record less often or run fewer frames",
                   amount_bytes(job->bytes, needed), amount_bytes(available, free_text));
}

/* Check that no other Slurm job can disturb a timed job. */
static int check_node(const struct job *job) {
    const struct runner *runner = job->runner;
    if (!job->is_timed || runner->is_survey || !slurm_shares_node())
        return STATUS_OK;
    return fail("%s: run %s is timed, but other jobs may use this node; submit it with sbatch --exclusive",
                runner->plan->experiment.file, job->run->id);
}

/* Whether to keep the description of a job's model until the job runs. One description per group is kept, if there is
 * much free memory. */
static bool should_keep_model(const struct job *job) {
    enum { PLENTY = 8 };
    const struct runner *runner = job->runner;
    bool is_first = true;
    for (const struct job *other = runner->jobs; other < job; ++other)
        is_first = is_first && !(other->model && other->run->group == job->run->group);
    return is_first && job->action == ACTION_RUN && !runner->is_survey &&
           memory_available() / PLENTY > model_bytes(job->model);
}

/* Choose a job's backend. A member of a sweep has one thread, because the other threads run other members. */
static int choose_backend(struct job *job) {
    const int status = backend_choose(run_text(job->run, "backend"), &job->choice);
    if (status || !job->runner->options->sweep || !job->choice.backend->has_threads)
        return status;
    AUTO_FREE char *single = text_format("%s:1", job->choice.backend->name);
    return backend_choose(single, &job->choice);
}

static int prepare_job(struct job *job) {
    const struct failure_mark before = failure_mark();
    if (choose_backend(job)) {
        const struct backend *backend = job->choice.backend;
        const struct failure_mark chosen = failure_mark();
        if (job->runner->is_survey) /* a survey also reports the nodes and springs of such a run */
            job_describe(job);
        failure_rewind(chosen);
        job_forget_model(job);
        return backend && backend->has_devices ? skip(job, before) : refuse(job, before);
    }
    const bool is_device_inexact = check_job(job);
    if (failure_count() > before.count) {
        job_forget_model(job);
        return is_device_inexact ? skip(job, before) : refuse(job, before);
    }
    int status = choose_action(job);
    if (job->action == ACTION_RUN && (check_disk(job) || check_node(job)))
        status = refuse(job, before);
    if (job->action == ACTION_KEEP && !job->runner->is_survey)
        trace_drop_part(job->path);
    if (!should_keep_model(job))
        job_forget_model(job);
    return status;
}

/* Check everything that can be checked before anything runs: values, devices, memory, bit-exactness. If something fails
 * later, for example a device's compiler or the disk, only the run in which it happens fails. */
static int prepare(struct runner *runner) {
    int bad = STATUS_OK;
    for (int r = 0; r < runner->plan->run_count; ++r)
        bad = prepare_job(&runner->jobs[r]) ? STATUS_BAD : bad;
    complete_groups(runner);
    return bad;
}

/* Forecast of a job that uses all threads of its backend. The forecast is also right for a sweep: if N members run at
 * the same time, each on one thread, they take as long as N members that run one after the other on N threads. `speeds`
 * may be NULL. */
static struct forecast forecast_of(const struct job *job, struct speeds *speeds) {
    struct backend_choice choice;
    backend_choose(run_text(job->run, "backend"), &choice);
    return forecast_make(speeds, job->runner->plan->experiment.name, job->run, job->nodes, job->springs, &choice,
                         job->runner->index);
}

static void begin_progress(struct runner *runner) {
    for (int r = 0; r < runner->plan->run_count; ++r) {
        struct job *job = &runner->jobs[r];
        job->weight = job->action == ACTION_RUN ? forecast_of(job, NULL).seconds : 0;
        runner->total += job->weight;
    }
    if (!runner->options->quiet && !runner->options->label && !runner->options->progress)
        progress_begin(runner->total);
}

/* ---- The folder and its manifest ---- */

/* The name of the experiment, for a message that it waits for a lock; NULL: no message. */
static const char *waiting_name(const struct runner *runner) {
    return runner->options->quiet || runner->is_survey ? NULL : runner->plan->experiment.name;
}

void runner_lock_machine(struct runner *runner, enum machine_use use) {
    machine_lock_take(&runner->lock, use, waiting_name(runner));
}

/* Lock the folder. Another runner of the folder waits for the lock, and then finds the new traces up to date. Shards
 * write different traces, so they may run at the same time. Returns a descriptor; -1 if the folder does not exist or is
 * not writable. On a file system without locks, the folder stays unlocked, without an error. */
static int lock_folder(const struct runner *runner) {
    AUTO_FREE char *path = text_format("%s/.lock", runner->folder);
    const int lock = lock_open(path);
    lock_wait(lock, runner->options->is_shard ? LOCK_SH : LOCK_EX, waiting_name(runner),
              "another run that writes to the same folder");
    return lock;
}

/* Whether a trace is newer than the manifest, which happens if a process was killed after it wrote the trace and before
 * it wrote the manifest. */
static bool manifest_is_older(const struct runner *runner) {
    AUTO_FREE char *path = text_format("%s/runs.tsv", runner->folder);
    struct stat manifest, trace;
    bool is_older = stat(path, &manifest) != 0;
    for (int r = 0; r < runner->plan->run_count && !is_older; ++r)
        is_older =
            !stat(runner->jobs[r].path, &trace) &&
            (trace.st_mtim.tv_sec > manifest.st_mtim.tv_sec ||
             (trace.st_mtim.tv_sec == manifest.st_mtim.tv_sec && trace.st_mtim.tv_nsec > manifest.st_mtim.tv_nsec));
    return is_older;
}

/* The run's parameters as a JSON object. Newly allocated; the caller frees it. */
static char *parameters_text(const struct run *run) {
    json_t *object = json_object();
    for (int p = 0; p < run->parameter_count; ++p)
        json_object_set_new(object, run->parameters[p].field->path, json_text(run->parameters[p].value.text));
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

static void report_job(struct job *job) {
    struct runner *runner = job->runner;
    const struct runner_options *options = runner->options;
    const bool there = run_has_trace(job->status);
    AUTO_FREE char *parameters = parameters_text(job->run);
    manifest_put(&runner->manifest,
                 &(struct manifest_row){.id = job->run->id,
                                        .status = job->status,
                                        .trace = there ? job->file : "-",
                                        .key = there ? job->recipe.key : "-",
                                        .plan = options->sweep ? options->sweep : job->run->result_digest,
                                        .reason = job->reason,
                                        .parameters = parameters});
    const struct run_outcome outcome = {.status = job->status,
                                        .device = job->choice.device_name,
                                        .bit_exact = there ? job->is_exact : job->choice.bit_exact,
                                        .up_to_date = job->action == ACTION_KEEP,
                                        .frames = job->run_frames,
                                        .resumed = job->resumed_frame,
                                        .seconds = job->seconds,
                                        .hash = there ? job->hash : "",
                                        .trace = there ? job->path : "",
                                        .reason = job->reason ? job->reason : ""};
    if (options->report)
        options->report(options->context, job->run, &outcome);
}

void runner_report_group(struct runner *runner, int group) {
    for (int r = 0; r < runner->plan->run_count; ++r)
        if (runner->jobs[r].run->group == group && runner->jobs[r].status != RUN_PENDING)
            report_job(&runner->jobs[r]);
}

/* Keep the manifest's rows of runs that are in the current file or sweep, and remove all other rows. Print how many
 * rows are removed. The rows of runs in this plan are not counted, because these rows are made again. */
static void keep_rows(struct runner *runner) {
    const struct plan *plan = runner->plan;
    const char *sweep = runner->options->sweep;
    int gone = 0;
    for (int r = runner->manifest.count - 1; r >= 0; --r) {
        const struct manifest_row *row = &runner->manifest.rows[r];
        if (sweep ? !strcmp(row->plan, sweep) : plan_has(plan, row->id, row->plan))
            continue;
        bool is_due = sweep != NULL; /* a row of a member is made again or not needed, so it is not counted */
        for (int k = 0; k < plan->run_count && !is_due; ++k)
            is_due = !strcmp(plan->runs[k].id, row->id);
        gone += !is_due;
        manifest_remove(&runner->manifest, r);
    }
    if (gone && !runner->options->quiet)
        fprintf(stderr,
                "  %d result%s left out of %s: the file or --set has other values now; run without --only to make them "
                "again\n",
                gone, gone == 1 ? " is" : "s are", plan->experiment.name);
}

/* ---- Running ---- */

static void runner_open(struct runner *runner, const struct plan *plan, const struct runner_options *options) {
    *runner =
        (struct runner){.plan = plan, .options = options, .lock = {.machine = -1, .ready = -1}, .folder_lock = -1};
    runner->folder =
        options->folder ? text_copy(options->folder) : text_format("%s/%s", options->out, plan->experiment.name);
    runner->index = options->folder ? NULL : trace_index_open(runner->folder, provenance_binary());
    runner->jobs = memory_new((size_t)plan->run_count, sizeof *runner->jobs);
    for (int r = 0; r < plan->run_count; ++r) {
        const struct run *run = &plan->runs[r];
        struct job *job = &runner->jobs[r];
        AUTO_FREE char *file = trace_file_name(run->id, recorder_has_geometry(run));
        *job = (struct job){.runner = runner,
                            .run = run,
                            .planned_frames = (int)run_number(run, "time.frames", 0),
                            .repeats = (int)fmax(1, run_number(run, "time.repeats", 0)),
                            .is_timed = run_is_timed(run),
                            .path = text_format("%s/%s", runner->folder, file),
                            .status = RUN_PENDING,
                            .resumed_frame = -1};
        job->reads_back = job->is_timed && !strcmp(run_text(run, "time.read_back"), "positions");
        job->file = job->path + strlen(runner->folder) + 1;
        runner->groups = run->group >= runner->groups ? run->group + 1 : runner->groups;
    }
}

void runner_close(struct runner *runner) {
    if (runner->folder_lock >= 0)
        close(runner->folder_lock);
    for (int r = 0; r < runner->plan->run_count; ++r) {
        job_forget_model(&runner->jobs[r]);
        free(runner->jobs[r].path);
        free(runner->jobs[r].reason);
    }
    machine_lock_close(&runner->lock);
    trace_index_close(runner->index, !runner->is_survey && !runner->options->is_shard);
    manifest_free(&runner->manifest);
    free(runner->jobs);
    free(runner->folder);
}

int runner_begin(struct runner *runner, const struct plan *plan, const struct runner_options *options) {
    runner_open(runner, plan, options);
    runner->folder_lock = lock_folder(runner);
    /* Lock the machine, because describing models would disturb the timings of another process. The lock is released
     * soon, because a process that has locked the folder may wait for the machine. */
    machine_lock_take(&runner->lock, MACHINE_SHARED, options->label ? NULL : waiting_name(runner));
    int status = prepare(runner);
    machine_lock_release(&runner->lock);
    int refused = 0;
    for (int r = 0; r < plan->run_count; ++r)
        refused += runner->jobs[r].action == ACTION_REFUSE;
    if (refused && refused < plan->run_count)
        fail("%s: %d of its %d runs cannot run, so none was started; use --only to select other runs",
             plan->experiment.file, refused, plan->run_count);
    if (!status)
        status = folder_make(runner->folder);
    if (!status && runner->folder_lock < 0) {
        runner->folder_lock = lock_folder(runner);
        for (int r = 0; r < plan->run_count; ++r) /* another process may have made traces meanwhile */
            if (runner->jobs[r].action != ACTION_SKIP && choose_action(&runner->jobs[r]))
                status = STATUS_BAD;
        complete_groups(runner);
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

/* Add the traces of the jobs that ran to the index. Errors are ignored, because the index is only a cache. */
static void index_jobs(const struct runner *runner) {
    const struct failure_mark mark = failure_mark();
    for (int r = 0; r < runner->plan->run_count && runner->index; ++r) {
        const struct job *job = &runner->jobs[r];
        struct trace_data trace;
        if (job->action == ACTION_RUN && run_has_trace(job->status) &&
            !trace_index_read(runner->index, runner->folder, job->file, &trace))
            trace_close(&trace);
    }
    failure_rewind(mark);
}

int runner_end(struct runner *runner) {
    /* After an interruption the manifest stays unchanged, because it describes whole plans. */
    const bool writes = !runner->options->is_shard && !interrupt_signal();
    if (interrupt_signal() || (writes && manifest_write(runner->folder, &runner->manifest,
                                                        runner->has_new_runs || manifest_is_older(runner))))
        runner->status = STATUS_BAD;
    if (writes)
        index_jobs(runner);
    runner_close(runner);
    return runner->status;
}

/* Run the jobs of a group: together if they are timed, otherwise one by one. */
static void run_group(struct runner *runner, int group) {
    AUTO_FREE struct job **jobs = memory_new((size_t)runner->plan->run_count, sizeof *jobs);
    int count = 0;
    for (int r = 0; r < runner->plan->run_count; ++r)
        if (runner->jobs[r].run->group == group && runner->jobs[r].action == ACTION_RUN)
            jobs[count++] = &runner->jobs[r];
    if (count) {
        const bool is_timed = jobs[0]->is_timed;
        runner_lock_machine(runner, is_timed ? MACHINE_PREPARING : MACHINE_SHARED);
        const bool is_built = !jobs_build(jobs, count);
        const int each = is_timed ? count : 1;
        for (int j = 0; is_built && j < count && (is_timed || !interrupt_signal()); j += each)
            jobs_run(&jobs[j], each, NULL);
        jobs_free_model(jobs, count);
        machine_lock_release(&runner->lock);
    }
    runner_report_group(runner, group);
}

int runner_run(const struct plan *plan, const struct runner_options *options) {
    struct runner runner;
    int status = runner_begin(&runner, plan, options);
    if (status) {
        runner_close(&runner);
        return status;
    }
    for (int g = 0; g < runner.groups && !interrupt_signal(); ++g)
        run_group(&runner, g);
    progress_end();
    return runner_end(&runner);
}

/* ---- Survey ---- */

int runner_survey(const struct plan *plan, const struct runner_options *options, struct speeds *speeds,
                  void (*report)(void *context, const struct run *run, const struct run_preview *preview),
                  void *context) {
    struct runner runner;
    runner_open(&runner, plan, options);
    runner.is_survey = true;
    const int status = prepare(&runner);
    for (int r = 0; r < plan->run_count; ++r) {
        const struct job *job = &runner.jobs[r];
        struct run_preview preview = {.action = job->action,
                                      .is_invalid = job->action == ACTION_REFUSE && job->is_invalid,
                                      .nodes = job->nodes,
                                      .springs = job->springs,
                                      .bytes = job->bytes};
        AUTO_FREE char *reason = NULL;
        if (job->action == ACTION_RUN) {
            preview.forecast = forecast_of(job, speeds);
            reason = job->timed_with ? text_format("it is timed together with %s, which must run", job->timed_with)
                                     : recipe_differs(&job->recipe, runner.index, runner.folder, job->file);
        }
        preview.reason = reason ? reason : job->reason ? job->reason : "";
        report(context, job->run, &preview);
    }
    runner_close(&runner);
    return status;
}
