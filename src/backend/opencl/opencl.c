/* The opencl backend. There are three methods of running a frame.
 *
 * If frame_shape.h has a shape for the program, and registers suffice, a frame is one launch of a generated kernel
 * (frame_source.h). All stages of all time steps run in this kernel, with barriers in between.
 *
 * A grid can be too large for a frame kernel. If each time step of such a grid runs only one kernel, one launch can
 * compute several steps (program.h: struct multistep). This method is used if it is faster than one launch for each
 * step.
 *
 * Otherwise the host walks through the program's stages, and each stage is one launch (launch_source.h). A stage by
 * colours is one launch for each colour. The launch of a stage that feeds a sum begins the sum; one or more further
 * launches finish the sum (launch_shape.h). A swap exchanges the slots of two memory objects on the host. The host only
 * enqueues the launches, and waits for the device at each STAGE_HOST and at the end of the frame (clFinish). */
#include "backend/backend.h"
#include "backend/opencl/compile.h"
#include "backend/opencl/device.h"
#include "backend/opencl/frame_shape.h"
#include "backend/opencl/launch_shape.h"
#include "backend/opencl/launch_size.h"
#include "backend/opencl/launch_source.h"
#include "backend/opencl/max_local_memory.h"
#include "backend/opencl/opencl_override.h"
#include "backend/opencl/queue.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Work items of a group on a grid and on a list. The nodes of a grid's row are contiguous in memory. */
enum { GROUP_COLUMNS = 32, GROUP_ROWS = 4, GROUP_LIST = 128 };

struct opencl_engine {
    struct engine engine;
    struct program program; /* a copy of engine.program; has the fused stages if runs_unfused(device) is false */
    struct opencl_queue q;
    cl_kernel kernels[PROGRAM_KERNELS];
    cl_mem memory[PROGRAM_BUFFERS];
    cl_kernel stage_and_sum_kernels[PROGRAM_STAGES]; /* [stage]: runs a stage that feeds a sum, and begins the sum; NULL
                                                        for other stages */
    cl_kernel sum_kernel;
    const struct multistep *multistep; /* how one launch computes several steps of a grid; NULL if no launch computes
                                          several steps */
    cl_kernel several_steps;
    struct launch_shape launches;
    cl_kernel sum_at_once; /* adds up a whole sum in one launch; NULL if this kernel is not used */
    cl_mem finished;       /* counts the groups of a launch of sum_at_once that have finished */
    cl_mem begun_sums;     /* results of a stage that begins a sum: one sum for each group, or for each warp on tiles */
    int rows_of_group;     /* rows that one work group of `several_steps` computes */
    cl_mem partial_sums[2]; /* sums of groups; launches of sum_kernel alternate between the two, other kernels use only
                               [0] */
    void *host[PROGRAM_BUFFERS]; /* main memory for buffers of stages on the host */
    cl_kernel frame;             /* NULL if stages are launched one by one */
    struct frame_shape shape;
    cl_mem arrivals;                             /* counts arrivals of groups at barriers; never reset */
    cl_uint arrivals_before, arrivals_per_frame; /* value of the counter before the next frame; its increase in a
                                                    frame */
    int estimated_launches; /* number of launches of a frame; a sum counts as one launch; 0 with a frame kernel */
    pthread_t thread;       /* enqueues a frame, if has_thread */
    bool has_thread;
    int status;       /* result of enqueueing the frame */
    const char *what; /* the operation that failed while a frame was enqueued; `finish` reports it */
    cl_int error;
};

static int note_error(struct opencl_engine *cl, const char *what, cl_int error) {
    cl->what = what;
    cl->error = error;
    return STATUS_BAD;
}

static int check(const struct backend_choice *choice, const struct program *program) {
    const struct device *device = &device_list()->devices[choice->device];
    const size_t all = program_bytes(program);
    if (program->real_size == 8 && !device->has_double)
        return fail("device '%s' has no double precision (cl_khr_fp64); use precision: float", device->name);
    if (all > device->memory)
        return fail(
            "device '%s': the body needs %zu bytes of memory, and the device has %llu bytes; use a smaller body",
            device->name, all, (unsigned long long)device->memory);
    for (const struct buffer *b = program->buffers; b < program->buffers + program->buffer_count; ++b)
        if (buffer_size(b) > device->largest_buffer)
            return fail("device '%s': buffer '%s' needs %zu bytes, and the device allows %llu bytes for a buffer; use "
                        "a smaller body",
                        device->name, b->name, buffer_size(b), (unsigned long long)device->largest_buffer);
    return STATUS_OK;
}

