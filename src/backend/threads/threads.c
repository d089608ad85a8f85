/* The threads backend. Each thread is a worker: it walks through the program's stages and computes a part of the items
 * of each stage, with a barrier after most stages. A frame is one parallel region.
 *
 * A list is divided among the workers in whole blocks of LIST_BLOCK items, and a colour in single items. If a kernel
 * has a SIMD kernel, the SIMD kernel runs instead of the plain loop.
 *
 * If a frame consists only of time steps of one kernel, its SIMD kernel may do several steps in one call
 * (simd_kernel.steps), as mass_spring's does on a grid. Each worker must then have at least ROWS_PER_STEP rows for each
 * of these steps, because rows next to the border between two workers' parts are computed twice: for each additional
 * step, a worker also computes some rows of the other part at each border (two for mass_spring). */
#include "backend/cpu.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/openmp.h"
#include "method/tree_sum.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The grain of a stage is a number of items. A stage with fewer items runs on the first worker alone, because a
 * worker's part would take less time than a barrier. No barrier follows such a stage if it is a list or a colour. The
 * first worker then "is ahead" of the other workers. The other workers wait for the first worker before the next stage
 * that is divided among the workers.
 *
 *   stage                      grain                       barrier before                   barrier after
 *   list or colour             kernel_hints.grain or 512   if divided, and first is ahead   if divided
 *   list that is summed next   512, as in sum()            if first is ahead                none, because sum() has one
 *   grid                       512                         if first is ahead                always */
enum { GRAIN = 512 };

_Static_assert(LIST_BLOCK % TREE_SUM_BLOCK == 0, "a block of a list consists of whole blocks of a sum");

/* The fewest rows that a worker must have for each of the time steps that it computes in one call. */
enum { ROWS_PER_STEP = 16 };

/* How often a waiting thread tests the barrier before it yields its processor. A thread that has yielded to another
 * program does not run for some milliseconds. Therefore a thread tests for longer than the usual difference between the
 * workers' arrival times. If another program uses one of two cores, a run takes 2.5 times as long; without these tests
 * it would take 5 times as long. If there are more threads than processors, a worker that has not arrived may need a
 * processor, so the waiting threads yield early. */
enum { SPINS = 40000, SPINS_OVERSUBSCRIBED = 1000 };

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
    void **scratch; /* [scratches] scratch memory for SIMD kernels: scratch[w] is for worker w */
    int scratches;
    void *prepared[PROGRAM_KERNELS]; /* results of simd_kernel.prepare; NULL if not made yet */
    char *sums;                      /* two sets of block sums, then the tree memory of each worker (tree_quads) */
};

struct worker {
    const struct cpu_engine *cpu;
    void *scratch;
    void *const *prepared;
    struct barrier *barrier;
    int slot[PROGRAM_BUFFERS]; /* like engine.slot, but each worker swaps buffers in its own copy */
    int index, count;
    /* Each worker adds up all block sums into its own total. So no worker waits for another worker's total. */
    _Alignas(64) char total[PROGRAM_BUFFERS][4 * sizeof(double)];
    char *sums[2];       /* two sets of block sums, used alternately: other workers may still read the previous set */
    void *tree;          /* this worker's memory for tree_sum */
    int sum_count;       /* number of STAGE_SUMs that this worker has executed */
    bool has_block_sums; /* the SIMD kernel stored the sums of the worker's blocks */
    bool is_ahead;       /* the first worker has run stages alone since the other workers last waited for it */
    const struct kernel *layout; /* the kernel in whose SIMD layout the data are now (simd_kernel.has_layout); NULL if
                                    in no such layout */
};

static bool is_small(const struct kernel *kernel, int items) {
    return items < (kernel->hints.grain ? kernel->hints.grain : GRAIN);
}

/* Barriers around a stage. If is_alone, only the first worker runs the stage, and no worker waits before or after this
 * stage. The other workers wait for the first worker later, before the next stage in which they have items. */
