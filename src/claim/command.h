/* The command that repeats a verdict. */
#ifndef SPRINGBACK_CLAIM_COMMAND_H
#define SPRINGBACK_CLAIM_COMMAND_H

#include "claim/claim.h"

/* A line for a shell in the repository that runs again what the verdict rests on, and judges the claims of the file
 * about its experiment; of a claim without runs, those of the file. Newly allocated. */
char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims);

#endif
