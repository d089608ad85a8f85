/* The members of a sweep over an experiment's assumptions, as traces: src/run/sweep.h says where they lie. */
#ifndef SPRINGBACK_CLAIM_MEMBER_SET_H
#define SPRINGBACK_CLAIM_MEMBER_SET_H

#include "base/memory.h"
#include "run/sweep.h"
#include "trace/trace.h"

#include <stdbool.h>

/* One number, or the words, of an assumption that the members vary. */
struct sweep_axis {
    const char *path, *unit; /* the unit "1" for a pure number; "" for words */
    int index;               /* of the path among the set's */
    int component;           /* of a vector, from 0; -1 where the value is one number */
    bool is_word, whole;     /* all values are whole */
    bool wide;               /* the range is: its logarithm was sampled */
    double low, high;
};

struct sweep_member {
    int number;
    char **texts;               /* a value an assumption, as the sweep's table has them */
    double *places;             /* a number an axis; NaN for words */
    struct trace_data **traces; /* a run each, in the order of the set's ids */
};

struct member_set {
    const char *experiment;
    struct sweep_members table;
    char **paths; /* of the assumptions, the table's */
    int path_count;
    struct sweep_axis *axes;
    int axis_count;
    const char **ids; /* of the runs that each member has */
    int id_count;
    struct sweep_member *members; /* the first is that of the values as taken */
    int count;
    int listed, skipped; /* number of members that the sweep has or will have, and of those that do not run */
    const char *end;     /* why the members end before those listed do; "" where they do not */
    struct pool pool;    /* memory of the above */
};

/* Read the members of an experiment's sweep below OUT: all up to the first that is not there as it should be. A run's
 * parameters that an assumption gives are shown as the values as taken are, so that claims select as in the main sweep;
 * the members' own are in `texts` and `places`. Without a sweep, `count` is 0. Errors: its table is none. */
int member_set_read(const char *out, const char *experiment, struct member_set *set);
void member_set_free(struct member_set *set);

/* "method.stiffness", or "scene.push.acceleration[1]" for the second number of a vector; newly allocated. */
char *axis_name(const struct sweep_axis *axis);

#endif
