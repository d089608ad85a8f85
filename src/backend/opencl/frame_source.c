#include "backend/opencl/frame_source.h"

#include "backend/opencl/frame_colours.h"
#include "backend/opencl/member.h"
#include "base/memory.h"

#include <stdarg.h>
#include <stdlib.h>

enum { LIST_BANKS = 8 }; /* quads that lie side by side in the banks of a GPU's local memory */

static bool is_total(const struct program *program, int buffer) {
    return program->buffers[buffer].sharing == BUFFER_TOTAL;
}

static bool is_fixed(const struct program *program, int buffer) {
    return program->buffers[buffer].sharing == BUFFER_FIXED;
}

/* Whether it is of the state that lies in local memory. */
static bool is_near_state(const struct frame *f, int buffer) {
    return f->shape->has_state && buffer < f->program->state_count && list_uses(f->program, buffer);
}

/* Whether a buffer lies in local memory. */
static bool is_near(const struct frame *f, int buffer) {
    const enum sharing sharing = f->program->buffers[buffer].sharing;
    return (f->shape->is_local && sharing == BUFFER_FRAME) || (f->shape->has_spare && sharing == BUFFER_SPARE) ||
           is_near_state(f, buffer);
}

/* Whether each warp adds up all groups' sums for itself, where it needs them. */
static bool has_warp_totals(const struct program *program, const struct frame_shape *shape) {
    return shape->has_warps && !program->is_listed;
}

char *frame_define(const struct program *program, const struct frame_shape *shape) {
    char *define = text_copy(" -DFRAME");
    if (program->is_listed || shape->groups == 1)
        text_append(&define, " -DGROUPS=%du", shape->groups);
    if (has_warp_totals(program, shape))
        text_append(&define, " -DWARPS");
    if (shape->is_local)
        text_append(&define, " -DFRAME_SPACE=__local");
    if (shape->has_spare)
        text_append(&define, " -DSPARE_SPACE=__local");
    if (shape->has_state)
        text_append(&define, " -DSTATE_SPACE=__local");
    if (program->is_listed && list_holds(program, shape))
        text_append(&define, " -DFRAME_HOLDS");
    if (shape->of_members) {
        AUTO_FREE char *member = member_define(program);
        text_append(&define, "%s", member);
    }
    return define;
}

/* ---- Stages ---- */

void frame_call(struct frame *f, const char *before, const struct kernel *kernel, const char *suffix,
                const char *format, ...) {
    FILE *out = f->text.out;
    va_list last;
    listing_indent(&f->text);
    fprintf(out, "%s%s%s(", before, kernel->name, suffix);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        fprintf(out, "%s%d, ", is_total(f->program, b->buffer) ? "total" : "b", b->buffer);
    fprintf(out, "p, ");
    va_start(last, format);
    vfprintf(out, format, last);
    va_end(last);
    fprintf(out, ");\n");
}

/* All items of a kernel. */
static void write_run(struct frame *f, const struct stage *stage) {
    const struct kernel *kernel = &f->program->kernels[stage->a];
    const int items = kernel->columns * kernel->rows, lanes = (int)f->shape->lanes;
    if (items <= 0)
        return;
    if (!f->program->is_listed) {
        frame_call(f, "", kernel, kernel->hints.is_held ? "_held" : "", "step, %s%d",
                   kernel->hints.is_held ? "&node0, " : "", items);
        if (program_is_summed(f->program, stage)) /* who adds up its own need not wait for others */
            return;
    } else if (f->shape->has_nodes && kernel->hints.is_held) {
        for (int t = 0; t < list_node_turns(f->program, f->shape->lanes); ++t) {
            listing_line(&f->text, "if (%d + lane < %d)", t * lanes, items);
            frame_call(f, "    ", kernel, "_held", "step, &node%d, %d + lane", t, t * lanes);
        }
    } else {
        listing_line(&f->text, "for (int item = lane; item < %d; item += LANES)", items);
        frame_call(f, "    ", kernel, "", "step, item");
    }
    listing_line(&f->text, "MEET;");
}

