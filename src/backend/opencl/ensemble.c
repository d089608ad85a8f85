/* How a frame of an ensemble runs. The buffers of all members, except the fixed buffers, are in one memory object, the
 * arena. The fixed buffers are in a second memory object, in which members with equal contents share a buffer. The
 * device has the index of the next step of each live member (ensemble_start). The device also has a row for each live
 * member, with the locations of the member's buffers and the counts of its loops (member.h).
 *
 * One launch runs the frame kernel with one work group for each row. If nodes are ordered (frame_shape.h), the launch
 * has only as many groups as the device runs at the same time, and each group runs several rows in sequence. A group
 * reads a row and runs its member's frame as frame_source.h describes, without waiting for other groups. After the
 * frame the host exchanges the slots of swapped buffers. The host does not exchange the slots of a state in local
 * memory, because each state buffer is copied back to the slot from which it was loaded. */
#include "backend/opencl/ensemble.h"

#include "backend/opencl/compile.h"
#include "backend/opencl/device.h"
#include "backend/opencl/frame_shape.h"
#include "backend/opencl/launch_size.h"
#include "backend/opencl/max_local_memory.h"
#include "backend/opencl/member.h"
#include "backend/opencl/node_order.h"
#include "backend/opencl/opencl_override.h"
#include "backend/opencl/queue.h"
#include "base/memory.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    MEMBERS_PER_UNIT = 8, /* how many members run at a time for each compute unit; other numbers were not measured */
    MEMORY_SHARE = 75     /* percent of a device's memory for members; chosen, not measured */
};

struct ensemble_member {
    struct engine engine;
    struct ensemble *ensemble;
    int index;
    size_t fixed[PROGRAM_BUFFERS];   /* offsets of the member's fixed buffers in ensemble.fixed, in bytes */
    int slot_after[PROGRAM_BUFFERS]; /* a frame moves buffer b to the slot in which buffer slot_after[b] was before the
                                        frame */
    int steps;                       /* time steps of a frame */
    uint32_t row[MEMBER_WORDS]; /* row of the member (member.h), but without the buffers' offsets, which change from
                                   frame to frame */
};

/* Contents of a fixed buffer. Members with equal contents share one copy. */
struct fixed_contents {
    int buffer;
    size_t at; /* offset in ensemble.fixed, in bytes */
    void *contents;
};

struct ensemble {
    struct pool pool;       /* owns the memory of all arrays except the array `contents` */
    struct device device;   /* with the largest local_memory that a group can use (max_local_memory.h) */
    bool is_unfused;        /* the fused stages (program.h) are not used */
    struct program program; /* the first member's program as a list program */
    struct ensemble_member *members;
    int count;
    struct opencl_queue q;
    cl_kernel frame;
    struct frame_shape shape;
    size_t max_groups; /* maximum work groups of a launch */
    size_t order;      /* offset of the nodes' order in `fixed`, in bytes */
    int *offsets;      /* for each entry of the lists of neighbours, the byte offset of the neighbour's position; NULL
                          if nodes are not ordered */
    cl_mem arena, fixed, parameters, rows, first_steps;
    size_t base[PROGRAM_BUFFERS], stride[PROGRAM_BUFFERS]; /* bytes: slot s of member m is at base[s] + m * stride[s] */
    size_t arena_bytes, fixed_bytes, fixed_used;
    struct fixed_contents *contents;
    int content_count;
    uint32_t *row; /* [members][MEMBER_WORDS]: rows (member.h) of the live members in the current frame */
    cl_int *step;  /* [members]: index of the next time step of each live member */
    int *live, live_count, row_count; /* [members] indices of the live members; number of live members; number of rows
                                         on the device */
    bool has_rows;                 /* the device has the rows and steps of the members live[0] .. live[row_count - 1] */
    char *staged[PROGRAM_BUFFERS]; /* [slot]: the buffers of all members, as ensemble_fetch has read them */
    bool *is_staged[PROGRAM_BUFFERS]; /* [slot][members]: whether `staged` has the member's buffer */
};

/* ---- Which programs ---- */

/* The program as a list program: the functions of its kernels take the item as an argument (program.h). Unless
 * is_unfused, the result has the fused stages, if there are any. */
