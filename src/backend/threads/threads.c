/* The threads backend: every thread walks the program's table by itself and does its share of each stage, with a
 * barrier after each. One parallel region a frame. Where a frame is steps of one kernel that can do several in one
 * sweep over memory, it does: two steps more are two rows more at a share's borders, which both neighbours then
 * compute. Lists go to the workers in whole blocks, through the sweep where a kernel has one for lists. */
#include "backend/cpu.h"
#include "base/memory.h"
#include "base/number.h"
#include "method/tree_sum.h"

#include <omp.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Below this many items a stage is left to the first thread: its share would cost less than a barrier. Of stages that
 * follow each other and are all left to it, the others only see the end. */
enum { GRAIN = 512 };

_Static_assert(LIST_BLOCK % TREE_SUM_BLOCK == 0, "a worker adds up what it made");

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
    void *prepared[PROGRAM_KERNELS]; /* by the kernels' sweeps; NULL where nothing is, or not yet */
    char *sums;                      /* of blocks, twice; then a room for each worker to add them up in */
};

struct worker {
    const struct cpu_engine *cpu;
    void *scratch;
    void *const *prepared;
    struct barrier *barrier;
    int slot[PROGRAM_BUFFERS]; /* each thread swaps its own */
    int index, count;
    /* Each thread adds up the sums of all blocks for itself, into a total of its own: none waits for another's. */
    _Alignas(64) char total[PROGRAM_BUFFERS][4 * sizeof(double)];
    char *sums[2];
    void *room;
    int summed;                   /* how often */
    bool is_added;                /* the sums of the worker's blocks are there already */
    bool behind;                  /* the first thread did what the others have not waited for */
    const struct kernel *entered; /* whose sweep was entered and not yet left; NULL: none's */
};

static bool is_small(const struct kernel *kernel, int items) {
    return items < (kernel->hints.grain ? kernel->hints.grain : GRAIN);
}

/* What the first thread does alone, it does at once; the others wait for it when there is something for them. */
static void meet_before(struct worker *worker, bool is_alone) {
    if (worker->behind && !is_alone)
        barrier_wait(worker->barrier);
    worker->behind = worker->behind && is_alone;
}

static void meet_after(struct worker *worker, bool is_alone) {
    if (!is_alone)
        barrier_wait(worker->barrier);
    worker->behind = is_alone;
}

/* The part of `items` that falls to worker `index` of `count`; where there are fewer items, to the first workers. */
static void share(int items, int index, int count, int *begin, int *end) {
    count = items < count ? items : count;
    index = index < count ? index : count;
    *begin = (int)((long long)items * index / count);
    *end = index < count ? (int)((long long)items * (index + 1) / count) : *begin;
}

/* The part of a list of `items` that falls to worker `index`: whole blocks, or all of a short list to the first. */
static void share_list(int items, bool is_alone, int index, int count, int *begin, int *end) {
    const int blocks = items / LIST_BLOCK + (items % LIST_BLOCK != 0);
    share(blocks, index, is_alone ? 1 : count, begin, end);
    *begin = *begin < blocks ? *begin * LIST_BLOCK : items;
    *end = *end < blocks ? *end * LIST_BLOCK : items;
}

/* Steps of a sweep: so many that an eighth of the work at most is done twice. */
static int steps_at_once(const struct kernel *kernel, int threads) {
    const int rows = kernel->rows / (threads * ROWS_A_STEP);
    return rows < 1 ? 1 : rows > kernel->sweep->steps ? kernel->sweep->steps : rows;
}

/* A kernel's arguments, with totals where the worker has its own. */
struct arguments {
    _Alignas(max_align_t) char bytes[ARGUMENT_BYTES];
};

static struct arguments arguments_of(struct worker *worker, const struct kernel *kernel, int step) {
    const struct program *program = worker->cpu->engine.program;
    struct arguments arguments;
    void *memory[PROGRAM_BUFFERS];
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        memory[b] = program->buffers[b].sharing == BUFFER_TOTAL ? (void *)worker->total[b]
                                                                : worker->cpu->memory[worker->slot[b]];
    kernel_arguments(program, kernel, memory, step, arguments.bytes);
    return arguments;
}

static struct sweep_room room_for(struct worker *worker, const struct kernel *kernel) {
    return (struct sweep_room){worker->scratch, worker->prepared[kernel - worker->cpu->engine.program->kernels],
                               worker->is_added ? worker->sums[worker->summed & 1] : NULL,
                               worker->sums[~worker->summed & 1]};
}