static void close_engine(struct engine *engine) {
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    if (cl->has_thread) /* a frame was started, but engine_wait was not called */
        pthread_join(cl->thread, NULL);
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        free(cl->host[b]);
    queue_close(&cl->q);
    free(cl);
}

/* Create a kernel and set its parameters. */
static int create_kernel(struct opencl_engine *cl, const char *name, const struct kernel *kernel, cl_kernel *out) {
    const int status = queue_create_kernel(&cl->q, name, out);
    const cl_int error = status ? CL_SUCCESS
                                : clSetKernelArg(*out, (cl_uint)binding_count(kernel->bindings),
                                                 cl->program.parameter_size, cl->program.parameters);
    return error ? opencl_failed("clSetKernelArg of the parameters", error) : status;
}

static size_t quad_size(const struct program *program) {
    return 4 * (size_t)program->real_size;
}

/* Create a memory object that is zero at first. */
static int make_zeros(struct opencl_engine *cl, const char *name, size_t bytes, cl_mem *out) {
    AUTO_FREE void *zeros = memory_new(bytes, 1);
    return queue_create_memory(&cl->q, name, bytes, zeros, out);
}

/* How many rows one work group computes in a launch of several steps. If the backend chooses this number, the rows are
 * divided among as many groups as a GPU can run at the same time. */
static int rows_of_group(const struct device *device, const struct kernel *kernel, const struct multistep *multistep) {
    enum { GROUPS_OF_UNIT = 2 }; /* groups that the registers of one compute unit of an H100 allow at the same time */
    const int parts = (int)device->compute_units * GROUPS_OF_UNIT / multistep->count;
    return multistep->rows ? multistep->rows : (int)parts_of((size_t)kernel->rows, (size_t)(parts < 1 ? 1 : parts));
}

/* Whether a device should use a function for several steps; only a GPU should. A function whose groups have a fixed
 * number of rows is used if there are at most four groups for each compute unit. A function for which the backend
 * chooses the number of rows is used if this number is at least `lag`.
 *
 * Measurements on an H200: blocks (kernels/mass_spring_blocks.h, a fixed number of rows) were faster than strips
 * (kernels/mass_spring_strips.h) up to 512 x 512 nodes, and slower from 544 x 544 on. Strips were faster than single
 * steps on all tested grids from 544 x 544 to 2,048 x 2,560 nodes; there a group of strips stored at least 11 rows. */
static bool multistep_is_fast(const struct device *device, const struct kernel *kernel, const struct multistep *m) {
    const int rows = rows_of_group(device, kernel, m);
    return device->is_gpu &&
           (m->rows ? (int)parts_of((size_t)kernel->rows, (size_t)rows) * m->count <= 4 * (int)device->compute_units
                    : rows >= m->lag);
}

/* How one launch computes several steps of a grid on the device; NULL if no launch should compute several steps. */
static const struct multistep *choose_multistep(const struct device *device, const struct program *program) {
    const struct kernel *kernel = program_single_kernel(program);
    if (!kernel || program->real_size != sizeof(float) || opencl_override_has("launches"))
        return NULL;
    const struct multistep *end = kernel->hints.multistep + MULTISTEPS;
    const bool is_chosen = opencl_override_has("strips") || opencl_override_has("blocks");
    for (const struct multistep *m = kernel->hints.multistep; m < end && m->name; ++m) {
        if (device->local_memory >= m->bytes && device->max_group_size >= (size_t)m->lanes &&
            (is_chosen ? opencl_override_has(m->name) : multistep_is_fast(device, kernel, m)))
            return m;
    }
    return NULL;
}

