/* --only: some of a plan's runs. */
#ifndef SPRINGBACK_EXPERIMENT_SELECTION_H
#define SPRINGBACK_EXPERIMENT_SELECTION_H

#include "experiment/description.h"

/* Keep the runs that every KEY=VALUE of options->only fits; ids must be made already. Errors: no such key, a short key
 * that could be two, a value that the field does not take, no run left. */
int selection_apply(const struct plan_options *options, const struct description *description, struct plan *plan);

#endif