/* Run a kernel over a range, which may be empty, by its sweep where it has one. */
static void run_range(struct worker *worker, const struct kernel *kernel, const struct arguments *arguments, int steps,
                      struct range range) {
    if (range.row_begin >= range.row_end || range.column_begin >= range.column_end)
        return;
    if (kernel->sweep)
        kernel->sweep->run(room_for(worker, kernel), arguments->bytes, steps, range);
    else
        kernel->loop(arguments->bytes, range);
}

/* A worker's share of a colour: all of a small one to the first. */
static void run_colour(struct worker *worker, const struct kernel *kernel, const struct arguments *arguments, int begin,
                       int end) {
    struct range range = {0, 0, 0, 1};
    share(end - begin, worker->index, is_small(kernel, end - begin) ? 1 : worker->count, &range.column_begin,
          &range.column_end);
    range.column_begin += begin;
    range.column_end += begin;
    run_range(worker, kernel, arguments, 1, range);
}

/* A worker's share of a kernel's items. Those of a list are whole blocks, so that it can add up what it made. */
static void run(struct worker *worker, const struct kernel *kernel, int step, int steps) {
    struct range range = {0, kernel->columns, 0, kernel->rows};
    const struct arguments arguments = arguments_of(worker, kernel, step);
    if (kernel->rows == 1)
        share_list(kernel->columns, is_small(kernel, kernel->columns), worker->index, worker->count,
                   &range.column_begin, &range.column_end);
    else if ((long long)kernel->columns * kernel->rows < GRAIN)
        range.row_end = worker->index == 0 ? kernel->rows : 0;
    else
        share(kernel->rows, worker->index, worker->count, &range.row_begin, &range.row_end);
    run_range(worker, kernel, &arguments, steps, range);
}

/* The blocks of a sum that begin before an item: all of them before the list's end. */
static size_t blocks_before(int item) {
    return ((size_t)item + TREE_SUM_BLOCK - 1) / TREE_SUM_BLOCK;
}

/* Add up the blocks that fall to the worker, which are those of the items that it ran; then, when all are there, all
 * sums. What was added up before may still be read by others: there are two places for it. */
static void sum(struct worker *worker, const struct stage *stage) {
    const struct cpu_engine *cpu = worker->cpu;
    const struct program *program = cpu->engine.program;
    const size_t items = program->buffers[stage->a].items;
    const int blocks = (int)((items + TREE_SUM_BLOCK - 1) / TREE_SUM_BLOCK);
    char *sums = worker->sums[worker->summed++ & 1];
    int begin, end;
    share_list((int)items, items < GRAIN, worker->index, worker->count, &begin, &end);
    if (!worker->is_added)
        tree_sum_blocks(cpu->memory[worker->slot[stage->a]], items, blocks_before(begin), blocks_before(end),
                        program->real_size, sums);
    worker->is_added = false;
    barrier_wait(worker->barrier);
    tree_sum(sums, (size_t)blocks, program->real_size, worker->room, worker->total[stage->b]);
}

/* Into the sweep of a kernel that turns, out of another's: a share each. */
static void enter(struct worker *worker, const struct kernel *kernel) {
    const struct kernel *before = worker->entered;
    if (before == kernel)
        return;
    if (before) {
        const struct arguments arguments = arguments_of(worker, before, 0);
        meet_before(worker, false);
        before->sweep->leave(room_for(worker, before), arguments.bytes, worker->index, worker->count);
        meet_after(worker, false);
    }
    if (kernel) {
        const struct arguments arguments = arguments_of(worker, kernel, 0);
        meet_before(worker, false);
        kernel->sweep->enter(room_for(worker, kernel), arguments.bytes, worker->index, worker->count);
        meet_after(worker, false);
    }
    worker->entered = kernel;
}

/* The kernel of a stage where its sweep is to be entered; NULL where none is. */
static const struct kernel *to_enter(const struct worker *worker, const struct stage *stage) {
    if (stage->kind != STAGE_COLOURS)
        return NULL;
    const struct kernel *kernel = &worker->cpu->engine.program->kernels[stage->a];
    const struct sweep *sweep = kernel->sweep;
    return sweep && sweep->turns && sweep->turns(worker->prepared[stage->a]) ? kernel : NULL;
}

