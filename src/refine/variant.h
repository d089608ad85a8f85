/* The variants of one experiment: run, and read again as if they were the run at h. */
#ifndef SPRINGBACK_REFINE_VARIANT_H
#define SPRINGBACK_REFINE_VARIANT_H

#include "refine/refine.h"

struct variant_run {
    char *id;
    struct trace_data trace; /* its step, steps a frame and precision are given as those of the run at h */
    bool blown;
};

struct variant_runs {
    struct variant_run *runs;
    int count;
};

/* What of a run a variant changes, and a claim is not to see: it selects runs by what the file says. */
enum { VARIED = 3 };

struct variant_plan {
    struct plan plan;
    char *(*kept)[VARIED]; /* of each run, the texts before the change; NULL for a parameter that it does not have */
};

/* Read a file as the plan of a variant: samples aside, and without `backends` one of the runs that differ only in
 * backend; in double, those whose method has a precision to choose. Errors: what plan_read finds, a step that cannot be
 * divided. *out is then empty. */
int variant_read(enum variant variant, const char *file, const struct refine_options *options, bool backends,
                 struct variant_plan *out);
void variant_plan_free(struct variant_plan *plan);

/* Run such a plan, and open the traces. Runs without a device are left away. */
int variant_run_all(enum variant variant, const struct variant_plan *plan, const struct refine_options *options,
                    struct variant_runs *out);

/* The run of an id, or NULL. */
const struct variant_run *variant_find(const struct variant_runs *runs, const char *id);

void variant_free(struct variant_runs *runs);

#endif