/* Create the kernel and the memory objects that add up the groups' sums. */
static int open_sums(struct opencl_engine *cl, const struct program *program) {
    const size_t quad = quad_size(program), most = program_largest_sum(program);
    const size_t begun = cl->launches.fuses_sums ? launch_shape_parts(&cl->launches, most, 1) : most;
    if (make_zeros(cl, "sums of stages", begun * quad, &cl->begun_sums))
        return STATUS_BAD;
    if (cl->launches.sums_at_once && begun <= (size_t)64 * SUM_GROUP * SUM_GROUP)
        return queue_create_kernel(&cl->q, "springback_sum_at_once", &cl->sum_at_once) ||
                       make_zeros(cl, "sums of groups", 8 * SUM_GROUP * quad, &cl->partial_sums[0]) ||
                       make_zeros(cl, "the counter of groups", sizeof(cl_uint), &cl->finished)
                   ? STATUS_BAD
                   : STATUS_OK;
    int status = queue_create_kernel(&cl->q, "springback_sum", &cl->sum_kernel);
    for (int k = 0; !status && k < 2; ++k) /* large enough even if each group has one item */
        status = make_zeros(cl, "sums of groups", most * quad, &cl->partial_sums[k]);
    return status;
}

/* Create the kernels for launching stage by stage. */
static int open_launches(struct opencl_engine *cl, const struct device *device, const struct program *program) {
    const struct stage *stages = program->stages;
    const struct kernel *single = program_single_kernel(program);
    cl->multistep = choose_multistep(device, program);
    cl->rows_of_group = cl->multistep ? rows_of_group(device, single, cl->multistep) : 0;
    cl->launches = launch_shape_of(device, program);
    AUTO_FREE char *define =
        launch_shape_options(&cl->launches, cl->multistep ? &single->hints.multistep_constant : NULL);
    int status = compile(&cl->q, program, launch_source(program, cl->multistep), define);
    if (!status && cl->multistep)
        status = create_kernel(cl, "springback_multistep", single, &cl->several_steps);
    for (int k = 0; !status && k < program->kernel_count; ++k) {
        if (cl->launches.fuses_sums && kernel_is_summed(program, &program->kernels[k]))
            continue; /* this kernel only runs as one of stage_and_sum_kernels */
        AUTO_FREE char *name =
            text_format("%s%s", program->is_list_program ? "springback_list_" : "", program->kernels[k].name);
        status = create_kernel(cl, name, &program->kernels[k], &cl->kernels[k]);
    }
    for (int s = 0; !status && s < program->stage_count; ++s) {
        AUTO_FREE char *name = text_format("springback_summed_%d", s);
        if (stage_feeds_sum(program, &stages[s]))
            status = create_kernel(cl, name, &program->kernels[stages[s].a], &cl->stage_and_sum_kernels[s]);
    }
    return status || !program_largest_sum(program) ? status : open_sums(cl, program);
}

/* Set the arguments of a frame kernel that never change. */
static int set_frame_arguments(struct opencl_engine *cl, const struct program *program) {
    const cl_uint after = (cl_uint)program->buffer_count;
    const size_t sums = program_largest_sum(program) ? 2 * (size_t)cl->shape.work_groups * quad_size(program) : 0;
    if (make_zeros(cl, "the counter of groups", sizeof(cl_uint), &cl->arrivals) ||
        (sums && make_zeros(cl, "sums", sums, &cl->partial_sums[0])))
        return STATUS_BAD;
    cl_int error = clSetKernelArg(cl->frame, after, program->parameter_size, program->parameters);
    if (!error && sums)
        error = KERNEL_SET(cl->frame, after + 4, ARGUMENT(cl->partial_sums[0]));
    return error ? opencl_failed("clSetKernelArg of a frame", error) : STATUS_OK;
}

/* Create the frame kernel, if there is a shape for it. */
static int open_frame(struct opencl_engine *cl, const struct device *device, const struct program *program) {
    const struct shape_override override = opencl_override_shape();
    const struct device enlarged = program->is_list_program ? device_with_max_local_memory(device) : *device;
    if (opencl_override_has("launches") || opencl_override_has("strips") || opencl_override_has("blocks") ||
        !frame_shape_choose(&enlarged, program, &override, &cl->shape))
        return STATUS_OK;
    cl->arrivals_per_frame = (cl_uint)frame_barriers(program) * (cl_uint)cl->shape.work_groups;
    size_t max_lanes;
    const int status = compile_frame(&cl->q, program, &cl->shape, &cl->frame, &max_lanes);
    return status || !cl->frame ? status : set_frame_arguments(cl, program);
}

