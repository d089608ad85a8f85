#include "backend/opencl/frame_kernel.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROW = 32,              /* items side by side: a warp */
    SMALLEST = 64,         /* items of a group */
    LARGEST = 256,         /* beyond, a step takes as long as a launch */
    LARGEST_SUMMED = 1024, /* where there are sums; half as many in doubles: 20 kB of 32 of local memory */
    SUMMED_GROUPS = 128,   /* of a program that sums: four a lane of a warp */
    SMALL = 256,           /* items that one core of a CPU takes in no more time than all of them with launches */
};

/* The groups of a frame. Where a device's groups may not wait for each other there is one, and the compiler is told:
 * PoCL makes what follows a barrier under a condition twice, and a frame with two sums took it half a minute. */
static const char groups_source[] = "#line 1 \"groups\"\n"
                                    "#define GROUPS (uint)(get_num_groups(0) * get_num_groups(1))\n";
static const char one_group_source[] = "#line 1 \"groups\"\n"
                                       "#define GROUPS 1u\n";

/* NVIDIA's compiler lets a warp come to a barrier with its lanes apart, after a loop that some leave before others: on
 * an H100 it then holds back some of them alone, and a frame ends in other bits each time. */
const char frame_words_source[] = "#ifdef __NV_CL_C_VERSION\n"
                                  "#define CONVERGE asm volatile(\"bar.warp.sync 0xffffffff;\" ::: \"memory\")\n"
                                  "#define FENCE    asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")\n"
                                  "#else\n"
                                  "#define CONVERGE\n"
                                  "#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE)\n"
                                  "#endif\n";

/* All groups meet: those that came are counted, and every group waits until the count is `goal`. What was written
 * before is seen by all after. A group that is alone counts nothing, in no meeting: its `goal` is never reached. */
const char frame_meet_source[] = "static inline void wait(__global volatile uint *come, uint goal) {\n"
                                 "    if (GROUPS > 1 && get_local_id(0) == 0 && get_local_id(1) == 0) {\n"
                                 "        FENCE;\n"
                                 "        atomic_inc(come);\n"
                                 "        while ((int)(*come - goal) < 0)\n"
                                 "            ;\n"
                                 "        FENCE;\n"
                                 "    }\n"
                                 "    CONVERGE;\n"
                                 "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                 "}\n"
                                 "static inline void meet(__global volatile uint *come, uint goal) {\n"
                                 "    CONVERGE;\n"
                                 "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                                 "    if (GROUPS > 1)\n"
                                 "        wait(come, goal);\n"
                                 "}\n";

/* Each level of the fold takes eight values, or what is left, in the order of the tree; levels lie one behind the
 * other, so that a barrier a level is enough, and a fold may follow a fold. */
const char frame_fold_source[] =
    "#line 1 \"fold\"\n"
    "#define FOLD_ROOM(size) ((size) + (size) / 4 + 8)\n"
    "static inline quad fold_pairs(quad *a, uint count) {\n"
    "    for (; count > 1; count /= 2)\n"
    "        for (uint k = 0; k < count / 2; ++k)\n"
    "            a[k] = a[2 * k] + a[2 * k + 1];\n"
    "    return a[0];\n"
    "}\n"
    "static inline quad fold_group(quad own, __local quad *room, const uint lane, const uint lanes) {\n"
    "    uint size = 1;\n"
    "    while (size < lanes)\n"
    "        size *= 2;\n"
    "    room[lane] = own;\n"
    "    if (lane + lanes < size)\n"
    "        room[lane + lanes] = (quad)(0);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    while (size > 1) {\n"
    "        const uint width = size < 8 ? size : 8;\n"
    "        quad sum = (quad)(0);\n"
    "        if (lane < size / width) {\n"
    "            __local const quad *a = room + width * lane;\n"
    "            if (width == 8)\n"
    "                sum = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));\n"
    "            else if (width == 4)\n"
    "                sum = (a[0] + a[1]) + (a[2] + a[3]);\n"
    "            else\n"
    "                sum = a[0] + a[1];\n"
    "        }\n"
    "        room += size;\n"
    "        size /= width;\n"
    "        if (lane < size)\n"
    "            room[lane] = sum;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    return room[0];\n"
    "}\n"
    "/* `take` values, a power of two up to 8, from `begin` on; what is beyond `count` is 0. */\n"
    "static inline quad fold_taken(__global const quad *from, const uint begin, const uint take, const uint count) {\n"
    "    quad a[8];\n"
    "    if (take == 1)\n"
    "        return begin < count ? from[begin] : (quad)(0);\n"
    "    for (uint k = 0; k < take; ++k)\n"
    "        a[k] = begin + k < count ? from[begin + k] : (quad)(0);\n"
    "    return fold_pairs(a, take);\n"
    "}\n";

