/* Runs. A run combines one step of each axis of a description (description.h), and has a value for every parameter. */
#ifndef SPRINGBACK_EXPERIMENT_RUN_H
#define SPRINGBACK_EXPERIMENT_RUN_H

#include "experiment/description.h"

/* Make the run for one step of each axis: step steps[a] of axis a. Errors: missing values, and values that contradict
 * each other. After an error *out is empty. */
int run_settle(struct description *description, const struct experiment *experiment,
               const struct method_fields *methods, const int *steps, struct run *out);

/* Check that the values of a run do not contradict each other. The bounds of one field cannot check this. */
int run_check(const struct run *run);

/* A parameter's path and canonical text. */
struct stated {
    const char *path, *text;
};

/* Make a run from the parameters that a trace stores. `file` names the trace in messages and must live as long as the
 * run. The run has no id. Errors: an unknown parameter or value; then *out is empty. */
int run_restore(const char *file, const struct stated *stated, int count, const struct method_fields *methods,
                const char *const *backend_words, struct run *out);

/* Set a parameter of one number or word, written as in a file: "0.5 ms", "double". Updates run->canonical; run->id and
 * run->result_digest do not change. Errors: no such parameter, a text that the field does not allow, values that
 * contradict each other. */
int run_set(struct run *run, const char *path, const char *text);

/* Replace the assumed values of a run by `values`, one for each assumption of the experiment. The texts of `values`
 * must outlive the run. Parameters of the run that are not assumed do not change. Updates run->canonical; run->id and
 * run->result_digest do not change. Errors: values that contradict each other. */
int run_assume(struct run *run, const struct experiment *experiment, const struct value *values);

/* The hash of the paths and texts of all parameters. If `all` is false, the backend and time.read_back are left out,
 * because they change no bit of the result. */
void run_digest(const struct run *run, bool all, char out[DIGEST_SIZE]);

/* A value as a part of an id, and thus of a file name: "52x52", "structural+shear", "opencl.0". The unit is left out.
 * Newly allocated. */
char *parameter_id_text(const struct parameter *parameter);

void run_free(struct run *run);

#endif