static struct program list_of(const struct program *program, bool is_unfused) {
    struct program list = *program;
    if (!is_unfused)
        program_fuse(&list);
    list.is_list_program = true;
    if (list.hints.network.start) {
        list.hints.network.order = list.buffer_count;
        list.buffers[list.buffer_count++] =
            (struct buffer){"order", "int", BUFFER_FIXED, 2 * list.buffers[list.positions].items, sizeof(int)};
    }
    for (int k = 0; k < list.kernel_count; ++k) {
        list.kernels[k].columns *= list.kernels[k].rows;
        list.kernels[k].rows = 1;
    }
    return list;
}

/* Whether members run without the fused stages. True if single runs on the device have no fused stages (runs_unfused).
 * Also true if the state is in local memory, because barriers then cost little. */
static bool is_unfused(const struct device *device, const struct program *program) {
    const struct shape_override override = opencl_override_shape();
    const struct program list = list_of(program, true);
    return runs_unfused(device) || state_fits_local(device, &list, &override);
}

/* Choose the shape of a member's frame. If `lanes` is not 0, request this number of lanes. Returns whether there is a
 * shape. */
static bool choose_shape(const struct device *device, const struct program *list, size_t lanes,
                         struct frame_shape *shape) {
    struct shape_override override = opencl_override_shape();
    override.lanes = lanes ? lanes : override.lanes;
    return !opencl_override_has("launches") &&
           (device->is_gpu || program_sum_count(list) <= CPU_FRAME_SUMS || override.one_group) &&
           frame_shape_choose_member(device, list, &override, shape);
}

bool ensemble_supports(const struct backend_choice *choice, const struct program *program) {
    struct frame_shape shape;
    if (!choice->backend->has_ensembles || program->has_unordered_sums)
        return false;
    for (int s = 0; s < program->stage_count; ++s)
        if (program->stages[s].kind == STAGE_HOST)
            return false;
    /* ensemble_supports uses the reported size of local memory. This size decides how a frame runs, but not whether it
     * can run. ensemble_open uses the largest size that works. */
    const struct device *device = &device_list()->devices[choice->device];
    const struct program list = list_of(program, is_unfused(device, program));
    return choose_shape(device, &list, 0, &shape);
}

/* ---- Memory ---- */

_Static_assert((int)MEMBER_UNIT == BUFFER_ALIGNMENT, "offsets in a row are multiples of the buffers' alignment");

int ensemble_capacity(const struct backend_choice *choice, const struct program *program) {
    const struct device *device = &device_list()->devices[choice->device];
    const struct program list = list_of(program, true);
    const size_t own = aligned_bytes(&list, ~(1u << BUFFER_FIXED)), fixed = aligned_bytes(&list, 1u << BUFFER_FIXED),
                 each = own + fixed, memory = (size_t)device->memory / 100 * MEMORY_SHARE;
    size_t most = MEMBERS_PER_UNIT * (size_t)device->compute_units;
    most = each * most > memory ? memory / each : most;
    most = own * most > device->largest_buffer ? (size_t)device->largest_buffer / own : most;
    most = fixed * most > device->largest_buffer ? (size_t)device->largest_buffer / fixed : most;
    return most ? (int)most : 1;
}

/* Lay out the arena: all members' copies of a buffer are contiguous. */
static void lay_out_buffers(struct ensemble *e) {
    for (int b = 0; b < e->program.buffer_count; ++b) {
        const struct buffer *buffer = &e->program.buffers[b];
        e->base[b] = e->arena_bytes;
        e->stride[b] = buffer->sharing == BUFFER_FIXED ? 0 : round_up(buffer_size(buffer), MEMBER_UNIT);
        e->arena_bytes += (size_t)e->count * e->stride[b];
    }
}

/* If the memory of fixed buffers has fewer than `needed` bytes, allocate new memory of `needed` bytes, but at least
 * twice the old size, and copy the contents. The queue releases the old memory when the queue is closed. */
static int grow_fixed(struct ensemble *e, size_t needed) {
    const size_t bytes = needed > 2 * e->fixed_bytes ? needed : 2 * e->fixed_bytes;
    const cl_mem old = e->fixed;
    if (needed <= e->fixed_bytes)
        return STATUS_OK;
    if (queue_create_memory(&e->q, "the fixed buffers", bytes, NULL, &e->fixed))
        return STATUS_BAD;
    e->fixed_bytes = bytes;
    const cl_int error = clEnqueueCopyBuffer(e->q.commands, old, e->fixed, 0, 0, e->fixed_used, 0, NULL, NULL);
    return error ? opencl_failed("clEnqueueCopyBuffer", error) : STATUS_OK;
}