static void barrier_before(struct worker *worker, bool is_alone) {
    if (worker->is_ahead && !is_alone)
        barrier_wait(worker->barrier);
    worker->is_ahead = worker->is_ahead && is_alone;
}

static void barrier_after(struct worker *worker, bool is_alone) {
    if (!is_alone)
        barrier_wait(worker->barrier);
    worker->is_ahead = is_alone;
}

/* Divide items among `count` workers: worker `index` has items *begin to *end - 1. If there are fewer items than
 * workers, the first workers have one item each. */
static void share(int items, int index, int count, int *begin, int *end) {
    count = items < count ? items : count;
    index = index < count ? index : count;
    *begin = (int)((long long)items * index / count);
    *end = index < count ? (int)((long long)items * (index + 1) / count) : *begin;
}

/* Like share, but the parts are whole blocks of LIST_BLOCK items. The first worker has all items if is_alone. */
static void share_list(int items, bool is_alone, int index, int count, int *begin, int *end) {
    const int blocks = items / LIST_BLOCK + (items % LIST_BLOCK != 0);
    share(blocks, index, is_alone ? 1 : count, begin, end);
    *begin = *begin < blocks ? *begin * LIST_BLOCK : items;
    *end = *end < blocks ? *end * LIST_BLOCK : items;
}

/* How many time steps to compute in one call. With this number, at most an eighth of the work is done twice. */
static int steps_at_once(const struct kernel *kernel, int threads) {
    const int rows = kernel->rows / (threads * ROWS_PER_STEP);
    return rows < 1 ? 1 : rows > kernel->simd->steps ? kernel->simd->steps : rows;
}

/* A kernel's arguments, with the worker's own totals. */
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

static struct simd_workspace workspace_of(struct worker *worker, const struct kernel *kernel) {
    return (struct simd_workspace){worker->scratch, worker->prepared[kernel - worker->cpu->engine.program->kernels],
                                   worker->has_block_sums ? worker->sums[worker->sum_count & 1] : NULL,
                                   worker->sums[~worker->sum_count & 1]};
}

/* Run a kernel on a range, which may be empty. If the kernel has a SIMD kernel, the SIMD kernel runs. */
static void run_range(struct worker *worker, const struct kernel *kernel, const struct arguments *arguments, int steps,
                      struct range range) {
    if (range.row_begin >= range.row_end || range.column_begin >= range.column_end)
        return;
    if (kernel->simd)
        kernel->simd->run(workspace_of(worker, kernel), arguments->bytes, steps, range);
    else
        kernel->loop(arguments->bytes, range);
}

/* Run the worker's part of a colour, whose items are `begin` to `end` - 1. The first worker runs all items of a small
 * colour. */
static void run_colour(struct worker *worker, const struct kernel *kernel, const struct arguments *arguments, int begin,
                       int end) {
    struct range range = {0, 0, 0, 1};
    share(end - begin, worker->index, is_small(kernel, end - begin) ? 1 : worker->count, &range.column_begin,
          &range.column_end);
    range.column_begin += begin;
    range.column_end += begin;
    run_range(worker, kernel, arguments, 1, range);
}

/* Run the worker's part of a kernel's items: whole blocks of a list, or rows of a grid. Blocks are whole so that the
 * worker can add up its own results. The first worker has the whole list if is_alone. */
static void run(struct worker *worker, const struct kernel *kernel, bool is_alone, int step, int steps) {
    struct range range = {0, kernel->columns, 0, kernel->rows};
    const struct arguments arguments = arguments_of(worker, kernel, step);
    if (kernel->rows == 1)
        share_list(kernel->columns, is_alone, worker->index, worker->count, &range.column_begin, &range.column_end);
    else if ((long long)kernel->columns * kernel->rows < GRAIN)
        range.row_end = worker->index == 0 ? kernel->rows : 0;
    else
        share(kernel->rows, worker->index, worker->count, &range.row_begin, &range.row_end);
    run_range(worker, kernel, &arguments, steps, range);
}