/* A sum: each lane adds up a run of items as long as a power of two, then the group its lanes', then each group all
 * groups'. Those go to and fro between two places, since a group may write its next one while another reads this one.
 * A run's items are read in an order of the lane's own, k ^ mask, so that eight lanes' quads lie in eight different
 * banks of local memory: which of two is the first is nothing to a sum, and pairs, pairs of pairs and so on stay. */
static void write_sum(struct frame *f, const struct stage *stage) {
    struct listing *l = &f->text;
    const size_t items = f->program->buffers[stage->a].items, lanes = f->shape->lanes * (size_t)f->shape->groups;
    size_t run = 1, take = 1;
    while (run * lanes < items)
        run *= 2;
    while (take * f->shape->lanes < (size_t)f->shape->groups)
        take *= 2;
    listing_block(l);
    if (run == 1) {
        listing_line(l, "quad sum = lane < %zu ? b%d[lane] : (quad)(0);", items, stage->a);
    } else {
        listing_line(l, "quad part[%zu];", run);
        listing_open(l, "for (int k = 0; k < %zu; ++k)", run);
        listing_line(l, "const int at = %zu * lane + (k ^ (lane / %zu & %zu));", run,
                     run < LIST_BANKS ? LIST_BANKS / run : 1, run - 1);
        listing_line(l, "part[k] = at < %zu ? b%d[at] : (quad)(0);", items, stage->a);
        listing_close(l);
        listing_line(l, "quad sum = fold_pairs(part, %zu);", run);
    }
    if (has_warp_totals(f->program, f->shape)) {
        listing_line(l, "const uint rank = get_local_id(0);");
        listing_line(l, "sum = fold_warp(sum);");
        listing_line(l, "if (rank %% 32 == 0)");
        listing_line(l, "    room[rank / 32] = sum;");
        listing_line(l, "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);");
        if (f->shape->lanes <= 256) { /* sooner by one lane */
            listing_line(l, "if (rank == 0)");
            listing_line(l, "    sums[get_group_id(0)] = fold_room(room, %zu);", f->shape->lanes / 32);
        } else {
            listing_open(l, "if (rank < 32)");
            listing_line(l, "sum = fold_warp(rank < %zu ? room[rank] : (quad)(0));", f->shape->lanes / 32);
            listing_line(l, "if (rank == 0)");
            listing_line(l, "    sums[get_group_id(0)] = sum;");
            listing_close(l);
        }
        listing_line(l, "wait(come, goal += GROUPS);");
        listing_line(l, "total%d.sums = sums;", stage->b);
    } else if (f->shape->has_warps) {
        listing_line(l, "sum = fold_alone(sum, room, lane, LANES);");
        listing_line(l, "MEET;");
    } else {
        listing_line(l, "sum = fold_group(sum, room, get_local_id(0), get_local_size(0));");
        if (f->shape->groups > 1) {
            listing_line(l, "if (get_local_id(0) == 0)");
            listing_line(l, "    sums[get_group_id(0)] = sum;");
            listing_line(l, "MEET;");
            listing_line(l, "sum = fold_taken(sums, %zu * get_local_id(0), %zu, GROUPS);", take, take);
            listing_line(l, "sum = fold_group(sum, room, get_local_id(0), get_local_size(0));");
        } else if (!is_near(f, stage->a)) { /* before what was added up is written again */
            listing_line(l, "MEET;");
        }
    }
    if (f->shape->groups > 1)
        listing_line(l, "sums = sums == sums_first ? sums_first + GROUPS : sums_first;");
    if (!has_warp_totals(f->program, f->shape))
        listing_line(l, "summed%d = sum + (quad)(0);", stage->b);
    listing_close(l);
}

