#include "backend/opencl/frame_source.h"

#include "backend/opencl/frame_colours.h"
#include "backend/opencl/member.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>

enum {
    LOCAL_BANKS = 8, /* quads that a GPU can read from its local memory at a time, if each is in a different bank */
    CACHE_LINE = 128 /* bytes of a line of a GPU's cache */
};

/* Whether a buffer is the result of a sum. False for a buffer without items: it has no memory of its own, so nothing
 * may be stored in it. In an ensemble its address is the address of the next buffer. */
static bool is_total(const struct program *program, int buffer) {
    return program->buffers[buffer].sharing == BUFFER_TOTAL && program->buffers[buffer].items > 0;
}

/* Whether a buffer belongs to the state and is in local memory. */
static bool is_local_state(const struct frame *f, int buffer) {
    return f->shape->is_state_local && buffer < f->program->state_count && program_uses_buffer(f->program, buffer);
}

/* Whether a buffer is in local memory. */
static bool is_in_local_memory(const struct frame *f, int buffer) {
    const enum sharing sharing = f->program->buffers[buffer].sharing;
    return (f->shape->is_frame_local && sharing == BUFFER_FRAME) ||
           (f->shape->is_spare_local && sharing == BUFFER_SPARE) || is_local_state(f, buffer);
}

/* Whether totals are not stored. Each warp that needs a total then adds up the groups' sums itself. */
static bool has_warp_totals(const struct program *program, const struct frame_shape *shape) {
    return shape->uses_warps && !program->is_list_program;
}

char *frame_options(const struct program *program, const struct frame_shape *shape) {
    char *define = text_copy(" -DFRAME");
    if (program->is_list_program || shape->work_groups == 1)
        text_append(&define, " -DGROUPS=%du", shape->work_groups);
    if (has_warp_totals(program, shape))
        text_append(&define, " -DWARPS");
    if (shape->is_frame_local)
        text_append(&define, " -DFRAME_SPACE=__local");
    if (shape->is_spare_local)
        text_append(&define, " -DSPARE_SPACE=__local");
    if (shape->is_state_local)
        text_append(&define, " -DSTATE_SPACE=__local");
    if (shape->is_ordered)
        text_append(&define, " -DORDERED=%d -DFIRST_NODE=%d -DSHARE_PLANE=%zu",
                    (int)program->buffers[program->positions].items,
                    program->hints.network.node_at[program->buffers[program->positions].items], share_plane(program));
    if (program->is_list_program && frame_has_cache(program, shape))
        text_append(&define, " -DFRAME_CACHES_CONSTRAINTS");
    if (shape->is_ensemble)
        text_append(&define,
                    " -DLIST_PROGRAM -DMEMBER_WORDS=%d -DMEMBER_UNIT=%d -DMEMBER_NUMBER=%d -DMEMBER_COUNTS=%d "
                    "-DMEMBER_PARAMETERS=%zu",
                    MEMBER_WORDS, MEMBER_UNIT, MEMBER_NUMBER, MEMBER_COUNTS, member_parameter_stride(program));
    return define;
}

/* ---- Stages ---- */

void frame_call(struct frame *f, const char *before, const struct kernel *kernel, const char *suffix,
                const char *format, ...) {
    FILE *out = f->text.out;
    va_list last;
    source_indent(&f->text);
    fprintf(out, "%s%s%s(", before, kernel->name, suffix);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        fprintf(out, "%s%d, ", is_total(f->program, b->buffer) ? "total" : "b", b->buffer);
    fprintf(out, "p, ");
    va_start(last, format);
    vfprintf(out, format, last);
    va_end(last);
    fprintf(out, ");\n");
}

/* An expression in OpenCL C for the place of the ordered node that a lane has in iteration t. In the last iteration
 * some lanes have no node. These lanes have the first nodes in the first iteration, because the first nodes have the
 * most neighbours. The places are shifted by whole warps, because node_order chooses which nodes are in one warp. Newly
 * allocated; the caller frees it. */