/* The number of a sum's blocks that begin before item `item`. */
static size_t blocks_before(int item) {
    return ((size_t)item + TREE_SUM_BLOCK - 1) / TREE_SUM_BLOCK;
}

/* First, add up each of the worker's blocks, unless the SIMD kernel has done so. (If the previous stage feeds the sum,
 * this worker computed the items of these blocks in that stage.) After a barrier, add up all block sums. There are two
 * sets of block sums, because other workers may still read the set of the previous STAGE_SUM. */
static void sum(struct worker *worker, const struct stage *stage) {
    const struct cpu_engine *cpu = worker->cpu;
    const struct program *program = cpu->engine.program;
    const size_t items = program->buffers[stage->a].items;
    const int blocks = (int)((items + TREE_SUM_BLOCK - 1) / TREE_SUM_BLOCK);
    char *sums = worker->sums[worker->sum_count++ & 1];
    int begin, end;
    share_list((int)items, items < GRAIN, worker->index, worker->count, &begin, &end);
    if (!worker->has_block_sums)
        tree_sum_blocks(cpu->memory[worker->slot[stage->a]], items, blocks_before(begin), blocks_before(end),
                        program->real_size, sums);
    worker->has_block_sums = false;
    barrier_wait(worker->barrier);
    tree_sum(sums, (size_t)blocks, program->real_size, worker->tree, worker->total[stage->b]);
}

/* Leave the current SIMD layout, if any, and enter the layout of `kernel`, unless `kernel` is NULL. Each worker copies
 * a part of the data. */
static void change_layout(struct worker *worker, const struct kernel *kernel) {
    const struct kernel *const changes[] = {worker->layout, kernel};
    for (int enters = 0; enters < 2 && worker->layout != kernel; ++enters) {
        const struct kernel *of = changes[enters];
        if (!of)
            continue;
        const struct arguments arguments = arguments_of(worker, of, 0);
        barrier_before(worker, false);
        (enters ? of->simd->enter_layout : of->simd->leave_layout)(workspace_of(worker, of), arguments.bytes,
                                                                   worker->index, worker->count);
        barrier_after(worker, false);
    }
    worker->layout = kernel;
}

/* The stage's kernel, if the stage must run in the kernel's SIMD layout; otherwise NULL. */
static const struct kernel *layout_kernel(const struct worker *worker, const struct stage *stage) {
    if (stage->kind != STAGE_COLOURS)
        return NULL;
    const struct kernel *kernel = &worker->cpu->engine.program->kernels[stage->a];
    const struct simd_kernel *simd = kernel->simd;
    return simd && simd->has_layout && simd->has_layout(worker->prepared[stage->a]) ? kernel : NULL;
}

/* Execute a stage and its barriers. No barrier follows the stage if each worker then adds up only its own items. */
static int visit(void *context, const struct stage *stage, int step) {
    struct worker *worker = context;
    const struct program *program = worker->cpu->engine.program;
    const bool is_summed = stage_feeds_sum(program, stage);
    change_layout(worker, layout_kernel(worker, stage));
    switch (stage->kind) {
    case STAGE_SWAP:
        program_swap(stage, worker->slot);
        break;
    case STAGE_SUM:
        barrier_before(worker, false);
        sum(worker, stage);
        break;
    case STAGE_COLOURS: {
        const struct arguments arguments = arguments_of(worker, &program->kernels[stage->a], step);
        for (int c = 0; c < program->colourings[stage->b].colours; ++c) {
            const int *start = program->colourings[stage->b].start + c;
            const bool is_alone = is_small(&program->kernels[stage->a], start[1] - start[0]);
            barrier_before(worker, is_alone);
            run_colour(worker, &program->kernels[stage->a], &arguments, start[0], start[1]);
            barrier_after(worker, is_alone);
        }
        break;
    }
    default: {
        const struct kernel *kernel = &program->kernels[stage->a];
        /* If the next stage is a sum, each worker must run the items that it adds up in sum(). */
        const bool is_alone =
            kernel->rows == 1 && (is_summed ? kernel->columns < GRAIN : is_small(kernel, kernel->columns));
        barrier_before(worker, !is_summed && is_alone);
        worker->has_block_sums = is_summed && kernel->simd && kernel->simd->computes_sums;
        run(worker, kernel, is_alone, step, 1);
        if (!is_summed)
            barrier_after(worker, is_alone);
    }
    }
    return STATUS_OK;
}