/* Two buffers exchange their pointers, NAME and the buffer's index. */
static void write_pointers(struct frame *f, const struct stage *stage, const char *space, const char *name) {
    listing_line(&f->text, "{ %s %s *other = %s%d; %s%d = %s%d; %s%d = other; }", space,
                 f->program->buffers[stage->a].type, name, stage->a, name, stage->a, name, stage->b, name, stage->b);
}

static void write_swap(struct frame *f, const struct stage *stage) {
    write_pointers(f, stage, is_near(f, stage->a) ? "__local" : "__global", "b");
    if (is_near_state(f, stage->a)) /* and where they go in the end */
        write_pointers(f, stage, "__global", "home");
}

/* The begin of a bracket. */
static void write_bracket(struct frame *f, const struct stage *stages, int s) {
    struct listing *l = &f->text;
    const bool may_end = f->shape->leaves_turns && stages[s].kind == STAGE_REPEAT;
    AUTO_FREE char *count =
        text_format(f->shape->of_members ? "MEMBER_COUNT(%d)" : "%d", f->shape->of_members ? s : stages[s].count);
    if (may_end)
        listing_line(l, "real ended%d = 0;", s);
    listing_open(l, "for (int k%d = 0; k%d < %s; ++k%d%s)", s, s, count, s,
                 stages[s].kind == STAGE_STEPS ? ", ++step" : "");
    if (may_end) { /* as a turn begins: what was found is looked at a turn later, so that no turn waits for it */
        listing_open(l, "if (ended%d != 0)", s);
        for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
            if (stages[k].kind == STAGE_SWAP)
                write_swap(f, &stages[k]);
        listing_line(l, "continue;");
        listing_close(l);
        listing_line(l, "ended%d = %s(b%d);", s, f->program->hints.ended.name, f->program->hints.ended.buffer);
    }
}

static void write_stages(struct frame *f) {
    int held = -1; /* the repetition of whose constraints lanes hold what they take */
    const struct stage *stages = f->program->stages;
    for (int s = 0; s < f->program->stage_count; ++s) {
        const struct stage *stage = &stages[s];
        switch (stage->kind) {
        case STAGE_REPEAT:
            if (f->program->is_listed && list_is_held(f->program, s, f->shape)) {
                held = s;
                for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
                    if (stages[k].kind == STAGE_COLOURS)
                        frame_hold_colours(f, &stages[k], k);
            }
            write_bracket(f, stages, s);
            break;
        case STAGE_STEPS:
            write_bracket(f, stages, s);
            break;
        case STAGE_END:
            listing_close(&f->text);
            for (int k = held; held >= 0 && k < s; ++k)
                if (stages[k].kind == STAGE_COLOURS)
                    frame_keep_colours(f, &stages[k], k);
            held = -1;
            break;
        case STAGE_RUN:
            write_run(f, stage);
            break;
        case STAGE_COLOURS:
            frame_write_colours(f, stage, s, held >= 0);
            break;
        case STAGE_SWAP:
            write_swap(f, stage);
            break;
        case STAGE_SUM:
            write_sum(f, stage);
            break;
        case STAGE_HOST: /* no frame with one is run so */
            break;
        }
    }
}

/* ---- Where buffers lie ---- */

/* Where a buffer's pointer goes that the frame is given: it is the buffer's own, or of the state at home; NULL where
 * local memory is room for it. */
static const char *pointer_of(const struct frame *f, int buffer) {
    return is_near_state(f, buffer) ? "home" : is_near(f, buffer) ? NULL : "b";
}

