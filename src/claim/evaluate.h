/* Judge one claim by one set of traces: the measured value, and whether the claim holds. judge.c adds the sensitivity
 * to assumptions. */
#ifndef SPRINGBACK_CLAIM_EVALUATE_H
#define SPRINGBACK_CLAIM_EVALUATE_H

#include "claim/claim_file.h"
#include "claim/quantity.h"

struct outcome {
    enum verdict verdict;
    char *measured, *interval; /* "" if there is none; NULL if the outcome has no texts */
    char *why;                 /* what was observed, in sentences; may be ""; NULL if the outcome has no texts */
    int status;                /* STATUS_BAD: the claim has a mistake, which has been reported */
    bool is_undecided; /* noise decides: two values that the claim orders differ by at most the sum of their noise; or a
                          ratio that the claim compares with 1 differs from 1 by at most the ratio's noise */
    double distance;   /* how far the claim is from being true: 0 if it holds, INFINITY if nothing can be compared;
                        * else the largest distance of a value:
                        * - printed number: |measured - printed|, divided by the larger of the tolerance and
                        *   half a unit in the last printed place (of a printed range: half of its width);
                        * - count: |measured - printed|, divided by the larger of |printed| and 1;
                        * - bound: |measured - bound|, divided by |bound| unless the bound is 0;
                        * - order: the difference of two values in the wrong order, divided by the larger
                        *   absolute value.
                        * If a claim of the kind value, ratio or shape has an expectation, too, the smaller of its two
                        * distances counts.
                        * Distances of different claims cannot be compared. */
    char *direction;   /* for VERDICT_DIFFERS, how the measured value differs from the printed one: "worse than printed,
                          67 % more"; NULL for other verdicts, and if the measured value is not a number */
};

/* Judge a claim whose kind is not `consistency` by traces that its source selects (source_selects). All values of its
 * quantity are multiplied by `factor`. If there is no trace, the verdict is VERDICT_NOT_RUN. The caller frees the
 * result with outcome_free. */
struct outcome outcome_of(const struct claim *claim, const struct trace_list *traces, double factor);

/* Judge a claim in one member of a sweep, by the traces of the member. If a run blew up, a claim about a printed value
 * or ratio does not hold, and its distance is INFINITY. The outcome has no texts; outcome_of makes them for the few
 * members that are shown.
 *
 * `layout`: the layout of these traces (claim_layout), or NULL.
 * `noise`: the noise of each value that the claim compares (claim_noise), or NULL. The order of two values is undecided
 * if their difference is not 0, but at most the sum of their noise. */
struct outcome outcome_in_member(const struct claim *claim, const struct trace_list *traces,
                                 const struct table_layout *layout, const struct table *noise);

/* The layout of the table that a claim compares. The caller frees it with table_layout_free. */
void claim_layout(const struct claim *claim, const struct trace_list *traces, struct table_layout *out);

/* The values that a claim compares. The caller frees them with table_free. Returns false if there are none. */
bool claim_table(const struct claim *claim, const struct trace_list *traces, struct table *out);
void outcome_free(struct outcome *outcome);

/* The printed value or expectation of a claim, as text: "5.61 %", "<= 5 %", "stable"; "" if there is none. */
const char *claim_printed(const struct claim *claim);

/* The difference of a number from the printed one: "67 % more", "7490 times less"; only "more" or "less" if one of the
 * two numbers is not positive or not finite. Newly allocated. */
char *difference_text(double number, double printed);

/* Whether a verdict means that the claim holds: matches, within tolerance or shape only. */
bool verdict_holds(enum verdict verdict);

/* Whether a claim compares values of the parameter at a path (`each`, `along`, `compare` or `against`), or measures the
 * parameter (`quantity`). Then the parameter's range is not an uncertainty of the claim. */
bool source_is_about(const struct source *from, const char *path);

/* Append a sentence to a text, after a space if the text is not empty. */
void sentence_add(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Explain why a claim selects no run: name the keys or values of `select` that no run has. Newly allocated.
 * *is_of_claim becomes false if the experiment has no trace, or if runs on another machine, or with another value of
 * BACKENDS= of make, can have the missing value. Otherwise it becomes true: the claim has a mistake, or some runs are
 * missing. *is_partly_run: whether the experiment file plans runs that have no result (trace_set_compare). */
char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run);

/* A word in single quotes for a shell; newly allocated. */
char *shell_quoted(const char *word);

/* A shell command for the repository's folder that repeats a verdict. It repeats the runs that decide the verdict, and
 * judges the claims of the file `claims` about their experiment. If no runs decide, it only judges the file. Newly
 * allocated. */
char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims);

#endif
