/* Writes source text in OpenCL C line by line. */
#ifndef SPRINGBACK_BACKEND_SOURCE_WRITER_H
#define SPRINGBACK_BACKEND_SOURCE_WRITER_H

#include "method/program.h"

#include <stddef.h>
#include <stdio.h>

struct source_writer {
    FILE *out; /* callers also write parts of lines to this stream directly */
    char *text;
    size_t size;
    int depth; /* number of open brackets; each indents a line by four columns */
};

void source_begin(struct source_writer *l);

/* Returns the text, newly allocated. */
char *source_end(struct source_writer *l);

/* Write the indent of a line. */
void source_indent(struct source_writer *l);

/* source_line writes a line. source_open writes a line that ends with "{", source_block a line "{", and source_close a
 * line "}". */
void source_line(struct source_writer *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void source_open(struct source_writer *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void source_block(struct source_writer *l);
void source_close(struct source_writer *l);

/* Write the declaration of a pointer to a buffer in global memory: the pointer's type and `name`. */
void source_pointer(struct source_writer *l, const struct buffer *buffer, const char *name);

/* Write the definition of the method's struct `m`. The members are set from variables of the same names: the buffers of
 * `bindings`, `p`, and, if has_step, `step`. */
void source_argument(struct source_writer *l, const struct program *program, const struct binding *bindings,
                     bool has_step);

#endif