/* What a frame is given. */
static void write_arguments(struct frame *f) {
    for (int b = 0; b < f->program->buffer_count; ++b)
        fprintf(f->text.out, "__global %s%s *%s%s%d, ", is_fixed(f->program, b) ? "const " : "",
                f->program->buffers[b].type, is_fixed(f->program, b) ? "restrict " : "",
                pointer_of(f, b) ? pointer_of(f, b) : "unused", b);
    listing_open(&f->text, "const %s p, const int first, __global volatile uint *come, const uint begin%s)",
                 f->program->parameter_type, program_most_summed(f->program) ? ", __global quad *sums_first" : "");
    if (f->program->is_listed || program_most_summed(f->program))
        listing_line(&f->text, "const int lane = (int)get_global_id(0);");
    listing_line(&f->text, "int step = first;");
}

/* The same of a group that runs the frame of its own member. */
static void write_member_arguments(struct frame *f) {
    listing_open(&f->text, "MEMBER_ARGUMENTS)");
    listing_line(&f->text, "MEMBER_TAKE(get_group_id(0), %s);", f->program->parameter_type);
    listing_line(&f->text, "const int lane = (int)get_local_id(0);");
    listing_line(&f->text, "int step = first[get_group_id(0)];");
    for (int b = 0; b < f->program->buffer_count; ++b) {
        AUTO_FREE char *name = text_format("%s%d", pointer_of(f, b), b), *word = text_format("%d", MEMBER_BUFFERS + b);
        if (pointer_of(f, b))
            member_write_pointer(&f->text, &f->program->buffers[b], name, word);
    }
}

/* Local memory: for sums, and for what lies near. */
static void write_local(struct frame *f) {
    struct listing *l = &f->text;
    size_t tree = 1;
    while (tree < f->shape->lanes)
        tree *= 2;
    if (program_most_summed(f->program) && f->shape->has_warps)
        listing_line(l, "__local quad room[%d];", LIST_WARPS);
    else if (program_most_summed(f->program))
        listing_line(l, "__local quad room[FOLD_ROOM(%zu)];", tree);
    for (int b = 0; b < f->program->buffer_count; ++b) {
        const struct buffer *buffer = &f->program->buffers[b];
        if (is_near(f, b)) {
            listing_line(l, "__local %s room%d[%zu];", buffer->type, b, buffer->items ? buffer->items : 1);
            listing_line(l, "__local %s *b%d = room%d;", buffer->type, b, b);
        }
    }
}

/* Where sums and their results are. A listed program's frame adds up before it reads what was added up: it begins from
 * 0, since the read of what it was would make a cloth's iterations 5 % longer on an H200. */
static void write_totals(struct frame *f) {
    struct listing *l = &f->text;
    if (program_most_summed(f->program) && f->shape->groups > 1)
        listing_line(l, "__global quad *sums = sums_first;");
    for (int b = 0; b < f->program->buffer_count; ++b) {
        if (!is_total(f->program, b))
            continue;
        if (has_warp_totals(f->program, f->shape)) {
            listing_line(l, "frame_total total%d = {sums_first, GROUPS};", b);
        } else {
            if (f->program->is_listed)
                listing_line(l, "quad summed%d = (quad)(0);", b);
            else
                listing_line(l, "quad summed%d = *b%d;", b, b);
            listing_line(l, "const frame_total total%d = &summed%d;", b, b);
        }
    }
}

/* What each lane holds of its nodes from first to last; where it has none, NAME_hold takes another. */
static void write_nodes(struct frame *f) {
    const struct program *program = f->program;
    const int turns = program->is_listed ? list_node_turns(program, f->shape->lanes) : 1;
    if (!program->hints.held.type || (program->is_listed && !f->shape->has_nodes))
        return;
    for (int t = 0; t < turns; ++t) {
        listing_indent(&f->text);
        fprintf(f->text.out, "const %s node%d = %s(", program->hints.held.type, t, program->hints.held.name);
        for (const struct binding *b = program->hints.held.bindings; b->member; ++b)
            fprintf(f->text.out, "b%d, ", b->buffer);
        if (program->is_listed)
            fprintf(f->text.out, "p, lane + %d);\n", t * (int)f->shape->lanes);
        else
            fprintf(f->text.out, "p, %d);\n", program->kernels[0].columns * program->kernels[0].rows);
    }
}