/* A stage, and a meeting of all. What is followed by a sum of each worker's own items needs none. */
static int visit(void *context, const struct stage *stage, int step) {
    struct worker *worker = context;
    const struct program *program = worker->cpu->engine.program;
    const bool is_summed = program_is_summed(program, stage);
    enter(worker, to_enter(worker, stage));
    switch (stage->kind) {
    case STAGE_SWAP:
        program_swap(stage, worker->slot);
        break;
    case STAGE_SUM:
        meet_before(worker, false);
        sum(worker, stage);
        break;
    case STAGE_COLOURS: {
        const struct arguments arguments = arguments_of(worker, &program->kernels[stage->a], step);
        for (int c = 0; c < program->colourings[stage->b].colours; ++c) {
            const int *start = program->colourings[stage->b].start + c;
            const bool is_alone = is_small(&program->kernels[stage->a], start[1] - start[0]);
            meet_before(worker, is_alone);
            run_colour(worker, &program->kernels[stage->a], &arguments, start[0], start[1]);
            meet_after(worker, is_alone);
        }
        break;
    }
    default: {
        const struct kernel *kernel = &program->kernels[stage->a];
        const bool is_alone = !is_summed && kernel->rows == 1 && is_small(kernel, kernel->columns);
        meet_before(worker, is_alone);
        worker->is_added = is_summed && kernel->sweep && kernel->sweep->adds_up;
        run(worker, kernel, step, 1);
        if (!is_summed)
            meet_after(worker, is_alone);
    }
    }
    return STATUS_OK;
}

static void walk(struct worker *worker, int *step) {
    const struct program *program = worker->cpu->engine.program;
    const struct kernel *kernel = program_sweep(program);
    if (!kernel) {
        program_walk(program, visit, worker, step);
        enter(worker, NULL);
        return;
    }
    const int at_once = steps_at_once(kernel, worker->count), end = *step + program->stages[0].count;
    while (*step < end) {
        const int steps = end - *step < at_once ? end - *step : at_once;
        run(worker, kernel, *step, steps);
        barrier_wait(worker->barrier);
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
        if (!kernel->sweep || !kernel->sweep->scratch)
            continue;
        bytes = kernel->sweep->scratch > bytes ? kernel->sweep->scratch : bytes;
        const int rows = kernel->rows < threads ? kernel->rows : threads;
        *workers = rows > *workers ? rows : *workers;
    }
    return bytes;
}

/* Quads of the sums of blocks, and of the room in which one worker adds them up. */
static size_t blocks_of(const struct program *program) {
    return program_most_summed(program) / TREE_SUM_BLOCK + 1;
}

static size_t room_of(const struct program *program) {
    return blocks_of(program) / TREE_SUM_BLOCK + 1;
}

static size_t sums_of(const struct program *program, int threads) {
    return (2 * blocks_of(program) + (size_t)threads * room_of(program)) * 4 * (size_t)program->real_size;
}

/* Whether a kernel's sweep prepares something of a buffer. */
static bool is_prepared_of(const struct program *program, const struct kernel *kernel, int buffer) {
    const struct binding *b = kernel->bindings;
    if (!kernel->sweep || !kernel->sweep->prepare || program->buffers[buffer].sharing != BUFFER_FIXED)
        return false;
    while (b->member && b->buffer != buffer)
        ++b;
    return b->member;
}

/* What the sweeps prepare, about: it is made when the buffers' contents are there. */
static size_t prepared_of(const struct program *program) {
    size_t bytes = 0;
    for (int k = 0; k < program->kernel_count; ++k)
        for (int b = 0; b < program->buffer_count; ++b)
            if (is_prepared_of(program, &program->kernels[k], b))
                bytes += program->buffers[b].items * program->buffers[b].item_size;
    return 2 * bytes;
}

static int choose(const char *text, const char *suffix, struct backend_choice *choice) {
    enum { MOST = 4096 };
    choice->threads = omp_get_max_threads();
    if (*suffix && !whole_read(suffix + 1, 1, MOST, &choice->threads))
        return fail("backend '%s' is not known; threads or threads:N with N from 1 to %d would be", text, MOST);
    snprintf(choice->device_name, sizeof choice->device_name, "%s, %d thread%s", cpu_name(), choice->threads,
             choice->threads == 1 ? "" : "s");
    choice->cost = (struct backend_cost){2.5e-9 / choice->threads, 3e-6};
    return STATUS_OK;
}

static int check(const struct backend_choice *choice, const struct program *program) {
    int workers;
    const size_t scratch = scratch_of(program, choice->threads, &workers);
    return cpu_check(choice, program,
                     scratch * (size_t)workers + sums_of(program, choice->threads) + prepared_of(program));
}

static void end(struct engine *engine) {
    struct threads_engine *threads = (struct threads_engine *)engine;
    for (int w = 0; w < threads->scratches; ++w)
        free(threads->scratch[w]);
    for (int k = 0; k < PROGRAM_KERNELS; ++k)
        free(threads->prepared[k]);
    free(threads->scratch);
    free(threads->sums);
    cpu_close(engine);
}

