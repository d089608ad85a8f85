#include "backend/opencl/kernel_source.h"

#include "backend/opencl/listing.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* How a function takes a buffer. */
static const char *space_of(const struct program *program, int buffer) {
    const enum sharing sharing = program->buffers[buffer].sharing;
    return buffer < program->state_count ? "STATE_SPACE"
           : sharing == BUFFER_FRAME     ? "FRAME_SPACE"
           : sharing == BUFFER_SPARE     ? "SPARE_SPACE"
           : sharing == BUFFER_FIXED     ? "__global const"
                                         : "__global";
}

/* A function of the buffers, by their members' names, the parameters, and what `more` declares. `head` is its type and
 * name, `body` a statement on the method's struct m. All three are freed. */
static void write_function(struct listing *l, const struct program *program, const struct binding *bindings, char *head,
                           char *more, char *body) {
    fprintf(l->out, "%s(", head);
    for (const struct binding *b = bindings; b->member; ++b) {
        const struct buffer *buffer = &program->buffers[b->buffer];
        if (buffer->sharing == BUFFER_TOTAL)
            fprintf(l->out, "TOTAL %s, ", b->member);
        else
            fprintf(l->out, "%s %s *%s, ", space_of(program, b->buffer), buffer->type, b->member);
    }
    listing_open(l, "const %s p, %s)", program->parameter_type, more);
    fprintf(l->out, "    const %s m = {", program->argument_type);
    for (const struct binding *b = bindings; b->member; ++b)
        fprintf(l->out, ".%s = %s, ", b->member, b->member);
    fprintf(l->out, ".p = p%s};\n", strstr(more, "const int step") ? ", .step = step" : "");
    listing_line(l, "%s", body);
    listing_close(l);
    free(head);
    free(more);
    free(body);
}

/* The item of a work item, and the last parameter, from which it follows. */
static const char *item_of(const struct program *program) {
    return program->is_listed ? "item" : "(int)get_global_id(0)";
}

static const char *last_of(const struct program *program) {
    return program->is_listed ? "item" : "count";
}

/* The statement that runs an item, with what is held of it. */
static char *statement_of(const struct program *program, const struct kernel *kernel, bool is_held) {
    const char *const suffix = is_held ? "_held" : "", *const held = is_held ? "held, " : "",
                      *const item = item_of(program);
    if (kernel->is_collective && kernel->hints.is_held && !is_held) /* a launch of its own takes it for itself */
        return text_format("const %s held = %s_all(%s, p, &m);\n    %s_held_all(%s, &held, p, &m);",
                           program->hints.held.type, program->hints.held.name, item, kernel->name, item);
    if (kernel->is_collective)
        return text_format("%s%s_all(%s, %sp, &m);", kernel->name, suffix, item, held);
    if (program->is_listed)
        return text_format("%s%s_item(item, %s&m);", kernel->name, suffix, held);
    return text_format("if (%s < count)\n        %s%s_item(%s, %s&m);", item, kernel->name, suffix, item, held);
}

static void write_run(struct listing *l, const struct program *program, const struct kernel *kernel) {
    write_function(l, program, kernel->bindings,
                   text_format("%s void %s", program->is_listed ? "static inline" : "ENTRY", kernel->name),
                   text_format("const int step, const int %s", last_of(program)), statement_of(program, kernel, false));
    if (kernel->hints.is_held)
        write_function(
            l, program, kernel->bindings, text_format("INLINE void %s_held", kernel->name),
            text_format("const int step, const %s *held, const int %s", program->hints.held.type, last_of(program)),
            statement_of(program, kernel, true));
}

/* An item in parts: what can be read before the others have met, the rest, and what it keeps of its own. */
static void write_parts(struct listing *l, const struct program *program, const struct kernel *kernel) {
    const char *const name = kernel->name, *const type = kernel->hints.prefetched;
    write_function(l, program, kernel->bindings, text_format("static inline %s %s_take", type, name),
                   text_copy("const int item"), text_format("return %s_take_item(item, &m);", name));
    write_function(l, program, kernel->bindings, text_format("static inline void %s_apply", name),
                   text_format("const int step, const int item, %s *taken", type),
                   text_format("%s_apply_item(item, taken, &m);", name));
    if (kernel->hints.writes_back)
        write_function(l, program, kernel->bindings, text_format("static inline void %s_keep", name),
                       text_format("const int item, const %s *taken", type),
                       text_format("%s_keep_item(item, taken, &m);", name));
}

bool kernel_is_repeated(const struct program *program, int k) {
    int same = 0;
    while (strcmp(program->kernels[same].name, program->kernels[k].name) != 0)
        ++same;
    return same < k;
}

char *kernel_source(const struct program *program) {
    struct listing l;
    listing_begin(&l);
    fprintf(l.out,
            "#line 1 \"kernels\"\n#ifdef FRAME\n#define ENTRY static inline\n#else\n#define ENTRY __kernel\n#endif\n");
    if (program->hints.held.type)
        write_function(&l, program, program->hints.held.bindings,
                       text_format("INLINE %s %s", program->hints.held.type, program->hints.held.name),
                       text_format("const int %s", last_of(program)),
                       text_format("return %s_all(%s, p, &m);", program->hints.held.name, item_of(program)));
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (kernel_is_repeated(program, k))
            continue;
        write_run(&l, program, kernel);
        if (kernel->hints.prefetched)
            write_parts(&l, program, kernel);
    }
    return listing_end(&l);
}
