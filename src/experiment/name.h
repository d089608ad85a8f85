/* Rules for the names of experiments, figures, claim files, bodies, machines and runs. These names become part of
 * paths, make targets, and lines of shell and gnuplot. A name has one or more parts, separated by '/'. A part may have
 * the letters A to Z and a to z, digits, '.', '_' and '-'. It must not begin with '.' or '-'. */
#ifndef SPRINGBACK_EXPERIMENT_NAME_H
#define SPRINGBACK_EXPERIMENT_NAME_H

#include "base/status.h"

#include <stdbool.h>

/* Whether a name of one part follows the rule. */
bool name_is_plain(const char *name);

/* Whether a name follows the rule for the id of a run and the name of its trace file. Such a name has one part, which
 * may also have '=', ',' and '+'. */
bool name_is_run(const char *name);

/* Check a name. If the name breaks the rule, report it and return STATUS_BAD. `what` describes the name in the message,
 * as in "the experiment's name". */
int name_check(struct place place, const char *what, const char *name);

#endif
