/* The recipe of a trace is everything that the trace is made from. Its hash is the key. A trace is up to date if it has
 * the key of the current run's recipe.
 *
 * The driver is a part because it compiles the kernels, and its code is not hashed. The compiler and its flags have an
 * effect only through object code, which is hashed. HDF5 only stores results, OpenMP only distributes work, and the
 * functions of libm that results use (sqrt, fabs, floor) are exact, so these libraries are not parts. The hashed code
 * is that of sources(RESULTS) in CMakeLists.txt. src/trace and src/experiment are not in it, so a new version of
 * springback makes all traces stale, even if no hash changed. */
#ifndef SPRINGBACK_RUN_RECIPE_H
#define SPRINGBACK_RUN_RECIPE_H

#include "run/provenance.h"
#include "run/simulation.h"
#include "trace/index.h"

#include <stdbool.h>

struct recipe {
    const struct run *run;
    const char *device, *driver; /* `device` is without the number of threads if ignores_thread_count */
    bool ignores_thread_count;   /* the number of threads that the backend takes for itself ("threads") is not in the
                                    key, because it changes no bit, and no time is measured. A number that the file
                                    gives ("threads:2") is in the key, as a parameter */
    char kernels[DIGEST_SIZE], body[DIGEST_SIZE];
    char code[DIGEST_SIZE], backend_code[DIGEST_SIZE]; /* of the files that the run uses (provenance.h): outside
                                                          backend/ (method, body, runner), and in it */
    char key[DIGEST_SIZE];
};

/* Add the hashes and the generation to a trace's provenance. The generation changes when the contents of traces change,
 * which makes all earlier traces stale. */
void recipe_add_notes(const struct recipe *recipe, struct notes *notes);

/* Make the recipe of a run on a backend. run and choice must outlive it. Errors: a kernel file cannot be read. */
int recipe_make(const struct run *run, const struct model *model, const struct backend_choice *choice,
                struct recipe *out);

/* Why the trace FOLDER/NAME is stale: "no trace yet", "method.stiffness was 100 N/m, is 120 N/m", ... Newly allocated;
 * NULL if it is up to date. Reports no errors. */
char *recipe_differs(const struct recipe *recipe, struct trace_index *index, const char *folder, const char *name);

/* Restore the run of a trace, without its id. It refers to the trace, which must outlive it. Errors: a parameter or
 * value that this version does not know. */
int run_of_trace(const struct trace_data *trace, struct run *out);

/* Whether `springback run --set` set this parameter of a trace. */
bool recipe_was_set(const struct trace_parameter *parameter);

/* Number of parameters that differ between a run and a trace, without the backend and those set by `--set`. *text
 * describes them, newly allocated, or is NULL if there are none; `text` may be NULL. */
int recipe_parameters_differ(const struct run *run, const struct trace_data *trace, char **text);

#endif
