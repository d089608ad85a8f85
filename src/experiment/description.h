/* A description: what one file says, checked against the tables, with the command line's and the tier's overrides in
 * place, but not yet expanded into runs.
 *
 * A stated value is an axis of length 1, a sweep a longer one, a zip an axis of several columns; a list of methods is
 * an axis too, whose columns may have holes, since a method states its own fields only. */
#ifndef SPRINGBACK_EXPERIMENT_DESCRIPTION_H
#define SPRINGBACK_EXPERIMENT_DESCRIPTION_H

#include "experiment/plan.h"

struct column {
    const struct field *field;
    struct value *values; /* one a step of its axis; a NULL text where nothing is said */
    enum origin origin;
    struct place place;
    bool is_of_method; /* by --set, for the steps of one method: it goes before any other column of this path */
};

struct axis {
    struct column *columns;
    int column_count, length;
    bool zip;
};

/* Where the file says something: the value at a path, or the map that holds values of a section. */
struct spot {
    const char *path;
    struct place place;
    bool map;
    int entry;    /* counts a list of methods from 1; 0 elsewhere */
    bool assumed; /* under assumptions: */
};

/* The value of a field that nobody states, read from its table once. */
struct default_value {
    const struct field *field;
    struct value value;
};

struct description {
    struct pool *pool; /* of values: the experiment's */
    struct axis *axes;
    int axis_count;
    struct spot *spots;
    int spot_count;
    struct default_value *defaults; /* those that were asked for */
    int default_count;
    const char *methods;  /* the names of all methods, separated by spaces */
    const char *backends; /* what a backend may be, likewise */
};

/* What the reader is to know of methods and backends; description_read does it by itself. */
void description_begin(const struct method_fields *methods, const char *const *backend_words, struct pool *pool,
                       struct description *out);

/* Read experiment->text, filling the rest of *experiment and *out. Every mistake is reported; both are to be freed
 * either way. */
int description_read(const struct plan_options *options, struct experiment *experiment, struct description *out);
void description_free(struct description *description);

/* The column of a path, or NULL. */
struct column *axis_column(struct axis *axis, const char *path);

/* The axis that has such a column, or NULL. */
struct axis *axis_of(const struct description *description, const char *path);

void axes_free(struct axis *axes, int count);

/* The words of a choice or set. */
const char *description_choices(const struct description *description, const struct field *field);

/* The place of the nearest map above a path, or the file as a whole. */
struct place description_parent(const struct description *description, const char *file, const char *path);

/* Keep the runs of a plan that every KEY=VALUE of options->only fits; ids must be made already. Errors: no such key, a
 * short key that could be two, a value that the field does not take, no run left. */
int selection_apply(const struct plan_options *options, const struct description *description, struct plan *plan);

/* The method of a name, or NULL. */
const struct method_fields *method_named(const struct method_fields *methods, const char *name);

#endif
