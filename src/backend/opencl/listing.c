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

void listing_line(struct listing *l, const char *format, ...) {
    va_list arguments;
    listing_indent(l);
    va_start(arguments, format);
    vfprintf(l->out, format, arguments);
    va_end(arguments);
    fputc('\n', l->out);
}

void listing_open(struct listing *l, const char *format, ...) {
    va_list arguments;
    listing_indent(l);
    va_start(arguments, format);
    vfprintf(l->out, format, arguments);
    va_end(arguments);
    fputs(" {\n", l->out);
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
