#include "backend/opencl/kernel_source.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* The buffers, by their members' names, and the parameters. */
static void write_parameters(FILE *out, const struct program *program, const struct binding *bindings) {
    for (const struct binding *b = bindings; b->member; ++b) {
        const struct buffer *buffer = &program->buffers[b->buffer];
        if (buffer->sharing == BUFFER_TOTAL)
            fprintf(out, "TOTAL %s, ", b->member);
        else if (buffer->sharing == BUFFER_FRAME && !strcmp(buffer->type, "quad"))
            fprintf(out, "FRAME_QUADS %s, ", b->member);
        else
            fprintf(out, "%s %s *%s, ",
                    b->buffer < program->state_count  ? "STATE_SPACE"
                    : buffer->sharing == BUFFER_FRAME ? "FRAME_SPACE"
                    : buffer->sharing == BUFFER_SPARE ? "SPARE_SPACE"
                    : buffer->sharing == BUFFER_FIXED ? "__global const"
                                                      : "__global",
                    buffer->type, b->member);
    }
    fprintf(out, "const %s p", program->parameter_type);
}

/* The method's struct. */
static void write_struct(FILE *out, const struct program *program, const struct binding *bindings, bool has_step) {
    fprintf(out, "    const %s m = {", program->argument_type);
    for (const struct binding *b = bindings; b->member; ++b)
        fprintf(out, ".%s = %s, ", b->member, b->member);
    fprintf(out, ".p = p%s};\n", has_step ? ", .step = step" : "");
}

/* The item of a work item, and the last parameter, from which it follows. */
static const char *item_of(const struct program *program) {
    return program->is_listed ? "item" : "(int)get_global_id(0)";
}

static const char *last_of(const struct program *program) {
    return program->is_listed ? "item" : "count";
}

/* A function that calls the item function, or that of what is held. */
static void write_call(FILE *out, const struct program *program, const struct kernel *kernel, bool is_held) {
    const char *const suffix = is_held ? "_held" : "", *const held = is_held ? "held, " : "";
    fprintf(out, "%s void %s%s(",
            is_held              ? "INLINE"
            : program->is_listed ? "static inline"
                                 : "ENTRY",
            kernel->name, suffix);
    write_parameters(out, program, kernel->bindings);
    fprintf(out, ", const int step");
    if (is_held)
        fprintf(out, ", const %s *held", program->hints.held.type);
    fprintf(out, ", const int %s) {\n", last_of(program));
    write_struct(out, program, kernel->bindings, true);
    const bool takes_held = kernel->is_collective && kernel->hints.is_held && !is_held; /* by itself, for one launch */
    if (takes_held)
        fprintf(out, "    const %s held = %s_all(%s, p, &m);\n", program->hints.held.type, program->hints.held.name,
                item_of(program));
    if (kernel->is_collective)
        fprintf(out, "    %s%s_all(%s, %sp, &m);\n}\n", kernel->name, takes_held ? "_held" : suffix, item_of(program),
                takes_held ? "&held, " : held);
    else if (program->is_listed)
        fprintf(out, "    %s%s_item(item, %s&m);\n}\n", kernel->name, suffix, held);
    else
        fprintf(out, "    if (%s < count)\n        %s%s_item(%s, %s&m);\n}\n", item_of(program), kernel->name, suffix,
                item_of(program), held);
}

/* An item in parts: what can be read before the others have met, the rest, and what it keeps of its own. */
static void write_parts(FILE *out, const struct program *program, const struct kernel *kernel) {
    fprintf(out, "static inline %s %s_take(", kernel->hints.prefetched, kernel->name);
    write_parameters(out, program, kernel->bindings);
    fprintf(out, ", const int item) {\n");
    write_struct(out, program, kernel->bindings, false);
    fprintf(out, "    return %s_take_item(item, &m);\n}\nstatic inline void %s_apply(", kernel->name, kernel->name);
    write_parameters(out, program, kernel->bindings);
    fprintf(out, ", const int step, const int item, %s *taken) {\n", kernel->hints.prefetched);
    write_struct(out, program, kernel->bindings, true);
    fprintf(out, "    %s_apply_item(item, taken, &m);\n}\n", kernel->name);
    if (!kernel->hints.writes_back)
        return;
    fprintf(out, "static inline void %s_keep(", kernel->name);
    write_parameters(out, program, kernel->bindings);
    fprintf(out, ", const int item, const %s *taken) {\n", kernel->hints.prefetched);
    write_struct(out, program, kernel->bindings, false);
    fprintf(out, "    %s_keep_item(item, taken, &m);\n}\n", kernel->name);
}

static void write_held(FILE *out, const struct program *program) {
    fprintf(out, "INLINE %s %s(", program->hints.held.type, program->hints.held.name);
    write_parameters(out, program, program->hints.held.bindings);
    fprintf(out, ", const int %s) {\n", last_of(program));
    write_struct(out, program, program->hints.held.bindings, false);
    fprintf(out, "    return %s_all(%s, p, &m);\n}\n", program->hints.held.name, item_of(program));
}

bool kernel_is_repeated(const struct program *program, int k) {
    int same = 0;
    while (strcmp(program->kernels[same].name, program->kernels[k].name) != 0)
        ++same;
    return same < k;
}

char *kernel_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    fprintf(out,
            "#line 1 \"kernels\"\n#ifdef FRAME\n#define ENTRY static inline\n#else\n#define ENTRY __kernel\n#endif\n");
    if (program->hints.held.type)
        write_held(out, program);
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (kernel_is_repeated(program, k))
            continue;
        write_call(out, program, kernel, false);
        if (kernel->hints.is_held)
            write_call(out, program, kernel, true);
        if (kernel->hints.prefetched)
            write_parts(out, program, kernel);
    }
    fclose(out);
    return source;
}