/* Allocate main memory for the buffers of stages on the host. */
static int allocate_host_memory(struct opencl_engine *cl, const struct program *program) {
    for (int s = 0; s < program->stage_count; ++s) {
        if (program->stages[s].kind != STAGE_HOST)
            continue;
        const struct kernel *kernel = &program->kernels[program->stages[s].a];
        for (const struct binding *b = kernel->bindings; b->member; ++b) {
            const struct buffer *buffer = &program->buffers[b->buffer];
            if (!cl->host[b->buffer] && !(cl->host[b->buffer] = memory_large(buffer_size(buffer))))
                return fail("not enough main memory for buffer '%s'; use a smaller body", buffer->name);
        }
    }
    return STATUS_OK;
}

static int count_launch(void *context, const struct stage *stage, int step) {
    (void)step;
    struct opencl_engine *cl = context;
    cl->estimated_launches += stage->kind == STAGE_COLOURS ? cl->program.colourings[stage->b].colours
                                                           : stage->kind == STAGE_RUN || stage->kind == STAGE_SUM;
    return STATUS_OK;
}

static int open_engine(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    const struct device *device = &device_list()->devices[choice->device];
    struct opencl_engine *cl = memory_new(1, sizeof *cl);
    cl->program = *program;
    if (!runs_unfused(device))
        program_fuse(&cl->program);
    program = &cl->program;
    bool is_open = !queue_open(device, &cl->q) && !open_frame(cl, device, program) &&
                   (cl->frame || !open_launches(cl, device, program)) && !allocate_host_memory(cl, program);
    for (int b = 0; is_open && b < program->buffer_count; ++b) {
        const struct buffer *buffer = &program->buffers[b];
        is_open = !queue_create_memory(&cl->q, buffer->name, buffer_size(buffer), NULL, &cl->memory[b]);
    }
    int step = 0;
    if (!cl->frame)
        program_walk(program, count_launch, cl, &step);
    if (is_open)
        *out = &cl->engine;
    else
        close_engine(&cl->engine);
    return is_open ? STATUS_OK : STATUS_BAD;
}

static int write_buffer(struct engine *engine, int slot, const void *contents) {
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    const struct buffer *b = &cl->program.buffers[slot];
    return queue_write(&cl->q, cl->memory[slot], 0, buffer_size(b), contents);
}

static int read_buffer(struct engine *engine, int slot, void *contents) {
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    const struct buffer *b = &cl->program.buffers[slot];
    return queue_read(&cl->q, cl->memory[slot], 0, buffer_size(b), contents);
}

/* Set a kernel's buffers, by their current slots, and the step. */
static cl_int set_arguments(struct opencl_engine *cl, cl_kernel handle, const struct kernel *kernel, int step) {
    const int *slot = cl->engine.slot;
    const cl_int index = step;
    cl_int error = CL_SUCCESS;
    for (cl_uint b = 0; kernel->bindings[b].member && !error; ++b)
        error = clSetKernelArg(handle, b, sizeof(cl_mem), &cl->memory[slot[kernel->bindings[b].buffer]]);
    return error ? error : clSetKernelArg(handle, (cl_uint)binding_count(kernel->bindings) + 1, sizeof index, &index);
}

