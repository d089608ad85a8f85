#include "backend/opencl/kernel_source.h"

#include "backend/opencl/source_writer.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The address space of a function's pointer to a buffer, as a word or macro of kernels/. */
static const char *space_of(const struct program *program, int buffer) {
    const enum sharing sharing = program->buffers[buffer].sharing;
    return buffer < program->state_count ? "STATE_SPACE"
           : sharing == BUFFER_FRAME     ? "FRAME_SPACE"
           : sharing == BUFFER_SPARE     ? "SPARE_SPACE"
           : sharing == BUFFER_SUMMED    ? "SHARE_SPACE"
           : sharing == BUFFER_FIXED     ? "__global const"
                                         : "__global";
}

/* Write a function. Its parameters are the buffers, the program's parameters `p`, and `more`. A buffer has the name of
 * the member of the method's struct that points to the buffer. `head` is the function's type and name. `body` is a
 * statement that uses the method's struct m. Frees `head`, `more` and `body`. */
static void write_function(struct source_writer *l, const struct program *program, const struct binding *bindings,
                           char *head, char *more, char *body) {
    fprintf(l->out, "%s(", head);
    for (const struct binding *b = bindings; b->member; ++b) {
        const struct buffer *buffer = &program->buffers[b->buffer];
        if (buffer->sharing == BUFFER_TOTAL)
            fprintf(l->out, "TOTAL %s, ", b->member);
        else
            fprintf(l->out, "%s %s *%s, ", space_of(program, b->buffer), buffer->type, b->member);
    }
    source_open(l, "const %s p, %s)", program->parameter_type, more);
    source_argument(l, program, bindings, strstr(more, "const int step") != NULL);
    source_line(l, "%s", body);
    source_close(l);
    free(head);
    free(more);
    free(body);
}

/* The expression with which a generated function passes the index of its item to the functions of kernels/. */
static const char *item_of(const struct program *program) {
    return program->is_list_program ? "item" : "ITEM";
}

/* The name of the last parameter of a generated function: `last` in kernel_source.h. */
static const char *last_of(const struct program *program) {
    return program->is_list_program ? "item" : "count";
}

/* The statement that runs an item. If is_resident, the statement uses the resident data to which the parameter
 * `resident` of the generated function points. Newly allocated; the caller frees it. */
static char *statement_of(const struct program *program, const struct kernel *kernel, bool is_resident) {
    const char *const suffix = is_resident ? "_resident" : "", *const resident = is_resident ? "resident, " : "",
                      *const item = item_of(program);
    if (kernel->is_collective && kernel->hints.uses_resident && !is_resident) /* the statement loads resident data */
        return text_format("%s resident = %s_all(%s, p, &m);\n    %s_resident_all(%s, &resident, p, &m);",
                           program->hints.resident.type, program->hints.resident.name, item, kernel->name, item);
    if (kernel->is_collective)
        return text_format("%s%s_all(%s, %sp, &m);", kernel->name, suffix, item, resident);
    if (program->is_list_program)
        return text_format("%s%s_item(item, %s&m);", kernel->name, suffix, resident);
    return text_format("if (%s < count)\n        %s%s_item(%s, %s&m);", item, kernel->name, suffix, item, resident);
}

static void write_run(struct source_writer *l, const struct program *program, const struct kernel *kernel) {
    write_function(l, program, kernel->bindings,
                   text_format("%s void %s",
                               program->is_list_program            ? "static inline"
                               : kernel_is_summed(program, kernel) ? "SUMMED_ENTRY"
                                                                   : "ENTRY",
                               kernel->name),
                   text_format("const int step, const int %s", last_of(program)), statement_of(program, kernel, false));
    if (kernel->hints.uses_resident)
        write_function(
            l, program, kernel->bindings, text_format("INLINE void %s_resident", kernel->name),
            text_format("const int step, %s *resident, const int %s", program->hints.resident.type, last_of(program)),
            statement_of(program, kernel, true));
}

/* Write the functions of a split item (program.h: kernel_hints.prefetched). */
static void write_prefetch(struct source_writer *l, const struct program *program, const struct kernel *kernel) {
    const char *const name = kernel->name, *const type = kernel->hints.prefetched;
    write_function(l, program, kernel->bindings, text_format("static inline %s %s_prefetch", type, name),
                   text_copy("const int item"), text_format("return %s_prefetch_item(item, &m);", name));
    write_function(l, program, kernel->bindings, text_format("static inline void %s_apply", name),
                   text_format("const int step, const int item, %s *prefetched", type),
                   text_format("%s_apply_item(item, prefetched, &m);", name));
    if (kernel->hints.writes_back)
        write_function(l, program, kernel->bindings, text_format("static inline void %s_write_back", name),
                       text_format("const int item, const %s *prefetched", type),
                       text_format("%s_write_back_item(item, prefetched, &m);", name));
}

bool kernel_is_duplicate(const struct program *program, int k) {
    int same = 0;
    while (strcmp(program->kernels[same].name, program->kernels[k].name) != 0)
        ++same;
    return same < k;
}

char *kernel_source(const struct program *program) {
    struct source_writer l;
    source_begin(&l);
    fprintf(l.out,
            "#line 1 \"kernels\"\n#ifdef FRAME\n#define ENTRY static inline\n#else\n#define ENTRY __kernel\n#endif\n"
            "#ifdef SUMS_ARE_FUSED\n#define SUMMED_ENTRY static inline\n#else\n#define SUMMED_ENTRY ENTRY\n#endif\n");
    if (program->hints.resident.type)
        write_function(&l, program, program->hints.resident.bindings,
                       text_format("INLINE %s %s", program->hints.resident.type, program->hints.resident.name),
                       text_format("const int %s", last_of(program)),
                       text_format("return %s_all(%s, p, &m);", program->hints.resident.name, item_of(program)));
    for (int k = 0; k < program->kernel_count; ++k) {
        const struct kernel *kernel = &program->kernels[k];
        if (kernel_is_duplicate(program, k))
            continue;
        write_run(&l, program, kernel);
        if (kernel->hints.prefetched)
            write_prefetch(&l, program, kernel);
    }
    return source_end(&l);
}
