/* Names that become a part of a path, a make target, or a line of a shell or gnuplot: of experiments, figures, files of
 * claims, bodies, machines and runs. A name has one part or several with '/' between. Each part is made of the letters
 * A to Z and a to z, digits, '.', '_' and '-', and begins with neither '.' nor '-'. */
#ifndef SPRINGBACK_EXPERIMENT_NAME_H
#define SPRINGBACK_EXPERIMENT_NAME_H

#include "base/status.h"

#include <stdbool.h>

/* Whether a name of one part follows the rule. */
bool name_is_plain(const char *name);

/* The same for a run's id and the file of its trace, where '=', ',' and '+' may stand too. */
bool name_is_run(const char *name);

/* Refuse a name that breaks the rule. `what` says whose name it is, as in "the experiment's name". */
int name_check(struct place place, const char *what, const char *name);

#endif
