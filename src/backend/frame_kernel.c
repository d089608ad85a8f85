#include "backend/frame_kernel.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

enum {
    ROW = 32,      /* items side by side: a warp */
    SMALLEST = 64, /* items of a group */
    LARGEST = 256, /* beyond, a step takes as long as a launch */
    SMALL = 256    /* items that one core of a CPU takes in no more time than all of them with launches */
};

/* All groups meet: those that came are counted, and every group waits until the count is `goal`. What was written
 * before is seen by all after. */
static const char meet[] = "#ifdef __NV_CL_C_VERSION\n"
                           "#define FENCE asm volatile(\"fence.acq_rel.gpu;\" ::: \"memory\")\n"
                           "#else\n"
                           "#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE)\n"
                           "#endif\n"
                           "static inline void meet(__global volatile uint *come, uint goal) {\n"
                           "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                           "    if (get_num_groups(0) * get_num_groups(1) == 1)\n"
                           "        return;\n"
                           "    if (get_local_id(0) == 0 && get_local_id(1) == 0) {\n"
                           "        FENCE;\n"
                           "        atomic_inc(come);\n"
                           "        while ((int)(*come - goal) < 0)\n"
                           "            ;\n"
                           "        FENCE;\n"
                           "    }\n"
                           "    barrier(CLK_GLOBAL_MEM_FENCE);\n"
                           "}\n";

static void write_stages(FILE *out, const struct program *program) {
    int depth = 1;
    for (int s = 0; s < program->stage_count; ++s) {
        const struct stage *stage = &program->stages[s];
        const struct kernel *kernel = &program->kernels[stage->a];
        switch (stage->kind) {
        case STAGE_STEPS:
        case STAGE_REPEAT:
            fprintf(out, "%*sfor (int k%d = 0; k%d < %d; ++k%d%s) {\n", 4 * depth, "", s, s, stage->count, s,
                    stage->kind == STAGE_STEPS ? ", ++step" : "");
            ++depth;
            break;
        case STAGE_END:
            --depth;
            fprintf(out, "%*s}\n", 4 * depth, "");
            break;
        case STAGE_RUN:
            fprintf(out, "%*s%s(", 4 * depth, "", kernel->name);
            for (int b = 0; b < kernel->buffer_count; ++b)
                fprintf(out, "b%d, ", kernel->buffers[b]);
            fprintf(out, "p, step);\n%*smeet(come, goal += groups);\n", 4 * depth, "");
            break;
        case STAGE_SWAP:
            fprintf(out, "%*s{ __global %s *held = b%d; b%d = b%d; b%d = held; }\n", 4 * depth, "",
                    program->buffers[stage->a].type, stage->a, stage->a, stage->b, stage->b);
            break;
        }
    }
}

char *frame_kernel_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    fprintf(out, "#line 1 \"frame\"\n%s__kernel void springback_frame(", meet);
    for (int b = 0; b < program->buffer_count; ++b)
        fprintf(out, "__global %s *b%d, ", program->buffers[b].type, b);
    fprintf(out,
            "const %s p, const int first,\n        __global volatile uint *come, const uint begin) {\n"
            "    const uint groups = (uint)(get_num_groups(0) * get_num_groups(1));\n"
            "    uint goal = begin;\n    int step = first;\n",
            program->parameter_type);
    write_stages(out, program);
    fprintf(out, "}\n");
    fclose(out);
    return source;
}

static int count(void *context, const struct stage *stage, int step) {
    (void)step;
    *(long *)context += stage->kind == STAGE_RUN;
    return STATUS_OK;
}

long frame_meetings(const struct program *program) {
    long meetings = 0;
    int step = 0;
    program_walk(program, count, &meetings, &step);
    return meetings;
}

static size_t parts(int items, size_t size) {
    return ((size_t)items + size - 1) / size;
}

bool frame_shape_choose(const struct device *device, const struct program *program, size_t group_size,
                        struct frame_shape *out) {
    const int columns = program->kernels[0].columns, rows = program->kernels[0].rows;
    for (int k = 1; k < program->kernel_count; ++k)
        if (program->kernels[k].columns != columns || program->kernels[k].rows != rows)
            return false;
    if (frame_meetings(program) < 2)
        return false;
    const size_t items = (size_t)columns * (size_t)rows;
    if (items <= group_size && (device->is_gpu ? !device->may_meet : items <= SMALL)) {
        *out = (struct frame_shape){{(size_t)columns, (size_t)rows}, {(size_t)columns, (size_t)rows}, 1};
        return true;
    }
    if (!device->may_meet)
        return false;
    /* As many groups as there are compute units, so as small as they can be. */
    const size_t across = rows > 1 ? ROW : 1;
    const size_t most = group_size < LARGEST ? group_size : LARGEST;
    for (size_t along = SMALLEST / across; across * along <= most; along *= 2) {
        const size_t local[2] = {rows > 1 ? across : along, rows > 1 ? along : 1};
        const size_t groups[2] = {parts(columns, local[0]), parts(rows, local[1])};
        if (groups[0] * groups[1] > device->compute_units)
            continue;
        *out = (struct frame_shape){
            {local[0], local[1]}, {groups[0] * local[0], groups[1] * local[1]}, (int)(groups[0] * groups[1])};
        return true;
    }
    return false;
}
