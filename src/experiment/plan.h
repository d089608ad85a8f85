/* From a description file to a plan: the sweep expanded, every parameter of every run settled.
 *
 * One run is one body, one method, one set of parameters, one backend. A run's parameters are a flat list in the
 * order of the tables (common fields first, then its method's), each with the place it came from. */
#ifndef SPRINGBACK_EXPERIMENT_PLAN_H
#define SPRINGBACK_EXPERIMENT_PLAN_H

#include "base/digest.h"
#include "base/memory.h"
#include "experiment/field.h"

enum origin {
    ORIGIN_DEFAULT, /* nobody said: the table's value */
    ORIGIN_STATED,  /* the file states it, as the paper does */
    ORIGIN_ASSUMED, /* the paper does not say: under `assumptions:` */
    ORIGIN_TIER,    /* cut by the tier */
    ORIGIN_COMMAND  /* --set or --backend */
};

/* Values that an assumption may have. */
struct value_range {
    struct value *values; /* an interval's lower and upper end, or the values to choose from */
    int count;
    bool is_interval;
};

enum range_kind {
    RANGE_LIKELY,   /* what a reader of the paper would choose */
    RANGE_POSSIBLE, /* what anyone has used; includes the likely range */
    RANGE_COUNT
};

const char *range_kind_name(enum range_kind kind); /* "likely", "possible" */

/* "0.001 kg to 1 kg", or the values to choose from with ", " between; newly allocated. */
char *range_text(const struct value_range *range);

/* A value that the paper does not state. */
struct assumption {
    const struct field *field;
    struct value value;
    struct value_range ranges[RANGE_COUNT];
    const char *why;    /* this value, and the likely range */
    const char *source; /* of the possible range; "" if it is the likely one */
    bool is_shared;     /* by all experiments of the paper: it stands in the paper's file */
    bool is_taken;      /* false for a shared assumption that this experiment states or has no use for */
    int dimension;      /* the first of its numbers among all that can vary (sample.h) */
    struct place place;
};

/* Where a source states a value of the experiment file, or a default. */
struct citation {
    const struct field *field;
    const char *where; /* "Sec. 5, table 2" */
    struct place place;
};

struct parameter {
    const struct field *field;
    struct value value;
    enum origin origin;
    struct place place;
};

struct experiment {
    const char *file;  /* as named on the command line */
    const char *name;  /* the file's folder and name without ending: "va2022/resolutions"; by the rule of name.h */
    const char *text;  /* the file, byte for byte */
    const char *paper; /* "va2022" */
    const char *title;
    struct assumption *assumptions; /* the shared ones first, in the order of their file */
    int assumption_count;
    struct citation *citations;
    int citation_count;
    struct pool pool; /* all values, and all texts */
};

struct run {
    char *id; /* unique in the experiment, fit for a file name: "nodes=52x52,backend=serial" */
    struct parameter *parameters;
    int parameter_count;
    int group; /* runs of one group differ in nothing that changes a bit: timings are interleaved */
    char result_digest[DIGEST_SIZE]; /* of all parameters that change a bit, which runs of a group have in common */
    char canonical[DIGEST_SIZE];     /* hash of all parameters' paths and canonical values; not of titles or reasons */
    struct pool pool;                /* texts of values that are not the plan's */
};

/* What a run is known by, whatever its backend. */
struct planned {
    char result_digest[DIGEST_SIZE];
    const char *id; /* without the backend */
};

struct plan {
    struct experiment experiment;
    struct run *runs;
    int run_count;
    struct planned *planned; /* all runs, before `only` */
    int planned_count;
    char digest[DIGEST_SIZE]; /* of their groups, once each */
};

/* A method's name and fields, all that the reader needs to know of it. The list ends with a NULL name. */
struct method_fields {
    const char *name;
    const struct field *fields; /* ends with a NULL path */
};

struct plan_options {
    const char *tier;                     /* "quick" or "full"; NULL is "full" */
    const char *const *set, *const *only; /* NULL-ended lists of PATH=VALUE, from the command line */
    const char *const *backends;          /* NULL-ended list that takes the place of the file's; NULL to keep it */
    const struct method_fields *methods;
    const char *const *backend_words; /* NULL-ended: what `backend` may be, by the rule of field.choices */
};

/* "va2022/resolutions" for experiments/va2022/resolutions.yaml, wherever it was called from, and for itself. Newly
 * allocated. */
char *plan_experiment_name(const char *file);

/* Read, check and expand one file DIR/<paper>/<name>.yaml. The assumptions that all experiments of a paper share stand
 * in the paper's file, DIR/<paper>.yaml, if there is one. Every mistake in it is reported, with its place; then
 * STATUS_BAD, and *plan is empty. `only` keeps the runs whose value at a path (or its last part, or "id") equals the
 * given one, read as the field reads it, "step=5 ms", "springs=structural shear", or as ids have it, "nodes=52x52"; a
 * filter that leaves no run is an error. */
int plan_read(const char *file, const struct plan_options *options, struct plan *plan);
void plan_free(struct plan *plan);

/* Drop the runs whose is_kept is false, [run_count]. None may be left. */
void plan_keep(struct plan *plan, const bool *is_kept);

/* How many characters of a run's id are not its backend; of "serial", where nothing else varies, none are. */
int run_id_length(const char *id);

/* Whether the file plans a run of this id, backends aside, with this result digest. */
bool plan_has(const struct plan *plan, const char *id, const char *result_digest);

/* The parameter at a path, or NULL. */
const struct parameter *run_parameter(const struct run *run, const char *path);

/* Where the value of a run's parameter comes from: "stated (Sec. 5)", "assumed", ...; NULL if the file gives no source
 * for it and it is one that needs a source: a physical or numerical value, as opposed to what is recorded, where and
 * how often it runs. Newly allocated. */
char *parameter_source(const struct experiment *experiment, const struct run *run, const struct parameter *parameter);

/* Whether a run takes the value at a path from the assumptions. */
bool run_assumes(const struct run *run, const char *path);

/* Whether its frames are timed: time.repeats is not 0. */
bool run_is_timed(const struct run *run);

/* The k-th number at a path. The path must be one of the run's: it is a programming error otherwise, and aborts. */
double run_number(const struct run *run, const char *path, int k);

/* The canonical text at a path (likewise), and whether a TYPE_SET or TYPE_CHOICE holds a word. */
const char *run_text(const struct run *run, const char *path);
bool run_has(const struct run *run, const char *path, const char *word);

/* Which of its field's choices a TYPE_CHOICE is, from 0 (likewise). */
int run_choice(const struct run *run, const char *path);

/* The common fields, ending with a NULL path. */
extern const struct field experiment_fields[];

/* The field that must be given for this one to be there: the first of a kind of body, of which a run has one. NULL for
 * fields that every run has. */
const char *field_belongs_to(const struct field *field);

/* The reference manual's chapter on the description file, as Markdown, made from the tables. Newly allocated. */
char *plan_manual(const struct method_fields *methods, const char *const *backend_words);

const char *origin_name(enum origin origin); /* "default", "stated", "assumed", "tier", "command" */

#endif
