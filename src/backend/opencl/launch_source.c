#include "backend/opencl/launch_source.h"

#include "backend/opencl/kernel_source.h"
#include "backend/opencl/listing.h"
#include "base/memory.h"

#include <stdlib.h>

enum { LARGEST_SUMMED = 256 }; /* items of a group that adds up */

/* A kernel's buffers as arguments. */
static void write_buffers(struct listing *l, const struct program *program, const struct kernel *kernel) {
    for (const struct binding *b = kernel->bindings; b->member; ++b) {
        const struct buffer *buffer = &program->buffers[b->buffer];
        const bool is_fixed = buffer->sharing == BUFFER_FIXED;
        fprintf(l->out, "__global %s%s *%s%s, ", is_fixed ? "const " : "", buffer->type, is_fixed ? "restrict " : "",
                b->member);
    }
}

/* Call the kernel's function, where `condition` holds. */
static void write_call(struct listing *l, const struct kernel *kernel, const char *condition, const char *last) {
    if (*condition)
        listing_line(l, "if (%s)", condition);
    fprintf(l->out, "%*s%s(", *condition ? 8 : 4, "", kernel->name);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        fprintf(l->out, "%s, ", b->member);
    fprintf(l->out, "p, step, %s);\n", last);
}

static void write_list(struct listing *l, const struct program *program, const struct kernel *kernel) {
    fprintf(l->out, "__kernel void springback_list_%s(", kernel->name);
    write_buffers(l, program, kernel);
    listing_open(l, "const %s p, const int step, const int begin, const int end)", program->parameter_type);
    listing_line(l, "const int item = begin + (int)get_global_id(0);");
    write_call(l, kernel, "item < end", "item");
    listing_close(l);
}

/* `items` is the buffer that is added up. */
static void write_summed(struct listing *l, const struct program *program, int stage, const struct kernel *kernel,
                         int items) {
    const char *added = NULL;
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        added = b->buffer == items ? b->member : added;
    AUTO_FREE char *condition = program->is_listed ? text_format("item < %d", kernel->columns) : text_copy(""),
                   *count = text_format("%d", kernel->columns);
    fprintf(l->out, "__kernel void springback_summed_%d(", stage);
    write_buffers(l, program, kernel);
    listing_open(l, "const %s p, const int step, __global quad *to)", program->parameter_type);
    listing_line(l, "__local quad room[FOLD_ROOM(%d)];", LARGEST_SUMMED);
    listing_line(l, "const int item = (int)get_global_id(0);");
    write_call(l, kernel, condition, program->is_listed ? "item" : count);
    listing_line(l, "fold_stage(item < %s ? %s[item] : (quad)(0), to, room);", count, added);
    listing_close(l);
}

char *launch_source(const struct program *program) {
    struct listing l;
    const struct stage *stages = program->stages;
    listing_begin(&l);
    fprintf(l.out, "#line 1 \"launches\"\n");
    for (int k = 0; k < program->kernel_count && program->is_listed; ++k)
        if (!kernel_is_repeated(program, k))
            write_list(&l, program, &program->kernels[k]);
    for (int s = 0; s < program->stage_count; ++s)
        if (program_is_summed(program, &stages[s]))
            write_summed(&l, program, s, &program->kernels[stages[s].a], stages[s + 1].a);
    if (program_most_summed(program)) {
        listing_open(&l, "__kernel void springback_sum(__global const quad *from, const uint count, const uint take, "
                         "__global quad *to)");
        listing_line(&l, "__local quad room[FOLD_ROOM(%d)];", LARGEST_SUMMED);
        listing_line(&l, "fold_launch(from, count, take, to, room);");
        listing_close(&l);
    }
    return listing_end(&l);
}
