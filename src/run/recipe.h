/* The recipe of a trace is everything from which the trace is made. The hash of the recipe is the key. A trace is up to
 * date if it has the key of the current run's recipe.
 *
 * Program: the object code of the files that the run uses is hashed (code_digest), so the compiler and its flags need
 * no part of their own. The code of src/trace and src/experiment is not hashed. Because this code can also change a
 * trace, springback's version is part of the recipe, and a new version makes all traces outdated.
 *
 * Driver: its name is part of the recipe, because the driver compiles the kernels and its code is not hashed.
 *
 * Libraries are not part of the recipe. HDF5 only stores results, OpenMP only distributes work, and the functions of
 * libm that results use (sqrt, fabs, floor, ceil, fmin, fmax) are correctly rounded. */
#ifndef SPRINGBACK_RUN_RECIPE_H
#define SPRINGBACK_RUN_RECIPE_H

#include "run/provenance.h"
#include "run/simulation.h"
#include "trace/index.h"

#include <stdbool.h>

struct recipe {
    const struct run *run;
    const char *device, *driver; /* names; if ignores_thread_count, `device` has no number of threads */

    /* If true, the key does not have the default number of threads of the backend "threads", because this number
     * changes no bit, and the run is not timed. A number in the experiment file ("threads:2") is in the key as a
     * parameter. */
    bool ignores_thread_count;

    char kernels[DIGEST_SIZE], body[DIGEST_SIZE];
    char code[DIGEST_SIZE], backend_code[DIGEST_SIZE]; /* code_digest of the files outside and inside backend/ */
    char key[DIGEST_SIZE];
};

/* Add the hashes and the generation to the provenance of a trace. The generation is a number that is raised when the
 * contents of traces change, which makes all earlier traces outdated. */
void recipe_add_notes(const struct recipe *recipe, struct notes *notes);

/* Make the recipe of a run on a backend. `run` and `choice` are borrowed and must outlive the recipe. Errors: a kernel
 * file cannot be read. */
int recipe_make(const struct run *run, const struct model *model, const struct backend_choice *choice,
                struct recipe *out);

/* The reason why the trace FOLDER/NAME is outdated: "no trace yet", "method.stiffness was 100 N/m, is 120 N/m", ...
 * Newly allocated; the caller frees it. NULL if the trace is up to date. Reports no errors. */
char *recipe_differs(const struct recipe *recipe, struct trace_index *index, const char *folder, const char *name);

/* Make the run that a trace describes, without its id. The run borrows from the trace, which must outlive the run.
 * Errors: a parameter or value that this version does not know. */
int run_of_trace(const struct trace_data *trace, struct run *out);

/* Whether the value of this parameter of a trace is from the option `--set` of `springback run`. */
bool recipe_was_set(const struct trace_parameter *parameter);

/* The number of parameters that differ between a run and a trace. The backend is ignored, and so are the parameters
 * whose values in the trace are from `--set`. *text becomes a description of the differences, newly allocated; the
 * caller frees it. *text is NULL if there is no difference. `text` may be NULL. */
int recipe_parameters_differ(const struct run *run, const struct trace_data *trace, char **text);

#endif
