/* The recipe of a trace: all that it is made from. A trace is up to date where the recipe of the present run has the
 * key that the trace carries. */
#ifndef SPRINGBACK_RUN_RECIPE_H
#define SPRINGBACK_RUN_RECIPE_H

#include "run/simulation.h"
#include "trace/trace.h"

#include <stdbool.h>

struct recipe {
    const struct run *run;
    const char *device, *driver; /* the choice's own */
    char kernels[DIGEST_SIZE], body[DIGEST_SIZE];
    char key[DIGEST_SIZE];
};

/* A change of what a trace holds, which makes all old ones stale, is a new generation. */
const char *recipe_generation(void);

/* The recipe of a run on a backend; run and choice must outlive it. Fails where a kernel file cannot be read. */
int recipe_make(const struct run *run, const struct model *model, const struct backend_choice *choice,
                struct recipe *out);

/* Why the trace at a path is not what the recipe makes: "no trace yet", "method.stiffness was 100 N/m, is 120 N/m", ...
 * Newly allocated; NULL where it is. Says nothing. */
char *recipe_differs(const struct recipe *recipe, const char *path);

/* Whether `springback run --set` gave a trace this parameter. */
bool recipe_was_set(const struct trace_parameter *parameter);

/* How many parameters of a run are others than those of a trace, but for the backend and for what `--set` gave; and
 * which, where text is not NULL: newly allocated, as above, and NULL where there are none. */
int recipe_parameters_differ(const struct run *run, const struct trace_data *trace, char **text);

#endif
