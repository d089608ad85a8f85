/* Quantities: numbers from traces, and the tables of numbers that claims compare.
 *
 * The name of a quantity is looked up in this order:
 * 1. frame_seconds (the median of the timing samples, or the claim's `statistic` of them), frames_per_second (the
 *    reciprocal of frame_seconds), step_seconds, diverged (yes or no);
 * 2. a series of the trace, reduced over its frames;
 * 3. inner_speed, reduced over its frames: the root mean square of the nodes' velocities relative to the velocity
 *    of their centre of mass, in m/s;
 * 4. a series over the recorded geometries (geometry.h), reduced over its frames;
 * 5. a parameter ("method.stiffness") or a numeric note of /run ("springs").
 * In a member of a sweep, the quantities of items 2 to 4 come from the sweep's table. Units are SI, as in the trace.
 *
 * If a claim has `against`, its runs are in two groups. Reference runs match the claim's `select` after the values of
 * `against` have replaced those of the same names. All other selected runs are compared, each with one reference run,
 * its partner. A run and its partner must have equal values of all parameters, except:
 * - parameters that `against` names;
 * - parameters that only one of the two runs has;
 * - parameters of which the two groups have no value in common.
 * For example, if the time step varies in both groups, partners have the same time step. Runs without a partner are
 * left out. A run with several partners is an error of the claim. */
#ifndef SPRINGBACK_CLAIM_QUANTITY_H
#define SPRINGBACK_CLAIM_QUANTITY_H

#include "claim/claim_file.h"

struct trace_list {
    const struct trace_data **items;
    int count;
};

/* Free a list that owns its items. */
void trace_list_free(struct trace_list *list);

/* One of the numbers that a claim compares. The number is computed from the runs with the same value of the path `each`
 * and the same value on the axis (`along` or `compare`), without the runs that `only` or `against` leaves out. */
struct table_entry {
    const char *each, *axis; /* the values of `each` and of the axis, as text; "" if the claim does not have the key */
    int group;               /* number of the group, from 0; entries with the same `each` are a group */
    double place;            /* the value on the axis `along` as a number; 0 if the claim does not have `along` */
    struct measure measure;
};

/* The numbers that a claim compares, sorted by group, and in a group by place. */
struct table {
    struct table_entry *entries;
    int count, groups;
    int unpaired;  /* number of runs without a partner, plus number of entries of a ratio's numerator that the
                      denominator lacks; all these are left out */
    char unit[64]; /* "1" for a pure number, "yes or no" for an answer */
};

/* The entries of a table before they are measured, and the traces that belong to each entry. A ratio has one such part
 * for its numerator, and one for its denominator. */
struct table_part {
    struct table_entry *entries; /* without their measures, in order of appearance */
    int count, groups, unpaired; /* as in struct table */
    int *entry_of;               /* [traces] index of the trace's entry, or -1 */
    int *partner;                /* [traces] index of the trace's partner, or -1; NULL without `against` */
    char *problem;               /* why the part cannot be made; NULL if it can */
};

/* The layout of a table depends only on the parameters and notes of the traces, not on what is measured. So one layout
 * is enough for all members of a sweep, whose traces differ only in their numbers and in the note `status`. */
struct table_layout {
    struct table_part above, below; /* below: the denominator; empty if the source is no ratio */
};

void table_layout_make(const struct source *from, const struct trace_list *traces, struct table_layout *out);
void table_layout_free(struct table_layout *layout);

/* Make a table as table_make does. `layout`: the layout of these traces. */
char *table_fill(const struct source *from, const struct table_layout *layout, const struct trace_list *traces,
                 double factor, struct table *out);

/* Make the table of a claim from traces that its source selects. A ratio has the entries for which both the numerator
 * and the denominator exist. All values are multiplied by `factor`. Returns NULL or an error message, newly allocated;
 * after an error the table is empty. */
