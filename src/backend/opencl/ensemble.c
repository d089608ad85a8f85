#include "backend/opencl/ensemble.h"

#include "backend/opencl/compile.h"
#include "backend/opencl/context.h"
#include "backend/opencl/device.h"
#include "backend/opencl/frame_source.h"
#include "backend/opencl/launch.h"
#include "backend/opencl/launch_source.h"
#include "backend/opencl/local_room.h"
#include "backend/opencl/member.h"
#include "backend/opencl/way.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    GROUP_ITEMS = 128, /* of a launch over items, at most */
    GROUP_SUMMED = 256,
    TIMES = 8,        /* members for each compute unit, at a time */
    MEMORY_SHARE = 75 /* percent of a device's memory that members may take */
};

struct member {
    struct engine engine;
    struct ensemble *ensemble;
    int index;
    size_t fixed[PROGRAM_BUFFERS]; /* where what no stage writes lies: bytes into that memory */
    int after[PROGRAM_BUFFERS];    /* a frame leaves in a buffer's name the slot that this one had */
    int steps;                     /* of a frame */
};

/* Contents of a buffer that no stage writes: members whose are the same share them. */
struct copy {
    int buffer;
    size_t at;
    void *contents;
};

struct ensemble {
    struct device device; /* with the local memory that a group may have */
    bool is_plain;        /* members go by their tables, where fused stages are of no use */
    struct program work;  /* the first member's, as a list */
    struct member *members;
    int count;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
    cl_kernel frame; /* NULL: stages are launched one by one */
    size_t lanes;    /* of a member's group */
    cl_kernel kernels[PROGRAM_KERNELS], sum;
    size_t group_size;
    cl_mem arena, fixed, parameters, rows, first;
    size_t base[MEMBER_WORDS], stride[MEMBER_WORDS]; /* bytes, by the row's words behind MEMBER_BUFFERS */
    size_t arena_bytes, fixed_bytes, fixed_used;
    struct copy *copies;
    int copy_count;
    uint32_t *row; /* [members][MEMBER_WORDS] of the frame on its way; as the device has them where has_rows */
    cl_int *step;  /* [members] */
    int *live, live_count;
    bool has_rows;
    int slot[PROGRAM_BUFFERS]; /* while stages are launched: what lies where the row says a buffer lay at first */
    char *staged[PROGRAM_BUFFERS];
    bool *is_staged[PROGRAM_BUFFERS]; /* [members], by slot */
    const char *what;
    cl_int error;
};

/* ---- Which programs ---- */

/* A program whose kernels' items are lists': any can be called so (kernels/dialect.h: LISTED). */
static struct program list_of(const struct program *program, bool is_plain) {
    struct program list = *program;
    if (is_plain)
        list.hints.fused_count = 0;
    list.is_listed = true;
    for (int k = 0; k < list.kernel_count; ++k) {
        list.kernels[k].columns *= list.kernels[k].rows;
        list.kernels[k].rows = 1;
    }
    return list;
}

/* Whether they go without fused stages: as single runs do (opencl.c), and where all meet near their state. */
static bool is_plain(const struct device *device, const struct program *program) {
    const struct frame_wish wish = way_wish();
    const struct program list = list_of(program, true);
    return way_is_plain(device) || (!way_has("launches") && list_state_fits(device, &list, &wish));
}

/* Of so many lanes, unless `lanes` is 0. */
static bool has_frame(const struct device *device, const struct program *list, size_t lanes,
                      struct frame_shape *shape) {
    struct frame_wish wish = way_wish();
    wish.lanes = lanes ? lanes : wish.lanes;
    return !way_has("launches") && (device->is_gpu || program_sums(list) <= FRAME_SUMS || wish.one) &&
           frame_shape_of_members(device, list, &wish, shape);
}

bool ensemble_takes(const struct backend_choice *choice, const struct program *program) {
    if (!choice->backend->has_ensembles || program->is_inexact)
        return false;
    for (int s = 0; s < program->stage_count; ++s)
        if (program->stages[s].kind == STAGE_HOST)
            return false;
    return true;
}

