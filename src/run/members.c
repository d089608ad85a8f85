#include "run/runner.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/openmp.h"
#include "run/job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A member that has begun. */
struct running_member {
    int number;
    struct plan plan;
    struct runner_options options;
    struct runner runner;
    int next_job, running; /* next_job: index of the first job that no worker has begun; running: number of jobs that
                              workers run now */
    struct running_member *next;
};

struct member_scheduler {
    const struct members *members;
    struct shared_progress shared;
    struct running_member *first; /* list of members that have begun and not ended */
    int next, failed;             /* next: index of the next member to begin; failed: lowest index of a failed member,
                                     or -1 */
    int computing;                /* number of jobs that run_job runs now, and that therefore use memory */
    pthread_cond_t memory_freed;  /* signalled when run_job has freed the memory of a job */
};

/* ---- Members ---- */

static void free_member(struct member_scheduler *scheduler, struct running_member *member, int status) {
    if (status && (scheduler->failed < 0 || member->number < scheduler->failed))
        scheduler->failed = member->number;
    plan_free(&member->plan);
    free(member);
}

/* Begin the next member. Returns NULL if all members have begun, if a member has failed, or after an interruption. */
static struct running_member *begin_member(struct member_scheduler *scheduler) {
    const struct members *members = scheduler->members;
    if (scheduler->next >= members->count || scheduler->failed >= 0 || interrupt_signal())
        return NULL;
    struct running_member *member = memory_new(1, sizeof *member);
    member->number = scheduler->next++;
    int status = members->begin(members->context, member->number, &member->plan, &member->options);
    if (!status && (status = runner_begin(&member->runner, &member->plan, &member->options)))
        runner_close(&member->runner);
    if (status) {
        free_member(scheduler, member, status);
        return NULL;
    }
    member->runner.shared = &scheduler->shared;
    runner_lock_machine(&member->runner, MACHINE_SHARED);
    struct running_member **end = &scheduler->first;
    while (*end)
        end = &(*end)->next;
    *end = member;
    return member;
}

/* End a member: report its runs in the order of its plan, and write its manifest. */
static void end_member(struct member_scheduler *scheduler, struct running_member *member) {
    struct running_member **at = &scheduler->first;
    while (*at != member)
        at = &(*at)->next;
    *at = member->next;
    for (int g = 0; g < member->runner.groups; ++g)
        runner_report_group(&member->runner, g);
    machine_lock_release(&member->runner.lock);
    int status = runner_end(&member->runner);
    if (!status && scheduler->members->end && !interrupt_signal())
        status = scheduler->members->end(scheduler->members->context, member->number);
    free_member(scheduler, member, status);
}

/* The member's next job that must run and that no worker has begun; NULL if there is none. */
static struct job *next_job(struct running_member *member) {
    while (member->next_job < member->plan.run_count && member->runner.jobs[member->next_job].action != ACTION_RUN)
        ++member->next_job;
    return member->next_job < member->plan.run_count ? &member->runner.jobs[member->next_job] : NULL;
}

static int describe(struct job *job) {
    const struct failure_mark before = failure_mark();
    const int status = job_describe(job);
    job_check_status(job, status, before);
    return status;
}

/* Run a single job. If other jobs run, wait until main memory suffices. */
static void run_job(struct member_scheduler *scheduler, struct job *job) {
    if (describe(job))
        return;
    while (scheduler->computing > 0 &&
           model_bytes(job->model) + program_bytes(&job->model->program) > memory_available())
        pthread_cond_wait(&scheduler->memory_freed, &scheduler->shared.mutex);
    ++scheduler->computing;
    if (!jobs_build(&job, 1))
        jobs_run(&job, 1, NULL);
    jobs_free_model(&job, 1);
    --scheduler->computing;
    pthread_cond_broadcast(&scheduler->memory_freed);
}

/* ---- Workers: one job per thread ---- */

/* Take the next job of the members that have begun, and set *out to its member. If there is no such job, begin another
 * member and take its first job. Returns NULL if there is no job, or after an interruption. */
static struct job *take_job(struct member_scheduler *scheduler, struct running_member **out) {
    while (!interrupt_signal()) {
        struct running_member *member = scheduler->first;
        while (member && !next_job(member))
            member = member->next;
        if (!member && !(member = begin_member(scheduler)))
            return NULL;
        struct job *job = next_job(member);
        if (job) {
            ++member->next_job;
            *out = member;
            return job;
        }
        end_member(scheduler, member);
    }
    return NULL;
}

static void work(struct member_scheduler *scheduler) {
    struct running_member *member;
    struct job *job;
    pthread_mutex_lock(&scheduler->shared.mutex);
    while ((job = take_job(scheduler, &member))) {
        ++member->running;
        run_job(scheduler, job);
        --member->running;
        if (!member->running && (interrupt_signal() || !next_job(member)))
            end_member(scheduler, member);
    }
    pthread_mutex_unlock(&scheduler->shared.mutex);
}

/* ---- Batches: compatible jobs together ---- */

