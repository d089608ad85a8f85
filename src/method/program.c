#include "method/program.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

size_t buffer_size(const struct buffer *buffer) {
    return buffer->items * buffer->item_size;
}

size_t program_bytes(const struct program *program) {
    size_t bytes = 0;
    for (int b = 0; b < program->buffer_count; ++b)
        bytes += buffer_size(&program->buffers[b]);
    return bytes;
}

bool buffer_is_frame_local(const struct buffer *buffer) {
    return buffer->sharing == BUFFER_FRAME || buffer->sharing == BUFFER_SPARE;
}

size_t program_largest_sum(const struct program *program) {
    size_t most = 0;
    for (int s = 0; s < program->stage_count; ++s) {
        const struct stage *stage = &program->stages[s];
        if (stage->kind == STAGE_SUM && program->buffers[stage->a].items > most)
            most = program->buffers[stage->a].items;
    }
    return most;
}

bool stage_feeds_sum(const struct program *program, const struct stage *stage) {
    const struct stage *next = stage + 1;
    if (stage->kind != STAGE_RUN || next == program->stages + program->stage_count || next->kind != STAGE_SUM)
        return false;
    const struct kernel *kernel = &program->kernels[stage->a];
    const struct buffer *added = &program->buffers[next->a];
    return kernel->rows <= 1 && (added->sharing == BUFFER_OWN || added->sharing == BUFFER_SUMMED) &&
           added->items == (size_t)kernel->columns;
}

bool kernel_is_summed(const struct program *program, const struct kernel *kernel) {
    bool is_summed = false;
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        is_summed |= program->buffers[b->buffer].sharing == BUFFER_SUMMED;
    return is_summed;
}

int binding_count(const struct binding *bindings) {
    int count = 0;
    while (bindings[count].member)
        ++count;
    return count;
}

void kernel_arguments(const struct program *program, const struct kernel *kernel, void *const *memory, int step,
                      void *out) {
    char *p = (char *)out + program->parameters_offset;
    memset(out, 0, program->parameters_offset);
    for (const struct binding *b = kernel->bindings; b->member; ++b)
        memcpy((char *)out + b->offset, &memory[b->buffer], sizeof *memory);
    memcpy(p, program->parameters, program->parameter_size);
    memcpy(p + program->parameter_size, &step, sizeof step);
}

/* The index of the stage after the STAGE_END of the loop that begins at stage `open`. */
static int bracket_end(const struct stage *stages, int count, int open) {
    int depth = 0, s = open;
    do {
        enum stage_kind kind = stages[s].kind;
        depth += kind == STAGE_STEPS || kind == STAGE_REPEAT ? 1 : kind == STAGE_END ? -1 : 0;
        ++s;
    } while (depth > 0 && s < count);
    return s;
}

void program_swap(const struct stage *stage, int *slot) {
    const int slot_a = slot[stage->a];
    slot[stage->a] = slot[stage->b];
    slot[stage->b] = slot_a;
}

static int walk(const struct stage *stages, int begin, int end, stage_visit *visit, void *context, int *step) {
    for (int s = begin; s < end;) {
        const struct stage *stage = &stages[s];
        if (stage->kind != STAGE_STEPS && stage->kind != STAGE_REPEAT) {
            int status = visit(context, stage, *step);
            if (status)
                return status;
            ++s;
            continue;
        }
        int after = bracket_end(stages, end, s);
        for (int k = 0; k < stage->count; ++k) {
            int status = walk(stages, s + 1, after - 1, visit, context, step);
            if (status)
                return status;
            *step += stage->kind == STAGE_STEPS;
        }
        s = after;
    }
    return STATUS_OK;
}

int program_walk(const struct program *program, stage_visit *visit, void *context, int *step) {
    return walk(program->stages, 0, program->stage_count, visit, context, step);
}

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_buffers(const struct program *a, const struct program *b) {
    bool same = a->buffer_count == b->buffer_count;
    for (int k = 0; k < a->buffer_count && same; ++k) {
        const struct buffer *one = &a->buffers[k], *other = &b->buffers[k];
        same = same_text(one->type, other->type) && one->sharing == other->sharing && one->items == other->items &&
               one->item_size == other->item_size;
    }
    return same;
}

static bool same_bindings(const struct binding *a, const struct binding *b) {
    for (; a->member && b->member; ++a, ++b)
        if (a->buffer != b->buffer || strcmp(a->member, b->member) != 0)
            return false;
    return !a->member && !b->member;
}

static bool same_kernels(const struct program *a, const struct program *b) {
    bool same = a->kernel_count == b->kernel_count;
    for (int k = 0; k < a->kernel_count && same; ++k) {
        const struct kernel *one = &a->kernels[k], *other = &b->kernels[k];
        same = same_text(one->name, other->name) && same_bindings(one->bindings, other->bindings) &&
               one->columns == other->columns && one->rows == other->rows &&
               same_text(one->hints.prefetched, other->hints.prefetched) &&
               one->hints.prefetched_words == other->hints.prefetched_words &&
               one->hints.writes_back == other->hints.writes_back && one->group_size == other->group_size &&
               one->loop == other->loop && one->simd == other->simd;
    }
    return same;
}

static bool same_stages(const struct stage *a, int a_count, const struct stage *b, int b_count) {
    bool same = a_count == b_count;
    for (int s = 0; s < a_count && same; ++s)
        same = a[s].kind == b[s].kind && a[s].a == b[s].a && a[s].b == b[s].b;
    return same;
}

