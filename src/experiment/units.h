/* Numbers with units, converted by udunits2. */
#ifndef SPRINGBACK_EXPERIMENT_UNITS_H
#define SPRINGBACK_EXPERIMENT_UNITS_H

#include "base/status.h"

#include <stdbool.h>

/* Read "0.005 s", "5 ms" as a number in `unit`, or "0.25", "25 %" as a pure number ("1"). `path` is what messages call
 * the quantity. Errors, at `place`: no number, not finite, no unit, a wrong one, or udunits' table cannot be read. */
int unit_read(struct place place, const char *path, const char *text, const char *unit, double *number);

/* The same, with another example of what would be right than half a unit. */
int unit_read_like(struct place place, const char *path, const char *text, const char *unit, const char *example,
                   double *number);

/* Whether a text is a unit; true of any text if udunits' table cannot be read. */
bool unit_is_known(const char *text);

/* The shortest decimal text that reads back as the same number; "0" for either zero. */
#define NUMBER_SIZE 32
void number_write(double number, char out[NUMBER_SIZE]);

#endif
