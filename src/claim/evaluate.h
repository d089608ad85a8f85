/* One claim against one set of traces: what was measured, and whether it holds. Sensitivity is judge.c's. */
#ifndef SPRINGBACK_CLAIM_EVALUATE_H
#define SPRINGBACK_CLAIM_EVALUATE_H

#include "claim/claim_file.h"
#include "claim/quantity.h"

struct outcome {
    enum verdict verdict;
    char *measured, *interval; /* "" where there is none */
    char *why;                 /* what is seen, in sentences; "" where there is no more to say */
    int status;                /* STATUS_BAD: the claim itself is wrong, which has been reported */
    bool is_undecided;         /* values that the claim orders lie closer than rounding moves them */
    double distance;           /* from holding, by the worst of the claim's values; 0 where it holds, INFINITY where
                                * nothing can be compared. Of a number |measured - printed| over the tolerance (or half
                                * of its last printed place), of a bound the distance to it over the bound, of an order
                                * the difference of two values in the wrong order over the larger of both. It compares
                                * one claim in several members, and no claims with each other. */
    char *direction;           /* on which side of what is printed a claim lies that differs: "worse than printed, 67 %
                                * more"; NULL if it holds, or there is no more to say */
};

/* Judge a claim that has a source by traces that match its `select`, all of its quantity's values times `factor`;
 * without a trace it is not run. */
struct outcome outcome_of(const struct claim *claim, const struct trace_list *traces, double factor);

/* The same of one member of a sweep. `noise` has, for each value that the claim compares, how far rounding of the
 * starting positions moves it; an order of values that lie closer is undecided. NULL: not known. A run that blew
 * up does not meet a printed value or ratio, and its distance from one is INFINITY. */
struct outcome outcome_in_member(const struct claim *claim, const struct trace_list *traces, const struct table *noise);

/* The values that a claim compares; newly allocated, to be freed by table_free. Returns false if there are none. */
bool claim_table(const struct claim *claim, const struct trace_list *traces, struct table *out);
void outcome_free(struct outcome *outcome);

/* What a claim holds a measurement against, as text: "5.61 %", "<= 5 %", "stable"; "" for nothing. */
const char *claim_printed(const struct claim *claim);

/* How far a number is from the printed one: "67 % more", "7490 times less", "more" beside a 0; newly allocated. */
char *difference_text(double number, double printed);

/* Whether a verdict says that the claim holds, at least in its shape. */
bool verdict_holds(enum verdict verdict);

/* Whether the claim itself is about a path, so that varying it says nothing of a guess. */
bool source_is_about(const struct source *from, const char *path);

/* Add a sentence to a text, after a space where one stands before it. */
void sentence_add(char **text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Why a claim selects no run, in sentences, newly allocated: which key or value of `select` no run has. *is_of_claim:
 * it is the claim's mistake, or runs are not there; not what only other machines have, nor a device that is missing.
 * *is_partly_run: the experiment's file plans runs of which there is no result (trace_set_compare). */
char *why_unselected(const struct source *from, const struct trace_set *set, bool *is_of_claim, bool *is_partly_run);

/* A word between single quotes, as a shell takes it; newly allocated. */
char *shell_quoted(const char *word);

/* The command that repeats a verdict: a line for a shell in the repository that runs again what the verdict rests on,
 * and judges the claims of the file about its experiment; of a claim without runs, those of the file. Newly allocated.
 */
char *claim_command(const struct claim_result *result, const struct trace_set *set, const char *claims);

#endif
