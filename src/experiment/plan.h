/* A plan: all runs of an experiment file, each with a value for every parameter.
 *
 * One run is one body, one method, one set of parameters, one backend. The parameters of a run are a flat list in the
 * order of the tables: the common fields first, then those of the method. Each parameter has the place of its value. */
#ifndef SPRINGBACK_EXPERIMENT_PLAN_H
#define SPRINGBACK_EXPERIMENT_PLAN_H

#include "base/digest.h"
#include "base/memory.h"
#include "experiment/field.h"

enum origin {
    ORIGIN_DEFAULT, /* the default of the table of fields */
    ORIGIN_STATED,  /* given by the file outside `assumptions:`; `stated:` says where the value comes from */
    ORIGIN_ASSUMED, /* under `assumptions:`, because the paper does not state the value */
    ORIGIN_TIER,    /* set by the tier */
    ORIGIN_COMMAND  /* set by --set or --backend */
};

/* The values that an assumption may have. */
struct value_range {
    struct value *values; /* the lower and upper end of an interval, or the values to choose from */
    int count;
    bool is_interval;
};

enum range_kind {
    RANGE_LIKELY,   /* values that a reader of the paper would choose */
    RANGE_POSSIBLE, /* values that anybody is known to have used; the possible range includes the likely range */
    RANGE_COUNT
};

const char *range_kind_name(enum range_kind kind); /* "likely", "possible" */

/* "0.001 kg to 1 kg", or the values to choose from, separated by ", ". Newly allocated. */
char *range_text(const struct value_range *range);

/* A value that the paper does not state. */
struct assumption {
    const struct field *field;
    struct value value;
    struct value_range ranges[RANGE_COUNT];
    const char *why;     /* the reason for the value and for the likely range */
    const char *source;  /* where the possible range comes from; "" if the file gives no possible range */
    bool is_shared;      /* the assumption is in the paper's file, so all experiments of the paper share it */
    bool is_used;        /* false for a shared assumption whose value no run of this experiment uses */
    int dimension;       /* the index of the first dimension of the assumption, from 0 (sample.h) */
    int dimension_count; /* number of dimensions of the assumption. If an experiment does not vary a shared assumption,
                          * the number is still that of the paper's file. */
    struct place place;
};

/* An entry of `stated:`: the source of a value that the experiment file gives, or of a default. */
struct citation {
    const struct field *field;
    const char *where; /* the text of the entry: "Sec. 5, table 2", "swept: ..." or "no effect on ..." */
    struct place place;
};

struct parameter {
    const struct field *field;
    struct value value;
    enum origin origin;
    struct place place;
};

struct experiment {
    const char *file;  /* as given on the command line */
    const char *name;  /* the file's folder and its name without ending: "va2022/resolutions"; follows name.h */
    const char *text;  /* the content of the file, byte by byte */
    const char *paper; /* "va2022" */
    const char *title;
    struct assumption *assumptions; /* the shared assumptions first, in the order of their file */
    int assumption_count;
    struct citation *citations;
    int citation_count;
    struct pool pool; /* owns all values and texts */
};

struct run {
    char *id; /* unique in the experiment, usable as a file name: "nodes=52x52,backend=serial" */
    struct parameter *parameters;
    int parameter_count;
    int group;                       /* runs of one group have bit-identical results; their timings are interleaved */
    char result_digest[DIGEST_SIZE]; /* hash of all parameters that can change a bit; equal for all runs of a group */
    char canonical[DIGEST_SIZE];     /* hash of the paths and canonical values of all parameters */
    struct pool pool;                /* owns the texts of values that the plan does not own */
};

/* The identity of a planned run, without its backend. */
struct planned {
    char result_digest[DIGEST_SIZE];
    const char *id; /* the id without its backend (run_id_length) */
};

struct plan {
    struct experiment experiment;
    struct run *runs;
    int run_count;
    struct planned *planned; /* all runs, before `only` is applied */
    int planned_count;
    char digest[DIGEST_SIZE]; /* hash of the result digests of all groups, before `only` is applied */
};

/* A method's name and fields. The list ends with a NULL name. */
struct method_fields {
    const char *name;
    const struct field *fields; /* ends with a NULL path */
};

