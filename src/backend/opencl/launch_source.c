#include "backend/opencl/launch_source.h"

#include "backend/opencl/kernel_source.h"
#include "backend/opencl/launch_shape.h"
#include "backend/opencl/source_writer.h"
#include "base/memory.h"

#include <stdlib.h>

/* Write a kernel's buffers as parameters. */
static void write_buffers(struct source_writer *l, const struct program *program, const struct kernel *kernel) {
    for (const struct binding *b = kernel->bindings; b->member; ++b) {
        source_pointer(l, &program->buffers[b->buffer], b->member);
        fprintf(l->out, ", ");
    }
}

/* Write a call of the kernel's function with `last` as the last argument. If `condition` is not "", the generated
 * code makes the call only if `condition` is true. */
static void write_call(struct source_writer *l, const struct kernel *kernel, const char *condition, const char *last) {
    if (*condition)
        source_line(l, "if (%s)", condition);
    fprintf(l->out, "%*s%s(", *condition ? 8 : 4, "", kernel->name);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        fprintf(l->out, "%s, ", b->member);
    fprintf(l->out, "p, step, %s);\n", last);
}

static void write_list(struct source_writer *l, const struct program *program, const struct kernel *kernel) {
    fprintf(l->out, "__kernel void springback_list_%s(", kernel->name);
    write_buffers(l, program, kernel);
    source_open(l, "const %s p, const int step, const int begin, const int end)", program->parameter_type);
    source_line(l, "const int item = begin + (int)get_global_id(0);");
    write_call(l, kernel, "item < end", "item");
    source_close(l);
}

/* Write springback_summed_`stage`. `items` is the index of the buffer that is added up. */
static void write_summed(struct source_writer *l, const struct program *program, int stage, const struct kernel *kernel,
                         int items) {
    const char *added = NULL;
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        added = b->buffer == items ? b->member : added;
    AUTO_FREE char *condition = program->is_list_program ? text_format("item < %d", kernel->columns) : text_copy(""),
                   *count = text_format("%d", kernel->columns);
    fprintf(l->out, "__kernel void springback_summed_%d(", stage);
    write_buffers(l, program, kernel);
    source_open(l, "const %s p, const int step, __global quad *to)", program->parameter_type);
    source_line(l, "__local quad scratch[REDUCE_SCRATCH(%d)];", SUM_GROUP);
    if (program->buffers[items].sharing == BUFFER_SUMMED) {
        source_line(l, "quad own = NO_SHARE;");
        source_block(l);
        source_line(l, "__private quad *%s = &own;", added); /* hides the parameter of the same name */
        write_call(l, kernel, condition, count);
        source_close(l);
        source_line(l, "reduce_shares(own, to, scratch);");
    } else {
        source_line(l, "const int item = (int)get_global_id(0);");
        write_call(l, kernel, condition, program->is_list_program ? "item" : count);
        source_line(l, "reduce_stage(item < %s ? %s[item] : (quad)(0), to, scratch);", count, added);
    }
    source_close(l);
}

/* Write the kernel that computes several steps of a grid at once (program.h: struct multistep). */
static void write_multistep(struct source_writer *l, const struct program *program, const struct multistep *multistep) {
    const struct kernel *kernel = program_single_kernel(program);
    fprintf(l->out, "__kernel __attribute__((reqd_work_group_size(%d, 1, 1)))\nvoid springback_multistep(",
            multistep->lanes);
    write_buffers(l, program, kernel);
    source_open(l, "const %s p, const int step, const int rows)", program->parameter_type);
    source_line(l, "__local %s_%s_shared shared;", kernel->name, multistep->name);
    source_argument(l, program, kernel->bindings, true);
    source_line(l, "%s_%s(rows, shared, &m);", kernel->name, multistep->name);
    source_close(l);
}

char *launch_source(const struct program *program, const struct multistep *multistep) {
    struct source_writer l;
    const struct stage *stages = program->stages;
    source_begin(&l);
    fprintf(l.out, "#line 1 \"launches\"\n");
    for (int k = 0; k < program->kernel_count && program->is_list_program; ++k)
        if (!kernel_is_duplicate(program, k))
            write_list(&l, program, &program->kernels[k]);
    for (int s = 0; s < program->stage_count; ++s)
        if (stage_feeds_sum(program, &stages[s]))
            write_summed(&l, program, s, &program->kernels[stages[s].a], stages[s + 1].a);
    if (multistep)
        write_multistep(&l, program, multistep);
    if (program_largest_sum(program)) {
        source_open(&l, "__kernel void springback_sum(__global const quad *from, const uint count, const uint take, "
                        "__global quad *to)");
        source_line(&l, "__local quad scratch[REDUCE_SCRATCH(%d)];", SUM_GROUP);
        source_line(&l, "reduce_launch(from, count, take, to, scratch);");
        source_close(&l);
        source_line(&l, "#ifdef SUMS_AT_ONCE");
        source_open(&l, "__kernel void springback_sum_at_once(__global const quad *from, const uint count, "
                        "__global quad *to, __global quad *parts, __global uint *finished)");
        source_line(&l, "__local quad scratch[REDUCE_SCRATCH(%d)];", SUM_GROUP);
        source_line(&l, "reduce_at_once(from, count, to, parts, finished, scratch);");
        source_close(&l);
        source_line(&l, "#endif");
    }
    return source_end(&l);
}
