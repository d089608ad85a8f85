#include "backend/opencl/ensemble.h"

#include "backend/opencl/compile.h"
#include "backend/opencl/device.h"
#include "backend/opencl/frame_source.h"
#include "backend/opencl/launch.h"
#include "backend/opencl/local_room.h"
#include "backend/opencl/member.h"
#include "backend/opencl/queue.h"
#include "backend/opencl/way.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
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
    uint32_t row[MEMBER_WORDS];    /* but for where its buffers lie, which changes with frames */
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
    struct queue q;
    cl_kernel frame;
    size_t lanes; /* of a member's group */
    cl_mem arena, fixed, parameters, rows, first;
    size_t base[PROGRAM_BUFFERS], stride[PROGRAM_BUFFERS]; /* bytes */
    size_t arena_bytes, fixed_bytes, fixed_used;
    struct copy *copies;
    int copy_count;
    uint32_t *row; /* [members][MEMBER_WORDS] of the frame on its way; as the device has them where has_rows */
    cl_int *step;  /* [members] */
    int *live, live_count;
    bool has_rows;
    char *staged[PROGRAM_BUFFERS];
    bool *is_staged[PROGRAM_BUFFERS]; /* [members], by slot */
};

/* ---- Which programs ---- */

/* A program whose kernels' items are lists': any can be called so (kernels/dialect.h: LISTED). */
static struct program list_of(const struct program *program, bool is_plain) {
    struct program list = *program;
    if (!is_plain)
        program_fuse(&list);
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
    return way_is_plain(device) || list_state_fits(device, &list, &wish);
}

/* The shape of a member's frame, of so many lanes unless `lanes` is 0; false where it has none. */
static bool choose_shape(const struct device *device, const struct program *list, size_t lanes,
                         struct frame_shape *shape) {
    struct frame_wish wish = way_wish();
    wish.lanes = lanes ? lanes : wish.lanes;
    return !way_has("launches") && (device->is_gpu || program_sums(list) <= FRAME_SUMS || wish.one) &&
           frame_shape_of_members(device, list, &wish, shape);
}

bool ensemble_takes(const struct backend_choice *choice, const struct program *program) {
    struct frame_shape shape;
    if (!choice->backend->has_ensembles || program->is_inexact)
        return false;
    for (int s = 0; s < program->stage_count; ++s)
        if (program->stages[s].kind == STAGE_HOST)
            return false;
    const struct device *device = &device_list()->devices[choice->device];
    const struct program list = list_of(program, is_plain(device, program));
    return choose_shape(device, &list, 0, &shape);
}

/* ---- Memory ---- */

