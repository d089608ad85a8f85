/* The manual in its forms, all made from the tables that the program itself goes by. */
#ifndef SPRINGBACK_CLI_MANUAL_H
#define SPRINGBACK_CLI_MANUAL_H

#include "cli/verb.h"

#include <stdio.h>

/* springback(1), of the command, and springback(5), of the experiment file, as man takes them (roff). */
void man_page_command(FILE *out);
void man_page_file(FILE *out);

/* Completion for bash, to be sourced. */
void completion_bash(FILE *out);

#endif