/* A rewound engine is written what it holds already, and what was prepared of that is kept. */
static int write(struct engine *engine, int buffer, const void *contents) {
    struct threads_engine *threads = (struct threads_engine *)engine;
    const struct program *program = engine->program;
    const struct buffer *b = &program->buffers[buffer];
    for (int k = 0; k < program->kernel_count; ++k)
        if (threads->prepared[k] && is_prepared_of(program, &program->kernels[k], buffer) &&
            memcmp(threads->cpu.memory[buffer], contents, b->items * b->item_size) != 0) {
            free(threads->prepared[k]);
            threads->prepared[k] = NULL;
        }
    return cpu_write(engine, buffer, contents);
}

static int prepare(struct threads_engine *threads) {
    const struct program *program = threads->cpu.engine.program;
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (threads->prepared[k] || !kernel->sweep || !kernel->sweep->prepare)
            continue;
        _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
        cpu_arguments(&threads->cpu, kernel, threads->cpu.engine.slot, 0, arguments);
        threads->prepared[k] = kernel->sweep->prepare(arguments, kernel->columns);
        if (!threads->prepared[k])
            return fail("backend threads: memory for the rows of %s could not be had", kernel->name);
    }
    return STATUS_OK;
}

static int begin(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    struct threads_engine *threads = memory_new(1, sizeof *threads);
    int status = cpu_create(&threads->cpu, choice, program);
    const size_t bytes = scratch_of(program, choice->threads, &threads->scratches);
    threads->scratch = memory_new((size_t)threads->scratches, sizeof *threads->scratch);
    for (int w = 0; w < threads->scratches && !status; ++w)
        if (!(threads->scratch[w] = memory_large(bytes)))
            status = fail("backend threads: %zu bytes of scratch could not be had", bytes);
    if (!status && !(threads->sums = memory_large(sums_of(program, choice->threads))))
        status = fail("backend threads: %zu bytes of sums could not be had", sums_of(program, choice->threads));
    if (status)
        end(&threads->cpu.engine);
    else
        *out = &threads->cpu.engine;
    return status;
}

/* Give a worker the totals as they are, or keep them. */
static void load_totals(struct worker *worker) {
    const struct program *program = worker->cpu->engine.program;
    for (int b = 0; b < program->buffer_count; ++b)
        if (program->buffers[b].sharing == BUFFER_TOTAL)
            memcpy(worker->total[b], worker->cpu->memory[worker->slot[b]], program->buffers[b].item_size);
}

static void keep_totals(const struct worker *worker) {
    const struct program *program = worker->cpu->engine.program;
    for (int b = 0; b < program->buffer_count; ++b)
        if (program->buffers[b].sharing == BUFFER_TOTAL)
            memcpy(worker->cpu->memory[worker->slot[b]], worker->total[b], program->buffers[b].item_size);
}

static int advance(struct engine *engine) {
    struct threads_engine *threads = (struct threads_engine *)engine;
    const struct cpu_engine *cpu = &threads->cpu;
    const struct program *program = engine->program;
    const size_t quad = 4 * (size_t)program->real_size;
    int end = engine->step;
    int slot[PROGRAM_BUFFERS];
    struct barrier barrier = {.waiting = 0};
    const int status = prepare(threads);
    if (status)
        return status;
#pragma omp parallel num_threads(cpu->threads)
    {
        struct worker worker = {.cpu = cpu,
                                .prepared = threads->prepared,
                                .barrier = &barrier,
                                .index = omp_get_thread_num(),
                                .count = omp_get_num_threads()};
        worker.scratch = worker.index < threads->scratches ? threads->scratch[worker.index] : NULL;
        memcpy(worker.slot, engine->slot, sizeof worker.slot);
        worker.sums[0] = threads->sums;
        worker.sums[1] = threads->sums + blocks_of(program) * quad;
        worker.room = threads->sums + (2 * blocks_of(program) + (size_t)worker.index * room_of(program)) * quad;
        load_totals(&worker);
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
            keep_totals(&worker);
        }
    }
    engine->step = end;
    memcpy(engine->slot, slot, sizeof slot);
    return STATUS_OK;
}

const struct backend backend_threads = {
    .name = "threads",
    .has_threads = true,
    .choose = choose,
    .check = check,
    .open = begin,
    .close = end,
    .write = write,
    .read = cpu_read,
    .advance = advance,
};
