/* The reader of a description: what its parts share while a file is read. Mistakes are reported where they are found
 * and add up in `status`, so that one reading tells all of them. */
#ifndef SPRINGBACK_EXPERIMENT_READER_H
#define SPRINGBACK_EXPERIMENT_READER_H

#include "experiment/description.h"
#include "experiment/document.h"

#define MOST_STEPS 10000 /* of one axis, and of a plan */

struct reader {
    const struct plan_options *options;
    struct experiment *experiment;
    struct description *out;
    const struct field **fields;     /* those allowed, in the order of the tables; ends with NULL */
    const struct field **own_fields; /* while the paper's file is read: those of the experiment's methods */
    struct axis *zip;                /* being filled */
    const char *tier;                /* being read */
    int entry;                       /* of the list of methods, from 1; 0 outside of it */
    bool assuming;                   /* under assumptions: */
    bool is_shared;                  /* in the paper's file */
    int status;
};

/* What is done with a field that was found under a map. */
typedef void reader_handle(struct reader *reader, const struct field *field, const struct node *node);

/* The common fields and those of the methods that a space-separated list names; of all methods if it names none.
 * Newly allocated, ending with NULL. */
const struct field **reader_fields(const struct plan_options *options, const char *methods);

/* The allowed field at a path, or NULL. */
const struct field *reader_field(const struct reader *reader, const char *path);

/* The allowed field that a key means: a path, or the last part of one where that is not the last part of another. NULL
 * after saying at `place` why there is none. */
const struct field *reader_field_short(struct reader *reader, struct place place, const char *key);

/* Say that a path is none, which is the nearest, and what is allowed under its section: "" for the whole file, NULL
 * where only fields may be named, as on the command line. */
int reader_unknown(struct reader *reader, struct place place, const char *path, const char *section);

/* Read one value, or many (see values_read); checked for every method that has the field. */
int reader_one(struct reader *reader, const struct node *node, const struct field *field, struct value *out);
int reader_many(struct reader *reader, const struct node *node, const struct field *field, bool zip,
                struct value **values, int *count);

/* Note where a path (or, for `map`, a section) is stated; false, and a mistake, where a path is stated twice. */
bool reader_once(struct reader *reader, const char *path, struct place place, bool map);

/* Give every field under a map, or under one item of it, to a handler; `section` is the map's own path. */
void reader_walk(struct reader *reader, const struct node *map, const char *section, reader_handle *each);
void reader_item(struct reader *reader, const struct node *item, const char *section, reader_handle *each);

/* Whether a node is a map; if not, says so and shows the form. */
bool reader_map(struct reader *reader, const struct node *node, const char *name, const char *form);

/* An item of `assumptions:` or of `stated:`, added to the experiment. */
void assumption_read(struct reader *reader, const struct field *field, const struct node *node);
void citation_read(struct reader *reader, const struct field *field, const struct node *node);

/* Read the assumptions that the paper's file has, before those of the experiment's own file. *file: its name, or NULL.
 */
int assumptions_read_shared(struct reader *reader, char **file);

/* Number the dimensions of all assumptions. */
void assumptions_place(struct experiment *experiment);

/* A field outside of any list, one value or a sweep; `zip:`; and a `method:` that is a list of maps. Each becomes an
 * axis. */
void axis_state(struct reader *reader, const struct field *field, const struct node *node);
void axis_read_zip(struct reader *reader, const struct node *node);
void axis_read_methods(struct reader *reader, const struct node *list);

/* Put `length` values in the place of whatever the file says at the column's path, a stated value, a sweep, a zip's
 * column or an assumption. The values are taken over. */
void axis_override(struct reader *reader, struct column column, int length);

/* The same of one value for the steps of one method, which the description must have; those of other methods keep what
 * they have. The column comes without values. */
void axis_set_method(struct description *out, const char *method, struct column column, struct value value);

#endif