static void walk(struct worker *worker, int *step) {
    const struct program *program = worker->cpu->engine.program;
    const struct kernel *kernel = program_single_kernel(program);
    if (!kernel || !kernel->simd || kernel->simd->steps < 2) {
        program_walk(program, visit, worker, step);
        change_layout(worker, NULL);
        return;
    }
    const int at_once = steps_at_once(kernel, worker->count), end = *step + program->stages[0].count;
    while (*step < end) {
        const int steps = end - *step < at_once ? end - *step : at_once;
        run(worker, kernel, is_small(kernel, kernel->columns), *step, steps);
        barrier_wait(worker->barrier);
        for (const struct stage *swap = &program->stages[2]; swap->kind == STAGE_SWAP; ++swap)
            visit(worker, swap, *step);
        *step += steps;
    }
}

/* The scratch memory, in bytes, of the SIMD kernel that needs the most. *workers is the maximum number of workers that
 * have rows of a kernel with scratch memory. */
static size_t scratch_bytes(const struct program *program, int threads, int *workers) {
    size_t bytes = 0;
    *workers = 0;
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (!kernel->simd || !kernel->simd->scratch)
            continue;
        bytes = kernel->simd->scratch > bytes ? kernel->simd->scratch : bytes;
        const int rows = kernel->rows < threads ? kernel->rows : threads;
        *workers = rows > *workers ? rows : *workers;
    }
    return bytes;
}

/* Sizes in quads (four reals). block_quads: one set of block sums. tree_quads: the memory in which one worker adds up a
 * set. */
static size_t block_quads(const struct program *program) {
    return program_largest_sum(program) / TREE_SUM_BLOCK + 1;
}

static size_t tree_quads(const struct program *program) {
    return block_quads(program) / TREE_SUM_BLOCK + 1;
}

static size_t sums_bytes(const struct program *program, int threads) {
    return (2 * block_quads(program) + (size_t)threads * tree_quads(program)) * 4 * (size_t)program->real_size;
}

/* Whether a kernel's SIMD kernel uses a buffer's contents in its prepared data (simd_kernel.prepare). */
static bool is_prepared_of(const struct program *program, const struct kernel *kernel, int buffer) {
    const struct binding *b = kernel->bindings;
    if (!kernel->simd || !kernel->simd->prepare || program->buffers[buffer].sharing != BUFFER_FIXED)
        return false;
    while (b->member && b->buffer != buffer)
        ++b;
    return b->member;
}

/* Approximate bytes of all data that SIMD kernels prepare. */
static size_t prepared_bytes(const struct program *program) {
    size_t bytes = 0;
    for (int k = 0; k < program->kernel_count; ++k)
        for (int b = 0; b < program->buffer_count; ++b)
            if (is_prepared_of(program, &program->kernels[k], b))
                bytes += buffer_size(&program->buffers[b]);
    return 2 * bytes;
}

static int choose(const char *word, const char *suffix, struct backend_choice *choice) {
    enum { MOST = 4096 };
    choice->threads = omp_get_max_threads();
    if (*suffix && !whole_read(suffix + 1, 1, MOST, &choice->threads))
        return fail("unknown backend '%s'; use threads or threads:N with N from 1 to %d", word, MOST);
#ifndef _OPENMP
    if (choice->threads > 1)
        return fail("backend '%s': springback was built without OpenMP, so it has one thread; use threads:1", word);
#endif
    snprintf(choice->device_name, sizeof choice->device_name, "%s, %d thread%s", cpu_name(), choice->threads,
             choice->threads == 1 ? "" : "s");
    choice->cost = (struct backend_cost){2.5e-9 / choice->threads, 3e-6};
    return STATUS_OK;
}

