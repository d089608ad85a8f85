#include "backend/opencl/list_frame.h"

#include "backend/opencl/frame_kernel.h"
#include "backend/opencl/kernel_source.h"
#include "backend/opencl/member_source.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_BANKS = 8 }; /* quads that lie side by side in the banks of a GPU's local memory */

static bool is_total(const struct program *program, int buffer) {
    return program->buffers[buffer].sharing == BUFFER_TOTAL;
}

static void write_call(FILE *out, const struct program *program, const struct kernel *kernel, const char *suffix,
                       const char *last) {
    fprintf(out, "%s%s(", kernel->name, suffix);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        fprintf(out, "%s%d, ", is_total(program, b->buffer) ? "total" : "b", b->buffer);
    fprintf(out, "p, %s)", last);
}

/* What each lane holds of its nodes from first to last; where it has none, NAME_hold takes another. */
static void write_nodes(FILE *out, const struct program *program, const struct list_shape *shape) {
    for (int t = 0; t < list_node_turns(program, shape->lanes); ++t) {
        char *name = text_format("node%d", t), *item = text_format("lane + %d", t * (int)shape->lanes);
        frame_write_held(out, program, name, item);
        free(name);
        free(item);
    }
}

/* All items of a list. */
static void write_run(FILE *out, const struct program *program, const struct kernel *kernel,
                      const struct list_shape *shape, int indent) {
    if (kernel->columns <= 0)
        return;
    if (shape->has_nodes && kernel->hints.is_held) {
        for (int t = 0; t < list_node_turns(program, shape->lanes); ++t) {
            const int begin = t * (int)shape->lanes;
            char *last = text_format("step, &node%d, %d + lane", t, begin);
            fprintf(out, "%*sif (%d + lane < %d)\n%*s    ", indent, "", begin, kernel->columns, indent, "");
            write_call(out, program, kernel, "_held", last);
            fprintf(out, ";\n");
            free(last);
        }
        fprintf(out, "%*sMEET;\n", indent, "");
        return;
    }
    fprintf(out, "%*sfor (int item = lane; item < %d; item += LANES)\n%*s", indent, "", kernel->columns, indent + 4,
            "");
    write_call(out, program, kernel, "", "step, item");
    fprintf(out, ";\n%*sMEET;\n", indent, "");
}

/* A list colour by colour. */
static void write_colours(FILE *out, const struct program *program, const struct stage *stage, int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int colours = program->colourings[stage->b].colours;
    if (colours <= 0)
        return;
    fprintf(out,
            "%*sfor (int c = 0; c < %d; ++c) {\n"
            "%*s    const int end = start%d[c + 1];\n"
            "%*s    for (int item = start%d[c] + lane; item < end; item += LANES)\n%*s        ",
            indent, "", colours, indent, "", stage->b, indent, "", stage->b, indent, "");
    write_call(out, program, kernel, "", "step, item");
    fprintf(out, ";\n%*s    MEET;\n%*s}\n", indent, "", indent, "");
}

/* Behind a projection, in the braces of a condition, which end here: what an item keeps of its own. */
static void write_keep(FILE *out, const struct program *program, const struct kernel *kernel, int indent,
                       const char *item, const char *taken) {
    char *last = text_format("%s, %s", item, taken);
    fprintf(out, ";\n%*s    ", indent, "");
    write_call(out, program, kernel, "_keep", last);
    fprintf(out, ";\n%*s}\n", indent, "");
    free(last);
}

/* The same where what no other item changes is taken for the next colour while this one is at work: its reads are under
 * way before the meeting. Where there is none in the next colour, it is the first colour's, or, while that is at
 * work, the last one's; none of these is written then, and what is taken is not used. */