/* On NVIDIA's devices a warp's lanes exchange what they hold, in floats. A pair's sum is the same from both its sides.
 */
const char frame_warp_source[] =
    "#line 1 \"warp\"\n"
    "static inline float warp_other(float x, const uint distance) {\n"
    "    float other;\n"
    "    asm volatile(\"shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;\" : \"=f\"(other) : \"f\"(x), "
    "\"r\"(distance));\n"
    "    return other;\n"
    "}\n"
    "static inline quad fold_warp(quad sum) {\n"
    "    UNROLLED\n"
    "    for (uint distance = 1; distance < 32; distance *= 2)\n"
    "        sum += (quad)(warp_other(sum.x, distance), warp_other(sum.y, distance), warp_other(sum.z, distance),\n"
    "                      warp_other(sum.w, distance));\n"
    "    return sum;\n"
    "}\n";

/* Each warp adds up the groups' sums for itself: one barrier in place of ten. */
static const char warps_source[] =
    "static inline quad fold_room(__local const quad *a, const uint count) {\n"
    "    return count == 8   ? ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))\n"
    "           : count == 4 ? (a[0] + a[1]) + (a[2] + a[3])\n"
    "                        : a[0] + a[1];\n"
    "}\n"
    "static inline taken_total take_groups(const frame_total total) {\n"
    "    const uint first = 4 * ((uint)get_local_id(0) % 32);\n"
    "    taken_total taken;\n"
    "    UNROLLED\n"
    "    for (uint k = 0; k < 4; ++k) {\n"
    "        const int is_there = first + k < total.groups;\n"
    "        const quad sum = total.sums[is_there ? first + k : 0];\n"
    "        taken.sums[k] = is_there ? sum : (quad)(0);\n"
    "    }\n"
    "    return taken;\n"
    "}\n"
    "static inline quad fold_groups(taken_total taken) {\n"
    "    const quad *a = taken.sums;\n"
    "    return fold_warp((a[0] + a[1]) + (a[2] + a[3])) + (quad)(0);\n"
    "}\n";

static void write_call(FILE *out, const struct program *program, const struct kernel *kernel, bool is_frame) {
    fprintf(out, "%s%s(", kernel->name, is_frame && kernel->is_held ? "_held" : "");
    for (const struct binding *b = kernel->bindings; b->member; ++b) {
        const bool is_total = is_frame && program->buffers[b->buffer].sharing == BUFFER_TOTAL;
        fprintf(out, "%s%d, ", is_total ? "total" : "b", b->buffer);
    }
    fprintf(out, "p, step, %s", is_frame && kernel->is_held ? "&held, " : "");
    if (program->is_listed)
        fprintf(out, "(int)item);\n");
    else
        fprintf(out, "%d);\n", kernel->columns * kernel->rows);
}

/* Lines at an indent. */
static void write_lines(FILE *out, int indent, const char *const *lines) {
    for (; *lines; ++lines)
        fprintf(out, "%*s%s\n", indent, "", *lines);
}

/* Of a work item's own value; then of the groups' sums. `sums` goes to and fro between two places, since a group may
 * write its next sum while another still reads this one. */
static const char *const sum_lines[] = {
    "    sum = fold_group(sum, room, lane, lanes);",
    "    if (GROUPS > 1) {",
    "        if (lane == 0)",
    "            sums[group] = sum;",
    "        meet(come, goal += groups);",
    "        sum = fold_group(fold_taken(sums, take * lane, take, groups), room, lane, lanes);",
    "        sums = sums == sums_first ? sums_first + groups : sums_first;",
    "    } else {",
    "        barrier(CLK_GLOBAL_MEM_FENCE);",
    "    }",
    NULL,
};
static const char *const warp_lines[] = {
    "    sum = fold_warp(sum);",
    "    if (lane % 32 == 0)",
    "        room[lane / 32] = sum;",
    "    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);",
    "    if (lanes <= 256) {", /* sooner by one lane */
    "        if (lane == 0)",
    "            sums[group] = fold_room(room, lanes / 32);",
    "    } else if (lane < 32) {",
    "        sum = fold_warp(lane < lanes / 32 ? room[lane] : (quad)(0));",
    "        if (lane == 0)",
    "            sums[group] = sum;",
    "    }",
    "    wait(come, goal += groups);",
    NULL,
};