bool ensemble_joins(const struct backend_choice *choice, const struct program *program, const struct program *other) {
    const struct device *device = &device_list()->devices[choice->device];
    const struct program list = list_of(other, is_plain(device, other));
    struct frame_shape shape;
    return program_is_alike(program, other, !has_frame(device, &list, 0, &shape));
}

/* ---- Memory ---- */

/* Bytes of a member's own buffers, which stages write, or of those that none does. */
static size_t bytes_of(const struct program *list, bool fixed) {
    size_t bytes = 0;
    for (int b = 0; b < list->buffer_count; ++b)
        if ((list->buffers[b].sharing == BUFFER_FIXED) == fixed)
            bytes += launch_round_up(list->buffers[b].items * list->buffers[b].item_size, MEMBER_UNIT);
    if (!fixed)
        bytes += 2 * launch_round_up(program_most_summed(list) * 4 * (size_t)list->real_size, MEMBER_UNIT);
    return bytes;
}

int ensemble_most(const struct backend_choice *choice, const struct program *program) {
    const struct device *device = &device_list()->devices[choice->device];
    const struct program list = list_of(program, true);
    const size_t own = bytes_of(&list, false), fixed = bytes_of(&list, true), each = own + fixed,
                 memory = (size_t)device->memory / 100 * MEMORY_SHARE;
    size_t most = TIMES * (size_t)device->compute_units;
    most = each * most > memory ? memory / each : most;
    most = own * most > device->largest_buffer ? (size_t)device->largest_buffer / own : most;
    most = fixed * most > device->largest_buffer ? (size_t)device->largest_buffer / fixed : most;
    return most ? (int)most : 1;
}

static int make_buffer(struct ensemble *e, const char *name, size_t bytes, cl_mem *out) {
    cl_int error;
    *out = clCreateBuffer(e->context, CL_MEM_READ_WRITE, bytes ? bytes : MEMBER_UNIT, NULL, &error);
    return error ? compile_failed(name, error) : STATUS_OK;
}

/* Lay the members' own buffers, each buffer's of all members one behind the other. */
static void lay_buffers(struct ensemble *e) {
    const struct program *list = &e->work;
    const size_t members = (size_t)e->count, sums = program_most_summed(list) * 4 * (size_t)list->real_size;
    for (int word = 0; word < MEMBER_WORDS - MEMBER_BUFFERS; ++word) {
        const bool is_sum = word >= MEMBER_SUMS - MEMBER_BUFFERS && word < MEMBER_SUMS - MEMBER_BUFFERS + 2;
        const struct buffer *buffer = word < list->buffer_count ? &list->buffers[word] : NULL;
        const size_t bytes = is_sum                                      ? sums
                             : buffer && buffer->sharing != BUFFER_FIXED ? buffer->items * buffer->item_size
                                                                         : 0;
        e->base[word] = e->arena_bytes;
        e->stride[word] = launch_round_up(bytes, MEMBER_UNIT);
        e->arena_bytes += members * e->stride[word];
    }
}

/* Where the memory of what no stage writes is full, there is twice as much. */
static int grow_fixed(struct ensemble *e, size_t needed) {
    if (e->fixed && needed <= e->fixed_bytes)
        return STATUS_OK;
    cl_mem larger;
    const size_t bytes = needed > 2 * e->fixed_bytes ? needed : 2 * e->fixed_bytes;
    int status = make_buffer(e, "what no stage writes", bytes, &larger);
    if (status)
        return status;
    cl_int error = CL_SUCCESS;
    if (e->fixed && e->fixed_used)
        error = clEnqueueCopyBuffer(e->queue, e->fixed, larger, 0, 0, e->fixed_used, 0, NULL, NULL);
    if (!error)
        error = clFinish(e->queue);
    if (e->fixed)
        clReleaseMemObject(e->fixed);
    e->fixed = larger;
    e->fixed_bytes = bytes;
    return error ? compile_failed("clEnqueueCopyBuffer", error) : STATUS_OK;
}

