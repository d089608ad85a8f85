/* The axes of a sweep: stated values, lists of values, zips, and lists of methods. */
#ifndef SPRINGBACK_EXPERIMENT_AXIS_H
#define SPRINGBACK_EXPERIMENT_AXIS_H

#include "experiment/reader.h"

/* A field outside of any list: one value, or a sweep. */
void axis_state(struct reader *reader, const struct field *field, const struct node *node);

/* `zip:`, and a `method:` that is a list of maps. */
void axis_read_zip(struct reader *reader, const struct node *node);
void axis_read_methods(struct reader *reader, const struct node *list);

/* Put `length` values in the place of whatever the file says at the column's path, a stated value, a sweep, a zip's
 * column or an assumption. The values are taken over. */
void axis_override(struct reader *reader, struct column column, int length);

/* The column of a path, or NULL. */
struct column *axis_column(struct axis *axis, const char *path);

void axes_free(struct axis *axes, int count);

#endif