static void write_sum(FILE *out, const struct program *program, const struct stage *stage, int indent, bool has_warps) {
    fprintf(out, "%*s{\n%*s    quad sum = item < %zu ? b%d[item] : (quad)(0);\n", indent, "", indent, "",
            program->buffers[stage->a].items, stage->a);
    write_lines(out, indent, has_warps ? warp_lines : sum_lines);
    if (has_warps)
        fprintf(out,
                "%*s    total%d.sums = sums;\n%*s    sums = sums == sums_first ? sums_first + groups : sums_first;\n",
                indent, "", stage->b, indent, "");
    else
        fprintf(out, "%*s    summed%d = sum + (quad)(0);\n", indent, "", stage->b);
    fprintf(out, "%*s}\n", indent, "");
}

void frame_write_held(FILE *out, const struct program *program, const char *name, const char *last) {
    fprintf(out, "    const %s %s = %s(", program->held.type, name, program->held.name);
    for (const struct binding *b = program->held.bindings; b->member; ++b)
        fprintf(out, "b%d, ", b->buffer);
    fprintf(out, "p, %s);\n", last);
}

void frame_write_bracket(FILE *out, const struct stage *stage, int index, bool by_macro, int *depth) {
    if (stage->kind == STAGE_END) {
        --*depth;
        fprintf(out, "%*s}\n", 4 * *depth, "");
        return;
    }
    char *count = text_format(by_macro ? "COUNT(%d)" : "%d", by_macro ? index : stage->count);
    fprintf(out, "%*sfor (int k%d = 0; k%d < %s; ++k%d%s) {\n", 4 * *depth, "", index, index, count, index,
            stage->kind == STAGE_STEPS ? ", ++step" : "");
    free(count);
    ++*depth;
}

void frame_write_swap(FILE *out, const struct program *program, const struct stage *stage, const char *space,
                      const char *name, int indent) {
    fprintf(out, "%*s{ %s %s *other = %s%d; %s%d = %s%d; %s%d = other; }\n", indent, "", space,
            program->buffers[stage->a].type, name, stage->a, name, stage->a, name, stage->b, name, stage->b);
}

/* As a turn begins. What was found is looked at a turn later, so that no turn waits for it. */
static void write_ended(FILE *out, const struct program *program, const struct stage *stages, int s, int indent) {
    fprintf(out, "%*sif (ended%d != 0) {\n", indent, "", s);
    for (int k = s + 1; stages[k].kind != STAGE_END; ++k)
        if (stages[k].kind == STAGE_SWAP)
            frame_write_swap(out, program, &stages[k], "__global", "b", indent + 4);
    fprintf(out, "%*scontinue;\n%*s}\n", indent + 4, "", indent, "");
    fprintf(out, "%*sended%d = %s(b%d);\n", indent, "", s, program->ended.name, program->ended.buffer);
}

/* Turns that change nothing are left out where groups wait for each other: on a processor they cost little. */
static bool leaves_turns(const struct program *program, const struct device *device) {
    return program->ended.name && device->may_meet;
}

static void write_stages(FILE *out, const struct program *program, bool has_warps, bool leaves) {
    int depth = 1, count;
    const struct stage *stages = program_lean_stages(program, &count);
    for (int s = 0; s < count; ++s) {
        const struct stage *stage = &stages[s];
        switch (stage->kind) {
        case STAGE_STEPS:
        case STAGE_REPEAT:
        case STAGE_END: {
            const bool may_end = leaves && stage->kind == STAGE_REPEAT;
            if (may_end)
                fprintf(out, "%*sreal ended%d = 0;\n", 4 * depth, "", s);
            frame_write_bracket(out, stage, s, false, &depth);
            if (may_end)
                write_ended(out, program, stages, s, 4 * depth);
            break;
        }
        case STAGE_RUN:
        case STAGE_HOST: /* no frame with one is run so */
            fprintf(out, "%*s", 4 * depth, "");
            write_call(out, program, &program->kernels[stage->a], true);
            if (!frame_is_summed(program, stage))
                fprintf(out, "%*smeet(come, goal += groups);\n", 4 * depth, "");
            break;
        case STAGE_COLOURS: /* list_frame.h */
            break;
        case STAGE_SUM:
            write_sum(out, program, stage, 4 * depth, has_warps);
            break;
        case STAGE_SWAP:
            frame_write_swap(out, program, stage, "__global", "b", 4 * depth);
            break;
        }
    }
}