static bool same_colourings(const struct program *a, const struct program *b) {
    bool same = true;
    for (int k = 0; k < PROGRAM_COLOURINGS && same; ++k) {
        const struct colouring *one = &a->colourings[k], *other = &b->colourings[k];
        same =
            one->colours == other->colours &&
            (one->colours <= 0 || !memcmp(one->start, other->start, ((size_t)one->colours + 1) * sizeof *one->start));
    }
    return same;
}

static bool same_texts(const struct program *a, const struct program *b) {
    bool same = a->source_count == b->source_count && a->constant_count == b->constant_count &&
                same_text(a->argument_type, b->argument_type) && a->parameter_size == b->parameter_size &&
                same_text(a->hints.converged.name, b->hints.converged.name) &&
                a->hints.converged.buffer == b->hints.converged.buffer;
    for (int s = 0; s < a->source_count && same; ++s)
        same = same_text(a->sources[s], b->sources[s]);
    for (int c = 0; c < a->constant_count && same; ++c)
        same = same_text(a->constants[c].name, b->constants[c].name) && a->constants[c].value == b->constants[c].value;
    return same;
}

bool program_is_compatible(const struct program *a, const struct program *b) {
    return a->real_size == b->real_size && a->positions == b->positions && a->velocities == b->velocities &&
           a->has_hidden_state == b->has_hidden_state && a->method_record == b->method_record &&
           a->state_count == b->state_count && a->is_list_program == b->is_list_program &&
           a->hints.low_register == b->hints.low_register && a->has_unordered_sums == b->has_unordered_sums &&
           same_texts(a, b) && same_buffers(a, b) && same_kernels(a, b) &&
           same_stages(a->stages, a->stage_count, b->stages, b->stage_count) &&
           same_stages(a->hints.fused_stages, a->hints.fused_count, b->hints.fused_stages, b->hints.fused_count) &&
           same_colourings(a, b);
}

void program_fuse(struct program *program) {
    if (!program->hints.fused_count)
        return;
    memcpy(program->stages, program->hints.fused_stages, sizeof program->stages);
    program->stage_count = program->hints.fused_count;
    program->hints.fused_count = 0;
}

int program_sum_count(const struct program *program) {
    int sums = 0;
    for (int s = 0; s < program->stage_count; ++s)
        sums += program->stages[s].kind == STAGE_SUM;
    return sums;
}

const struct kernel *program_single_kernel(const struct program *program) {
    const struct stage *stages = program->stages;
    const int last = program->stage_count - 1;
    if (last < 2 || stages[0].kind != STAGE_STEPS || stages[1].kind != STAGE_RUN || stages[last].kind != STAGE_END)
        return NULL;
    for (int s = 2; s < last; ++s)
        if (stages[s].kind != STAGE_SWAP)
            return NULL;
    return &program->kernels[stages[1].a];
}

void real_store(void *array, size_t k, double value, int real_size) {
    if (real_size == sizeof(float))
        ((float *)array)[k] = (float)value;
    else
        ((double *)array)[k] = value;
}

double real_load(const void *array, size_t k, int real_size) {
    return real_size == sizeof(float) ? (double)((const float *)array)[k] : ((const double *)array)[k];
}

/* If a method exceeds a limit, which is an error of the method, end the program. This function is not an assert,
 * because the object code would then contain the assert's line number, on which the keys of results would depend. */
static void require(bool fits, const char *what) {
    if (!fits)
        fail_and_end("a method has more %s than method/program.h allows; raise the limit there", what);
}

void program_set_parameters(struct program *program, const void *parameters, size_t real_bytes, size_t bytes) {
    const size_t reals = real_bytes / sizeof(double), stored = reals * (size_t)program->real_size;
    program->parameter_size = stored + bytes - real_bytes;
    program->parameters = memory_new(1, program->parameter_size);
    for (size_t k = 0; k < reals; ++k)
        real_store(program->parameters, k, ((const double *)parameters)[k], program->real_size);
    memcpy((char *)program->parameters + stored, (const char *)parameters + real_bytes, bytes - real_bytes);
    require(program->parameters_offset + program->parameter_size + sizeof(int) <= ARGUMENT_BYTES, "parameters");
}

void program_add_stage(struct program *program, enum stage_kind kind, int a, int b, int count) {
    require(program->stage_count < PROGRAM_STAGES, "stages");
    program->stages[program->stage_count++] = (struct stage){kind, a, b, count};
}

void program_add_constant(struct program *program, const char *name, int value) {
    require(program->constant_count < PROGRAM_CONSTANTS, "constants");
    program->constants[program->constant_count].name = name;
    program->constants[program->constant_count++].value = value;
}

void program_get_parameters(const struct program *program, void *parameters, size_t real_bytes, size_t bytes) {
    const size_t reals = real_bytes / sizeof(double), stored = reals * (size_t)program->real_size;
    for (size_t k = 0; k < reals; ++k)
        ((double *)parameters)[k] = real_load(program->parameters, k, program->real_size);
    memcpy((char *)parameters + real_bytes, (const char *)program->parameters + stored, bytes - real_bytes);
}

void program_free(struct program *program) {
    free(program->parameters);
    *program = (struct program){.buffer_count = 0};
}
