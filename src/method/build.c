#include "method/build.h"

#include <string.h>

bool run_is_double(const struct run *run) {
    return run_has(run, "method.precision", "double");
}

int run_real_size(const struct run *run) {
    return run_is_double(run) ? sizeof(double) : sizeof(float);
}

static size_t item_size(const char *type, int real_size) {
    if (!strcmp(type, "int"))
        return sizeof(int);
    return (size_t)real_size * (strcmp(type, "quad") ? 1 : 4);
}

void program_complete(struct program *program, int items) {
    const bool counts_buffers = !program->buffer_count, counts_kernels = !program->kernel_count,
               counts_stages = !program->stage_count;
    while (program->sources[program->source_count])
        ++program->source_count;
    for (int b = 0; b < PROGRAM_BUFFERS && program->buffers[b].name; ++b) {
        struct buffer *buffer = &program->buffers[b];
        if (!strcmp(buffer->name, "position"))
            program->positions = b;
        else if (!strcmp(buffer->name, "velocity"))
            program->velocities = b;
        else if (!strcmp(buffer->name, "record"))
            program->method_record = b;
        buffer->item_size = item_size(buffer->type, program->real_size);
        program->buffer_count += counts_buffers;
    }
    for (int k = 0; k < PROGRAM_KERNELS && program->kernels[k].name; ++k) {
        struct kernel *kernel = &program->kernels[k];
        kernel->columns = kernel->columns ? kernel->columns : items;
        kernel->rows = kernel->rows ? kernel->rows : 1;
        program->kernel_count += counts_kernels;
    }
    for (int s = 0; s < PROGRAM_STAGES && counts_stages; ++s)
        if (program->stages[s].kind == STAGE_END)
            program->stage_count = s + 1;
}
