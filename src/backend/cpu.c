#include "backend/cpu.h"

#include "base/memory.h"
#include "method/tree_sum.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cpu_check(const struct backend_choice *choice, const struct program *program, size_t scratch) {
    size_t needed = program_bytes(program) + scratch, available = memory_available();
    if (needed > available)
        return fail("backend %s: the body needs %zu bytes of memory, and %zu bytes are available; use a smaller body",
                    choice->backend->name, needed, available);
    return STATUS_OK;
}

int cpu_create(struct cpu_engine *cpu, const struct backend_choice *choice, const struct program *program) {
    cpu->threads = choice->threads;
    for (int b = 0; b < program->buffer_count; ++b) {
        size_t bytes = buffer_size(&program->buffers[b]);
        cpu->memory[b] = memory_large(bytes);
        if (!cpu->memory[b])
            return fail("backend %s: not enough memory for buffer '%s' of %zu bytes; use a smaller body",
                        choice->backend->name, program->buffers[b].name, bytes);
    }
    return STATUS_OK;
}

void cpu_close(struct engine *engine) {
    AUTO_FREE struct cpu_engine *cpu = (struct cpu_engine *)engine;
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        free(cpu->memory[b]);
    free(cpu->sums);
}

int cpu_open(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    struct cpu_engine *cpu = memory_new(1, sizeof *cpu);
    const size_t blocks = program_largest_sum(program) / TREE_SUM_BLOCK + 1;
    int status = cpu_create(cpu, choice, program);
    if (!status && !(cpu->sums = memory_large(blocks * 4 * (size_t)program->real_size)))
        status = fail("backend %s: not enough memory for the sums of %zu blocks; use a smaller body",
                      choice->backend->name, blocks);
    if (status)
        cpu_close(&cpu->engine);
    else
        *out = &cpu->engine;
    return status;
}

int cpu_write(struct engine *engine, int slot, const void *contents) {
    const struct buffer *b = &engine->program->buffers[slot];
    memcpy(((struct cpu_engine *)engine)->memory[slot], contents, buffer_size(b));
    return STATUS_OK;
}

int cpu_read(struct engine *engine, int slot, void *contents) {
    const struct buffer *b = &engine->program->buffers[slot];
    memcpy(contents, ((struct cpu_engine *)engine)->memory[slot], buffer_size(b));
    return STATUS_OK;
}

void cpu_arguments(const struct cpu_engine *cpu, const struct kernel *kernel, const int *slot, int step, void *out) {
    void *memory[PROGRAM_BUFFERS];
    for (int b = 0; b < PROGRAM_BUFFERS; ++b)
        memory[b] = cpu->memory[slot[b]];
    kernel_arguments(cpu->engine.program, kernel, memory, step, out);
}

int cpu_stage(struct cpu_engine *cpu, const struct stage *stage, int step,
              void (*run)(kernel_loop *loop, const void *arguments, struct range range)) {
    int *slot = cpu->engine.slot;
    if (stage->kind == STAGE_SWAP) {
        program_swap(stage, slot);
        return STATUS_OK;
    }
    const struct program *program = cpu->engine.program;
    if (stage->kind == STAGE_SUM) {
        tree_sum(cpu->memory[slot[stage->a]], program->buffers[stage->a].items, program->real_size, cpu->sums,
                 cpu->memory[slot[stage->b]]);
        return STATUS_OK;
    }
    const struct kernel *kernel = &program->kernels[stage->a];
    _Alignas(max_align_t) char arguments[ARGUMENT_BYTES];
    cpu_arguments(cpu, kernel, slot, step, arguments);
    const bool has_colours = stage->kind == STAGE_COLOURS;
    const int colours = has_colours ? program->colourings[stage->b].colours : 1, list[] = {0, kernel->columns},
              *start = has_colours ? program->colourings[stage->b].start : list;
    if (!run) /* one call for all colours, because their items are contiguous */
        kernel->loop(arguments, (struct range){start[0], start[colours], 0, kernel->rows});
    for (int c = 0; run && c < colours; ++c)
        run(kernel->loop, arguments, (struct range){start[c], start[c + 1], 0, kernel->rows});
    return STATUS_OK;
}

const char *cpu_name(void) {
    static char name[128];
    if (name[0])
        return name;
    snprintf(name, sizeof name, "unknown processor");
    errno = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[512];
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "model name : %127[^\n]", name) == 1)
            break;
    if (file ? ferror(file) : errno != ENOENT) /* the name is part of the key of a trace, so it must not be a guess */
        fail_and_end("cannot read the name of the processor from /proc/cpuinfo: %s", strerror(errno));
    if (file)
        fclose(file);
    return name;
}