static void write_ahead(FILE *out, const struct program *program, const struct stage *stage, int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int colours = program->colourings[stage->b].colours, *start = program->colourings[stage->b].start;
    if (colours <= 0 || start[colours] <= start[0])
        return;
    const char *const clamp = "item < LAST ? item : LAST", *const clamp_next = "next <= LAST ? next : c ? FIRST : LAST";
    const int last = start[colours] - 1;
    fprintf(out,
            "%*s{\n%*s    const int FIRST = %d, LAST = %d;\n%*s    int item = FIRST + lane, end = start%d[1];\n"
            "%*s    %s taken = ",
            indent, "", indent, "", start[0], last, indent, "", stage->b, indent, "", kernel->hints.prefetched);
    write_call(out, program, kernel, "_take", clamp);
    fprintf(out,
            ";\n%*s    for (int c = 0; c < %d; ++c) {\n"
            "%*s        const int next = end + lane, next_end = start%d[c + 2];\n"
            "%*s        const %s next_taken = ",
            indent, "", colours, indent, "", stage->b, indent, "", kernel->hints.prefetched);
    write_call(out, program, kernel, "_take", clamp_next);
    fprintf(out, ";\n%*s        if (item < end)%s\n%*s            ", indent, "", kernel->hints.writes_back ? " {" : "",
            indent, "");
    write_call(out, program, kernel, "_apply", "step, item, &taken");
    if (kernel->hints.writes_back)
        write_keep(out, program, kernel, indent + 8, "item", "&taken");
    else
        fprintf(out, ";\n");
    fprintf(out, "%*s        for (item += LANES; item < end; item += LANES)\n%*s            ", indent, "", indent, "");
    write_call(out, program, kernel, "", "step, item");
    fprintf(out,
            ";\n%*s        item = next;\n%*s        end = next_end;\n%*s        taken = next_taken;\n"
            "%*s        MEET;\n%*s    }\n%*s}\n",
            indent, "", indent, "", indent, "", indent, "", indent, "", indent, "");
}

/* Into NAME0, NAME1, ... what lanes take of their items from `first` on, where there is one before `end`. */
static void write_takes(FILE *out, const struct program *program, const struct kernel *kernel, const char *name,
                        const char *first, const char *end, int turns, size_t lanes, int indent) {
    for (int t = 0; t < turns; ++t) {
        char *item = text_format("%s + %d", first, t * (int)lanes);
        fprintf(out, "%*sif (%s < %s)\n%*s    %s%d = ", indent, "", item, end, indent, "", name, t);
        write_call(out, program, kernel, "_take", item);
        fprintf(out, ";\n");
        free(item);
    }
}

/* The same where a lane takes all its items of the next colour: as many turns as the largest colour has. Ahead of its
 * work on this one where it has the registers; else behind it, so that the reads are under way while it waits for the
 * others. */
static void write_turns(FILE *out, const struct program *program, const struct stage *stage, size_t lanes, int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int colours = program->colourings[stage->b].colours, *start = program->colourings[stage->b].start;
    const int turns = list_turns_at_most(start, colours, lanes);
    const bool is_early = lanes <= LIST_ALONE;
    fprintf(out, "%*s{\n%*s    int item = %d + lane, end = start%d[1];\n", indent, "", indent, "", start[0], stage->b);
    for (int t = 0; is_early && t < turns; ++t) { /* where there is none, the last colour's, not at work yet; unused */
        char *item =
            text_format("item + %d < end ? item + %d : %d", t * (int)lanes, t * (int)lanes, start[colours] - 1);
        fprintf(out, "%*s    %s taken%d = ", indent, "", kernel->hints.prefetched, t);
        write_call(out, program, kernel, "_take", item);
        fprintf(out, ";\n");
        free(item);
    }
    /* Behind, it stays unset where there is none: that read would take a tenth of the Bunny's frame on an H100. */
    for (int t = 0; !is_early && t < turns; ++t)
        fprintf(out, "%*s    %s taken%d;\n", indent, "", kernel->hints.prefetched, t);
    if (!is_early)
        write_takes(out, program, kernel, "taken", "item", "end", turns, lanes, indent + 4);
    fprintf(
        out,
        "%*s    for (int c = 0; c < %d; ++c) {\n%*s        const int next = end + lane, next_end = start%d[c + 2];\n",
        indent, "", colours, indent, "", stage->b);
    for (int t = 0; is_early && t < turns; ++t)
        fprintf(out, "%*s        %s next%d = taken%d;\n", indent, "", kernel->hints.prefetched, t, t);
    if (is_early)
        write_takes(out, program, kernel, "next", "next", "next_end", turns, lanes, indent + 8);
    for (int t = 0; t < turns; ++t) {
        char *item = text_format("item + %d", t * (int)lanes), *taken = text_format("&taken%d", t),
             *last = text_format("step, %s, %s", item, taken);
        fprintf(out, "%*s        if (%s < end) {\n%*s            ", indent, "", item, indent, "");
        write_call(out, program, kernel, "_apply", last);
        if (kernel->hints.writes_back)
            write_keep(out, program, kernel, indent + 8, item, taken);
        else
            fprintf(out, ";\n%*s        }\n", indent, "");
        free(item);
        free(taken);
        free(last);
    }
    if (!is_early)
        write_takes(out, program, kernel, "taken", "next", "next_end", turns, lanes, indent + 8);
    for (int t = 0; is_early && t < turns; ++t)
        fprintf(out, "%*s        taken%d = next%d;\n", indent, "", t, t);
    fprintf(out, "%*s        item = next;\n%*s        end = next_end;\n%*s        MEET;\n%*s    }\n%*s}\n", indent, "",
            indent, "", indent, "", indent, "", indent, "");
}