/* Run jobs in lockstep. The caller has described their models. */
static void run_batch(struct job **jobs, int count) {
    AUTO_FREE const struct program **programs = memory_new((size_t)count, sizeof *programs);
    struct ensemble *ensemble = NULL;
    const struct failure_mark before = failure_mark();
    int status = STATUS_OK;
    for (int j = 0; j < count && !status; ++j) {
        status = jobs_build(&jobs[j], 1);
        programs[j] = &jobs[j]->model->program;
    }
    if (!status)
        status = ensemble_open(&jobs[0]->choice, programs, count, &ensemble);
    for (int j = 0; j < count; ++j)
        job_check_status(jobs[j], status, before);
    jobs_run(jobs, count, ensemble);
    ensemble_close(ensemble);
    for (int j = 0; j < count; ++j)
        jobs_free_model(&jobs[j], 1);
}

/* Move the first job, and jobs whose programs are compatible with it, from `jobs` to `batch`. The number of jobs is
 * limited by the memory of the device and by half of the free main memory. Returns how many jobs were moved. */
static int take_batch(struct job **jobs, int *count, struct job **batch) {
    const struct backend_choice *choice = &jobs[0]->choice;
    const struct program *program = &jobs[0]->model->program;
    const size_t each = model_bytes(jobs[0]->model) + 2 * program_bytes(program);
    const size_t fitting = memory_available() / 2 / (each ? each : 1);
    int most = ensemble_supports(choice, program) ? ensemble_capacity(choice, program) : 1, chosen = 0, left = 0;
    most = (size_t)most > fitting ? (int)fitting : most;
    for (int j = 0; j < *count; ++j)
        if (j == 0 || (chosen < most && program_is_compatible(&jobs[j]->model->program, program)))
            batch[chosen++] = jobs[j];
        else
            jobs[left++] = jobs[j];
    *count = left;
    return chosen;
}

/* Run job r of each member that has begun, in batches of jobs with compatible programs. */
static void run_compatible_jobs(struct member_scheduler *scheduler, int r, int members) {
    AUTO_FREE struct job **jobs = memory_new((size_t)members, sizeof *jobs),
                         **batch = memory_new((size_t)members, sizeof *batch);
    int count = 0;
    for (struct running_member *member = scheduler->first; member; member = member->next) {
        struct job *job = r < member->plan.run_count ? &member->runner.jobs[r] : NULL;
        if (job && job->action == ACTION_RUN && !describe(job))
            jobs[count++] = job;
    }
    while (count && !interrupt_signal()) {
        const int chosen = take_batch(jobs, &count, batch);
        if (chosen == 1)
            run_job(scheduler, batch[0]);
        else
            run_batch(batch, chosen);
    }
}

/* The number of members that can be open at a time, by the limit on open files. Each member has three open files: a
 * folder's lock, the machine's lock and a trace. */
static int members_at_a_time(void) {
    enum { FILES_EACH = 3, FILES_ELSE = 100 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return 1;
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) || getrlimit(RLIMIT_NOFILE, &files) ||
        files.rlim_cur < FILES_ELSE + FILES_EACH)
        return 1;
    const rlim_t members = (files.rlim_cur - FILES_ELSE) / FILES_EACH;
    return members < 4096 ? (int)members : 4096;
}

static void run_batches(struct member_scheduler *scheduler) {
    const int most = members_at_a_time();
    while (scheduler->next < scheduler->members->count && scheduler->failed < 0 && !interrupt_signal()) {
        int count = 0, runs = 0;
        struct running_member *member;
        while (count < most && (member = begin_member(scheduler))) {
            runs = member->plan.run_count > runs ? member->plan.run_count : runs;
            ++count;
        }
        for (int r = 0; r < runs && !interrupt_signal(); ++r)
            run_compatible_jobs(scheduler, r, count);
        while (scheduler->first)
            end_member(scheduler, scheduler->first);
    }
}

int members_run(const struct members *members, int *failed) {
    struct member_scheduler scheduler = {.members = members, .failed = -1};
    struct backend_choice choice;
    *failed = -1;
    if (backend_choose(members->backend, &choice))
        return STATUS_BAD;
    pthread_mutex_init(&scheduler.shared.mutex, NULL);
    pthread_cond_init(&scheduler.memory_freed, NULL);
    if (choice.backend->has_ensembles) {
        pthread_mutex_lock(&scheduler.shared.mutex);
        run_batches(&scheduler);
        pthread_mutex_unlock(&scheduler.shared.mutex);
    } else {
#pragma omp parallel num_threads(choice.threads)
        work(&scheduler);
        while (scheduler.first) /* an interruption can leave members that have not ended */
            end_member(&scheduler, scheduler.first);
    }
    pthread_cond_destroy(&scheduler.memory_freed);
    pthread_mutex_destroy(&scheduler.shared.mutex);
    *failed = scheduler.failed;
    return *failed >= 0 || interrupt_signal() ? STATUS_BAD : STATUS_OK;
}