static int check(const struct backend_choice *choice, const struct program *program) {
    int workers;
    const size_t scratch = scratch_bytes(program, choice->threads, &workers);
    return cpu_check(choice, program,
                     scratch * (size_t)workers + sums_bytes(program, choice->threads) + prepared_bytes(program));
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

/* Write a buffer. If the contents change, discard the data that SIMD kernels have prepared from this buffer. If the
 * contents stay equal, for example when a simulation is rewound, keep these data. Only fixed buffers are compared. A
 * fixed buffer is never swapped, so its slot is its index. */
static int write(struct engine *engine, int slot, const void *contents) {
    struct threads_engine *threads = (struct threads_engine *)engine;
    const struct program *program = engine->program;
    const struct buffer *b = &program->buffers[slot];
    for (int k = 0; k < program->kernel_count; ++k)
        if (threads->prepared[k] && is_prepared_of(program, &program->kernels[k], slot) &&
            memcmp(threads->cpu.memory[slot], contents, buffer_size(b)) != 0) {
            free(threads->prepared[k]);
            threads->prepared[k] = NULL;
        }
    return cpu_write(engine, slot, contents);
}

static int prepare(struct threads_engine *threads) {
    const struct program *program = threads->cpu.engine.program;
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (threads->prepared[k] || !kernel->simd || !kernel->simd->prepare)
            continue;
        _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
        cpu_arguments(&threads->cpu, kernel, threads->cpu.engine.slot, 0, arguments);
        threads->prepared[k] = kernel->simd->prepare(arguments, kernel->columns);
        if (!threads->prepared[k])
            return fail("backend threads: not enough memory for the SIMD data of the kernel %s; use a smaller body",
                        kernel->name);
    }
    return STATUS_OK;
}

static int begin(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    struct threads_engine *threads = memory_new(1, sizeof *threads);
    int status = cpu_create(&threads->cpu, choice, program);
    const size_t bytes = scratch_bytes(program, choice->threads, &threads->scratches);
    threads->scratch = memory_new((size_t)threads->scratches, sizeof *threads->scratch);
    for (int w = 0; w < threads->scratches && !status; ++w)
        if (!(threads->scratch[w] = memory_large(bytes)))
            status =
                fail("backend threads: not enough memory for %zu bytes of scratch memory; use fewer threads", bytes);
    if (!status && !(threads->sums = memory_large(sums_bytes(program, choice->threads))))
        status = fail("backend threads: not enough memory for %zu bytes of sums; use a smaller body",
                      sums_bytes(program, choice->threads));
    if (status)
        end(&threads->cpu.engine);
    else
        *out = &threads->cpu.engine;
    return status;
}

/* Copy the worker's totals to the buffers if to_buffers; otherwise copy the buffers to the worker's totals. */
static void copy_totals(struct worker *worker, bool to_buffers) {
    const struct program *program = worker->cpu->engine.program;
    for (int b = 0; b < program->buffer_count; ++b) {
        void *own = worker->total[b], *buffer = worker->cpu->memory[worker->slot[b]];
        if (program->buffers[b].sharing == BUFFER_TOTAL)
            memcpy(to_buffers ? buffer : own, to_buffers ? own : buffer, program->buffers[b].item_size);
    }
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
        worker.sums[1] = threads->sums + block_quads(program) * quad;
        worker.tree = threads->sums + (2 * block_quads(program) + (size_t)worker.index * tree_quads(program)) * quad;
        copy_totals(&worker, false);
#pragma omp single
        {
            barrier.threads = worker.count;
            barrier.spins = worker.count > omp_get_num_procs() ? SPINS_OVERSUBSCRIBED : SPINS;
        }
        int step = engine->step;
        walk(&worker, &step);
        if (worker.index == 0) {
            end = step;
            memcpy(slot, worker.slot, sizeof slot);
            copy_totals(&worker, true);
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