static int write_fixed(struct member *member, int buffer, const void *contents) {
    struct ensemble *e = member->ensemble;
    const size_t bytes = e->work.buffers[buffer].items * e->work.buffers[buffer].item_size;
    e->has_rows = false;
    for (int c = 0; c < e->copy_count; ++c)
        if (e->copies[c].buffer == buffer && !memcmp(e->copies[c].contents, contents, bytes)) {
            member->fixed[buffer] = e->copies[c].at;
            return STATUS_OK;
        }
    struct copy copy = {buffer, e->fixed_used, memory_large(bytes)};
    if (!copy.contents)
        return fail("buffer '%s' does not fit into memory", e->work.buffers[buffer].name);
    int status = grow_fixed(e, e->fixed_used + launch_round_up(bytes, MEMBER_UNIT));
    const cl_int error =
        status || !bytes ? CL_SUCCESS
                         : clEnqueueWriteBuffer(e->queue, e->fixed, CL_TRUE, copy.at, bytes, contents, 0, NULL, NULL);
    if (error)
        status = compile_failed("clEnqueueWriteBuffer", error);
    if (status) {
        free(copy.contents);
        return status;
    }
    memcpy(copy.contents, contents, bytes);
    e->fixed_used += launch_round_up(bytes, MEMBER_UNIT);
    e->copies = memory_grow(e->copies, (size_t)e->copy_count + 1, sizeof *e->copies);
    e->copies[e->copy_count++] = copy;
    member->fixed[buffer] = copy.at;
    return STATUS_OK;
}

static size_t own_place(const struct member *member, int slot) {
    return member->ensemble->base[slot] + (size_t)member->index * member->ensemble->stride[slot];
}

/* ---- A member's engine ---- */

static int write_buffer(struct engine *engine, int slot, const void *contents) {
    struct member *member = (struct member *)engine;
    struct ensemble *e = member->ensemble;
    const struct buffer *b = &e->work.buffers[slot];
    const size_t bytes = b->items * b->item_size;
    if (b->sharing == BUFFER_FIXED)
        return write_fixed(member, slot, contents);
    if (e->is_staged[slot])
        e->is_staged[slot][member->index] = false;
    const cl_int error = bytes ? clEnqueueWriteBuffer(e->queue, e->arena, CL_TRUE, own_place(member, slot), bytes,
                                                      contents, 0, NULL, NULL)
                               : CL_SUCCESS;
    return error ? compile_failed("clEnqueueWriteBuffer", error) : STATUS_OK;
}

static int read_buffer(struct engine *engine, int slot, void *contents) {
    struct member *member = (struct member *)engine;
    struct ensemble *e = member->ensemble;
    const struct buffer *b = &e->work.buffers[slot];
    const size_t bytes = b->items * b->item_size;
    const bool is_fixed = b->sharing == BUFFER_FIXED;
    if (e->is_staged[slot] && e->is_staged[slot][member->index]) {
        memcpy(contents, e->staged[slot] + (size_t)member->index * e->stride[slot], bytes);
        return STATUS_OK;
    }
    const cl_int error = bytes ? clEnqueueReadBuffer(e->queue, is_fixed ? e->fixed : e->arena, CL_TRUE,
                                                     is_fixed ? member->fixed[slot] : own_place(member, slot), bytes,
                                                     contents, 0, NULL, NULL)
                               : CL_SUCCESS;
    return error ? compile_failed("clEnqueueReadBuffer", error) : STATUS_OK;
}

static void close_member(struct engine *engine) {
    (void)engine; /* it is the ensemble's */
}

static int advance_alone(struct engine *engine) {
    struct member *member = (struct member *)engine;
    struct ensemble *e = member->ensemble;
    bool *live = memory_new((size_t)e->count, sizeof *live);
    live[member->index] = true;
    int status = ensemble_start(e, live);
    if (!status)
        status = ensemble_wait(e);
    free(live);
    return status;
}

static const struct backend backend_member = {
    .close = close_member, .write = write_buffer, .read = read_buffer, .advance = advance_alone};

struct engine *ensemble_engine(struct ensemble *e, int member) {
    return &e->members[member].engine;
}

static int swap_or_count(void *context, const struct stage *stage, int step) {
    struct member *member = context;
    (void)step;
    if (stage->kind == STAGE_SWAP)
        program_swap(stage, member->after);
    return STATUS_OK;
}

