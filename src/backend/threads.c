/* The threads backend: every thread walks the program's table by itself and does its share of each stage, with a
 * barrier after each. One parallel region a frame. */
#include "backend/cpu.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

/* Below this many items a stage is left to the first thread: its share would cost less than a barrier. */
enum { GRAIN = 512 };

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

struct worker {
    const struct cpu_engine *cpu;
    struct barrier *barrier;
    int slot[PROGRAM_BUFFERS]; /* each thread swaps its own */
    int index, count;
};

/* The part of `items` that falls to worker `index` of `count`. */
static void share(int items, int index, int count, int *begin, int *end) {
    *begin = (int)((long long)items * index / count);
    *end = (int)((long long)items * (index + 1) / count);
}

static int visit(void *context, const struct stage *stage, int step) {
    struct worker *worker = context;
    if (stage->kind == STAGE_SWAP) {
        int held = worker->slot[stage->a];
        worker->slot[stage->a] = worker->slot[stage->b];
        worker->slot[stage->b] = held;
        return STATUS_OK;
    }
    const struct program *program = worker->cpu->engine.program;
    const struct kernel *kernel = &program->kernels[stage->a];
    void *arguments[KERNEL_BUFFERS];
    cpu_arguments(worker->cpu, kernel, worker->slot, arguments);
    struct range range = {0, kernel->columns, 0, kernel->rows};
    const bool is_small = (long long)kernel->columns * kernel->rows < GRAIN;
    if (is_small)
        range.column_end = worker->index == 0 ? kernel->columns : 0;
    else if (kernel->rows > 1)
        share(kernel->rows, worker->index, worker->count, &range.row_begin, &range.row_end);
    else
        share(kernel->columns, worker->index, worker->count, &range.column_begin, &range.column_end);
    (kernel->wide_loop ? kernel->wide_loop : kernel->loop)(arguments, program->parameters, step, range);
    barrier_wait(worker->barrier);
    return STATUS_OK;
}

static int advance(struct engine *engine) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    int end = engine->step;
    int slot[PROGRAM_BUFFERS];
    struct barrier barrier = {.waiting = 0};
#pragma omp parallel num_threads(cpu->threads)
    {
        struct worker worker = {cpu, &barrier, {0}, omp_get_thread_num(), omp_get_num_threads()};
        memcpy(worker.slot, engine->slot, sizeof worker.slot);
#pragma omp single
        {
            barrier.threads = worker.count;
            barrier.spins = worker.count > omp_get_num_procs() ? SPINS_CROWDED : SPINS;
        }
        int step = engine->step;
        program_walk(engine->program, visit, &worker, &step);
        if (worker.index == 0) {
            end = step;
            memcpy(slot, worker.slot, sizeof slot);
        }
    }
    engine->step = end;
    memcpy(engine->slot, slot, sizeof slot);
    return STATUS_OK;
}

const struct backend backend_threads = {"threads", cpu_check, cpu_open, cpu_close, cpu_write, cpu_read, advance};
