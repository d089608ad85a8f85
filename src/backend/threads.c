/* The threads backend: every thread walks the program's table by itself and does its share of each stage, with a
 * barrier after each. One parallel region a frame. Where a frame is steps of one kernel that can do several in one
 * sweep over memory, it does: two steps more are two rows more at a share's borders, which both neighbours then
 * compute. */
#include "backend/cpu.h"
#include "base/memory.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Below this many items a stage is left to the first thread: its share would cost less than a barrier. */
enum { GRAIN = 512 };

/* Rows of a worker's share for each step of a sweep. */
enum { ROWS_A_STEP = 16 };

/* A barrier that spins for a while and then yields. A thread that yields to another program is gone for some
 * milliseconds, so it waits for longer than the others can be late: with one of two cores busy a run takes 2.5 times as
 * long, where one that yields at once takes 5 times. Where there are more threads than processors it is one of them
 * that the others wait for, and they make room soon. */
enum { SPINS = 40000, SPINS_CROWDED = 1000 };

struct barrier {
    atomic_int waiting, round;
    int threads, spins;
};

static void barrier_wait(struct barrier *barrier) {
    int round = atomic_load_explicit(&barrier->round, memory_order_acquire);
    if (atomic_fetch_add_explicit(&barrier->waiting, 1, memory_order_acq_rel) + 1 == barrier->threads) {
        atomic_store_explicit(&barrier->waiting, 0, memory_order_relaxed);
        atomic_store_explicit(&barrier->round, round + 1, memory_order_release);
        return;
    }
    for (int spins = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round;)
        if (spins < barrier->spins)
            ++spins;
        else
            sched_yield();
}

struct threads_engine {
    struct cpu_engine cpu;
    void **scratch; /* [scratches] of the sweeps, one a worker that has rows to sweep */
    int scratches;
};

struct worker {
    const struct cpu_engine *cpu;
    void *const *scratch;
    struct barrier *barrier;
    int slot[PROGRAM_BUFFERS]; /* each thread swaps its own */
    int index, count;
};

/* The part of `items` that falls to worker `index` of `count`; where there are fewer items, to the first workers. */
static void share(int items, int index, int count, int *begin, int *end) {
    count = items < count ? items : count;
    index = index < count ? index : count;
    *begin = (int)((long long)items * index / count);
    *end = index < count ? (int)((long long)items * (index + 1) / count) : *begin;
}

/* Steps of a sweep: so many that an eighth of the work at most is done twice. */
static int steps_at_once(const struct kernel *kernel, int threads) {
    const int rows = kernel->rows / (threads * ROWS_A_STEP);
    return rows < 1 ? 1 : rows > kernel->sweep->steps ? kernel->sweep->steps : rows;
}

/* A worker's share of a kernel's items. */
static void run(const struct worker *worker, const struct kernel *kernel, int step, int steps) {
    const void *parameters = worker->cpu->engine.program->parameters;
    void *arguments[KERNEL_BUFFERS];
    cpu_arguments(worker->cpu, kernel, worker->slot, arguments);
    struct range range = {0, kernel->columns, 0, kernel->rows};
    if ((long long)kernel->columns * kernel->rows < GRAIN)
        range.row_end = worker->index == 0 ? kernel->rows : 0;
    else if (kernel->rows > 1)
        share(kernel->rows, worker->index, worker->count, &range.row_begin, &range.row_end);
    else
        share(kernel->columns, worker->index, worker->count, &range.column_begin, &range.column_end);
    const bool has_share = range.row_begin < range.row_end;
    if (has_share && kernel->sweep)
        kernel->sweep->run(worker->scratch[worker->index], arguments, parameters, step, steps, range);
    else if (has_share)
        kernel->loop(arguments, parameters, step, range);
    barrier_wait(worker->barrier);
}

static int visit(void *context, const struct stage *stage, int step) {
    struct worker *worker = context;
    if (stage->kind == STAGE_SWAP) {
        int held = worker->slot[stage->a];
        worker->slot[stage->a] = worker->slot[stage->b];
        worker->slot[stage->b] = held;
        return STATUS_OK;
    }
    run(worker, &worker->cpu->engine.program->kernels[stage->a], step, 1);
    return STATUS_OK;
}

static void walk(struct worker *worker, int *step) {
    const struct program *program = worker->cpu->engine.program;
    const struct kernel *kernel = program_sweep(program);
    if (!kernel) {
        program_walk(program, visit, worker, step);
        return;
    }
    const int at_once = steps_at_once(kernel, worker->count), end = *step + program->stages[0].count;
    while (*step < end) {
        const int steps = end - *step < at_once ? end - *step : at_once;
        run(worker, kernel, *step, steps);
        for (const struct stage *swap = &program->stages[2]; swap->kind == STAGE_SWAP; ++swap)
            visit(worker, swap, *step);
        *step += steps;
    }
}

/* The most scratch that a sweep takes, and how many workers at most have rows to sweep. */
static size_t scratch_of(const struct program *program, int threads, int *workers) {
    size_t bytes = 0;
    *workers = 0;
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (!kernel->sweep)
            continue;
        bytes = kernel->sweep->scratch > bytes ? kernel->sweep->scratch : bytes;
        const int rows = kernel->rows < threads ? kernel->rows : threads;
        *workers = rows > *workers ? rows : *workers;
    }
    return bytes;
}

static int check(const struct backend_choice *choice, const struct program *program) {
    int workers;
    const size_t scratch = scratch_of(program, choice->threads, &workers);
    return cpu_check(choice, program, scratch * (size_t)workers);
}

static void end(struct engine *engine) {
    struct threads_engine *threads = (struct threads_engine *)engine;
    for (int w = 0; w < threads->scratches; ++w)
        free(threads->scratch[w]);
    free(threads->scratch);
    cpu_close(engine);
}

static int begin(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    struct threads_engine *threads = memory_new(1, sizeof *threads);
    int status = cpu_create(&threads->cpu, choice, program);
    const size_t bytes = scratch_of(program, choice->threads, &threads->scratches);
    threads->scratch = memory_new((size_t)threads->scratches, sizeof *threads->scratch);
    for (int w = 0; w < threads->scratches && !status; ++w)
        if (!(threads->scratch[w] = memory_large(bytes)))
            status = fail("backend threads: %zu bytes of scratch could not be had", bytes);
    if (status)
        end(&threads->cpu.engine);
    else
        *out = &threads->cpu.engine;
    return status;
}

static int advance(struct engine *engine) {
    const struct threads_engine *threads = (const struct threads_engine *)engine;
    const struct cpu_engine *cpu = &threads->cpu;
    int end = engine->step;
    int slot[PROGRAM_BUFFERS];
    struct barrier barrier = {.waiting = 0};
#pragma omp parallel num_threads(cpu->threads)
    {
        struct worker worker = {cpu, threads->scratch, &barrier, {0}, omp_get_thread_num(), omp_get_num_threads()};
        memcpy(worker.slot, engine->slot, sizeof worker.slot);
#pragma omp single
        {
            barrier.threads = worker.count;
            barrier.spins = worker.count > omp_get_num_procs() ? SPINS_CROWDED : SPINS;
        }
        int step = engine->step;
        walk(&worker, &step);
        if (worker.index == 0) {
            end = step;
            memcpy(slot, worker.slot, sizeof slot);
        }
    }
    engine->step = end;
    memcpy(engine->slot, slot, sizeof slot);
    return STATUS_OK;
}

const struct backend backend_threads = {"threads", check, begin, end, cpu_write, cpu_read, advance, NULL, NULL};