/* Ahead of the repetition: what each lane takes of all its items. Where it has none, of the first, and it is not used.
 */
static void write_hold(FILE *out, const struct program *program, const struct stage *stage, int s, size_t lanes,
                       int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int *start = program->colourings[stage->b].start;
    for (int c = 0; c < program->colourings[stage->b].colours; ++c)
        for (int t = 0; t < list_turns_of(start, c, lanes); ++t) {
            const int begin = start[c] + t * (int)lanes;
            char *item = text_format("%d + lane < %d ? %d + lane : %d", begin, start[c + 1], begin, start[0]);
            fprintf(out, "%*s%s held%d_%d_%d = ", indent, "", kernel->hints.prefetched, s, c, t);
            write_call(out, program, kernel, "_take", item);
            fprintf(out, ";\n");
            free(item);
        }
}

/* A list colour by colour, one colour after the other in the source, of what is held. */
static void write_held(FILE *out, const struct program *program, const struct stage *stage, int s, size_t lanes,
                       int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int *start = program->colourings[stage->b].start;
    for (int c = 0; c < program->colourings[stage->b].colours; ++c) {
        for (int t = 0; t < list_turns_of(start, c, lanes); ++t) {
            const int begin = start[c] + t * (int)lanes;
            char *last = text_format("step, %d + lane, &held%d_%d_%d", begin, s, c, t);
            fprintf(out, "%*sif (%d + lane < %d)\n%*s    ", indent, "", begin, start[c + 1], indent, "");
            write_call(out, program, kernel, "_apply", last);
            fprintf(out, ";\n");
            free(last);
        }
        fprintf(out, "%*sMEET;\n", indent, "");
    }
}

/* Behind the repetition: what items keep. */
static void write_let_go(FILE *out, const struct program *program, const struct stage *stage, int s, size_t lanes,
                         int indent) {
    const struct kernel *kernel = &program->kernels[stage->a];
    const int *start = program->colourings[stage->b].start;
    for (int c = 0; c < program->colourings[stage->b].colours && kernel->hints.writes_back; ++c)
        for (int t = 0; t < list_turns_of(start, c, lanes); ++t) {
            const int begin = start[c] + t * (int)lanes;
            char *last = text_format("%d + lane, &held%d_%d_%d", begin, s, c, t);
            fprintf(out, "%*sif (%d + lane < %d)\n%*s    ", indent, "", begin, start[c + 1], indent, "");
            write_call(out, program, kernel, "_keep", last);
            fprintf(out, ";\n");
            free(last);
        }
}

static bool is_split(const struct program *program, int buffer, const struct list_shape *shape) {
    return shape->near > 0 && program->buffers[buffer].sharing == BUFFER_FRAME;
}

/* Whether it is of the state that lies in local memory. */
static bool is_near_state(const struct program *program, int buffer, const struct list_shape *shape) {
    return shape->has_state && buffer < program->state_count && list_uses(program, buffer);
}

/* Whether a buffer lies in local memory. */
static bool is_near(const struct program *program, int buffer, const struct list_shape *shape) {
    return (shape->is_local && program->buffers[buffer].sharing == BUFFER_FRAME) ||
           (shape->has_spare && program->buffers[buffer].sharing == BUFFER_SPARE) ||
           is_near_state(program, buffer, shape);
}

static const char *space_of(const struct program *program, int buffer, const struct list_shape *shape) {
    return is_near(program, buffer, shape) ? "__local" : "__global";
}

/* A sum: each lane adds up a run of items as long as a power of two, then the group its lanes', then each group all
 * groups'. Those go to and fro between two places, since a group may write its next one while another reads this one.
 * A run's items are read in an order of the lane's own, k ^ mask, so that eight lanes' quads lie in eight different
 * banks of local memory: which of two is the first is nothing to a sum, and pairs, pairs of pairs and so on stay. */