/* Bytes of a member's own buffers, which stages write, or of those that none does. */
static size_t bytes_of(const struct program *list, bool fixed) {
    size_t bytes = 0;
    for (int b = 0; b < list->buffer_count; ++b)
        if ((list->buffers[b].sharing == BUFFER_FIXED) == fixed)
            bytes += launch_round_up(list->buffers[b].items * list->buffers[b].item_size, MEMBER_UNIT);
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

/* Lay the members' own buffers, each buffer's of all members one behind the other. */
static void lay_buffers(struct ensemble *e) {
    for (int b = 0; b < e->work.buffer_count; ++b) {
        const struct buffer *buffer = &e->work.buffers[b];
        e->base[b] = e->arena_bytes;
        e->stride[b] =
            buffer->sharing == BUFFER_FIXED ? 0 : launch_round_up(buffer->items * buffer->item_size, MEMBER_UNIT);
        e->arena_bytes += (size_t)e->count * e->stride[b];
    }
}

/* Where the memory of what no stage writes is full, there is twice as much. */
static int grow_fixed(struct ensemble *e, size_t needed) {
    cl_mem larger;
    const size_t bytes = needed > 2 * e->fixed_bytes ? needed : 2 * e->fixed_bytes;
    if (needed <= e->fixed_bytes)
        return STATUS_OK;
    int status = queue_memory(&e->q, "what no stage writes", bytes, NULL, &larger);
    if (status)
        return status;
    cl_int error = CL_SUCCESS;
    if (e->fixed_used)
        error = clEnqueueCopyBuffer(e->q.commands, e->fixed, larger, 0, 0, e->fixed_used, 0, NULL, NULL);
    if (!error)
        error = clFinish(e->q.commands);
    --e->q.memory_count; /* it takes the other's place */
    queue_replace(&e->q, e->fixed, larger);
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
    if (!status)
        status = queue_write(&e->q, e->fixed, copy.at, bytes, contents);
    if (status) {
        free(copy.contents);
        return status;
    }
    memcpy(copy.contents, contents, bytes);
    e->fixed_used += launch_round_up(bytes, MEMBER_UNIT);
    *ARRAY_ADD(e->copies, e->copy_count) = copy;
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
    return queue_write(&e->q, e->arena, own_place(member, slot), bytes, contents);
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
    return is_fixed ? queue_read(&e->q, e->fixed, member->fixed[slot], bytes, contents)
                    : queue_read(&e->q, e->arena, own_place(member, slot), bytes, contents);
}

static void close_member(struct engine *engine) {
    (void)engine; /* it is the ensemble's */
}

static int advance_alone(struct engine *engine) {
    struct member *member = (struct member *)engine;
    struct ensemble *e = member->ensemble;
    AUTO_FREE bool *live = memory_new((size_t)e->count, sizeof *live);
    live[member->index] = true;
    const int status = ensemble_start(e, live);
    return status ? status : ensemble_wait(e);
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
    program_walk(&list, swap_or_count, member, &member->steps);
    member->row[MEMBER_NUMBER] = (uint32_t)m;
    for (int s = 0; s < list.stage_count; ++s)
        member->row[MEMBER_COUNTS + s] = (uint32_t)list.stages[s].count;
}

/* ---- Opening ---- */

/* Where a frame takes too many registers (opencl.c), it gets fewer lanes. */
static int open_frame(struct ensemble *e) {
    struct frame_shape shape;
    while (choose_shape(e->q.device, &e->work, e->lanes, &shape)) {
        AUTO_FREE char *define = frame_define(&e->work, &shape);
        int status = compile(&e->q, &e->work, frame_source(&e->work, &shape), define);
        if (!status)
            status = queue_kernel(&e->q, "springback_frame", &e->frame);
        if (status)
            return status;
        e->lanes = shape.lanes;
        if (e->q.device->may_meet || e->q.group_size >= shape.lanes) {
            const cl_int error = KERNEL_SET(e->frame, 0, ARGUMENT(e->arena), ARGUMENT(e->fixed),
                                            ARGUMENT(e->parameters), ARGUMENT(e->rows), ARGUMENT(e->first));
            return error ? compile_failed("clSetKernelArg of a frame", error) : STATUS_OK;
        }
        e->lanes = launch_power(e->q.group_size, e->q.group_size);
        queue_drop_program(&e->q);
    }
    return fail("device '%s' has too few registers for a frame of one work group; members run alone with "
                "SPRINGBACK_OPENCL=launches",
                e->q.device->name);
}

static int write_parameters(struct ensemble *e, const struct program *const *programs) {
    const size_t stride = member_parameter_stride(&e->work), members = (size_t)e->count;
    AUTO_FREE char *all = memory_new(members, stride);
    for (size_t m = 0; m < members; ++m)
        memcpy(all + m * stride, programs[m]->parameters, programs[m]->parameter_size);
    return queue_memory(&e->q, "the members' parameters", members * stride, all, &e->parameters);
}

/* The state that is fetched of all members at once: positions, velocities, and what they are exchanged with. */
static int open_staging(struct ensemble *e) {
    const struct program *list = &e->work;
    bool is_state[PROGRAM_BUFFERS] = {false};
    is_state[list->positions] = is_state[list->velocities] = is_state[list->record] = true;
    for (int pass = 0; pass < PROGRAM_BUFFERS; ++pass) /* through chains of exchanges */
        for (const struct stage *stage = list->stages; stage < list->stages + list->stage_count; ++stage)
            if (stage->kind == STAGE_SWAP)
                is_state[stage->a] = is_state[stage->b] = is_state[stage->a] || is_state[stage->b];
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
    int status = queue_open(&e->device, &e->q);
    if (status)
        return status;
    e->device.local_memory = local_room(&e->device, e->q.context);
    e->is_plain = is_plain(&e->device, programs[0]);
    e->work = list_of(programs[0], e->is_plain);
    for (int m = 0; m < e->count; ++m)
        open_member(e, m, programs[m]);
    lay_buffers(e);
    e->fixed_bytes = bytes_of(&e->work, true);
    status = queue_memory(&e->q, "the members' buffers", e->arena_bytes, NULL, &e->arena);
    if (!status)
        status = queue_memory(&e->q, "what no stage writes", e->fixed_bytes, NULL, &e->fixed);
    if (!status)
        status = queue_memory(&e->q, "the members' rows", members * MEMBER_WORDS * sizeof *e->row, NULL, &e->rows);
    if (!status)
        status = queue_memory(&e->q, "the members' steps", members * sizeof *e->step, NULL, &e->first);
    if (!status)
        status = write_parameters(e, programs);
    if (!status)
        status = open_frame(e);
    return status ? status : open_staging(e);
}

int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out) {
    struct ensemble *e = memory_new(1, sizeof *e);
    const size_t members = (size_t)count;
    e->device = device_list()->devices[choice->device];
    e->count = count;
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
    queue_close(&e->q);
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

/* Where a member's buffers lie now. */
static void fill_row(const struct ensemble *e, struct member *member) {
    for (int b = 0; b < e->work.buffer_count; ++b) {
        const bool is_fixed = e->work.buffers[b].sharing == BUFFER_FIXED;
        const size_t place = is_fixed ? member->fixed[b] : own_place(member, member->engine.slot[b]);
        member->row[MEMBER_BUFFERS + b] = (uint32_t)(place / MEMBER_UNIT);
    }
}

/* Send the rows of the members that are live, where they are not there yet, and their steps. */
static int send_rows(struct ensemble *e, const bool *live) {
    int count = 0;
    for (int m = 0; m < e->count; ++m) {
        struct member *member = &e->members[m];
        uint32_t *there = e->row + (size_t)count * MEMBER_WORDS;
        if (!live[m])
            continue;
        fill_row(e, member);
        e->has_rows = e->has_rows && !memcmp(there, member->row, sizeof member->row);
        memcpy(there, member->row, sizeof member->row);
        e->step[count] = member->engine.step;
        e->live[count++] = m;
    }
    e->live_count = count;
    const size_t rows = (size_t)count;
    int status = e->has_rows ? STATUS_OK : queue_write(&e->q, e->rows, 0, rows * MEMBER_WORDS * sizeof *e->row, e->row);
    if (!status)
        status = queue_write(&e->q, e->first, 0, rows * sizeof *e->step, e->step);
    e->has_rows = !status;
    return status;
}

int ensemble_start(struct ensemble *e, const bool *live) {
    const int status = send_rows(e, live);
    if (status || !e->live_count)
        return status;
    /* What was written may have moved to a larger memory. */
    cl_int error = clSetKernelArg(e->frame, 1, sizeof e->fixed, &e->fixed);
    const size_t global = e->lanes * (size_t)e->live_count;
    if (!error)
        error = clEnqueueNDRangeKernel(e->q.commands, e->frame, 1, NULL, &global, &e->lanes, 0, NULL, NULL);
    clFlush(e->q.commands); /* what is wrong with it, clFinish says too */
    return error ? compile_failed("springback_frame", error) : STATUS_OK;
}

int ensemble_wait(struct ensemble *e) {
    const cl_int error = clFinish(e->q.commands);
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
            const int status =
                queue_read(&e->q, e->arena, e->base[slot], (size_t)e->count * e->stride[slot], e->staged[slot]);
            if (status)
                return status;
            memset(e->is_staged[slot], true, (size_t)e->count * sizeof *e->is_staged[slot]);
        }
    return STATUS_OK;
}