/* A line for each of the program's totals. */
static void write_totals(FILE *out, const struct program *program, const char *format) {
    for (int b = 0; b < program->buffer_count; ++b)
        if (program->buffers[b].sharing == BUFFER_TOTAL) {
            fprintf(out, format, b, b, b, b);
            fputc('\n', out);
        }
}

bool frame_has_warps(const struct program *program, const struct device *device) {
    return device->may_meet && program->real_size == sizeof(float) && program_most_summed(program);
}

/* Items of a group that sums, at most. */
static size_t largest_summed(const struct program *program) {
    return LARGEST_SUMMED * sizeof(float) / (size_t)program->real_size;
}

char *frame_kernel_source(const struct program *program, const struct device *device, const struct frame_shape *shape) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    const bool sums = program_most_summed(program) > 0;
    const bool has_warps = frame_has_warps(program, device);
    fprintf(out,
            "%s%s%s%s#line 1 \"frame\"\n%s__kernel __attribute__((reqd_work_group_size(%zu, %zu, 1)))\n"
            "void springback_frame(",
            frame_words_source, device->may_meet ? groups_source : one_group_source,
            sums && has_warps ? frame_warp_source : "", sums && has_warps ? warps_source : "", frame_meet_source,
            shape->local[0], shape->local[1]);
    for (int b = 0; b < program->buffer_count; ++b)
        fprintf(out, "__global %s *b%d, ", program->buffers[b].type, b);
    fprintf(out,
            "const %s p, const int first,\n        __global volatile uint *come, const uint begin, "
            "__global quad *sums_first) {\n"
            "    const uint groups = GROUPS;\n"
            "    uint goal = begin;\n    int step = first;\n",
            program->parameter_type);
    if (program->held.type) {
        char *count = text_format("%d", program->kernels[0].columns * program->kernels[0].rows);
        frame_write_held(out, program, "held", count);
        free(count);
    }
    if (sums) {
        fprintf(out,
                "    const uint item = get_global_id(0), lane = get_local_id(0), lanes = get_local_size(0),\n"
                "               group = get_group_id(0);\n"
                "    __local quad room[FOLD_ROOM(%zu)];\n"
                "    __global quad *sums = sums_first;\n"
                "    uint take = 1;\n"
                "    while (take * lanes < groups)\n"
                "        take *= 2;\n",
                has_warps ? (size_t)LARGEST : largest_summed(program));
        write_totals(out, program,
                     has_warps ? "    frame_total total%d = {sums_first, groups};"
                               : "    quad summed%d = *b%d;\n    const frame_total total%d = &summed%d;");
    }
    const bool leaves = leaves_turns(program, device);
    write_stages(out, program, has_warps, leaves);
    if (leaves) /* the next frame counts from where this one would have ended */
        fprintf(out,
                "    if (GROUPS > 1 && get_global_id(0) == 0 && get_global_id(1) == 0)\n"
                "        atomic_add(come, begin + %ldu * GROUPS - goal);\n",
                frame_meetings(program));
    if (sums) {
        write_totals(out, program,
                     "    {\n        const quad sum = TOTAL_OF(total%d);\n        if (item == 0)\n"
                     "            *b%d = sum;\n    }");
    }
    fprintf(out, "}\n");
    fclose(out);
    return source;
}

bool frame_is_summed(const struct program *program, const struct stage *stage) {
    int count;
    const struct stage *stages = program_lean_stages(program, &count);
    return program_is_summed(program, stages, count, stage);
}