static void write_sum(FILE *out, const struct program *program, const struct stage *stage,
                      const struct list_shape *shape, int indent) {
    const size_t items = program->buffers[stage->a].items, lanes = shape->lanes * (size_t)shape->groups,
                 each = is_split(program, stage->a, shape) ? LIST_SPLIT : 1;
    size_t run = each, group_run = 1;
    while (run * lanes < items)
        run *= 2;
    while (group_run * shape->lanes < (size_t)shape->groups)
        group_run *= 2;
    const size_t reads = run / each; /* of a lane */
    fprintf(out,
            "%*s{\n%*s    quad part[%zu];\n%*s    for (int k = 0; k < %zu; ++k) {\n"
            "%*s        const int at = %zu * lane + %zu * (k ^ (lane / %zu & %zu));\n%*s        part[k] = ",
            indent, "", indent, "", reads, indent, "", reads, indent, "", run, each,
            reads < LIST_BANKS ? LIST_BANKS / reads : 1, reads - 1, indent, "");
    if (each > 1)
        fprintf(out, "frame_four(b%d, at, %zu)", stage->a, items);
    else
        fprintf(out, "at < %zu ? b%d[at] : (quad)(0)", items, stage->a);
    fprintf(out, ";\n%*s    }\n", indent, "");
    fprintf(out, "%*s    quad sum = fold_pairs(part, %zu);\n%*s    sum = ", indent, "", reads, indent, "");
    if (shape->has_warps)
        fprintf(out, "fold_alone(sum, room, lane, LANES);\n%*s    MEET;\n", indent, "");
    else
        fprintf(out, "fold_group(sum, room, get_local_id(0), get_local_size(0));\n");
    if (shape->groups > 1)
        fprintf(out,
                "%*s    if (get_local_id(0) == 0)\n%*s        sums[get_group_id(0)] = sum;\n%*s    MEET;\n"
                "%*s    sum = fold_group(fold_taken(sums, %zu * get_local_id(0), %zu, GROUPS), room, get_local_id(0), "
                "get_local_size(0));\n"
                "%*s    sums = sums == sums_first ? sums_first + GROUPS : sums_first;\n",
                indent, "", indent, "", indent, "", indent, "", group_run, group_run, indent, "");
    else if (!shape->has_warps && !is_near(program, stage->a, shape)) /* before what was added up is written again */
        fprintf(out, "%*s    MEET;\n", indent, "");
    fprintf(out, "%*s    summed%d = sum + (quad)(0);\n%*s}\n", indent, "", stage->b, indent, "");
}

char *list_frame_define(const struct program *program, const struct list_shape *shape) {
    char *place = shape->near ? text_format(" -DFRAME_NEAR=%d", shape->near)
                              : text_copy(shape->is_local ? " -DFRAME_SPACE=__local" : "");
    char *define =
        text_format(" -DFRAME -DGROUPS=%du%s%s%s%s%s", shape->groups, shape->of_members ? " -DLISTED" : "", place,
                    shape->has_spare ? " -DSPARE_SPACE=__local" : "", shape->has_state ? " -DSTATE_SPACE=__local" : "",
                    list_holds(program, shape) ? " -DFRAME_HOLDS" : "");
    free(place);
    return define;
}

/* The state comes to local memory. */
static void write_state_in(FILE *out, const struct program *program, const struct list_shape *shape) {
    for (int b = 0; b < program->state_count; ++b)
        if (is_near_state(program, b, shape))
            fprintf(out, "    for (int k = lane; k < %zu; k += LANES)\n        b%d[k] = home%d[k];\n",
                    program->buffers[b].items, b, b);
    if (shape->has_state)
        fprintf(out, "    MEET;\n");
}

/* And back: what a frame begins with, beside what is as it was at first (program.h: has_memory). */
static void write_state_out(FILE *out, const struct program *program, const struct list_shape *shape) {
    for (int b = 0; b < program->state_count; ++b)
        if (is_near_state(program, b, shape) &&
            (program->has_memory || b == program->positions || b == program->velocities || b == program->record))
            fprintf(out, "    for (int k = lane; k < %zu; k += LANES)\n        home%d[k] = b%d[k];\n",
                    program->buffers[b].items, b, b);
}

