/* The recipe of a trace: all that it is made from. A trace is up to date where the recipe of the present run has the
 * key that the trace carries. */
#ifndef SPRINGBACK_RUN_RECIPE_H
#define SPRINGBACK_RUN_RECIPE_H

#include "run/provenance.h"
#include "run/simulation.h"
#include "trace/trace.h"

#include <stdbool.h>

struct recipe {
    const struct run *run;
    const char *device, *driver; /* the choice's own; of a run whose number of threads may change, the processor */
    bool may_change_threads;
    char kernels[DIGEST_SIZE], body[DIGEST_SIZE];
    char code[DIGEST_SIZE], backend_code[DIGEST_SIZE]; /* that the run reaches (provenance.h) */
    char key[DIGEST_SIZE];
};

/* Add the hashes and the generation to a trace's provenance. A change of what a trace holds, which makes all old ones
 * stale, is a new generation. */
void recipe_add_notes(const struct recipe *recipe, struct notes *notes);

/* The recipe of a run on a backend; run and choice must outlive it. Fails where a kernel file cannot be read. */
int recipe_make(const struct run *run, const struct model *model, const struct backend_choice *choice,
                struct recipe *out);

/* Why the trace at a path is not what the recipe makes: "no trace yet", "method.stiffness was 100 N/m, is 120 N/m", ...
 * Newly allocated; NULL where it is. Says nothing. */
char *recipe_differs(const struct recipe *recipe, const char *path);

/* The run that a trace was made from, without its id; it names the trace in messages, and must not outlive it. Errors:
 * a parameter or value that this version does not know. */
int run_of_trace(const struct trace_data *trace, struct run *out);

/* Whether `springback run --set` gave a trace this parameter. */
bool recipe_was_set(const struct trace_parameter *parameter);

/* How many parameters of a run are others than those of a trace, but for the backend and for what `--set` gave; and
 * which, where text is not NULL: newly allocated, as above, and NULL where there are none. */
int recipe_parameters_differ(const struct run *run, const struct trace_data *trace, char **text);

#endif