/* Launch a list program's stage: all items, or colour by colour. */
static int launch_list(struct opencl_engine *cl, const struct stage *stage, int step) {
    const struct kernel *kernel = &cl->program.kernels[stage->a];
    const struct colouring all = {1, (int[]){0, kernel->columns}},
                           *of = stage->kind == STAGE_COLOURS ? &cl->program.colourings[stage->b] : &all;
    const size_t local = power_of_two_within(cl->q.max_group_size, GROUP_LIST);
    const cl_uint bounds = (cl_uint)binding_count(kernel->bindings) + 2;
    cl_kernel handle = cl->kernels[stage->a];
    cl_int error = set_arguments(cl, handle, kernel, step);
    for (const int *start = of->start; start < of->start + of->colours && !error; ++start) {
        const size_t global = round_up((size_t)(start[1] - start[0]), local);
        error = KERNEL_SET(handle, bounds, ARGUMENT(start[0]), ARGUMENT(start[1]));
        if (!error && global)
            error = clEnqueueNDRangeKernel(cl->q.commands, handle, 1, NULL, &global, &local, 0, NULL, NULL);
    }
    return error ? note_error(cl, kernel->name, error) : STATUS_OK;
}

static int launch(struct opencl_engine *cl, const struct stage *stage, int step) {
    const struct program *program = &cl->program;
    const struct kernel *kernel = &program->kernels[stage->a];
    const cl_kernel summing = cl->stage_and_sum_kernels[stage - program->stages],
                    handle = summing ? summing : cl->kernels[stage->a];
    cl_int error = set_arguments(cl, handle, kernel, step);
    const cl_uint last = (cl_uint)binding_count(kernel->bindings) + 2;
    const cl_int items = kernel->columns * kernel->rows;
    if (!error && summing)
        error = clSetKernelArg(handle, last, sizeof cl->begun_sums, &cl->begun_sums);
    else if (!error)
        error = clSetKernelArg(handle, last, sizeof items, &items);
    if (error)
        return note_error(cl, "clSetKernelArg", error);
    const bool grid = kernel->rows > 1;
    size_t local[2] = {grid ? GROUP_COLUMNS : GROUP_LIST, grid ? GROUP_ROWS : 1};
    if (summing || kernel->group_size)
        local[0] = power_of_two_within(cl->q.max_group_size, summing ? SUM_GROUP : (size_t)kernel->group_size);
    while (local[0] * local[1] > cl->q.max_group_size && local[0] * local[1] > 1) /* for devices with small groups */
        local[local[1] > 1] /= 2;
    size_t global[2] = {round_up((size_t)kernel->columns, local[0]), round_up((size_t)kernel->rows, local[1])};
    if (cl->launches.grid_columns) {
        const size_t columns = (size_t)cl->launches.grid_columns;
        local[0] = (size_t)TILE_COLUMNS * TILE_ROWS;
        global[0] = columns * round_up((size_t)kernel->columns / columns, TILE_ROWS);
    }
    error = clEnqueueNDRangeKernel(cl->q.commands, handle, grid ? 2 : 1, NULL, global, local, 0, NULL, NULL);
    return error ? note_error(cl, kernel->name, error) : STATUS_OK;
}

/* Add up the `count` values in `source`, and store the total in `total`. Each launch adds up the values of the previous
 * launch, until one value is left. */
static cl_int launch_sums(struct opencl_engine *cl, cl_mem source, size_t count, size_t group, cl_mem total) {
    cl_int error = CL_SUCCESS;
    for (int to = 0; !error && source != total; to = 1 - to) {
        const cl_uint number = (cl_uint)count, take = values_per_item(count, group);
        const size_t groups = parts_of(count, take * group), global = groups * group;
        const cl_mem sink = groups == 1 ? total : cl->partial_sums[to];
        error = KERNEL_SET(cl->sum_kernel, 0, ARGUMENT(source), ARGUMENT(number), ARGUMENT(take), ARGUMENT(sink));
        if (!error)
            error = clEnqueueNDRangeKernel(cl->q.commands, cl->sum_kernel, 1, NULL, &global, &group, 0, NULL, NULL);
        source = sink;
        count = groups;
    }
    return error;
}

/* Like launch_sums, but in one launch. */
static cl_int launch_sum_at_once(struct opencl_engine *cl, cl_mem source, size_t count, size_t group, cl_mem total) {
    const cl_uint number = (cl_uint)count;
    const size_t global = parts_of(count, 8 * group) * group;
    const cl_int error = KERNEL_SET(cl->sum_at_once, 0, ARGUMENT(source), ARGUMENT(number), ARGUMENT(total),
                                    ARGUMENT(cl->partial_sums[0]), ARGUMENT(cl->finished));
    return error ? error
                 : clEnqueueNDRangeKernel(cl->q.commands, cl->sum_at_once, 1, NULL, &global, &group, 0, NULL, NULL);
}