static void write_stages(FILE *out, const struct program *program, const struct list_shape *shape) {
    int depth = 1, held = -1, stage_count; /* held: the repetition of whose constraints lanes hold what they take */
    const struct stage *stages = program_fused_stages(program, &stage_count);
    for (int s = 0; s < stage_count; ++s) {
        const struct stage *stage = &stages[s];
        switch (stage->kind) {
        case STAGE_REPEAT:
            if (list_is_held(program, stages, s, shape)) {
                held = s;
                for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
                    if (stages[k].kind == STAGE_COLOURS)
                        write_hold(out, program, &stages[k], k, shape->lanes, 4 * depth);
            }
            frame_write_bracket(out, stage, s, shape->of_members, &depth);
            break;
        case STAGE_STEPS:
            frame_write_bracket(out, stage, s, shape->of_members, &depth);
            break;
        case STAGE_END:
            frame_write_bracket(out, stage, s, shape->of_members, &depth);
            for (int k = held; held >= 0 && k < s; ++k)
                if (stages[k].kind == STAGE_COLOURS)
                    write_let_go(out, program, &stages[k], k, shape->lanes, 4 * depth);
            held = -1;
            break;
        case STAGE_RUN:
            write_run(out, program, &program->kernels[stage->a], shape, 4 * depth);
            break;
        case STAGE_COLOURS:
            if (held >= 0)
                write_held(out, program, stage, s, shape->lanes, 4 * depth);
            else if (list_takes_all(program, stage, shape))
                write_turns(out, program, stage, shape->lanes, 4 * depth);
            else if (list_takes_ahead(program, stage, shape))
                write_ahead(out, program, stage, 4 * depth);
            else
                write_colours(out, program, stage, 4 * depth);
            break;
        case STAGE_SWAP:
            frame_write_swap(out, program, stage, space_of(program, stage->a, shape), "b", 4 * depth);
            if (is_near_state(program, stage->a, shape)) /* and where they go in the end */
                frame_write_swap(out, program, stage, "__global", "home", 4 * depth);
            break;
        case STAGE_SUM:
            write_sum(out, program, stage, shape, 4 * depth);
            break;
        case STAGE_HOST: /* no frame with one is run so */
            break;
        }
    }
}

static bool is_fixed(const struct program *program, int buffer) {
    return program->buffers[buffer].sharing == BUFFER_FIXED;
}

/* Whether lanes read in global memory what others have written there, be it to add it up. */
static bool shares_global(const struct program *program) {
    for (int b = 0; b < program->buffer_count; ++b)
        if ((program->buffers[b].sharing == BUFFER_SHARED || program->buffers[b].sharing == BUFFER_SPARE) &&
            program->buffers[b].items > 0)
            return true;
    return program_most_summed(program) > 0;
}

/* The starts of a colouring's colours, and once more the end. */
static void write_starts(FILE *out, const struct program *program) {
    for (int k = 0; k < PROGRAM_COLOURINGS; ++k) {
        const int colours = program->colourings[k].colours, *start = program->colourings[k].start;
        if (colours <= 0)
            continue;
        fprintf(out, "__constant int start%d[%d] = {", k, colours + 2);
        for (int c = 0; c <= colours; ++c)
            fprintf(out, "%d, ", start[c]);
        fprintf(out, "%d};\n", start[colours]);
    }
}

/* Where a buffer's pointer goes that the frame is given: it is the buffer's own, or what is split lies far, or the
 * state at home, or in local memory is room for it. */
static const char *pointer_of(const struct program *program, int buffer, const struct list_shape *shape) {
    return is_split(program, buffer, shape)        ? "far"
           : is_near_state(program, buffer, shape) ? "home"
           : is_near(program, buffer, shape)       ? "unused"
                                                   : "b";
}

/* What a frame is given, and where its lanes add up. */
static void write_arguments(FILE *out, const struct program *program, const struct list_shape *shape) {
    const bool sums = program_most_summed(program) > 0;
    for (int b = 0; b < program->buffer_count; ++b)
        fprintf(out, "__global %s%s *%s%s%d, ", is_fixed(program, b) ? "const " : "", program->buffers[b].type,
                is_fixed(program, b) ? "restrict " : "", pointer_of(program, b, shape), b);
    fprintf(out,
            "const %s p, const int first,\n        __global volatile uint *come, const uint begin%s) {\n"
            "    const int lane = (int)get_global_id(0);\n    int step = first;\n",
            program->parameter_type, sums ? ", __global quad *sums_first" : "");
    if (sums)
        fprintf(out, "    __global quad *sums = sums_first;\n");
}