static void open_member(struct ensemble *e, int m, const struct program *program) {
    struct member *member = &e->members[m];
    const struct program list = list_of(program, e->is_plain);
    member->engine.backend = &backend_member;
    member->engine.program = program;
    member->ensemble = e;
    member->index = m;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        member->engine.slot[b] = member->after[b] = b;
    program_walk_fused(&list, swap_or_count, member, &member->steps);
}

/* ---- Opening ---- */

static int take_kernel(struct ensemble *e, const char *name, cl_kernel *out) {
    cl_int error;
    const cl_mem given[] = {e->arena, e->fixed, e->parameters, e->rows, e->first};
    *out = clCreateKernel(e->program, name, &error);
    for (cl_uint a = 0; a < sizeof given / sizeof *given && !error; ++a)
        error = clSetKernelArg(*out, a, sizeof *given, &given[a]);
    size_t group = 0;
    if (!error)
        clGetKernelWorkGroupInfo(*out, e->device.id, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL);
    e->group_size = group && group < e->group_size ? group : e->group_size;
    return error ? compile_failed(name, error) : STATUS_OK;
}

/* The kernel of a frame, where the rule is for one; else none. Where it takes too many registers (opencl.c), it gets
 * fewer lanes: members whose tables turn differently often cannot go by launches. */
static int open_frame(struct ensemble *e) {
    struct frame_shape shape;
    for (size_t lanes = 0; has_frame(&e->device, &e->work, lanes, &shape);) {
        char *define = frame_define(&e->work, &shape);
        int status = compile(e->context, &e->device, &e->work, frame_source(&e->work, &shape), define, &e->program);
        free(define);
        if (!status)
            status = take_kernel(e, "springback_frame", &e->frame);
        e->lanes = shape.lanes;
        if (status || e->device.may_meet || e->group_size >= shape.lanes)
            return status;
        clReleaseKernel(e->frame);
        clReleaseProgram(e->program);
        e->frame = NULL;
        e->program = NULL;
        lanes = launch_power(e->group_size, e->group_size);
    }
    return STATUS_OK;
}

static int open_launches(struct ensemble *e) {
    char *define = member_define(&e->work);
    int status = compile(e->context, &e->device, &e->work, launch_source_of_members(&e->work), define, &e->program);
    free(define);
    for (int k = 0; k < e->work.kernel_count && !status; ++k) {
        char *name = text_format("springback_members_%d", k);
        status = take_kernel(e, name, &e->kernels[k]);
        free(name);
    }
    return status || !program_most_summed(&e->work) ? status : take_kernel(e, "springback_members_sum", &e->sum);
}

static int write_parameters(struct ensemble *e, const struct program *const *programs) {
    const size_t stride = member_parameter_stride(&e->work), members = (size_t)e->count;
    char *all = memory_new(members, stride);
    for (size_t m = 0; m < members; ++m)
        memcpy(all + m * stride, programs[m]->parameters, programs[m]->parameter_size);
    const cl_int error =
        clEnqueueWriteBuffer(e->queue, e->parameters, CL_TRUE, 0, members * stride, all, 0, NULL, NULL);
    free(all);
    return error ? compile_failed("clEnqueueWriteBuffer", error) : STATUS_OK;
}

/* The state that is fetched of all members at once: positions, velocities, and what they are exchanged with. */
static int open_staging(struct ensemble *e) {
    const struct program *list = &e->work;
    bool is_state[PROGRAM_BUFFERS] = {false};
    is_state[list->positions] = is_state[list->velocities] = is_state[list->record] = true;
    for (int pass = 0; pass < PROGRAM_BUFFERS; ++pass) /* through chains of exchanges */
        for (int s = 0; s < list->stage_count + list->hints.fused_count; ++s) {
            const struct stage *stage =
                s < list->stage_count ? &list->stages[s] : &list->hints.fused_stages[s - list->stage_count];
            if (stage->kind == STAGE_SWAP)
                is_state[stage->a] = is_state[stage->b] = is_state[stage->a] || is_state[stage->b];
        }
    for (int b = 0; b < list->buffer_count; ++b) {
        if (!is_state[b] || list->buffers[b].sharing == BUFFER_FIXED || !e->stride[b])
            continue;
        e->is_staged[b] = memory_new((size_t)e->count, sizeof *e->is_staged[b]);
        if (!(e->staged[b] = memory_large((size_t)e->count * e->stride[b])))
            return fail("the states of %d members do not fit into memory", e->count);
    }
    return STATUS_OK;
}

