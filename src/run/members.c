#include "run/members.h"

#include "base/interrupt.h"
#include "base/memory.h"
#include "run/job.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* A member that has begun. */
struct member {
    int number;
    struct plan plan;
    struct runner_options options;
    struct runner runner;
    int next_job, running; /* index of the first job that no worker took; number of jobs that workers run */
    struct member *next;
};

struct queue {
    const struct members *members;
    struct shared_progress shared;
    struct member *first; /* list of members that have begun and not ended */
    int next, status;     /* index of the next member to begin */
    int computing;        /* number of jobs for which memory is allocated */
    pthread_cond_t memory_freed;
};

/* ---- Members ---- */

static void free_member(struct queue *queue, struct member *member, int status) {
    queue->status = status ? STATUS_BAD : queue->status;
    plan_free(&member->plan);
    queue->members->end(queue->members->context, member->number, status);
    free(member);
}

/* Begin the next member. NULL if there is none, or it fails. */
static struct member *begin_member(struct queue *queue) {
    const struct members *members = queue->members;
    if (queue->next >= members->count || queue->status || interrupt_signal())
        return NULL;
    struct member *member = memory_new(1, sizeof *member);
    member->number = queue->next++;
    int status = members->begin(members->context, member->number, &member->plan, &member->options);
    if (!status && (status = runner_begin(&member->runner, &member->plan, &member->options)))
        runner_close(&member->runner);
    if (status) {
        free_member(queue, member, status);
        return NULL;
    }
    member->runner.shared = &queue->shared;
    runner_lock_machine(&member->runner, MACHINE_SHARED);
    struct member **end = &queue->first;
    while (*end)
        end = &(*end)->next;
    *end = member;
    return member;
}

/* End a member: report its runs in the plan's order. */
static void end_member(struct queue *queue, struct member *member) {
    struct member **at = &queue->first;
    while (*at != member)
        at = &(*at)->next;
    *at = member->next;
    for (int g = 0; g < member->runner.groups; ++g)
        runner_report_group(&member->runner, g);
    machine_lock_release(&member->runner.lock);
    free_member(queue, member, runner_end(&member->runner));
}