/* The same of a group that runs the frame of its own member. */
static void write_member_arguments(FILE *out, const struct program *program, const struct list_shape *shape) {
    fprintf(out,
            MEMBER_ARGUMENTS ") {\n    MEMBER_TAKE(get_group_id(0), %s);\n"
                             "    const int lane = (int)get_local_id(0);\n    int step = first[get_group_id(0)];\n",
            program->parameter_type);
    for (int b = 0; b < program->buffer_count; ++b)
        member_write_pointer(out, program, b, b, pointer_of(program, b, shape));
}

char *list_frame_source(const struct program *program, const struct list_shape *shape) {
    char *source = NULL;
    size_t size;
    const bool sums = program_most_summed(program) > 0, has_near = shape->is_local || shape->near || shape->has_state,
               has_far = !has_near || shape->near || shares_global(program);
    FILE *out = open_memstream(&source, &size);
    fprintf(out, "#line 1 \"frame\"\n#define LANES %d\n", (int)shape->lanes * shape->groups);
    if (shape->groups > 1)
        fprintf(out, "#define MEET meet(come, goal += GROUPS)\n");
    else
        fprintf(out, "#define MEET CONVERGE; barrier(%s%s%s)\n", has_near ? "CLK_LOCAL_MEM_FENCE" : "",
                has_near && has_far ? " | " : "", has_far ? "CLK_GLOBAL_MEM_FENCE" : "");
    write_starts(out, program);
    if (shape->of_members)
        member_write_words(out, program);
    fprintf(out, "__kernel __attribute__((reqd_work_group_size(%zu, 1, 1)))\nvoid springback_frame(", shape->lanes);
    if (shape->of_members)
        write_member_arguments(out, program, shape);
    else
        write_arguments(out, program, shape);
    if (sums)
        fprintf(out, "    __local quad room[%s(%zu)];\n", shape->has_warps ? "" : "FOLD_ROOM",
                shape->has_warps ? (size_t)LIST_WARPS : shape->lanes);
    for (int b = 0; b < program->buffer_count; ++b)
        if (is_total(program, b))
            fprintf(out, "    quad summed%d = (quad)(0);\n    const frame_total total%d = &summed%d;\n", b, b, b);
    if (shape->groups > 1)
        fprintf(out, "    uint goal = begin;\n");
    for (int b = 0; b < program->buffer_count; ++b)
        if (is_split(program, b, shape))
            fprintf(out,
                    "    __local real near%d[3 * FRAME_NEAR] __attribute__((aligned(4 * sizeof(real))));\n"
                    "    const frame_quads b%d = {near%d, far%d};\n",
                    b, b, b, b);
        else if (is_near(program, b, shape))
            fprintf(out, "    __local %s room%d[%zu];\n    __local %s *b%d = room%d;\n", program->buffers[b].type, b,
                    program->buffers[b].items ? program->buffers[b].items : 1, program->buffers[b].type, b, b);
    write_state_in(out, program, shape);
    if (shape->has_nodes)
        write_nodes(out, program, shape);
    write_stages(out, program, shape);
    write_state_out(out, program, shape);
    for (int b = 0; b < program->buffer_count; ++b)
        if (is_total(program, b))
            fprintf(out, "    if (lane == 0)\n        *b%d = summed%d;\n", b, b);
    fprintf(out, "}\n");
    fclose(out);
    return source;
}

char *list_launch_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    fprintf(out, "#line 1 \"list\"\n");
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (kernel_is_repeated(program, k))
            continue;
        fprintf(out, "__kernel void springback_list_%s(", kernel->name);
        for (const struct binding *b = kernel->bindings; b->member; ++b)
            fprintf(out, "__global %s%s *%s%s, ", is_fixed(program, b->buffer) ? "const " : "",
                    program->buffers[b->buffer].type, is_fixed(program, b->buffer) ? "restrict " : "", b->member);
        fprintf(out,
                "const %s p, const int step, const int begin, const int end) {\n"
                "    const int item = begin + (int)get_global_id(0);\n    if (item < end)\n        %s(",
                program->parameter_type, kernel->name);
        for (const struct binding *b = kernel->bindings; b->member; ++b)
            fprintf(out, "%s, ", b->member);
        fprintf(out, "p, step, item);\n}\n");
    }
    fclose(out);
    return source;
}