/* ---- From first to last ---- */

/* The state comes to local memory. */
static void write_begin(struct frame *f) {
    for (int b = 0; b < f->program->state_count; ++b)
        if (is_near_state(f, b)) {
            listing_line(&f->text, "for (int k = lane; k < %zu; k += LANES)", f->program->buffers[b].items);
            listing_line(&f->text, "    b%d[k] = home%d[k];", b, b);
        }
    if (f->shape->has_state)
        listing_line(&f->text, "MEET;");
    write_nodes(f);
}

/* Results go to the buffers. Of the state what a frame begins with goes back, beside what is as it was at first
 * (program.h: has_memory). Where turns were left, the counter goes on to where this frame would have ended. */
static void write_end(struct frame *f) {
    const struct program *program = f->program;
    struct listing *l = &f->text;
    for (int b = 0; b < program->state_count; ++b)
        if (is_near_state(f, b) &&
            (program->has_memory || b == program->positions || b == program->velocities || b == program->record)) {
            listing_line(l, "for (int k = lane; k < %zu; k += LANES)", program->buffers[b].items);
            listing_line(l, "    home%d[k] = b%d[k];", b, b);
        }
    if (f->shape->leaves_turns && f->shape->groups > 1) {
        listing_line(l, "if (get_global_id(0) == 0 && get_global_id(1) == 0)");
        listing_line(l, "    atomic_add(come, begin + %ldu * GROUPS - goal);", frame_meetings(program));
    }
    for (int b = 0; b < program->buffer_count; ++b)
        if (is_total(program, b)) {
            listing_block(l);
            listing_line(l, "const quad sum = TOTAL_OF(total%d);", b);
            listing_line(l, "if (lane == 0)");
            listing_line(l, "    *b%d = sum;", b);
            listing_close(l);
        }
}

/* Whether lanes read in global memory what others have written there, be it to add it up. */
static bool shares_global(const struct program *program) {
    for (int b = 0; b < program->buffer_count; ++b)
        if ((program->buffers[b].sharing == BUFFER_SHARED || program->buffers[b].sharing == BUFFER_SPARE) &&
            program->buffers[b].items > 0)
            return true;
    return program_most_summed(program) > 0;
}

/* What stands before the kernel: how lanes meet, and the starts of colours. */
static void write_head(struct frame *f) {
    const struct frame_shape *shape = f->shape;
    const bool has_near = shape->is_local || shape->has_state, has_far = !has_near || shares_global(f->program);
    fprintf(f->text.out, "#line 1 \"frame\"\n#define LANES %d\n", (int)shape->lanes * shape->groups);
    if (shape->groups > 1)
        fprintf(f->text.out, "#define MEET meet(come, goal += GROUPS)\n");
    else
        fprintf(f->text.out, "#define MEET CONVERGE; barrier(%s%s%s)\n", has_near ? "CLK_LOCAL_MEM_FENCE" : "",
                has_near && has_far ? " | " : "", has_far ? "CLK_GLOBAL_MEM_FENCE" : "");
    frame_write_starts(f);
}

char *frame_source(const struct program *program, const struct frame_shape *shape) {
    struct frame f = {.program = program, .shape = shape};
    listing_begin(&f.text);
    write_head(&f);
    fprintf(f.text.out, "__kernel __attribute__((reqd_work_group_size(%zu, %zu, 1)))\nvoid springback_frame(",
            shape->local[0], shape->local[1]);
    if (shape->of_members)
        write_member_arguments(&f);
    else
        write_arguments(&f);
    if (shape->groups > 1)
        listing_line(&f.text, "uint goal = begin;");
    write_local(&f);
    write_totals(&f);
    write_begin(&f);
    write_stages(&f);
    write_end(&f);
    listing_close(&f.text);
    return listing_end(&f.text);
}