static int open_ensemble(struct ensemble *e, const struct program *const *programs) {
    const size_t members = (size_t)e->count;
    cl_int error;
    e->context = context_on(&e->device, &error);
    if (error)
        return compile_failed("clCreateContext", error);
    e->queue = clCreateCommandQueue(e->context, e->device.id, 0, &error);
    if (error)
        return compile_failed("clCreateCommandQueue", error);
    e->device.local_memory = local_room(&e->device, e->context);
    e->is_plain = is_plain(&e->device, programs[0]);
    e->work = list_of(programs[0], e->is_plain);
    for (int m = 0; m < e->count; ++m)
        open_member(e, m, programs[m]);
    lay_buffers(e);
    int status = make_buffer(e, "the members' buffers", e->arena_bytes, &e->arena);
    if (!status)
        status = grow_fixed(e, bytes_of(&e->work, true));
    if (!status)
        status = make_buffer(e, "the members' parameters", members * member_parameter_stride(&e->work), &e->parameters);
    if (!status)
        status = make_buffer(e, "the members' rows", members * MEMBER_WORDS * sizeof *e->row, &e->rows);
    if (!status)
        status = make_buffer(e, "the members' steps", members * sizeof *e->step, &e->first);
    if (!status)
        status = open_frame(e);
    if (!status && !e->frame)
        status = open_launches(e);
    if (!status)
        status = write_parameters(e, programs);
    return status ? status : open_staging(e);
}

int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out) {
    struct ensemble *e = memory_new(1, sizeof *e);
    const size_t members = (size_t)count;
    e->device = device_list()->devices[choice->device];
    e->count = count;
    e->group_size = e->device.group_size;
    e->members = memory_new(members, sizeof *e->members);
    e->row = memory_new(members * MEMBER_WORDS, sizeof *e->row);
    e->step = memory_new(members, sizeof *e->step);
    e->live = memory_new(members, sizeof *e->live);
    const int status = open_ensemble(e, programs);
    if (status)
        ensemble_close(e);
    else
        *out = e;
    return status;
}

void ensemble_close(struct ensemble *e) {
    if (!e)
        return;
    const cl_mem memory[] = {e->arena, e->fixed, e->parameters, e->rows, e->first};
    for (int k = 0; k < PROGRAM_KERNELS; ++k)
        if (e->kernels[k])
            clReleaseKernel(e->kernels[k]);
    if (e->sum)
        clReleaseKernel(e->sum);
    if (e->frame)
        clReleaseKernel(e->frame);
    for (size_t k = 0; k < sizeof memory / sizeof *memory; ++k)
        if (memory[k])
            clReleaseMemObject(memory[k]);
    if (e->program)
        clReleaseProgram(e->program);
    if (e->queue)
        clReleaseCommandQueue(e->queue);
    if (e->context)
        clReleaseContext(e->context);
    for (int b = 0; b < PROGRAM_BUFFERS; ++b) {
        free(e->staged[b]);
        free(e->is_staged[b]);
    }
    for (int c = 0; c < e->copy_count; ++c)
        free(e->copies[c].contents);
    free(e->copies);
    free(e->members);
    free(e->row);
    free(e->step);
    free(e->live);
    free(e);
}

/* ---- A frame ---- */

static int broken(struct ensemble *e, const char *what, cl_int error) {
    e->what = what;
    e->error = error;
    return STATUS_BAD;
}

