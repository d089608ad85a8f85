/* The sensitivity of a claim: in which set-ups that its paper allows it holds. The claim is judged in each member of a
 * sweep over the assumptions of its experiment. If it holds in some members only, a split names the assumption that
 * separates these members best from the others.
 *
 * Rule for the verdict. Only members count that the conditions of the experiment accept (claim_file.h, `admissible`),
 * and noise members never count.
 * - A claim holds if all its readings are true in each likely member, and there are at least 59 likely members. Then,
 *   with 95 % confidence, it is true in at least 95 % of the likely ranges.
 * - Suppose that none of its readings is true in any member, and no likely or possible member is undecided. Then the
 *   claim differs if there are at least 59 likely and possible members, and a search of 200 runs from the nearest
 *   members is complete. If a possible range is wider than the likely one, there must be possible members. Without all
 *   this, the claim is not swept.
 * - It is not swept if it is true in all likely members, but there are fewer than 59 of them.
 * - Otherwise it depends. Exception: it is not swept if there are fewer than 59 likely and possible members, all its
 *   readings are true in none of them, and no reading is true in a searched member.
 * Searched members count in no share. But a claim does not differ if one of its readings is true in a searched member,
 * even if that member was found by the search for another claim.
 *
 * The split is a decision tree of depth one (Breiman, Friedman, Olshen and Stone, 1984). Its question is "is this
 * number above T?" or "is it this word?". The chosen question gives the smallest Gini impurity of the two sides. T is
 * the mean of two neighbouring values of members, or their geometric mean if the logarithm was sampled. For whole
 * numbers it is rounded down. */
#ifndef SPRINGBACK_CLAIM_SENSITIVITY_H
#define SPRINGBACK_CLAIM_SENSITIVITY_H

#include "base/json.h"
#include "base/memory.h"
#include "claim/claim.h"
#include "claim/claim_file.h"
#include "run/sweep.h"
#include "trace/trace.h"

#include <stdbool.h>

/* ---- The members of a sweep ---- */

/* An axis of the sweep: one number of an assumption that varies, or its words. */
struct sweep_axis {
    const char *path, *unit; /* the unit is "1" for a pure number, "" for words */
    int index;               /* of the path among the table's assumptions */
    int component;           /* index of the number in a value of several numbers; -1 if the value has only one */
    bool is_word, whole;     /* whole: all values are whole numbers */
    bool wide;               /* its logarithm was sampled */
    double low, high;        /* the smallest and the largest value of a member */
};

struct set_member {
    const struct sweep_member *member; /* in the table */
    double *places;                    /* [axis_count] the value on each axis; NaN for words */
    struct trace_data *traces; /* [table.run_count]; their parameters have the chosen values, not the member's */
    const char *rejection;     /* what the violated condition says; NULL for an admissible member */
};

struct member_set {
    const char *experiment;
    struct sweep_table table; /* empty if there is none, or it is outdated */
    bool *is_shared;  /* [table.assumption_count] whether all experiments of the paper share it; NULL if the table
                       * was not compared with the experiment file */
    bool is_outdated; /* the runs or ranges of the experiment file have changed; the sweep must be repeated */
    struct sweep_axis *axes;
    int axis_count;
    struct set_member *members; /* the members that ran, in the table's order; the first has the chosen values */
    int count;
    int skipped;  /* likely and possible members that did not run, because their values cannot be combined */
    int admitted; /* how many members, from the first on, member_set_admit has judged by the conditions */
    struct sensitivity **judged; /* results of sensitivity_of */
    int judged_count;
    struct pool pool;        /* memory of the above */
    struct member_set *next; /* in a list of sets */
};

/* Read the table SWEEPS/<experiment>.tsv.xz of an experiment's sweep. If there is no table, `count` is 0. If the file
 * EXPERIMENTS/<experiment>.yaml has other runs or ranges now, the table is outdated and `count` is 0 too. The table is
 * not compared if there is no such file or `experiments` is NULL. Errors: the file is not a table; then the set is
 * empty. */
int member_set_read(const char *sweeps, const char *experiments, const char *experiment, struct member_set *set);
void member_set_free(struct member_set *set);

/* Whether runs that a claim selects use a stand-in for their body. Then no verdict is given, because a stand-in is not
 * the paper's body. */
bool member_set_has_stand_in(const struct member_set *set, const struct source *from);

/* Sets of several experiments, each read when it is first needed. */
struct member_sets {
    const char *folder;      /* of the tables; NULL: none is read, and all sets are empty */
    const char *experiments; /* folder of the experiment files, as for member_set_read */
    struct member_set *first;
};

