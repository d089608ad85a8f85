/* Numbers with units, converted by udunits2. */
#ifndef SPRINGBACK_EXPERIMENT_UNITS_H
#define SPRINGBACK_EXPERIMENT_UNITS_H

#include "base/status.h"

#include <stdbool.h>

/* Read "0.005 s" or "5 ms" as a number in `unit`. If `unit` is "1", read "0.25" or "25 %" as a pure number. Messages
 * call the quantity `path`. Errors, at `place`: not a number, not finite, a missing or wrong unit. Ends the program if
 * udunits' table cannot be read. */
int unit_read(struct place place, const char *path, const char *text, const char *unit, double *number);

/* Like unit_read, but messages show `example` as an example of a valid text. unit_read itself shows 0.5 with the
 * unit. */
int unit_read_like(struct place place, const char *path, const char *text, const char *unit, const char *example,
                   double *number);

/* Whether a text is a unit. Ends the program if udunits' table cannot be read. */
bool unit_is_known(const char *text);

/* A decimal text that reads back as the same number: the shortest of the texts that printf's %g gives with 1 to 17
 * digits. "0" for -0 too. */
#define NUMBER_SIZE 32
void number_write(double number, char out[NUMBER_SIZE]);

#endif