/* Rearrange a fixed buffer's contents for ordered nodes, so that the lanes of a warp read adjacent memory. The contents
 * are either one entry for each spring of each node, or one index for each node into the list of springs (such as
 * `start`). The result has these entries or indices node by node, in the order of node_order.h. Newly allocated; the
 * caller frees it. */
static void *ordered_rows(const struct ensemble *e, int buffer, const void *contents) {
    const struct program *list = &e->program;
    const size_t size = list->buffers[buffer].item_size, nodes = list->buffers[list->positions].items;
    const char *from = buffer == list->hints.network.buffer ? (const char *)e->offsets : contents;
    char *out = memory_new(list->buffers[buffer].items, size);
    size_t row = 0;
    for (size_t p = 0; p < nodes; ++p) {
        const int node = list->hints.network.node_at[p], *start = *list->hints.network.start + node;
        const size_t count = (size_t)(start[1] - start[0]);
        if (buffer == list->hints.network.buffer || strcmp(list->buffers[buffer].type, "int") != 0)
            memcpy(out + row * size, from + (size_t)start[0] * size, count * size);
        else /* `contents` are indices of springs */
            ((int *)out)[p] = ((const int *)contents)[node] - start[0] + (int)row;
        row += count;
    }
    if (list->buffers[buffer].items == nodes + 1)
        ((int *)out)[nodes] = (int)row;
    return out;
}

/* Write a fixed buffer, unless a member has already written equal contents. *at becomes the offset of the contents. */
static int write_fixed(struct ensemble *e, int buffer, const void *contents, size_t *at) {
    const size_t bytes = buffer_size(&e->program.buffers[buffer]);
    e->has_rows = false;
    for (int c = 0; c < e->content_count; ++c)
        if (e->contents[c].buffer == buffer && !memcmp(e->contents[c].contents, contents, bytes)) {
            *at = e->contents[c].at;
            return STATUS_OK;
        }
    struct fixed_contents kept = {buffer, e->fixed_used, pool_add(&e->pool, memory_large(bytes))};
    if (!kept.contents)
        return fail("not enough main memory for buffer '%s'; use a smaller body", e->program.buffers[buffer].name);
    if (grow_fixed(e, e->fixed_used + round_up(bytes, MEMBER_UNIT)) ||
        queue_write(&e->q, e->fixed, kept.at, bytes, contents))
        return STATUS_BAD;
    memcpy(kept.contents, contents, bytes);
    e->fixed_used += round_up(bytes, MEMBER_UNIT);
    *ARRAY_ADD(e->contents, e->content_count) = kept;
    *at = kept.at;
    return STATUS_OK;
}

static size_t arena_offset(const struct ensemble_member *member, int slot) {
    return member->ensemble->base[slot] + (size_t)member->index * member->ensemble->stride[slot];
}

/* ---- A member's engine ---- */

static int write_buffer(struct engine *engine, int slot, const void *contents) {
    struct ensemble_member *member = (struct ensemble_member *)engine;
    struct ensemble *e = member->ensemble;
    const struct buffer *b = &e->program.buffers[slot];
    const size_t bytes = buffer_size(b);
    if (b->sharing == BUFFER_FIXED) {
        AUTO_FREE void *rows = e->shape.is_ordered ? ordered_rows(e, slot, contents) : NULL;
        return write_fixed(e, slot, rows ? rows : contents, &member->fixed[slot]);
    }
    if (e->is_staged[slot])
        e->is_staged[slot][member->index] = false;
    return queue_write(&e->q, e->arena, arena_offset(member, slot), bytes, contents);
}

static int read_buffer(struct engine *engine, int slot, void *contents) {
    struct ensemble_member *member = (struct ensemble_member *)engine;
    struct ensemble *e = member->ensemble;
    const struct buffer *b = &e->program.buffers[slot];
    const size_t bytes = buffer_size(b);
    if (e->is_staged[slot] && e->is_staged[slot][member->index]) {
        memcpy(contents, e->staged[slot] + (size_t)member->index * e->stride[slot], bytes);
        return STATUS_OK;
    }
    return b->sharing == BUFFER_FIXED ? queue_read(&e->q, e->fixed, member->fixed[slot], bytes, contents)
                                      : queue_read(&e->q, e->arena, arena_offset(member, slot), bytes, contents);
}

