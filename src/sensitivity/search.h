/* A search for set-ups in which claims hold, begun where they nearly do.
 *
 * A claim that holds in no member of a sweep is searched for around its three nearest admissible members, by the
 * distance that evaluate.h defines. Each batch of 25 points is drawn around the three nearest members known so far: of
 * each point, about a third of the numbers, one at least, are moved by a normal deviate (as in an evolution strategy:
 * Rechenberg, 1973), in the place on the range that sample.h gives a number, so in its logarithm where the range is
 * wide, and no further than the range's ends; words are replaced by others. The deviation begins with 0.3 of the range,
 * and shrinks by 0.6 after a batch that brought nothing nearer. Claims of an experiment are searched for at the same
 * time, and each profits from the members of all, so that a batch is as large as an ensemble needs.
 *
 * The same members give the same points, whenever and wherever the search goes on. */
#ifndef SPRINGBACK_SENSITIVITY_SEARCH_H
#define SPRINGBACK_SENSITIVITY_SEARCH_H

#include "claim/answer.h"
#include "experiment/sample.h"

#include <gsl/gsl_rng.h>

enum { SEARCH_CENTRES = 3, SEARCH_BATCH = 25 };
#define SEARCH_WIDTH     0.3
#define SEARCH_SHRINKAGE 0.6

/* A claim that is searched for. */
struct search_target {
    const struct claim *claim;
    struct table noise;
    int runs;                        /* points drawn for it, those of earlier searches too */
    int nearest[SEARCH_CENTRES];     /* members of the set, the nearest first; -1: none */
    double distance[SEARCH_CENTRES]; /* theirs; INFINITY for none */
    double width;                    /* of the deviation, as a share of a range */
    unsigned long seed;
    bool is_found, is_exhausted; /* it holds in a member; no further point could be drawn */
};

struct search {
    const struct experiment *experiment;
    const struct claim_file *claims;
    struct member_set *set;
    struct search_target *targets;
    int target_count, most_runs; /* most_runs: for each claim */
    int judged;                  /* how many of the set's first members were judged */
    char **tried;                /* values of all points, of the set's and drawn */
    int tried_count;
    struct value *points; /* [point_count][assumptions]: the last batch */
    int point_count;
    struct pool *values; /* texts of the points' values; the caller's */
    struct pool pool;    /* of what was tried */
};

/* Begin a search for all claims about the set's experiment that hold in none of its members (may_differ), but for those
 * for which earlier searches have run `most_runs` members. All that is passed must outlive it; texts of values go to a
 * pool. Errors: as of sensitivity_of. */
int search_begin(const struct experiment *experiment, const struct claim_file *claims, struct member_set *set,
                 int most_runs, struct pool *values, struct search *search);

/* Draw the next batch into `points`, of all claims that still need one; there are none when the search has ended. */
void search_draw(struct search *search);

/* Judge the members that were added to the set. Errors: a condition that cannot be judged. */
int search_judge(struct search *search);

void search_free(struct search *search);

/* Draw a point near a member, with a normal deviation of this share of a range. */
void search_draw_near(const struct experiment *experiment, const struct sweep_member *centre, double width,
                      gsl_rng *random, struct pool *pool, struct value *out);

/* The values of a point that vary, and those of a member, as one text: equal texts are of the same set-up. Newly
 * allocated. */
char *point_text(const struct experiment *experiment, const struct value *values);
char *member_text(const struct sweep_table *table, const struct sweep_member *member);

#endif
