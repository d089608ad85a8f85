/* Judge one claim by one set of traces: the measured value, and whether the claim holds. judge.c adds the sensitivity
 * to assumptions. */
#ifndef SPRINGBACK_CLAIM_EVALUATE_H
#define SPRINGBACK_CLAIM_EVALUATE_H

#include "claim/claim_file.h"
#include "claim/quantity.h"

struct outcome {
    enum verdict verdict;
    char *measured, *interval; /* "" if there is none */
    char *why;                 /* what was observed, in sentences; may be "" */
    int status;                /* STATUS_BAD: the claim has a mistake, which has been reported */
    bool is_undecided;         /* two values that the claim orders differ by less than the noise */
    double distance;           /* from holding, for the worst value: 0 if the claim holds, INFINITY if nothing can be
                                * compared. Number: |measured - printed| over the tolerance, or over half a unit in the
                                * last printed place. Bound: the distance from the bound over the bound. Order: the
                                * difference of two values in the wrong order over the larger of both. Distances of
                                * different claims cannot be compared. */
    char *direction;           /* if the claim differs, how the measured value differs from the printed one: "worse than
                                * printed, 67 % more"; NULL if it holds or nothing is known */
};

/* Judge a claim with a source by traces that match its `select`. All values of its quantity are multiplied by `factor`.
 * Without a trace the verdict is VERDICT_NOT_RUN. */
struct outcome outcome_of(const struct claim *claim, const struct trace_list *traces, double factor);

/* The same for one member of a sweep. `noise` has, for each value that the claim compares, its largest change by the
 * rounding of the starting positions; the order of two values that differ by less is undecided. NULL: noise is not
 * known. If a run blew up, a claim about a printed value or ratio does not hold, and its distance is INFINITY. */
struct outcome outcome_in_member(const struct claim *claim, const struct trace_list *traces, const struct table *noise);

/* The values that a claim compares. The caller frees them with table_free. Returns false if there are none. */
bool claim_table(const struct claim *claim, const struct trace_list *traces, struct table *out);
void outcome_free(struct outcome *outcome);

/* The printed value or expectation of a claim, as text: "5.61 %", "<= 5 %", "stable"; "" if there is none. */
const char *claim_printed(const struct claim *claim);

/* The difference of a number from the printed one: "67 % more", "7490 times less"; "more" if the printed number is 0.
 * Newly allocated. */
char *difference_text(double number, double printed);

/* Whether a verdict means that the claim holds, at least in its shape. */
bool verdict_holds(enum verdict verdict);

/* Whether the claim itself compares values of a path. Then the path's variation is not an uncertainty of the claim. */
bool source_is_about(const struct source *from, const char *path);

/* Append a sentence to a text, after a space if the text is not empty. */
void sentence_add(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Explain why a claim selects no run: the key or value of `select` that no run has. Newly allocated. *is_of_claim:
 * whether the claim has a mistake or runs are missing; false for values that only other machines or devices can have.
 * *is_partly_run: whether the experiment file plans runs that have no result (trace_set_compare). */
char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run);

/* A word in single quotes for a shell; newly allocated. */
char *shell_quoted(const char *word);

/* A shell command for the repository's folder that repeats a verdict: it repeats the runs that decide the verdict and
 * judges the file's claims about their experiment. For a claim without runs, it judges the file. Newly allocated. */
char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims);

#endif
