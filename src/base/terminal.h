/* The terminal behind an output, where there is one: its width, and colour on it. Files and pipes never get colour
 * unless a person asks for it. */
#ifndef SPRINGBACK_BASE_TERMINAL_H
#define SPRINGBACK_BASE_TERMINAL_H

#include "base/status.h"

#include <stdbool.h>
#include <stdio.h>

enum terminal_style {
    TERMINAL_PLAIN,
    TERMINAL_GOOD,  /* green */
    TERMINAL_FAIR,  /* yellow */
    TERMINAL_BAD,   /* red */
    TERMINAL_DIM,   /* grey */
    TERMINAL_ALARM, /* bold red */
    TERMINAL_STYLES
};

/* When to colour: "always"; "never"; "auto", as at the start: on a terminal, unless NO_COLOR holds anything or TERM is
 * dumb. STATUS_BAD, without a message, for any other word. */
int terminal_colour(const char *when);

/* What to print before and after a text of a style on this output; "" where nothing is to be coloured. */
const char *terminal_begin(FILE *out, enum terminal_style style);
const char *terminal_end(FILE *out, enum terminal_style style);

/* Whether an output is a terminal on which a line can be drawn anew. */
bool terminal_redraws(FILE *out);

/* Whether a text from a file holds no control characters but newlines and tabs: others can rewrite what a terminal
 * shows. The second puts a question mark in the place of each. */
bool terminal_is_plain(const char *text);
void terminal_clean(char *text);

/* Columns of the terminal behind an output; `otherwise` where there is none, or it does not say. */
int terminal_columns(FILE *out, int otherwise);

#endif
