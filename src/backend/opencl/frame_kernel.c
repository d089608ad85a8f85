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

static void write_call(FILE *out, const struct program *program, const struct kernel *kernel, bool is_frame) {
    fprintf(out, "%s%s(", kernel->name, is_frame && kernel->hints.is_held ? "_held" : "");
    for (const struct binding *b = kernel->bindings; b->member; ++b) {
        const bool is_total = is_frame && program->buffers[b->buffer].sharing == BUFFER_TOTAL;
        fprintf(out, "%s%d, ", is_total ? "total" : "b", b->buffer);
    }
    fprintf(out, "p, step, %s", is_frame && kernel->hints.is_held ? "&held, " : "");
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
    fprintf(out, "    const %s %s = %s(", program->hints.held.type, name, program->hints.held.name);
    for (const struct binding *b = program->hints.held.bindings; b->member; ++b)
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
    fprintf(out, "%*sended%d = %s(b%d);\n", indent, "", s, program->hints.ended.name, program->hints.ended.buffer);
}

/* Turns that change nothing are left out where groups wait for each other: on a processor they cost little. */
static bool leaves_turns(const struct program *program, const struct device *device) {
    return program->hints.ended.name && device->may_meet;
}

static void write_stages(FILE *out, const struct program *program, bool has_warps, bool leaves) {
    int depth = 1, count;
    const struct stage *stages = program_fused_stages(program, &count);
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

static bool adds_by_warps(const struct program *program, const struct device *device) {
    return device->may_meet && program->real_size == sizeof(float) && program_most_summed(program);
}

char *frame_define(const struct program *program, const struct device *device) {
    return text_format(" -DFRAME%s%s", adds_by_warps(program, device) ? " -DWARPS" : "",
                       device->may_meet ? "" : " -DGROUPS=1u");
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
    const bool has_warps = adds_by_warps(program, device);
    fprintf(out,
            "#line 1 \"frame\"\n__kernel __attribute__((reqd_work_group_size(%zu, %zu, 1)))\n"
            "void springback_frame(",
            shape->local[0], shape->local[1]);
    for (int b = 0; b < program->buffer_count; ++b)
        fprintf(out, "__global %s *b%d, ", program->buffers[b].type, b);
    fprintf(out,
            "const %s p, const int first,\n        __global volatile uint *come, const uint begin, "
            "__global quad *sums_first) {\n"
            "    const uint groups = GROUPS;\n"
            "    uint goal = begin;\n    int step = first;\n",
            program->parameter_type);
    if (program->hints.held.type) {
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
    const struct stage *stages = program_fused_stages(program, &count);
    return program_is_summed(program, stages, count, stage);
}

char *frame_sum_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    int count;
    const struct stage *stages = program_fused_stages(program, &count);
    fprintf(out,
            "#line 1 \"sum\"\n"
            "__kernel void springback_sum(__global const quad *from, const uint count, const uint take, "
            "__global quad *to) {\n"
            "    __local quad room[FOLD_ROOM(%d)];\n"
            "    fold_launch(from, count, take, to, room);\n"
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
    program_walk_fused(program, count, &meetings, &step);
    return meetings.count;
}

/* Whether all stages are over the same items, and none is the host's. */
static bool is_uniform(const struct program *program) {
    int stage_count;
    const struct stage *stages = program_fused_stages(program, &stage_count);
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