/* This backend has no `close`, because ensemble_close frees the engine. */
static const struct backend backend_member = {.write = write_buffer, .read = read_buffer};

struct engine *ensemble_engine(struct ensemble *e, int member) {
    return &e->members[member].engine;
}

static int follow_swap(void *context, const struct stage *stage, int step) {
    struct ensemble_member *member = context;
    (void)step;
    if (stage->kind == STAGE_SWAP)
        program_swap(stage, member->slot_after);
    return STATUS_OK;
}

static void open_member(struct ensemble *e, int m, const struct program *program) {
    struct ensemble_member *member = &e->members[m];
    const struct program list = list_of(program, e->is_unfused);
    member->engine.backend = &backend_member;
    member->engine.program = program;
    member->ensemble = e;
    member->index = m;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        member->engine.slot[b] = member->slot_after[b] = b;
    program_walk(&list, follow_swap, member, &member->steps);
    member->row[MEMBER_NUMBER] = (uint32_t)m;
    for (int s = 0; s < list.stage_count; ++s)
        member->row[MEMBER_COUNTS + s] = (uint32_t)list.stages[s].count;
}

/* ---- Opening ---- */

/* Whether two compatible programs have the same network. */
static bool same_network(const struct program *a, const struct program *b) {
    const size_t nodes = a->buffers[a->positions].items;
    return !memcmp(*a->hints.network.start, *b->hints.network.start, (nodes + 1) * sizeof(int)) &&
           !memcmp(*a->hints.network.neighbour, *b->hints.network.neighbour,
                   buffer_size(&a->buffers[a->hints.network.buffer]));
}

/* Order the nodes, and write buffer `order`: first the node at each place, then the place of each node. */
static int order_nodes(struct ensemble *e) {
    struct program *list = &e->program;
    const size_t nodes = list->buffers[list->positions].items;
    int *node_at = pool_add(&e->pool, memory_new(2 * nodes, sizeof *node_at));
    e->offsets = pool_add(&e->pool, memory_new(list->buffers[list->hints.network.buffer].items, sizeof *e->offsets));
    node_order(*list->hints.network.start, *list->hints.network.neighbour, (int)nodes, node_at, e->offsets);
    for (int s = 0; s < (*list->hints.network.start)[nodes]; ++s)
        e->offsets[s] *= (int)list->buffers[list->positions].item_size;
    for (size_t p = 0; p < nodes; ++p)
        node_at[nodes + (size_t)node_at[p]] = (int)p;
    list->hints.network.node_at = node_at;
    return write_fixed(e, list->hints.network.order, node_at, &e->order);
}

/* Maximum work groups of a launch. If nodes are ordered: as many as the device's local memory allows at the same time.
 * Otherwise one for each member. */