static char *item_at(const struct frame *f, int t, int items) {
    const int lanes = (int)f->shape->lanes, shift = (int)round_up((size_t)(items % lanes), WARP_SIZE) % lanes;
    return t || items <= lanes ? text_format("%d + lane", t * lanes)
                               : text_format("(lane < %d ? lane + %d : lane - %d)", shift, lanes - shift, shift);
}

/* Write a STAGE_RUN: run a kernel on all its items. */
static void write_run(struct frame *f, const struct stage *stage) {
    const struct kernel *kernel = &f->program->kernels[stage->a];
    const int items = kernel->columns * kernel->rows, lanes = (int)f->shape->lanes;
    if (items <= 0)
        return;
    if (!f->program->is_list_program) {
        frame_call(f, "", kernel, kernel->hints.uses_resident ? "_resident" : "", "step, %s%d",
                   kernel->hints.uses_resident ? "&node0, " : "", items);
        if (stage_feeds_sum(f->program, stage)) /* no barrier follows, because each lane adds up its own item */
            return;
    } else if (f->shape->is_ordered && kernel->hints.uses_resident) {
        for (int t = 0; t < node_iterations(f->program, f->shape->lanes); ++t) {
            if ((t + 1) * lanes > items)
                source_line(&f->text, "if (%d + lane < %d)", t * lanes, items);
            AUTO_FREE char *item = item_at(f, t, items);
            frame_call(f, "    ", kernel, "_resident", "step, &node%d, %s", t, item);
        }
    } else {
        source_line(&f->text, "for (int item = lane; item < %d; item += TOTAL_LANES)", items);
        frame_call(f, "    ", kernel, "", "step, item");
    }
    source_line(&f->text, "BARRIER;");
}

/* Write a STAGE_SUM. Each lane adds up `run` consecutive items; `run` is a power of two. Each group adds up its lanes'
 * sums. Then each group adds up all groups' sums. The groups' sums alternate between two places in memory, because a
 * group may write its next sum while another group still reads the current sums. */