/* A member's row. */
static void fill_row(const struct ensemble *e, const struct member *member, uint32_t row[MEMBER_WORDS]) {
    const struct program list = list_of(member->engine.program, e->is_plain);
    int count;
    const struct stage *stages = program_fused_stages(&list, &count);
    memset(row, 0, MEMBER_WORDS * sizeof *row);
    row[MEMBER_NUMBER] = (uint32_t)member->index;
    for (int s = 0; s < count; ++s)
        row[MEMBER_COUNTS + s] = (uint32_t)stages[s].count;
    for (int b = 0; b < list.buffer_count; ++b) {
        const bool is_fixed = list.buffers[b].sharing == BUFFER_FIXED;
        const size_t place = is_fixed ? member->fixed[b] : own_place(member, member->engine.slot[b]);
        row[MEMBER_BUFFERS + b] = (uint32_t)(place / MEMBER_UNIT);
    }
    for (int k = 0; k < 2; ++k)
        row[MEMBER_SUMS + k] = (uint32_t)(own_place(member, MEMBER_SUMS - MEMBER_BUFFERS + k) / MEMBER_UNIT);
}

/* Send the rows of the members that are live, where they are not there yet, and their steps. */
static int send_rows(struct ensemble *e, const bool *live) {
    uint32_t row[MEMBER_WORDS];
    cl_int error = CL_SUCCESS;
    int count = 0;
    for (int m = 0; m < e->count; ++m) {
        if (!live[m])
            continue;
        fill_row(e, &e->members[m], row);
        uint32_t *there = e->row + (size_t)count * MEMBER_WORDS;
        e->has_rows = e->has_rows && !memcmp(there, row, sizeof row);
        memcpy(there, row, sizeof row);
        e->step[count] = e->members[m].engine.step;
        e->live[count++] = m;
    }
    e->live_count = count;
    const size_t rows = (size_t)count;
    if (count && !e->has_rows)
        error = clEnqueueWriteBuffer(e->queue, e->rows, CL_TRUE, 0, rows * sizeof row, e->row, 0, NULL, NULL);
    if (count && !error)
        error = clEnqueueWriteBuffer(e->queue, e->first, CL_TRUE, 0, rows * sizeof *e->step, e->step, 0, NULL, NULL);
    e->has_rows = !error;
    return error ? broken(e, "clEnqueueWriteBuffer", error) : STATUS_OK;
}

/* Items `begin` to `end` - 1 of a kernel, of all live members. */
static int launch_items(struct ensemble *e, int k, int step, int begin, int end) {
    enum { AHEAD = 5, BEGIN, END, BUFFERS };
    const struct kernel *kernel = &e->work.kernels[k];
    const cl_int given[] = {step, begin, end};
    cl_int error = CL_SUCCESS;
    if (begin >= end)
        return STATUS_OK;
    for (cl_uint a = 0; a < 3 && !error; ++a)
        error = clSetKernelArg(e->kernels[k], AHEAD + a, sizeof given[a], &given[a]);
    for (int b = 0; kernel->bindings[b].member && !error; ++b) {
        const cl_uint word = (cl_uint)(MEMBER_BUFFERS + e->slot[kernel->bindings[b].buffer]);
        error = clSetKernelArg(e->kernels[k], (cl_uint)(BUFFERS + b), sizeof word, &word);
    }
    const size_t local[2] = {launch_power(GROUP_ITEMS, e->group_size), 1},
                 global[2] = {launch_round_up((size_t)(end - begin), local[0]), (size_t)e->live_count};
    if (!error)
        error = clEnqueueNDRangeKernel(e->queue, e->kernels[k], 2, NULL, global, local, 0, NULL, NULL);
    return error ? broken(e, kernel->name, error) : STATUS_OK;
}

/* Add up the items, or what the launch before has left of them, until there is one. */
static int launch_sum(struct ensemble *e, const struct stage *stage) {
    const size_t group = launch_power(GROUP_SUMMED, e->group_size);
    size_t count = e->work.buffers[stage->a].items;
    cl_uint from = (cl_uint)(MEMBER_BUFFERS + e->slot[stage->a]);
    for (int turn = 0; turn == 0 || count > 1; ++turn) {
        const cl_uint take = launch_take(count, group);
        const size_t groups = (count + take * group - 1) / (take * group), local[2] = {group, 1},
                     global[2] = {groups * group, (size_t)e->live_count};
        const cl_uint to = (cl_uint)(groups == 1 ? MEMBER_BUFFERS + e->slot[stage->b] : MEMBER_SUMS + turn % 2);
        const cl_uint given[] = {from, to, (cl_uint)count, take};
        cl_int error = CL_SUCCESS;
        for (cl_uint a = 0; a < 4 && !error; ++a)
            error = clSetKernelArg(e->sum, 5 + a, sizeof given[a], &given[a]);
        if (!error)
            error = clEnqueueNDRangeKernel(e->queue, e->sum, 2, NULL, global, local, 0, NULL, NULL);
        if (error)
            return broken(e, "springback_members_sum", error);
        from = to;
        count = groups;
    }
    return STATUS_OK;
}

