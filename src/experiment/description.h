/* A description: the content of one experiment file, checked against the tables of fields. The overrides of the tier
 * and of the command line are applied, but the runs are not expanded yet.
 *
 * An axis is a list of alternatives, and a run uses one of them. Here such an alternative is called a step of the axis;
 * it is not a time step. A single value is an axis of one step. A list of values is an axis with one step for each
 * value. A zip is an axis with several columns: each step has one value for each of several fields. A list of methods
 * is an axis too. A column of this axis may have steps without a value, because each method states only its own fields.
 *
 * A section is the beginning of several paths, such as `scene.push`. In the file it may be the key of a map. */
#ifndef SPRINGBACK_EXPERIMENT_DESCRIPTION_H
#define SPRINGBACK_EXPERIMENT_DESCRIPTION_H

#include "experiment/plan.h"

struct column {
    const struct field *field;
    struct value *values; /* [length of the axis]; value.text is NULL at a step that states no value */
    enum origin origin;
    struct place place;
    bool is_of_method; /* from --set for one method; the values override other columns in the steps of that method */
};

struct axis {
    struct column *columns;
    int column_count, length;
    bool zip; /* the axis comes from `zip:` */
};

/* The place where the file gives the value at a path, or where the map of a section begins. */
struct source_location {
    const char *path;
    struct place place;
    bool map;     /* whether the place is that of a section's map */
    int entry;    /* number of the item in a list of methods, from 1; 0 outside such a list */
    bool assumed; /* whether the place is under `assumptions:` */
};

/* The default of a field, which is read from the table of fields when it is first needed, and then kept. */
struct default_value {
    const struct field *field;
    struct value value;
};

struct description {
    struct pool *pool; /* owns the values; the experiment owns the pool */
    struct axis *axes;
    int axis_count;
    struct source_location *locations;
    int location_count;
    struct default_value *defaults; /* the defaults that were read until now */
    int default_count;
    const char *methods;  /* the names of all methods, separated by spaces */
    const char *backends; /* the allowed backends, separated by spaces */
};

/* Initialize *out with the methods and backends that the reader accepts (called by description_read). */
void description_begin(const struct method_fields *methods, const char *const *backend_words, struct pool *pool,
                       struct description *out);

/* Read experiment->text and fill the rest of *experiment and *out. Every mistake is reported. The caller frees
 * *experiment and *out, also after an error. */
int description_read(const struct plan_options *options, struct experiment *experiment, struct description *out);
void description_free(struct description *description);

/* The column of a path, or NULL. The axis owns the column; adding a column to the axis makes the pointer invalid. */
struct column *axis_column(struct axis *axis, const char *path);

/* The axis with a column of this path, or NULL. The description owns the axis; adding an axis makes the pointer
 * invalid. */
struct axis *axis_of(const struct description *description, const char *path);

void axes_free(struct axis *axes, int count);

/* The allowed words of a choice or set; "" for other types. */
const char *description_choices(const struct description *description, const struct field *field);

/* The place of the innermost map that contains a path. If there is none, the place is the file, without a line. */
struct place description_parent(const struct description *description, const char *file, const char *path);

/* Keep the runs of a plan that match every KEY=VALUE of options->only. The runs must have ids. Errors: an unknown key,
 * an ambiguous short key, a value that the field does not allow, no run left. */
int selection_apply(const struct plan_options *options, const struct description *description, struct plan *plan);

/* The method with this name, or NULL. */
const struct method_fields *method_named(const struct method_fields *methods, const char *name);

#endif
