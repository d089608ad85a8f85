/* Quantities: numbers from traces, and the members that a claim compares.
 *
 * A quantity is, in this order: one of frame_seconds (the median of the timing samples, or what the claim's statistic
 * makes of them), frames_per_second (one over it), step_seconds, diverged (yes or no); a series, reduced over its
 * frames; inner_speed, in m/s, the root mean square of the nodes' velocities against that of their centre of mass,
 * likewise; a series over the recorded geometries (geometry.h), likewise; a parameter ("method.stiffness") or a numeric
 * note of /run ("springs"). Units are SI, as in the trace.
 *
 * Where a claim has `against`, the runs that its `select` with the values of `against` takes are references, and no
 * members: each other run is compared with one of them. Its partner is the reference that agrees with it in every
 * parameter of which the compared runs and the references share a value, those of `against` aside: so by all that is
 * swept on both sides, and not by what sets the sides apart, as stiffnesses that one method states and another does
 * not. Runs without a partner are left out; with several, the claim says too little. */
#ifndef SPRINGBACK_CLAIM_QUANTITY_H
#define SPRINGBACK_CLAIM_QUANTITY_H

#include "claim/claim_file.h"

struct trace_list {
    const struct trace_data **items;
    int count;
};

/* One of the numbers that a claim is about: the value of all runs that agree in `each` and in the axis. */
struct member {
    const char *each, *axis; /* "" where the claim has none */
    int group;               /* members with the same `each` have the same, counted from 0 */
    double place;            /* along a numeric axis */
    struct measure measure;
};

/* Members in order of group, and within it of place. */
struct table {
    struct member *members;
    int count, groups;
    int unpaired;  /* members of a ratio's numerator, and runs, that have no partner, and were left out */
    char unit[64]; /* "1" for a pure number, "yes or no" for an answer */
};

/* The members of a claim from traces that match its `select`; for a ratio, members of which both parts are there. All
 * values are multiplied by `factor`. Returns NULL, or what is wrong, newly allocated; then the table is empty. */
char *table_make(const struct source *from, const struct trace_list *traces, double factor, struct table *out);
void table_free(struct table *table);

/* Multiply all values of a table. */
void table_scale(struct table *table, double factor);

/* All members as one, by a reducer. */
struct measure table_reduce(const struct table *table, const struct reducer *reducer);

/* The median of a trace's frame times; NaN, of no samples, where it was not timed. */
struct measure trace_median(const struct trace_data *trace);

/* The quantities that are no series of a trace. Ends with a NULL name. */
extern const struct run_quantity {
    const char *name, *unit, *doc;
    bool is_timing;
    bool (*measure)(const struct trace_data *trace, enum statistic statistic, struct measure *out); /* false: none */
} run_quantities[];

/* Whether a quantity is measured by the clock. */
bool quantity_is_timing(const char *name);

/* A series of `count` frames as one number, as the source's over_frames says. Returns NULL, or what is wrong, newly
 * allocated. */
char *series_reduce(const struct source *from, const double *times, const double *values, int count,
                    struct measure *out);

/* What a sweep's table calls this reduction: "max", "at 0.5 s", "decay 0.368", and behind it " against RUN" for a
 * quantity of two runs. Newly allocated. */
char *reduction_name(const struct source *from, const struct trace_data *partner);

/* A series by name, [frames]; NULL where the trace has none. */
const double *trace_series(const struct trace_data *trace, const char *name);

/* How fast a run's nodes move against their centre of mass, as a root mean square, m/s: [frames], newly allocated. NULL
 * if the trace lacks energy, momentum or mass. */
double *inner_speed_of(const struct trace_data *trace);

/* The index of the run that each is compared with, by the source's `against`, or -1. Returns NULL, or what is wrong,
 * newly allocated. */
char *partners_find(const struct source *from, const struct trace_list *traces, int *partner);

/* A parameter's canonical text or a note of /run, or NULL. */
const char *trace_text(const struct trace_data *trace, const char *name);
bool trace_matches(const struct trace_data *trace, const struct clauses *clauses);

/* Whether a claim's source takes a trace: by its `select`, or as a reference. Where it ran does not matter if
 * `is_anywhere`. */
bool source_takes(const struct source *from, const struct trace_data *trace, bool is_anywhere);

/* Whether a name is of where a run was made, as backend_kind. */
bool source_is_whereabouts(const char *name);

/* Whether a trace is one that others are compared with: it has the values of `against`, and the others of `select`. If
 * `against` names a method, values of keys that this method does not have are left out. */
bool source_is_reference(const struct source *from, const struct trace_data *trace);

/* The numbers that a canonical text begins with, at most three; their count. A word that merely begins with digits, as
 * the unit 1/s does, is none. */
int text_numbers(const char *text, double numbers[3]);

/* A number on an axis from its text: one number itself, two their product (the nodes of a cloth), three their length.
 */
double text_size(const char *text);

/* A number as it is shown: "16384", "5.61 %", "yes", "none" (where there was nothing to reduce), "not a number". */
struct number_text {
    char text[128];
};
struct number_text number_text(double number, const char *unit);

/* A trace's run by its id, or its file: for messages. */
const char *trace_name(const struct trace_data *trace);

#endif
