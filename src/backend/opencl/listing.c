#include "backend/opencl/listing.h"

#include <stdarg.h>

void listing_begin(struct listing *l) {
    *l = (struct listing){.text = NULL};
    l->out = open_memstream(&l->text, &l->size);
}

char *listing_end(struct listing *l) {
    fclose(l->out);
    return l->text;
}

void listing_indent(struct listing *l) {
    fprintf(l->out, "%*s", 4 * l->depth, "");
}

static void write_line(struct listing *l, const char *end, const char *format, va_list arguments) {
    listing_indent(l);
    vfprintf(l->out, format, arguments);
    fputs(end, l->out);
}

void listing_line(struct listing *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(l, "\n", format, arguments);
    va_end(arguments);
}

void listing_open(struct listing *l, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    write_line(l, " {\n", format, arguments);
    va_end(arguments);
    ++l->depth;
}

void listing_block(struct listing *l) {
    listing_line(l, "{");
    ++l->depth;
}

void listing_close(struct listing *l) {
    --l->depth;
    listing_line(l, "}");
}