static size_t max_groups(const struct ensemble *e) {
    cl_ulong bytes = 0;
    clGetKernelWorkGroupInfo(e->frame, e->q.device->id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    const size_t each = bytes && bytes < e->device.local_memory ? (size_t)(e->device.local_memory / bytes) : 1;
    return e->shape.is_ordered ? each * (size_t)e->device.compute_units : (size_t)e->count;
}

/* Compile the frame kernel. If it needs too many registers for its lanes (compile_frame), compile it again with fewer
 * lanes. The number of lanes decreases each time, so the loop ends. */
static int open_frame(struct ensemble *e) {
    for (size_t lanes = 0, max_lanes; choose_shape(e->q.device, &e->program, lanes, &e->shape);
         lanes = power_of_two_within(max_lanes, max_lanes)) {
        if (e->shape.is_ordered && !e->program.hints.network.node_at && order_nodes(e))
            return STATUS_BAD;
        if (compile_frame(&e->q, &e->program, &e->shape, &e->frame, &max_lanes))
            return STATUS_BAD;
        if (e->frame) {
            e->max_groups = max_groups(e);
            const cl_int error = KERNEL_SET(e->frame, 0, ARGUMENT(e->arena), ARGUMENT(e->fixed),
                                            ARGUMENT(e->parameters), ARGUMENT(e->rows), ARGUMENT(e->first_steps));
            return error ? opencl_failed("clSetKernelArg of a frame", error) : STATUS_OK;
        }
    }
    return fail("device '%s' has too few registers for a frame kernel of one work group; "
                "SPRINGBACK_OPENCL=launches runs members one by one",
                e->q.device->name);
}

static int write_parameters(struct ensemble *e, const struct program *const *programs) {
    const size_t stride = member_parameter_stride(&e->program), members = (size_t)e->count;
    AUTO_FREE char *all = memory_new(members, stride);
    for (size_t m = 0; m < members; ++m)
        memcpy(all + m * stride, programs[m]->parameters, programs[m]->parameter_size);
    return queue_create_memory(&e->q, "the members' parameters", members * stride, all, &e->parameters);
}

/* Allocate main memory for the state that ensemble_fetch reads: positions, velocities, the record, and all buffers
 * with which these three are swapped. */
static int open_staging(struct ensemble *e) {
    const struct program *list = &e->program;
    bool is_state[PROGRAM_BUFFERS] = {false};
    is_state[list->positions] = is_state[list->velocities] = is_state[list->method_record] = true;
    for (int pass = 0; pass < PROGRAM_BUFFERS; ++pass) /* a swapped buffer may be swapped with a third one */
        for (const struct stage *stage = list->stages; stage < list->stages + list->stage_count; ++stage)
            if (stage->kind == STAGE_SWAP)
                is_state[stage->a] = is_state[stage->b] = is_state[stage->a] || is_state[stage->b];
    for (int b = 0; b < list->buffer_count; ++b) {
        if (!is_state[b] || list->buffers[b].sharing == BUFFER_FIXED || !e->stride[b])
            continue;
        e->is_staged[b] = pool_add(&e->pool, memory_new((size_t)e->count, sizeof *e->is_staged[b]));
        if (!(e->staged[b] = pool_add(&e->pool, memory_large((size_t)e->count * e->stride[b]))))
            return fail("not enough main memory for the states of %d members; use a smaller body", e->count);
    }
    return STATUS_OK;
}

static int open_ensemble(struct ensemble *e, const struct program *const *programs) {
    const size_t members = (size_t)e->count;
    if (queue_open(&e->device, &e->q))
        return STATUS_BAD;
    e->is_unfused = is_unfused(&e->device, programs[0]);
    e->program = list_of(programs[0], e->is_unfused);
    for (int m = 0; m < e->count; ++m) {
        open_member(e, m, programs[m]);
        if (e->program.hints.network.order && !same_network(programs[m], programs[0]))
            e->program.hints.network.order = 0;
    }
    lay_out_buffers(e);
    e->fixed_bytes = aligned_bytes(&e->program, 1u << BUFFER_FIXED);
    if (queue_create_memory(&e->q, "the members' buffers", e->arena_bytes, NULL, &e->arena) ||
        queue_create_memory(&e->q, "the fixed buffers", e->fixed_bytes, NULL, &e->fixed) ||
        queue_create_memory(&e->q, "the members' rows", members * MEMBER_WORDS * sizeof *e->row, NULL, &e->rows) ||
        queue_create_memory(&e->q, "the members' steps", members * sizeof *e->step, NULL, &e->first_steps) ||
        write_parameters(e, programs) || open_frame(e))
        return STATUS_BAD;
    return open_staging(e);
}

int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out) {
    struct ensemble *e = memory_new(1, sizeof *e);
    const size_t members = (size_t)count;
    e->device = device_with_max_local_memory(&device_list()->devices[choice->device]);
    e->count = count;
    e->members = pool_add(&e->pool, memory_new(members, sizeof *e->members));
    e->row = pool_add(&e->pool, memory_new(members * MEMBER_WORDS, sizeof *e->row));
    e->step = pool_add(&e->pool, memory_new(members, sizeof *e->step));
    e->live = pool_add(&e->pool, memory_new(members, sizeof *e->live));
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
    pool_free(&e->pool);
    free(e->contents);
    free(e);
}

/* ---- A frame ---- */