/* Launch a STAGE_SUM. If the stage before has begun the sum, launch only the rest of the sum. */
static int launch_sum(struct opencl_engine *cl, const struct stage *stage) {
    const bool is_begun = stage > cl->program.stages && cl->stage_and_sum_kernels[stage - cl->program.stages - 1];
    const size_t group = power_of_two_within(cl->q.max_group_size, SUM_GROUP),
                 items = cl->program.buffers[stage->a].items;
    const cl_mem source = is_begun ? cl->begun_sums : cl->memory[cl->engine.slot[stage->a]],
                 total = cl->memory[cl->engine.slot[stage->b]];
    const cl_int error = (cl->sum_at_once ? launch_sum_at_once : launch_sums)(
        cl, source, is_begun ? launch_shape_parts(&cl->launches, items, group) : items, group, total);
    return error ? note_error(cl, "launching a sum", error) : STATUS_OK;
}

/* If `write`, copy a kernel's buffers from main memory to the device; otherwise from the device to main memory. */
static int transfer(struct opencl_engine *cl, const struct kernel *kernel, bool write) {
    cl_int error = CL_SUCCESS;
    for (const struct binding *b = kernel->bindings; b->member && !error; ++b) {
        const cl_mem memory = cl->memory[cl->engine.slot[b->buffer]];
        const size_t bytes = buffer_size(&cl->program.buffers[b->buffer]);
        void *host = cl->host[b->buffer];
        error = write ? clEnqueueWriteBuffer(cl->q.commands, memory, CL_TRUE, 0, bytes, host, 0, NULL, NULL)
                      : clEnqueueReadBuffer(cl->q.commands, memory, CL_TRUE, 0, bytes, host, 0, NULL, NULL);
    }
    return error ? note_error(cl, write ? "clEnqueueWriteBuffer" : "clEnqueueReadBuffer", error) : STATUS_OK;
}

static int run_on_host(struct opencl_engine *cl, const struct stage *stage, int step) {
    const struct kernel *kernel = &cl->program.kernels[stage->a];
    _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
    if (transfer(cl, kernel, false))
        return STATUS_BAD;
    kernel_arguments(&cl->program, kernel, cl->host, step, arguments);
    kernel->loop(arguments, (struct range){0, kernel->columns, 0, kernel->rows});
    return transfer(cl, kernel, true);
}

static int visit(void *context, const struct stage *stage, int step) {
    struct opencl_engine *cl = context;
    struct engine *engine = &cl->engine;
    switch (stage->kind) {
    case STAGE_SWAP:
        program_swap(stage, engine->slot);
        return STATUS_OK;
    case STAGE_SUM:
        return launch_sum(cl, stage);
    case STAGE_HOST:
        return run_on_host(cl, stage, step);
    default:
        return cl->program.is_list_program && !cl->stage_and_sum_kernels[stage - cl->program.stages]
                   ? launch_list(cl, stage, step)
                   : launch(cl, stage, step);
    }
}

static int swap(void *context, const struct stage *stage, int step) {
    return stage->kind == STAGE_SWAP ? visit(context, stage, step) : STATUS_OK;
}

static int launch_frame(struct opencl_engine *cl) {
    struct engine *engine = &cl->engine;
    const cl_uint after = (cl_uint)cl->program.buffer_count;
    const cl_int first = engine->step;
    cl_int error = CL_SUCCESS;
    for (cl_uint b = 0; b < after && !error; ++b)
        error = clSetKernelArg(cl->frame, b, sizeof(cl_mem), &cl->memory[engine->slot[b]]);
    if (!error)
        error =
            KERNEL_SET(cl->frame, after + 1, ARGUMENT(first), ARGUMENT(cl->arrivals), ARGUMENT(cl->arrivals_before));
    if (error)
        return note_error(cl, "clSetKernelArg of a frame", error);
    error =
        clEnqueueNDRangeKernel(cl->q.commands, cl->frame, 2, NULL, cl->shape.global, cl->shape.local, 0, NULL, NULL);
    if (error)
        return note_error(cl, "launching a frame", error);
    if (cl->shape.work_groups > 1)
        cl->arrivals_before += cl->arrivals_per_frame;
    return program_walk(&cl->program, swap, cl, &engine->step);
}