struct plan_options {
    const char *tier;                     /* "quick", "full" or another tier of the file; NULL is "full" */
    const char *const *set, *const *only; /* the arguments of --set PATH=VALUE and of --only KEY=VALUE: each is a list
                                             that ends with NULL; NULL: no arguments */
    const char *const *backends; /* the backends that replace those of the file: a list that ends with NULL; NULL: use
                                    the backends of the file */
    const struct method_fields *methods;
    const char *const *backend_words; /* the allowed backends, in the syntax of field.choices; ends with NULL */
};

/* The name of an experiment: "va2022/resolutions" for the file experiments/va2022/resolutions.yaml. If the current
 * folder is experiments/va2022, the path "resolutions.yaml" gives the same name. `file` may also be the name itself.
 * Newly allocated. */
char *plan_experiment_name(const char *file);

/* Read, check and expand one experiment file, DIR/<paper>/<name>.yaml. The file of the paper, DIR/<paper>.yaml, defines
 * the assumptions that all experiments of the paper share; it is optional. Every mistake is reported with its place;
 * then the result is STATUS_BAD and *plan is empty.
 *
 * Each KEY=VALUE of `only` keeps the runs that have this value. KEY is a path, the last part of a path, or "id". VALUE
 * is written as in a file ("step=5 ms", "springs=structural shear") or as in ids ("nodes=52x52"). Error: no run has all
 * these values. */
int plan_read(const char *file, const struct plan_options *options, struct plan *plan);
void plan_free(struct plan *plan);

/* Remove the runs whose is_kept is false, [run_count]. The result may have no runs. */
void plan_keep(struct plan *plan, const bool *is_kept);

/* The length of a run's id without its backend, in bytes: 11 for "nodes=52x52,backend=serial". 0 if the id is only a
 * backend, such as "serial". */
int run_id_length(const char *id);

/* Whether the file plans a run with this result digest whose id equals `id` except for the backend. Runs that `only`
 * removed count too. */
bool plan_has(const struct plan *plan, const char *id, const char *result_digest);

/* The parameter at a path, or NULL. */
const struct parameter *run_parameter(const struct run *run, const char *path);

/* Where the value of a run's parameter comes from: "stated (Sec. 5)"; "absent" for a default that switches a feature
 * off; otherwise the name of its origin, such as "assumed". NULL if the parameter needs a source and the file gives
 * none. Physical and numerical parameters need a source. The keys of `without_source` (assumption.c) need none, such as
 * those of recording. Newly allocated. */
char *parameter_source(const struct experiment *experiment, const struct run *run, const struct parameter *parameter);

/* Whether the value at a path comes from an assumption. */
bool run_assumes(const struct run *run, const char *path);

/* Whether the frames of a run are timed: time.repeats is not 0. */
bool run_is_timed(const struct run *run);

/* The k-th number at a path. Aborts if the run has no parameter at the path or no k-th number: a programming error. */
double run_number(const struct run *run, const char *path, int k);

/* The first number at a path; NaN if the run has no parameter there, as a run from a damaged trace may. */
double run_number_or_nan(const struct run *run, const char *path);

/* run_text returns the canonical text at a path. run_has returns whether the TYPE_SET or TYPE_CHOICE at a path has a
 * word. Both abort like run_number. */
const char *run_text(const struct run *run, const char *path);
bool run_has(const struct run *run, const char *path, const char *word);

/* The index of the chosen word among the choices of the field at a path, from 0. The field must be a TYPE_CHOICE with
 * `choices`. Aborts like run_number. */
int run_choice(const struct run *run, const char *path);

/* The common fields, ending with a NULL path. */
extern const struct field experiment_fields[];

/* The path of the field that must be given so that a run has `field`: "scene.sphere.radius" for all fields of
 * scene.sphere, including scene.sphere.radius itself. NULL if every run has `field`, or if it is a field of a
 * method. */
const char *field_belongs_to(const struct field *field);

/* Whether a run has `field` only if the experiment gives it a value. Such a field has no default and may be left out. */
bool field_is_optional(const struct field *field);

/* Whether a run in which the field at `path` has this value computes the same as a run without the field: only for an
 * optional field, for example "scene.push.rim" with the value "sharp". */
bool field_same_as_without(const char *path, const char *value);

/* The chapter of the reference manual on the experiment file, as Markdown, made from the tables. Newly allocated. */
char *plan_manual(const struct method_fields *methods, const char *const *backend_words);

const char *origin_name(enum origin origin); /* "default", "stated", "assumed", "tier", "command" */

#endif
