#include "backend/opencl/source_writer.h"

#include <stdarg.h>

void source_begin(struct source_writer *l) {
    *l = (struct source_writer){.text = NULL};
    l->out = open_memstream(&l->text, &l->size);
}

char *source_end(struct source_writer *l) {
    fclose(l->out);
    return l->text;
}

void source_indent(struct source_writer *l) {
    fprintf(l->out, "%*s", 4 * l->depth, "");
}

void source_line(struct source_writer *l, const char *format, ...) {
    va_list arguments;
    source_indent(l);
    va_start(arguments, format);
    vfprintf(l->out, format, arguments);
    va_end(arguments);
    fputc('\n', l->out);
}

void source_open(struct source_writer *l, const char *format, ...) {
    va_list arguments;
    source_indent(l);
    va_start(arguments, format);
    vfprintf(l->out, format, arguments);
    va_end(arguments);
    fputs(" {\n", l->out);
    ++l->depth;
}

void source_block(struct source_writer *l) {
    source_line(l, "{");
    ++l->depth;
}

void source_close(struct source_writer *l) {
    --l->depth;
    source_line(l, "}");
}

void source_pointer(struct source_writer *l, const struct buffer *buffer, const char *name) {
    const bool is_fixed = buffer->sharing == BUFFER_FIXED;
    fprintf(l->out, "__global %s%s *%s%s", is_fixed ? "const " : "", buffer->type, is_fixed ? "restrict " : "", name);
}

void source_argument(struct source_writer *l, const struct program *program, const struct binding *bindings,
                     bool has_step) {
    source_indent(l);
    fprintf(l->out, "const %s m = {", program->argument_type);
    for (const struct binding *b = bindings; b->member; ++b)
        fprintf(l->out, ".%s = %s, ", b->member, b->member);
    fprintf(l->out, ".p = p%s};\n", has_step ? ", .step = step" : "");
}
