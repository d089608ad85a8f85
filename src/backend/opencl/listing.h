/* A text of OpenCL C while it is written, line by line. */
#ifndef SPRINGBACK_BACKEND_LISTING_H
#define SPRINGBACK_BACKEND_LISTING_H

#include <stddef.h>
#include <stdio.h>

struct listing {
    FILE *out; /* what has no end of line yet is written here */
    char *text;
    size_t size;
    int depth; /* brackets that are open: each moves a line by four columns */
};

void listing_begin(struct listing *l);

/* The text, newly allocated. */
char *listing_end(struct listing *l);

/* Begin a line: write its indent. */
void listing_indent(struct listing *l);

/* Write a line; one that ends with a bracket, which opens; the bracket alone; and "}", which closes it. */
void listing_line(struct listing *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void listing_open(struct listing *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void listing_block(struct listing *l);
void listing_close(struct listing *l);

#endif
