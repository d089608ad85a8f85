/* The state of reading an experiment file. The source files of the reader share this state. Every mistake is reported
 * and sets `status`. Reading continues, so one pass reports all mistakes. */
#ifndef SPRINGBACK_EXPERIMENT_READER_H
#define SPRINGBACK_EXPERIMENT_READER_H

#include "experiment/description.h"
#include "experiment/document.h"

#define MOST_STEPS 10000 /* the largest number of steps of an axis, and of runs of a plan */

struct reader {
    const struct plan_options *options;
    struct experiment *experiment;
    struct description *out;
    const struct field **fields;     /* the allowed fields, in the order of the tables; ends with NULL */
    const struct field **own_fields; /* the allowed fields of the experiment's file, while the paper's file is read */
    struct axis *zip;                /* the axis of the `zip:` that is being read */
    const char *tier;                /* the name of the tier that is being read */
    int entry;                       /* number of the method that is being read in a list of methods, from 1; else 0 */
    bool assuming;                   /* `assumptions:` is being read */
    bool is_shared;                  /* the paper's file is being read */
    int status;                      /* STATUS_BAD after a mistake */
};

/* Called for each field that is found under a map. */
typedef void reader_handle(struct reader *reader, const struct field *field, const struct node *node);

/* The common fields, and the fields of the methods whose names are in a space-separated list. If the list has no name
 * of a method, the fields of all methods. Newly allocated, ending with NULL. */
const struct field **reader_fields(const struct plan_options *options, const char *methods);

/* The allowed field at a path, or NULL. */
const struct field *reader_field(const struct reader *reader, const char *path);

/* The allowed field of a key. The key is a path, or the last part of a path if only one field has this last part.
 * Otherwise NULL, and a message at `place`. */
const struct field *reader_field_short(struct reader *reader, struct place place, const char *key);

/* Report an unknown path, with the nearest path and the keys that are allowed in its section. `section`: "" for the
 * whole file; NULL if only fields are allowed, as on the command line. */
int reader_unknown(struct reader *reader, struct place place, const char *path, const char *section);

/* reader_one reads one value. reader_many reads one value or a list of values, as values_read does. The values are
 * checked for every method in use that has a field of this path. Both functions return the status, and also add it to
 * reader->status. */
int reader_one(struct reader *reader, const struct node *node, const struct field *field, struct value *out);
int reader_many(struct reader *reader, const struct node *node, const struct field *field, bool zip,
                struct value **values, int *count);

/* Record the place of a path or, if `map` is set, of a section. Returns false, with a message, if the file has already
 * given a value at the path. */
bool reader_once(struct reader *reader, const char *path, struct place place, bool map);

/* reader_walk calls a handler for every field under a map; reader_item calls the handler for every field of one item of
 * a map; the item may be a field itself. `section` is the path of the map. */
void reader_walk(struct reader *reader, const struct node *map, const char *section, reader_handle *each);
void reader_item(struct reader *reader, const struct node *item, const char *section, reader_handle *each);

/* Whether a node is a map. If not, the message shows the expected form. */
bool reader_map(struct reader *reader, const struct node *node, const char *name, const char *form);

/* Read an item of `assumptions:` or of `stated:` and add it to the experiment. */
void assumption_read(struct reader *reader, const struct field *field, const struct node *node);
void citation_read(struct reader *reader, const struct field *field, const struct node *node);

/* Read the assumptions of the paper's file. Call this before the assumptions of the experiment's own file are read.
 * *file: the path of the paper's file, which need not exist; unchanged if the experiment file's path has no folder. */
int assumptions_read_shared(struct reader *reader, char **file);

/* Set the `dimension` of every assumption. */
void assumptions_place(struct experiment *experiment);

/* axis_state reads the value or the list of values of a field, axis_read_zip reads `zip:`, and axis_read_methods reads
 * a `method:` that is a list of maps. Each function adds an axis to the description. */
void axis_state(struct reader *reader, const struct field *field, const struct node *node);
void axis_read_zip(struct reader *reader, const struct node *node);
void axis_read_methods(struct reader *reader, const struct node *list);

/* Replace the value or values of the file at the column's path by the `length` values of the column. The file may give
 * a stated value, a list of values, a column of a zip or an assumption. The description copies the column, but not the
 * column's values, which the pool of the description must own. */
void axis_override(struct reader *reader, struct column column, int length);

/* Replace the value at the column's path by one value, for the steps of one method only. The description must have the
 * method. column.values is NULL: this function allocates the values. */
void axis_set_method(struct description *out, const char *method, struct column column, struct value value);

#endif
