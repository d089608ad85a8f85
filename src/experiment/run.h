/* Runs: one combination of a description's axes, every parameter settled. */
#ifndef SPRINGBACK_EXPERIMENT_RUN_H
#define SPRINGBACK_EXPERIMENT_RUN_H

#include "experiment/description.h"

/* The run at a step of each axis. Errors, each once: what is missing, and values that do not go together; then *out is
 * empty. */
int run_settle(struct description *description, const struct experiment *experiment,
               const struct method_fields *methods, const int *steps, struct run *out);

/* Whether the values go together, which one field's bounds cannot say; if not, says so. */
int run_check(const struct run *run);

/* One parameter's canonical text. */
struct stated {
    const char *path, *text;
};

/* The run whose parameters are these, as a trace keeps them; `file` names the trace in messages, and must live as long
 * as the run. It has no id. Errors: a parameter or value that this version does not know; then *out is empty. */
int run_restore(const char *file, const struct stated *stated, int count, const struct method_fields *methods,
                const char *const *backend_words, struct run *out);

/* Give a parameter of one number or word another value, written as in a file: "0.5 ms", "double". The run's hash
 * follows, its id stays. Errors: no such parameter, out of bounds, a value that does not go with the others. */
int run_set(struct run *run, const char *path, const char *text);

/* Give a run other values, which must outlive it, in place of those that an experiment assumes, one an assumption; what
 * the run does not have, or states, stays. The run's hash follows, its id stays. Errors: values that do not go
 * together. */
int run_assume(struct run *run, const struct experiment *experiment, const struct value *values);

/* The hash of all parameters' paths and texts; or of all but the backend and time.read_back, which change no bit. */
void run_digest(const struct run *run, bool all, char out[DIGEST_SIZE]);

/* A value as a part of an id, and so of a file's name: "52x52", "structural+shear", "opencl.0". The unit goes without
 * saying. Newly allocated. */
char *parameter_id_text(const struct parameter *parameter);

void run_free(struct run *run);

#endif
