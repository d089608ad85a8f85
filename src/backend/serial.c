/* The serial backend: plain loops on one core. It is the reference. */
#include "backend/cpu.h"
#include "base/memory.h"
#include "method/tree_sum.h"

static int visit(void *context, const struct stage *stage, int step) {
    struct cpu_engine *cpu = context;
    int *slot = cpu->engine.slot;
    if (stage->kind == STAGE_SWAP) {
        int held = slot[stage->a];
        slot[stage->a] = slot[stage->b];
        slot[stage->b] = held;
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
    struct range range = {0, kernel->columns, 0, kernel->rows};
    if (stage->kind == STAGE_COLOURS) { /* they lie one behind the other */
        range.column_begin = program->colourings[stage->b].start[0];
        range.column_end = program->colourings[stage->b].start[program->colourings[stage->b].colours];
    }
    kernel->loop(arguments, range);
    return STATUS_OK;
}

static int advance(struct engine *engine) {
    return program_walk(engine->program, visit, engine, &engine->step);
}

static int check(const struct backend_choice *choice, const struct program *program) {
    return cpu_check(choice, program, 0);
}

static int begin(const struct backend_choice *choice, const struct program *program, struct engine **out) {
    struct cpu_engine *cpu = memory_new(1, sizeof *cpu);
    const int status = cpu_create(cpu, choice, program);
    if (status)
        cpu_close(&cpu->engine);
    else
        *out = &cpu->engine;
    return status;
}

const struct backend backend_serial = {"serial", check, begin, cpu_close, cpu_write, cpu_read, advance, NULL, NULL};