char *frame_sum_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    int count;
    const struct stage *stages = program_lean_stages(program, &count);
    fprintf(out,
            "#line 1 \"sum\"\n"
            "__kernel void springback_sum(__global const quad *from, const uint count, const uint take, "
            "__global quad *to) {\n"
            "    __local quad room[FOLD_ROOM(%d)];\n"
            "    const quad own = fold_taken(from, take * get_global_id(0), take, count);\n"
            "    const quad sum = fold_group(own, room, get_local_id(0), get_local_size(0));\n"
            "    if (get_local_id(0) == 0)\n"
            "        to[get_group_id(0)] = get_num_groups(0) == 1 ? sum + (quad)(0) : sum;\n"
            "}\n",
            LARGEST);
    for (int s = 0; s < count; ++s) {
        if (!frame_is_summed(program, &stages[s]))
            continue;
        const struct kernel *kernel = &program->kernels[stages[s].a];
        fprintf(out, "__kernel void springback_summed_%d(", s);
        for (const struct binding *b = kernel->bindings; b->member; ++b)
            fprintf(out, "__global %s *b%d, ", program->buffers[b->buffer].type, b->buffer);
        fprintf(out,
                "const %s p, const int step, __global quad *to) {\n"
                "    __local quad room[FOLD_ROOM(%d)];\n    ",
                program->parameter_type, LARGEST);
        fprintf(out, "const uint item = get_global_id(0);\n    ");
        if (program->is_listed)
            fprintf(out, "if (item < %d)\n        ", kernel->columns);
        write_call(out, program, kernel, false);
        fprintf(out,
                "    const quad sum = fold_group(item < %d ? b%d[item] : (quad)(0), room, get_local_id(0), "
                "get_local_size(0));\n"
                "    if (get_local_id(0) == 0)\n"
                "        to[get_group_id(0)] = sum;\n"
                "}\n",
                kernel->columns, stages[s + 1].a);
    }
    fclose(out);
    return source;
}

struct meetings {
    const struct program *program;
    long count;
};

static int count(void *context, const struct stage *stage, int step) {
    (void)step;
    struct meetings *meetings = context;
    meetings->count +=
        stage->kind == STAGE_SUM || (stage->kind == STAGE_RUN && !frame_is_summed(meetings->program, stage));
    return STATUS_OK;
}

long frame_meetings(const struct program *program) {
    struct meetings meetings = {program, 0};
    int step = 0;
    program_walk_lean(program, count, &meetings, &step);
    return meetings.count;
}

/* Whether all stages are over the same items, and none is the host's. */
static bool is_uniform(const struct program *program) {
    int stage_count;
    const struct stage *stages = program_lean_stages(program, &stage_count);
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    for (int s = 0; s < stage_count; ++s) {
        const struct kernel *kernel = stages[s].kind == STAGE_RUN ? &program->kernels[stages[s].a] : NULL;
        if (stages[s].kind == STAGE_HOST || stages[s].kind == STAGE_COLOURS ||
            (kernel && (kernel->columns != columns || kernel->rows != rows)) ||
            (stages[s].kind == STAGE_SUM && (rows > 1 || program->buffers[stages[s].a].items != (size_t)columns)))
            return false;
    }
    return true;
}

static size_t parts(int items, size_t size) {
    return ((size_t)items + size - 1) / size;
}

bool frame_shape_choose(const struct device *device, const struct program *program, size_t group_size,
                        struct frame_shape *out) {
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    if (!is_uniform(program) || frame_meetings(program) < 2)
        return false;
    if (program_most_summed(program) && group_size > largest_summed(program))
        group_size = largest_summed(program);
    const size_t items = (size_t)columns * (size_t)rows;
    if (items <= group_size &&
        (device->is_gpu ? !device->may_meet : items <= SMALL && program_sums(program) <= FRAME_SUMS)) {
        *out = (struct frame_shape){{(size_t)columns, (size_t)rows}, {(size_t)columns, (size_t)rows}, 1};
        return true;
    }
    if (!device->may_meet)
        return false;
    /* As many groups as there are compute units, so as small as they can be. */
    const size_t across = rows > 1 ? ROW : 1;
    const size_t limit = program_most_summed(program) ? LARGEST_SUMMED : LARGEST;
    const size_t most = group_size < limit ? group_size : limit;
    for (size_t along = SMALLEST / across; across * along <= most; along *= 2) {
        const size_t local[2] = {rows > 1 ? across : along, rows > 1 ? along : 1};
        const size_t groups[2] = {parts(columns, local[0]), parts(rows, local[1])};
        if (groups[0] * groups[1] > device->compute_units ||
            (program_most_summed(program) && groups[0] * groups[1] > SUMMED_GROUPS))
            continue;
        *out = (struct frame_shape){
            {local[0], local[1]}, {groups[0] * local[0], groups[1] * local[1]}, (int)(groups[0] * groups[1])};
        return true;
    }
    return false;
}