static int visit(void *context, const struct stage *stage, int step) {
    struct ensemble *e = context;
    int status = STATUS_OK;
    if (stage->kind == STAGE_SWAP) {
        program_swap(stage, e->slot);
    } else if (stage->kind == STAGE_SUM) {
        status = launch_sum(e, stage);
    } else if (stage->kind == STAGE_COLOURS) {
        const int *start = e->work.colourings[stage->b].start;
        for (int c = 0; c < e->work.colourings[stage->b].colours && !status; ++c)
            status = launch_items(e, stage->a, step, start[c], start[c + 1]);
    } else {
        status = launch_items(e, stage->a, step, 0, e->work.kernels[stage->a].columns);
    }
    return status;
}

static int enqueue(struct ensemble *e) {
    /* What was written may have moved to a larger memory. */
    cl_int error = e->frame ? clSetKernelArg(e->frame, 1, sizeof e->fixed, &e->fixed) : CL_SUCCESS;
    for (int k = 0; k < e->work.kernel_count && !error && !e->frame; ++k)
        error = clSetKernelArg(e->kernels[k], 1, sizeof e->fixed, &e->fixed);
    if (error)
        return broken(e, "clSetKernelArg", error);
    if (e->frame) {
        const size_t global = e->lanes * (size_t)e->live_count;
        error = clEnqueueNDRangeKernel(e->queue, e->frame, 1, NULL, &global, &e->lanes, 0, NULL, NULL);
        return error ? broken(e, "springback_frame", error) : STATUS_OK;
    }
    int step = 0;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        e->slot[b] = b;
    return program_walk_fused(&e->work, visit, e, &step);
}

int ensemble_start(struct ensemble *e, const bool *live) {
    e->what = NULL;
    int status = send_rows(e, live);
    if (!status && e->live_count)
        status = enqueue(e);
    if (!status)
        clFlush(e->queue); /* what is wrong with it, clFinish says too */
    return status ? compile_failed(e->what, e->error) : STATUS_OK;
}

int ensemble_wait(struct ensemble *e) {
    const cl_int error = clFinish(e->queue);
    for (int k = 0; k < e->live_count; ++k) {
        struct member *member = &e->members[e->live[k]];
        int slot[PROGRAM_BUFFERS];
        for (int b = 0; b < PROGRAM_BUFFERS; ++b)
            slot[b] = member->engine.slot[member->after[b]];
        memcpy(member->engine.slot, slot, sizeof slot);
        member->engine.step += member->steps;
    }
    e->live_count = 0;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        if (e->is_staged[b])
            memset(e->is_staged[b], 0, (size_t)e->count * sizeof *e->is_staged[b]);
    return error ? compile_failed("a frame", error) : STATUS_OK;
}

int ensemble_fetch(struct ensemble *e) {
    const int wanted[] = {e->work.positions, e->work.velocities, e->work.record};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; ++w)
        for (int m = 0; m < e->count; ++m) {
            const int slot = e->members[m].engine.slot[wanted[w]];
            if (!e->is_staged[slot] || e->is_staged[slot][m])
                continue;
            /* All members' at once: they lie one behind the other. */
            const cl_int error =
                clEnqueueReadBuffer(e->queue, e->arena, CL_TRUE, e->base[slot], (size_t)e->count * e->stride[slot],
                                    e->staged[slot], 0, NULL, NULL);
            if (error)
                return compile_failed("clEnqueueReadBuffer", error);
            memset(e->is_staged[slot], true, (size_t)e->count * sizeof *e->is_staged[slot]);
        }
    return STATUS_OK;
}
