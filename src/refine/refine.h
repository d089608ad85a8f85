/* What a result owes to the time step and to rounding: an experiment with its step, with a half and a quarter of it,
 * and in double precision, frames at the same times.
 *
 * A quantity moves with the step if its value at h/2 or at h/4 is over REFINE_LITTLE of its size away from that at h,
 * and with rounding if that in double is. Where it moves with both, it
 * is rounding that it owes this to, unless the step moves it over twice as far. The size is the value at h (of a
 * series: the largest of its frames); the distance of two series is the largest over the frames that both recorded. */
#ifndef SPRINGBACK_REFINE_REFINE_H
#define SPRINGBACK_REFINE_REFINE_H

#include "claim/claim.h"
#include "experiment/plan.h"

#define REFINE_LITTLE 0.01

enum variant { AT_STEP, AT_HALF, AT_QUARTER, IN_DOUBLE, VARIANTS };

extern const char *const variant_names[VARIANTS]; /* "h", "h/2", "h/4", "double" */

/* What a number is owed to. In order of alarm. */
enum origin_word {
    OWED_LEFT_OUT, /* a timing, a count, a text */
    OWED_PHYSICS,  /* it moves little under all */
    OWED_UNKNOWN,  /* a value is missing, or is no number */
    OWED_ROUNDING, /* it moves in double, and with the step not at all or not much more */
    OWED_STEP      /* it moves with the step */
};

const char *origin_word_name(enum origin_word word); /* "left out", "physics", "not known", "rounding", "step size" */

struct movement {
    char *name, *unit; /* of a claim's member, or of a series */
    bool has[VARIANTS];
    double value[VARIANTS];        /* of a series: at its last frame */
    double with_step, with_double; /* shares of its size; NaN where not known */
    double order;                  /* of convergence; NaN where it makes no sense */
    enum origin_word word;
};

/* A claim, or a run of an experiment without claims. */
struct refinement {
    char *id; /* the claim's or the run's */
    bool is_claim;
    enum origin_word word;               /* the most alarming of its numbers */
    const char *verdict[VARIANTS];       /* of a claim; NULL where there is none */
    int blown[VARIANTS], runs[VARIANTS]; /* how many runs blew up, of how many */
    char *why;                           /* "" where there is no more to say */
    struct movement *movements;
    int movement_count;
};

struct refine_report {
    char *experiment;
    struct refinement *items;
    int count;
    int runs; /* at each variant; 0 where nothing had to be run */
};

struct refine_options {
    struct plan_options plan;
    const char *out;    /* traces go to OUT/refine/<variant>/<paper>/<experiment>/ */
    const char *claims; /* the claims' file; NULL for paper_checks/<paper>.yaml, if it is there */
    bool quiet;
};

/* Run one experiment file in all variants, and compare. Runs that are up to date are not run again. Errors: a mistake
 * in either file, a step that cannot be halved so often, a run that fails. The report is good to be freed in any case.
 */
int refine(const char *file, const struct refine_options *options, struct refine_report *report);
void refine_report_free(struct refine_report *report);

void refine_report_print(const struct refine_report *report, FILE *out);
void refine_report_json(const struct refine_report *report, FILE *out); /* one object a claim or run */

#endif