char *table_make(const struct source *from, const struct trace_list *traces, double factor, struct table *out);
void table_free(struct table *table);

/* Multiply all values of a table, and their intervals, by a factor. */
void table_scale(struct table *table, double factor);

/* Reduce all values of a table to one number, and the ends of their intervals to its interval. */
struct measure table_reduce(const struct table *table, const struct reducer *reducer);

/* The median of a trace's frame times, in s. If the trace has no timings, the value is NaN and `samples` is 0. */
struct measure trace_median(const struct trace_data *trace);

/* The quantities of a run as a whole: timings, and whether the run blew up. The last entry has the name NULL. `measure`
 * returns false if the trace does not have the quantity. */
extern const struct run_quantity {
    const char *name, *unit, *doc;
    bool is_timing;
    bool (*measure)(const struct trace_data *trace, enum statistic statistic, struct measure *out);
} run_quantities[];

/* Whether a quantity is a timing. */
bool quantity_is_timing(const char *name);

/* Reduce a series of `count` frames to one number by the source's over_frames. Returns NULL or an error message, newly
 * allocated. */
char *series_reduce(const struct source *from, const double *times, const double *values, int count,
                    struct measure *out);

/* The name of the source's reduction in the table of a sweep: "max", "at 0.5 s", "decay 0.368". If `partner` is not
 * NULL, " against RUN" follows, where RUN is the id of the partner without its backend. Newly allocated. */
char *reduction_name(const struct source *from, const struct trace_data *partner);

/* A series by name, [frames]; NULL if the trace does not have it. */
const double *trace_series(const struct trace_data *trace, const char *name);

/* The root mean square of the nodes' velocities relative to their centre of mass, m/s: [frames], newly allocated. NULL
 * if the trace has no energy, momentum or mass. */
double *inner_speed_of(const struct trace_data *trace);

/* Find the partner of each run of a list, by the source's `against`. partner[t] becomes the index of the partner of run
 * t, or -1 if run t has none or is a reference run. Returns NULL or an error message, newly allocated. */
char *partners_find(const struct source *from, const struct trace_list *traces, int *partner);

/* The canonical text of a parameter, or a note of /run; NULL if the trace has neither. Equal values of a parameter have
 * equal canonical texts. */
const char *trace_text(const struct trace_data *trace, const char *name);

/* Whether a trace has the values of all these clauses. */
bool trace_matches(const struct trace_data *trace, const struct clauses *clauses);

/* Whether a claim's source selects a trace: by its `select`, or as a reference run. If `is_anywhere` is set, clauses on
 * the backend, the device and the threads are ignored. */
bool source_selects(const struct source *from, const struct trace_data *trace, bool is_anywhere);

/* Whether a name describes where a run was computed, such as backend_kind. */
bool source_is_whereabouts(const char *name);

/* Whether a trace is a reference run: it matches all clauses of `against`, and the clauses of `select` whose names
 * `against` does not have. If `against` has method.name, a clause of `select` on a parameter of the method is ignored
 * if the trace does not have this parameter. */
bool source_is_reference(const struct source *from, const struct trace_data *trace);

/* Read the numbers at the beginning of a canonical text, at most three. Returns how many there are. A word that begins
 * with digits, such as the unit 1/s, is not a number. */
int text_numbers(const char *text, double numbers[3]);

/* The place of a canonical text on an axis. A text with one number has this number as its place. A text with two
 * numbers (the nodes of a cloth) has their product. A text with three numbers (a vector) has the vector's length. NaN
 * if the text has no number. */
double text_size(const char *text);

/* A number as text for people: "16384", "5.61 %", "stable", "blew up", "none" (infinite), "not a number". */
struct number_text {
    char text[128];
};
struct number_text number_text(double number, const char *unit);

/* The id of a trace's run, or the path of the trace if it has no id; for messages. */
const char *trace_name(const struct trace_data *trace);

#endif