/* The set of an experiment, owned by the list. NULL, and a message, if its file is not a table. */
struct member_set *member_sets_find(struct member_sets *sets, const char *experiment);
void member_sets_free(struct member_sets *sets);

/* Set `rejection` of the members that violate a condition on their experiment. The first `admitted` members were judged
 * by an earlier call, and are not judged again. Errors: a condition that cannot be judged. */
int member_set_admit(struct member_set *set, const struct claim_file *claims);

/* Add a member of the set's experiment that its table does not have. The data that the member points to must outlive
 * the set. Call member_set_admit before the member is used. */
void member_set_add(struct member_set *set, const struct sweep_member *member);

enum {
    ENOUGH_MEMBERS = 59, /* smallest n with 0.95^n < 0.05 */
    SEARCH_RUNS = 200    /* runs that a search for a claim must be allowed to make before the claim can differ */
};

/* The split by the assumption that separates the members best. One side is called "inside": the side where the claim
 * holds in the larger share of the members. */
struct member_split {
    const struct sweep_axis *axis; /* NULL if there is no split, because the claim holds in all members or in none */
    double threshold;              /* for numbers */
    const char *word;              /* for words; else NULL */
    bool above;                    /* whether inside are the members above the threshold, or those with the word */
    int holding_in, in;            /* members inside in which the claim holds; all members inside */
    int holding_out, out;          /* the same outside */
    double purity;                 /* the share of members that agree with the majority of their side */
    double chance; /* the probability of so good a split by chance, times the number of questions; at most 1 */
};

/* Numbers of admissible members of a kind. */
struct member_share {
    int members, holding; /* holding: in every reading */
    int partly;           /* the claim holds in some readings, but not in all */
    int undecided;        /* values differ by less than the noise, or there is nothing to judge */
};

/* Whether a member counts as evidence: it is admissible and not a noise member. */
bool member_is_evidence(const struct set_member *member);

struct sensitivity {
    const struct claim *claim;
    const char *left_out; /* why the claim is not judged in the members; NULL if it is judged */
    bool is_fixed;        /* left out because of what the claim is about, not for lack of a verdict with the chosen
                           * values */
    struct member_share likely, possible, searched;
    int rejected, skipped; /* likely and possible members */
    bool may_differ;       /* in none of enough members a reading is true or undecided; a search must decide */
    int search_runs;       /* the most runs that a search for the claim was allowed (run/sweep.h) */
    bool holds_with_chosen_values;
    enum verdict verdict;      /* by the rule above; VERDICT_NOT_SWEPT if there are too few members */
    double low, high;          /* 95 % interval of the share of likely members in which the claim holds */
    bool *holds;               /* [set->count] whether the claim holds in every reading */
    enum verdict *verdicts;    /* [set->count] of the worst reading */
    const char **measured;     /* [set->count] by the worst reading */
    int holds_in, fails_in;    /* indices of a member in which the claim holds and of one in which it does not; or -1 */
    struct member_split split; /* of likely and possible members */
    struct pool pool;          /* memory of the above */
    int status;                /* STATUS_BAD: the claim has a mistake, which has been reported */
};

/* Judge a claim in each member. The set owns the result. Later calls return the same result, until a member is added.
 * Left out are counts of a body, which no assumption changes; timings, because members run untimed; comparisons of
 * backends, because all members run on one; and comparisons of runs' texts. The claim must live as long as the set. */
const struct sensitivity *sensitivity_of(const struct claim *claim, struct member_set *set,
                                         const struct claim_file *claims);

/* Free the results of sensitivity_of. */
void sensitivities_free(struct member_set *set);

/* "in 62 of 64 likely set-ups and in 40 of 60 other possible ones; 2 set-ups are not admissible: ...", or "in none of
 * 64 likely, 64 possible and 200 searched set-ups". Newly allocated. */
char *sensitivity_count_text(const struct sensitivity *sensitivity);

/* "method.stiffness: it holds above 25 N/m (up to 10000 N/m) in 40 of 41 set-ups, and below in 1 of 23"; "" if there is
 * no split. Newly allocated. */
char *split_text(const struct member_split *split);

/* The options of `springback run` that give an experiment's runs the values of a member: "--set 'time.step=1 ms'".
 * Newly allocated. */
char *member_options(const struct member_set *set, int member);

/* A claim's sensitivity as JSON: a new reference, which the caller releases. */
json_t *sensitivity_json(const struct sensitivity *sensitivity, const struct member_set *set);

#endif
