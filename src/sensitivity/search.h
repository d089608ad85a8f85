/* A search for set-ups in which a claim holds. The search begins near set-ups in which the claim almost holds.
 *
 * The search is for claims that hold in no member of a sweep. For each claim, a batch has up to 25 points around the
 * three nearest admissible members; evaluate.h defines the distance between a member and a claim. A point is a copy of
 * one of these three members, in which about a third of the coordinates, but at least one, are changed. A normally
 * distributed number is added to a changed coordinate, as in an evolution strategy (Rechenberg, 1973). The result is
 * limited to the possible range. Coordinates are those of sample.h: in a wide range, they are proportional to the
 * logarithm of the value. If the range is a list, a random value of the list is drawn instead.
 *
 * The standard deviation is 0.3 of the range at first. It is multiplied by 0.6 after a batch without a nearer member,
 * unless all members of the batch have the same distance as the nearest earlier member. The searches for all claims of
 * an experiment run at the same time, and each also uses the members that ran for other claims. A batch has the points
 * of all claims, so it is large enough for an ensemble.
 *
 * The same members give the same points, at any time and on any machine. */
#ifndef SPRINGBACK_SENSITIVITY_SEARCH_H
#define SPRINGBACK_SENSITIVITY_SEARCH_H

#include "claim/answer.h"
#include "experiment/sample.h"

#include <gsl/gsl_rng.h>

enum { SEARCH_CENTRES = 3, SEARCH_BATCH = 25 };
#define SEARCH_WIDTH     0.3
#define SEARCH_SHRINKAGE 0.6

/* The search for one claim. */
struct search_target {
    const struct claim *claim;
    struct table *noise;             /* result of claim_noise for the claim */
    int runs;                        /* points drawn for the claim, plus sweep_searched_runs of earlier searches */
    int nearest[SEARCH_CENTRES];     /* indices of the nearest members, the nearest first; -1: none */
    double distance[SEARCH_CENTRES]; /* distance of each nearest member from the claim; INFINITY for none */
    double width;                    /* standard deviation of the next batch, as a fraction of a range */
    unsigned long seed;              /* seed of the random numbers: a hash of the claim's id */
    bool is_found, is_exhausted; /* found: a reading of the claim is true in a member; exhausted: no new point could be
                                    drawn */
};

struct search {
    const struct experiment *experiment;
    const struct claim_file *claims;
    struct member_set *set;
    struct search_target *targets;
    int target_count, most_runs; /* most_runs: the most points that are drawn for a claim */
    int judged;                  /* the first `judged` members of the set were judged */
    char **tried;                /* texts of all members of the set's table and of all drawn points (point_text) */
    int tried_count;
    struct value *points; /* [point_count][assumptions]: the last batch, with the points for all claims */
    int point_count;
    struct pool *values; /* owns the texts of the points' values; owned by the caller */
    struct pool pool;    /* owns the texts of `tried` */
};

/* Begin a search for the claims about the set's experiment for which sensitivity_of sets may_differ. A claim is left
 * out if a complete earlier search was allowed `most_runs` members or more. All arguments must outlive the search. The
 * pool `values` will own the texts of the drawn points. The caller frees the search, also after an error. Errors: those
 * of sensitivity_of and of search_judge. */
int search_begin(const struct experiment *experiment, const struct claim_file *claims, struct member_set *set,
                 int most_runs, struct pool *values, struct search *search);

/* Draw the next batch into `points`, for all claims that still need points. point_count is 0 when the search has ended.
 */
void search_draw(struct search *search);

/* Judge the members that were added to the set since the last call. Errors: a condition that cannot be judged. */
int search_judge(struct search *search);

void search_free(struct search *search);

/* Draw a point near the member `centre`, into out[assumptions]. `width` is the standard deviation as a fraction of a
 * range. The pool owns the texts of the values. */
void search_draw_near(const struct experiment *experiment, const struct sweep_member *centre, double width,
                      gsl_rng *random, struct pool *pool, struct value *out);

/* The set-up of a point or of a member as one text: the values of all assumptions that vary. Equal texts mean equal
 * set-ups. Newly allocated; the caller frees it. */
char *point_text(const struct experiment *experiment, const struct value *values);
char *member_text(const struct sweep_table *table, const struct sweep_member *member);

#endif