/* Launch several steps of a grid at once. */
static int launch_multistep(struct opencl_engine *cl, const struct kernel *kernel, int step) {
    const size_t lanes = (size_t)cl->multistep->lanes, local[2] = {lanes, 1},
                 global[2] = {lanes * (size_t)cl->multistep->count,
                              parts_of((size_t)kernel->rows, (size_t)cl->rows_of_group)};
    cl_int error = set_arguments(cl, cl->several_steps, kernel, step);
    if (!error)
        error =
            KERNEL_SET(cl->several_steps, (cl_uint)binding_count(kernel->bindings) + 2, ARGUMENT(cl->rows_of_group));
    if (!error)
        error = clEnqueueNDRangeKernel(cl->q.commands, cl->several_steps, 2, NULL, global, local, 0, NULL, NULL);
    return error ? note_error(cl, "springback_multistep", error) : STATUS_OK;
}

/* Enqueue a frame that consists of time steps of one kernel: several steps in a launch, and the remaining steps one by
 * one. */
static int enqueue_multistep(struct opencl_engine *cl) {
    const struct stage *stages = cl->program.stages;
    const struct kernel *kernel = program_single_kernel(&cl->program);
    int *step = &cl->engine.step, status = STATUS_OK;
    for (int end = *step + stages[0].count; *step < end;) {
        const bool is_single = end - *step < cl->multistep->steps;
        if ((status = is_single ? launch(cl, &stages[1], *step) : launch_multistep(cl, kernel, *step)))
            break;
        for (const struct stage *swap = &stages[2]; swap->kind == STAGE_SWAP; ++swap)
            program_swap(swap, cl->engine.slot);
        *step += is_single ? 1 : cl->multistep->steps;
    }
    return status;
}

static int enqueue(struct opencl_engine *cl) {
    if (cl->multistep)
        return enqueue_multistep(cl);
    return cl->frame ? launch_frame(cl) : program_walk(&cl->program, visit, cl, &cl->engine.step);
}

static int finish(struct opencl_engine *cl, int status) {
    const cl_int error = status ? CL_SUCCESS : clFinish(cl->q.commands);
    if (error)
        status = note_error(cl, "running a frame", error);
    return status ? opencl_failed(cl->what, cl->error) : STATUS_OK;
}

static int advance(struct engine *engine) {
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    return finish(cl, enqueue(cl));
}

static void *enqueue_in_thread(void *context) {
    struct opencl_engine *cl = context;
    cl->status = enqueue(cl);
    clFlush(cl->q.commands); /* clFinish also reports the errors of clFlush */
    return NULL;
}

/* When the queue is full (NVIDIA's queue holds about a thousand launches), a call that enqueues a launch returns only
 * after the queue has space again. Therefore a separate thread enqueues a frame of many launches. */
static int start(struct engine *engine) {
    enum { QUEUE = 512 };
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    cl->has_thread = cl->estimated_launches > QUEUE && pthread_create(&cl->thread, NULL, enqueue_in_thread, cl) == 0;
    if (!cl->has_thread)
        enqueue_in_thread(cl);
    return STATUS_OK;
}

static int wait(struct engine *engine) {
    struct opencl_engine *cl = (struct opencl_engine *)engine;
    if (cl->has_thread)
        pthread_join(cl->thread, NULL);
    cl->has_thread = false;
    return finish(cl, cl->status);
}

const struct backend backend_opencl = {
    .name = "opencl",
    .has_devices = true,
    .compiles_kernels = true,
    .has_ensembles = true,
    .choose = device_choose,
    .device_named = device_named,
    .list = device_print,
    .check = check,
    .open = open_engine,
    .close = close_engine,
    .write = write_buffer,
    .read = read_buffer,
    .advance = advance,
    .start = start,
    .wait = wait,
};
