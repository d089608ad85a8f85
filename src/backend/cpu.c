#include "backend/cpu.h"

#include "base/memory.h"
#include "method/tree_sum.h"

#include <stdlib.h>
#include <string.h>

int cpu_check(const struct backend_choice *choice, const struct program *program, size_t scratch) {
    for (int k = 0; k < program->kernel_count; ++k)
        if (!program->kernels[k].loop)
            return fail("backend %s: the kernel %s is for OpenCL alone; --backend opencl would be right",
                        backend_name(choice), program->kernels[k].name);
    size_t needed = program_bytes(program) + scratch, available = memory_available();
    if (needed > available)
        return fail("backend %s: the body needs %zu bytes of memory, and %zu are available; a smaller body would fit",
                    backend_name(choice), needed, available);
    return STATUS_OK;
}

int cpu_create(struct cpu_engine *cpu, const struct backend_choice *choice, const struct program *program) {
    cpu->threads = choice->threads;
    for (int b = 0; b < program->buffer_count; ++b) {
        size_t bytes = program->buffers[b].items * program->buffers[b].item_size;
        cpu->memory[b] = memory_large(bytes);
        if (!cpu->memory[b])
            return fail("backend %s: buffer '%s' of %zu bytes could not be had", backend_name(choice),
                        program->buffers[b].name, bytes);
    }
    const size_t blocks = program_most_summed(program) / TREE_SUM_BLOCK + 1;
    cpu->sums = memory_large(blocks * 4 * (size_t)program->real_size);
    if (!cpu->sums)
        return fail("backend %s: the sums of %zu blocks could not be had", backend_name(choice), blocks);
    return STATUS_OK;
}

void cpu_close(struct engine *engine) {
    struct cpu_engine *cpu = (struct cpu_engine *)engine;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        free(cpu->memory[b]);
    free(cpu->sums);
    free(cpu);
}

int cpu_write(struct engine *engine, int buffer, const void *contents) {
    const struct buffer *b = &engine->program->buffers[buffer];
    memcpy(((struct cpu_engine *)engine)->memory[buffer], contents, b->items * b->item_size);
    return STATUS_OK;
}

int cpu_read(struct engine *engine, int buffer, void *contents) {
    const struct buffer *b = &engine->program->buffers[buffer];
    memcpy(contents, ((struct cpu_engine *)engine)->memory[buffer], b->items * b->item_size);
    return STATUS_OK;
}

void cpu_arguments(const struct cpu_engine *cpu, const struct kernel *kernel, const int *slot, int step, void *out) {
    void *memory[PROGRAM_BUFFERS];
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        memory[b] = cpu->memory[slot[b]];
    kernel_arguments(cpu->engine.program, kernel, memory, step, out);
}