static void write_sum(struct frame *f, const struct stage *stage) {
    struct source_writer *l = &f->text;
    const size_t items = f->program->buffers[stage->a].items, lanes = f->shape->lanes * (size_t)f->shape->work_groups;
    size_t run = 1, take = 1;
    while (run * lanes < items)
        run *= 2;
    while (take * f->shape->lanes < (size_t)f->shape->work_groups)
        take *= 2;
    source_block(l);
    if (f->shape->is_ordered && f->shape->uses_warps) {
        source_line(l, "const quad sum = reduce_planes(b%d, scratch, lane, %zu);", stage->a, lanes);
    } else if (run == 1) {
        source_line(l, "quad sum = lane < %zu ? SHARE_AT(b%d, lane) : (quad)(0);", items, stage->a);
    } else {
        source_line(l, "quad part[%zu];", run);
        /* A lane reads its items in the order k ^ mask, so that the quads that eight lanes read at a time are in eight
         * different banks of local memory. The order only exchanges the two operands of additions: no bit changes. */
        source_open(l, "for (int k = 0; k < %zu; ++k)", run);
        source_line(l, "const int at = %zu * lane + (k ^ (lane / %zu & %zu));", run,
                    run < LOCAL_BANKS ? LOCAL_BANKS / run : 1, run - 1);
        source_line(l, "part[k] = at < %zu ? SHARE_AT(b%d, at) : (quad)(0);", items, stage->a);
        source_close(l);
        source_line(l, "quad sum = reduce_pairs(part, %zu);", run);
    }
    if (has_warp_totals(f->program, f->shape)) {
        source_line(l, "const uint rank = get_local_id(0);");
        source_line(l, "sum = reduce_warp(sum);");
        source_line(l, "if (rank %% 32 == 0)");
        source_line(l, "    scratch[rank / 32] = sum;");
        source_line(l, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
        if (f->shape->lanes <= 256) { /* up to 8 warps: one lane adds up faster than a warp does */
            source_line(l, "if (rank == 0)");
            source_line(l, "    sums[get_group_id(0)] = reduce_warps(scratch, %zu);", f->shape->lanes / 32);
        } else {
            source_open(l, "if (rank < 32)");
            source_line(l, "sum = reduce_warp(rank < %zu ? scratch[rank] : (quad)(0));", f->shape->lanes / 32);
            source_line(l, "if (rank == 0)");
            source_line(l, "    sums[get_group_id(0)] = sum;");
            source_close(l);
        }
        source_line(l, "global_wait(arrivals, goal += GROUPS);");
        source_line(l, "total%d.sums = sums;", stage->b);
    } else if (f->shape->uses_warps) {
        if (!f->shape->is_ordered)
            source_line(l, "sum = reduce_single_group(sum, scratch, lane, %zu);",
                        parts_of(parts_of(items, run), WARP_SIZE));
        if (!f->shape->is_ordered || stage[1].kind != STAGE_RUN) /* else the BARRIER after the next stage suffices */
            source_line(l, "BARRIER;");
    } else {
        source_line(l, "CONVERGE;");
        source_line(l, "sum = reduce_group(sum, scratch, get_local_id(0), get_local_size(0));");
        if (f->shape->work_groups > 1) {
            source_line(l, "if (get_local_id(0) == 0)");
            source_line(l, "    sums[get_group_id(0)] = sum;");
            source_line(l, "BARRIER;");
            source_line(l, "sum = sum_values(sums, %zu * get_local_id(0), %zu, GROUPS);", take, take);
            source_line(l, "sum = reduce_group(sum, scratch, get_local_id(0), get_local_size(0));");
        } else if (!is_in_local_memory(f, stage->a)) { /* all items must be read before any is overwritten */
            source_line(l, "BARRIER;");
        }
    }
    if (f->shape->work_groups > 1)
        source_line(l, "sums = sums == sums_first ? sums_first + GROUPS : sums_first;");
    if (!has_warp_totals(f->program, f->shape))
        source_line(l, "summed%d = sum + (quad)(0);", stage->b);
    source_close(l);
}

/* Write a STAGE_SWAP: exchange the pointers to two buffers. For a state in local memory nothing else is exchanged,
 * because each state buffer is copied back to the global buffer from which it was loaded. */
static void write_swap(struct frame *f, const struct stage *stage) {
    const int a = stage->a, b = stage->b;
    source_line(&f->text, "{ %s %s *other = b%d; b%d = b%d; b%d = other; }",
                is_in_local_memory(f, a) ? "__local" : "__global", f->program->buffers[a].type, a, a, b, b);
}

/* Write the beginning of a loop. */
static void write_bracket(struct frame *f, const struct stage *stages, int s) {
    struct source_writer *l = &f->text;
    const bool may_converge = f->shape->skips_converged && stages[s].kind == STAGE_REPEAT;
    AUTO_FREE char *count =
        text_format(f->shape->is_ensemble ? "MEMBER_COUNT(%d)" : "%d", f->shape->is_ensemble ? s : stages[s].count);
    if (may_converge)
        source_line(l, "real converged%d = 0;", s);
    source_open(l, "for (int k%d = 0, count%d = %s; k%d < count%d; ++k%d%s)", s, s, count, s, s, s,
                stages[s].kind == STAGE_STEPS ? ", ++step" : "");
    if (may_converge) { /* An iteration tests the value that the previous iteration read. Then it reads the value for
                           the next iteration, so no lane waits for this read. */
        source_open(l, "if (converged%d != 0)", s);
        for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
            if (stages[k].kind == STAGE_SWAP)
                write_swap(f, &stages[k]);
        source_line(l, "continue;");
        source_close(l);
        source_line(l, "converged%d = %s(b%d);", s, f->program->hints.converged.name,
                    f->program->hints.converged.buffer);
    }
}

static void write_stages(struct frame *f) {
    int cached = -1; /* index of the stage that begins the current loop, if this loop has a register cache; otherwise
                        -1 */
    const struct stage *stages = f->program->stages;
    for (int s = 0; s < f->program->stage_count; ++s) {
        const struct stage *stage = &stages[s];
        switch (stage->kind) {
        case STAGE_REPEAT:
        case STAGE_STEPS:
            if (stage->kind == STAGE_REPEAT && f->program->is_list_program && loop_is_cached(f->program, s, f->shape)) {
                cached = s;
                for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
                    if (stages[k].kind == STAGE_COLOURS)
                        frame_write_cache_loads(f, &stages[k], k);
            }
            write_bracket(f, stages, s);
            break;
        case STAGE_END:
            source_close(&f->text);
            for (int k = cached; cached >= 0 && k < s; ++k)
                if (stages[k].kind == STAGE_COLOURS)
                    frame_write_cache_stores(f, &stages[k], k);
            cached = -1;
            break;
        case STAGE_RUN:
            write_run(f, stage);
            break;
        case STAGE_COLOURS:
            frame_write_colours(f, stage, s, cached >= 0);
            break;
        case STAGE_SWAP:
            write_swap(f, stage);
            break;
        case STAGE_SUM:
            write_sum(f, stage);
            break;
        case STAGE_HOST: /* frame_shape.c refuses such frames */
            break;
        }
    }
}

/* ---- Addresses of buffers ---- */

/* The prefix of the name of the pointer to a buffer in global memory: "b", or "global" if the buffer is copied to local
 * memory. NULL if the buffer is only in local memory. */
static const char *pointer_of(const struct frame *f, int buffer) {
    return is_local_state(f, buffer) ? "global" : is_in_local_memory(f, buffer) ? NULL : "b";
}

/* Write the arguments of a kernel that runs one program. */
static void write_arguments(struct frame *f) {
    for (int b = 0; b < f->program->buffer_count; ++b) {
        source_pointer(&f->text, &f->program->buffers[b], pointer_of(f, b) ? pointer_of(f, b) : "unused");
        fprintf(f->text.out, "%d, ", b);
    }
    source_open(&f->text,
                "const %s p, const int first, __global volatile uint *arrivals, const uint arrivals_before%s)",
                f->program->parameter_type, program_largest_sum(f->program) ? ", __global quad *sums_first" : "");
    if (f->program->is_list_program || program_largest_sum(f->program))
        source_line(&f->text, "const int lane = (int)get_global_id(0);");
    source_line(&f->text, "int step = first;");
}

/* Write the arguments of a kernel for an ensemble. */
static void write_member_arguments(struct frame *f) {
    source_open(&f->text, "MEMBER_ARGUMENTS)");
    source_line(&f->text, "const int lane = (int)get_local_id(0);");
    for (int t = 0; t < node_iterations(f->program, f->shape->lanes) && f->shape->is_ordered; ++t)
        source_line(&f->text, "%s node%d;", f->program->hints.resident.type, t);
    if (f->shape->is_ordered)
        source_line(&f->text, "__global const uint *kept = 0;");
}

/* Write the beginning of a member's frame: its row, its parameters, and its buffers. If nodes are ordered, a group runs
 * several members one after the other. */
static void write_member(struct frame *f) {
    if (f->shape->is_ordered)
        source_open(&f->text, "for (uint member = get_group_id(0); member < members; member += get_num_groups(0))");
    else
        source_line(&f->text, "const uint member = get_group_id(0);");
    source_line(&f->text, "MEMBER_LOAD(member, %s);", f->program->parameter_type);
    source_line(&f->text, "int step = first[member];");
    for (int b = 0; b < f->program->buffer_count; ++b) {
        const struct buffer *buffer = &f->program->buffers[b];
        const bool is_fixed = buffer->sharing == BUFFER_FIXED;
        if (!pointer_of(f, b))
            continue;
        source_indent(&f->text);
        source_pointer(&f->text, buffer, pointer_of(f, b));
        fprintf(f->text.out, "%d = (__global %s%s *)MEMBER_AT(%s, %d);\n", b, is_fixed ? "const " : "", buffer->type,
                is_fixed ? "fixed_arena" : "arena", MEMBER_BUFFERS + b);
    }
}

/* Write the declarations of local memory, for sums and for buffers. */
static void write_local(struct frame *f) {
    struct source_writer *l = &f->text;
    size_t tree = 1;
    while (tree < f->shape->lanes)
        tree *= 2;
    if (program_largest_sum(f->program) && f->shape->uses_warps)
        source_line(l, "__local quad scratch[%d];", WARP_SIZE);
    else if (program_largest_sum(f->program))
        source_line(l, "__local quad scratch[REDUCE_SCRATCH(%zu)];", tree);
    for (int b = 0; b < f->program->buffer_count; ++b) {
        const struct buffer *buffer = &f->program->buffers[b];
        if (is_in_local_memory(f, b)) {
            const size_t items = stored_items(f->program, b, f->shape->is_ordered);
            source_line(l, "__local %s local%d[%zu];", buffer->type, b, items ? items : 1);
            source_line(l, "__local %s *b%d = local%d;", buffer->type, b, b);
            if (f->shape->is_ordered && b > 0 && b == f->program->hints.network.shares) {
                source_line(l, "for (int k = lane; k < %zu; k += TOTAL_LANES)", items);
                source_line(l, "    local%d[k] = (quad)(0);", b);
                if (f->shape->uses_warps)
                    source_line(l, "if (lane < %d) scratch[lane] = (quad)(0);", WARP_SIZE);
            }
        }
    }
}

/* Write the declarations of sums and totals. In the frame of a list program each total is computed before it is read,
 * so the total starts with 0. To read its last value instead would make a cloth's iterations 5 % slower on an H200. In
 * another program a stored total starts with its value after the previous frame. */
static void write_totals(struct frame *f) {
    struct source_writer *l = &f->text;
    if (program_largest_sum(f->program) && f->shape->work_groups > 1)
        source_line(l, "__global quad *sums = sums_first;");
    for (int b = 0; b < f->program->buffer_count; ++b) {
        if (!is_total(f->program, b))
            continue;
        if (has_warp_totals(f->program, f->shape)) {
            source_line(l, "frame_total total%d = {sums_first, GROUPS};", b);
        } else {
            if (f->program->is_list_program)
                source_line(l, "quad summed%d = (quad)(0);", b);
            else
                source_line(l, "quad summed%d = *b%d;", b, b);
            source_line(l, "const frame_total total%d = &summed%d;", b, b);
        }
    }
}

/* The number of neighbours of the node at a place of the order. A place after the last node is treated as the last
 * node's place. */
static int neighbours_at(const struct program *program, int place) {
    const int last = (int)program->buffers[program->positions].items - 1;
    const int *start = *program->hints.network.start + program->hints.network.node_at[place < last ? place : last];
    return start[1] - start[0];
}

/* Write the code that loads each lane's resident data. If nodes are ordered, a group loads the data only if the fixed
 * buffers differ from those of its previous member, whose row is `kept`. The function <resident.name>_all
 * (program_hints) accepts lanes without a node. */
static void write_resident(struct frame *f) {
    const struct program *program = f->program;
    const struct binding *bindings = program->hints.resident.bindings;
    const bool is_ordered = f->shape->is_ordered;
    const int nodes = (int)program->buffers[program->positions].items, lanes = (int)f->shape->lanes,
              iterations = is_ordered ? node_iterations(program, f->shape->lanes) : 1;
    struct source_writer *l = &f->text;
    if (!program->hints.resident.type || (program->is_list_program && !is_ordered))
        return;
    if (is_ordered) {
        source_indent(l);
        fprintf(l->out, "if (!kept");
        for (const struct binding *b = bindings; b->member; ++b)
            if (program->buffers[b->buffer].sharing == BUFFER_FIXED)
                fprintf(l->out, " || row[%d] != kept[%d]", MEMBER_BUFFERS + b->buffer, MEMBER_BUFFERS + b->buffer);
        fprintf(l->out, ")\n");
        source_block(l);
    }
    for (int t = 0; t < iterations; ++t) {
        AUTO_FREE char *last = is_ordered ? item_at(f, t, nodes) : text_format("%d", nodes);
        source_indent(l);
        fprintf(l->out, "%s node%d = %s(", is_ordered ? "" : program->hints.resident.type, t,
                program->hints.resident.name);
        for (const struct binding *b = bindings; b->member; ++b)
            fprintf(l->out, "b%d, ", b->buffer);
        fprintf(l->out, "p, %s);\n", last);
        if (is_ordered)
            source_line(l, "node%d.node = NODE_AT(%s);", t, last);
    }
    if (!is_ordered)
        return;
    source_close(l);
    source_line(l, "kept = row;");
    for (int t = 0; t < iterations; ++t)
        source_line(l, "node%d.least = %d, node%d.most = %d;", t, neighbours_at(program, (t + 1) * lanes - 1), t,
                    neighbours_at(program, t * lanes));
}

/* ---- The whole kernel ---- */

/* Whether a buffer is copied between global and local memory. Only the part of the state that the next frame reads is
 * copied (program.h: has_hidden_state). */
static bool is_copied(const struct frame *f, int buffer) {
    const struct program *program = f->program;
    return is_local_state(f, buffer) && (program->has_hidden_state || buffer == program->positions ||
                                         buffer == program->velocities || buffer == program->method_record);
}

/* Write the loops that copy the state buffers: element `from_at` of FROM to element `at` of TO. `to` and `from` are the
 * prefixes "b" (local memory) and "global". Positions and velocities of ordered nodes are copied together. When
 * ordered nodes are loaded, their inverse masses and shares are also copied to the buffer with which velocities are
 * swapped. */
static void write_copies(struct frame *f, const char *to, const char *at, const char *from, const char *from_at) {
    const struct program *program = f->program;
    const int x = program->positions, v = program->velocities;
    int other = v;
    for (const struct stage *s = program->stages; s < program->stages + program->stage_count; ++s)
        other = s->kind == STAGE_SWAP && s->a == v ? s->b : other;
    for (int b = 0; b < program->state_count; ++b)
        if (is_copied(f, b) && !(f->shape->is_ordered && b == v)) {
            source_line(&f->text, "for (int k = lane; k < %zu; k += TOTAL_LANES)", program->buffers[b].items);
            if (f->shape->is_ordered && b == x)
                source_line(&f->text, "    %s(PLACE_OF(k), b%d, b%d, b%d, global%d + k, global%d + k);",
                            *to == 'b' ? "node_load" : "node_unload", x, v, other, x, v);
            else
                source_line(&f->text, "    %s%d[%s] = %s%d[%s];", to, b, at, from, b, from_at);
        }
}

/* Write the code that prefetches the state of the group's next member into the cache of global memory. */
static void write_prefetch(struct frame *f) {
    source_open(&f->text, "if (member + get_num_groups(0) < members)");
    source_line(&f->text, "__global const uint *next = row + MEMBER_WORDS * get_num_groups(0);");
    for (int b = 0; b < f->program->state_count; ++b)
        if (is_copied(f, b)) {
            source_line(&f->text, "for (int k = %d * lane; k < %zu; k += %d * TOTAL_LANES)", CACHE_LINE,
                        buffer_size(&f->program->buffers[b]), CACHE_LINE);
            source_line(&f->text, "    PREFETCH_LINE(MEMBER_AT_ROW(next, arena, %d) + k);", MEMBER_BUFFERS + b);
        }
    source_close(&f->text);
}

static void write_begin(struct frame *f) {
    write_copies(f, "b", "PLACE_OF(k)", "global", "k");
    if (f->shape->is_ensemble) /* The barrier is also a fence of global memory, because all lanes must read
                                  first[member] before it changes. */
        source_line(&f->text, "CONVERGE; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
    write_resident(f);
    if (f->shape->is_ordered)
        write_prefetch(f);
}

/* Write the code that stores the results. If iterations were skipped, this code also increases the counter of arrivals
 * to the value that it would have without skipping. */
static void write_end(struct frame *f) {
    const struct program *program = f->program;
    struct source_writer *l = &f->text;
    write_copies(f, "global", "k", "b", "PLACE_OF(k)");
    if (f->shape->is_ensemble)
        source_line(l, "if (lane == 0) first[member] = step;");
    if (f->shape->skips_converged && f->shape->work_groups > 1) {
        source_line(l, "if (get_global_id(0) == 0 && get_global_id(1) == 0)");
        source_line(l, "    atomic_add(arrivals, arrivals_before + %ldu * GROUPS - goal);", frame_barriers(program));
    }
    for (int b = 0; b < program->buffer_count; ++b)
        if (is_total(program, b)) {
            source_block(l);
            source_line(l, "const quad sum = TOTAL_OF(total%d);", b);
            source_line(l, "if (lane == 0)");
            source_line(l, "    *b%d = sum;", b);
            source_close(l);
        }
}

/* Whether lanes may read values from global memory that other lanes wrote in the same frame, including sums. */
static bool shares_global(const struct program *program) {
    for (int b = 0; b < program->buffer_count; ++b)
        if ((program->buffers[b].sharing == BUFFER_SHARED || program->buffers[b].sharing == BUFFER_SPARE) &&
            program->buffers[b].items > 0)
            return true;
    return program_largest_sum(program) > 0;
}

/* Write the code before the kernel: the macros TOTAL_LANES (number of lanes of all groups) and BARRIER, and the arrays
 * with the first item of each colour. An ensemble also has the macro PLACE_OF, and with ordered nodes NODE_AT. */
static void write_head(struct frame *f) {
    const struct frame_shape *shape = f->shape;
    const size_t nodes = f->program->buffers[f->program->positions].items;
    const int order = f->program->hints.network.order;
    const bool has_local = shape->is_frame_local || shape->is_state_local,
               has_global = !has_local || shares_global(f->program);
    fprintf(f->text.out, "#line 1 \"frame\"\n#define TOTAL_LANES %d\n", (int)shape->lanes * shape->work_groups);
    if (shape->work_groups > 1)
        fprintf(f->text.out, "#define BARRIER global_barrier(arrivals, goal += GROUPS)\n");
    else
        fprintf(f->text.out, "#define BARRIER CONVERGE; barrier(%s%s%s)\n", has_local ? "CLK_LOCAL_MEM_FENCE" : "",
                has_local && has_global ? " | " : "", has_global ? "CLK_GLOBAL_MEM_FENCE" : "");
    if (shape->is_ordered)
        fprintf(f->text.out,
                "#define NODE_AT(place) ((place) < %zu ? b%d[place] : 0)\n"
                "#define PLACE_OF(node) b%d[%zu + (node)]\n",
                nodes, order, order, nodes);
    else if (shape->is_ensemble)
        fprintf(f->text.out, "#define PLACE_OF(node) (node)\n");
    frame_write_starts(f);
}

char *frame_source(const struct program *program, const struct frame_shape *shape) {
    struct frame f = {.program = program, .shape = shape};
    source_begin(&f.text);
    write_head(&f);
    fprintf(f.text.out, "__kernel __attribute__((reqd_work_group_size(%zu, %zu, 1)))\nvoid springback_frame(",
            shape->local[0], shape->local[1]);
    if (shape->is_ensemble)
        write_member_arguments(&f);
    else
        write_arguments(&f);
    if (shape->work_groups > 1)
        source_line(&f.text, "uint goal = arrivals_before;");
    write_local(&f);
    if (shape->is_ensemble)
        write_member(&f);
    write_totals(&f);
    write_begin(&f);
    write_stages(&f);
    write_end(&f);
    if (shape->is_ordered)
        source_close(&f.text);
    source_close(&f.text);
    return source_end(&f.text);
}