/* Fill the row of the k-th live member. */
static void fill_row(struct ensemble *e, int k) {
    const struct ensemble_member *member = &e->members[e->live[k]];
    uint32_t *row = e->row + (size_t)k * MEMBER_WORDS;
    memcpy(row, member->row, sizeof member->row);
    for (int b = 0; b < e->program.buffer_count; ++b) {
        const bool is_fixed = e->program.buffers[b].sharing == BUFFER_FIXED;
        const size_t place = is_fixed ? member->fixed[b] : arena_offset(member, member->engine.slot[b]);
        row[MEMBER_BUFFERS + b] = (uint32_t)(place / MEMBER_UNIT);
    }
    if (e->shape.is_ordered)
        row[MEMBER_BUFFERS + e->program.hints.network.order] = (uint32_t)(e->order / MEMBER_UNIT);
}

/* Send the live members' rows and steps to the device, unless the device already has them. */
static int send_rows(struct ensemble *e, const bool *live) {
    int count = 0;
    for (int m = 0; m < e->count; ++m) {
        const int step = e->members[m].engine.step;
        if (!live[m])
            continue;
        e->has_rows = e->has_rows && count < e->row_count && e->live[count] == m && e->step[count] == step;
        e->step[count] = step;
        e->live[count++] = m;
    }
    const size_t rows = (size_t)count;
    e->live_count = count;
    if (e->has_rows)
        return STATUS_OK;
    for (int k = 0; k < count; ++k)
        fill_row(e, k);
    e->row_count = count;
    e->has_rows = !queue_write(&e->q, e->rows, 0, rows * MEMBER_WORDS * sizeof *e->row, e->row) &&
                  !queue_write(&e->q, e->first_steps, 0, rows * sizeof *e->step, e->step);
    return e->has_rows ? STATUS_OK : STATUS_BAD;
}

int ensemble_start(struct ensemble *e, const bool *live) {
    const int status = send_rows(e, live);
    if (status || !e->live_count)
        return status;
    /* grow_fixed may have replaced e->fixed since the last launch. */
    cl_int error = clSetKernelArg(e->frame, 1, sizeof e->fixed, &e->fixed);
    const cl_uint rows = (cl_uint)e->live_count;
    const size_t groups = rows < e->max_groups ? rows : e->max_groups, global = e->shape.lanes * groups;
    if (!error)
        error = clSetKernelArg(e->frame, 5, sizeof rows, &rows);
    if (!error)
        error = clEnqueueNDRangeKernel(e->q.commands, e->frame, 1, NULL, &global, &e->shape.lanes, 0, NULL, NULL);
    clFlush(e->q.commands); /* clFinish also reports the errors of clFlush */
    return error ? opencl_failed("launching a frame", error) : STATUS_OK;
}

int ensemble_wait(struct ensemble *e) {
    for (int k = 0; k < e->live_count; ++k) {
        struct ensemble_member *member = &e->members[e->live[k]];
        int slot[PROGRAM_BUFFERS];
        for (int b = 0; b < PROGRAM_BUFFERS; ++b)
            slot[b] =
                member->engine.slot[e->shape.is_state_local && b < e->program.state_count ? b : member->slot_after[b]];
        e->has_rows = e->has_rows && !memcmp(member->engine.slot, slot, sizeof slot);
        memcpy(member->engine.slot, slot, sizeof slot);
        e->step[k] = member->engine.step += member->steps; /* the frame kernel increases the device's copy */
    }
    e->live_count = 0;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        if (e->is_staged[b])
            memset(e->is_staged[b], 0, (size_t)e->count * sizeof *e->is_staged[b]);
    const cl_int error = clFinish(e->q.commands); /* this call is last, so that the code above runs while the device
                                                     computes */
    return error ? opencl_failed("running a frame", error) : STATUS_OK;
}

int ensemble_fetch(struct ensemble *e) {
    const int wanted[] = {e->program.positions, e->program.velocities, e->program.method_record};
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; ++w)
        for (int m = 0; m < e->count; ++m) {
            const int slot = e->members[m].engine.slot[wanted[w]];
            if (!e->is_staged[slot] || e->is_staged[slot][m])
                continue;
            /* The buffer's copies of all members are contiguous. */
            const int status =
                queue_read(&e->q, e->arena, e->base[slot], (size_t)e->count * e->stride[slot], e->staged[slot]);
            if (status)
                return status;
            memset(e->is_staged[slot], true, (size_t)e->count * sizeof *e->is_staged[slot]);
        }
    return STATUS_OK;
}
