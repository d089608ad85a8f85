/* Width and colours of the terminal to which an output is printed. Files and pipes get no colour unless the user
 * requests it. */
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

/* Choose when output is coloured: "always", "never" or "auto" (the initial state). "auto" colours output on a terminal,
 * except in two cases: NO_COLOR is not empty; TERM is unset, empty or "dumb". Returns STATUS_BAD, without a message,
 * for any other word. */
int terminal_colour(const char *when);

/* The texts to print before and after a text of this style; "" if the output is not coloured. */
const char *terminal_begin(FILE *out, enum terminal_style style);
const char *terminal_end(FILE *out, enum terminal_style style);

/* Whether an output is a terminal on which a line can be redrawn. */
bool terminal_redraws(FILE *out);

/* terminal_is_plain returns whether a text has no control characters except newlines and tabs. Other control characters
 * in a text from a file could change what the terminal shows; terminal_clean replaces each of their bytes by a question
 * mark. */
bool terminal_is_plain(const char *text);
void terminal_clean(char *text);

/* Columns of the terminal behind an output; `otherwise` if there is no terminal or its width is unknown. */
int terminal_columns(FILE *out, int otherwise);

#endif