/* The member's next job to run that no worker took; NULL if there is none. */
static struct job *next_job(struct member *member) {
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

/* Run a single job. Unless it is the only one, wait until main memory suffices for it. */
static void run_job(struct queue *queue, struct job *job) {
    if (describe(job))
        return;
    while (queue->computing > 0 && model_bytes(job->model) + program_bytes(&job->model->program) > memory_available())
        pthread_cond_wait(&queue->memory_freed, &queue->shared.mutex);
    ++queue->computing;
    if (!jobs_build(&job, 1))
        jobs_run(&job, 1, NULL);
    jobs_free_model(&job, 1);
    --queue->computing;
    pthread_cond_broadcast(&queue->memory_freed);
}

/* ---- Workers: a job a thread ---- */

/* Take the next job of all members, beginning another member if necessary. NULL if there is none. */
static struct job *take_job(struct queue *queue, struct member **out) {
    while (!interrupt_signal()) {
        struct member *member = queue->first;
        while (member && !next_job(member))
            member = member->next;
        if (!member && !(member = begin_member(queue)))
            return NULL;
        struct job *job = next_job(member);
        if (job) {
            ++member->next_job;
            *out = member;
            return job;
        }
        end_member(queue, member);
    }
    return NULL;
}

static void work(struct queue *queue) {
    struct member *member;
    struct job *job;
    pthread_mutex_lock(&queue->shared.mutex);
    while ((job = take_job(queue, &member))) {
        ++member->running;
        run_job(queue, job);
        --member->running;
        if (!member->running && (interrupt_signal() || !next_job(member)))
            end_member(queue, member);
    }
    pthread_mutex_unlock(&queue->shared.mutex);
}

/* ---- Batches: all jobs that are alike together ---- */

/* Run jobs in lockstep. Their models are described. */
static void run_batch(struct job **jobs, int count) {
    const struct program **programs = memory_new((size_t)count, sizeof *programs);
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
    free(programs);
}

/* Move the first job and compatible ones from `jobs` to `batch`, as many as device and main memory hold. Returns how
 * many. */
static int take_batch(struct job **jobs, int *count, struct job **batch) {
    const struct backend_choice *choice = &jobs[0]->choice;
    const struct program *program = &jobs[0]->model->program;
    const size_t each = model_bytes(jobs[0]->model) + 2 * program_bytes(program);
    const size_t room = memory_available() / 2 / (each ? each : 1);
    int most = ensemble_supports(choice, program) ? ensemble_capacity(choice, program) : 1, taken = 0, left = 0;
    most = (size_t)most > room ? (int)room : most;
    for (int j = 0; j < *count; ++j)
        if (j == 0 || (taken < most && program_is_compatible(&jobs[j]->model->program, program)))
            batch[taken++] = jobs[j];
        else
            jobs[left++] = jobs[j];
    *count = left;
    return taken;
}

/* Run job r of each member that has begun. */
static void run_alike(struct queue *queue, int r, int members) {
    AUTO_FREE struct job **jobs = memory_new((size_t)members, sizeof *jobs),
                         **batch = memory_new((size_t)members, sizeof *batch);
    int count = 0;
    for (struct member *member = queue->first; member; member = member->next) {
        struct job *job = r < member->plan.run_count ? &member->runner.jobs[r] : NULL;
        if (job && job->action == ACTION_RUN && !describe(job))
            jobs[count++] = job;
    }
    while (count && !interrupt_signal()) {
        const int taken = take_batch(jobs, &count, batch);
        if (taken == 1)
            run_job(queue, batch[0]);
        else
            run_batch(batch, taken);
    }
}

/* Members that can be open at a time: each has three open files, a folder's lock, the machine's lock and a trace. */
static int members_at_a_time(void) {
    enum { FILES_EACH = 3, FILES_ELSE = 100 };
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return 1;
    files.rlim_cur = files.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &files) || getrlimit(RLIMIT_NOFILE, &files) ||
        files.rlim_cur < FILES_ELSE + FILES_EACH)
        return 1;
    const rlim_t room = (files.rlim_cur - FILES_ELSE) / FILES_EACH;
    return room < 4096 ? (int)room : 4096;
}

static void run_batches(struct queue *queue) {
    const int most = members_at_a_time();
    while (queue->next < queue->members->count && !queue->status && !interrupt_signal()) {
        int count = 0, runs = 0;
        struct member *member;
        while (count < most && (member = begin_member(queue))) {
            runs = member->plan.run_count > runs ? member->plan.run_count : runs;
            ++count;
        }
        for (int r = 0; r < runs && !interrupt_signal(); ++r)
            run_alike(queue, r, count);
        while (queue->first)
            end_member(queue, queue->first);
    }
}

int members_run(const struct members *members) {
    struct queue queue = {.members = members};
    struct backend_choice choice;
    int status = backend_choose(members->backend, &choice);
    if (status)
        return status;
    pthread_mutex_init(&queue.shared.mutex, NULL);
    pthread_cond_init(&queue.memory_freed, NULL);
    if (choice.backend->has_ensembles) {
        pthread_mutex_lock(&queue.shared.mutex);
        run_batches(&queue);
        pthread_mutex_unlock(&queue.shared.mutex);
    } else {
#pragma omp parallel num_threads(choice.threads)
        work(&queue);
        while (queue.first) /* after an interruption */
            end_member(&queue, queue.first);
    }
    pthread_cond_destroy(&queue.memory_freed);
    pthread_mutex_destroy(&queue.shared.mutex);
    return queue.status || interrupt_signal() ? STATUS_BAD : STATUS_OK;
}
