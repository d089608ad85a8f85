/* The sensitivity of a claim to the values that its paper does not state. The claim is judged in each member of a sweep
 * over the assumptions of its experiment. If the claim holds in only some members, a split names the assumption that
 * separates these members best from the other members.
 *
 * The rule for the verdict has five cases; the first case that applies decides. Only admissible members count
 * (claim_file.h, `admissible`); noise members never count.
 * 1. There are at least 59 likely members, and all readings of the claim are true in each of them. Then the claim
 *    holds: with 95 % confidence, it is true in at least 95 % of the set-ups within the likely ranges.
 * 2. No reading is true in any likely, possible or searched member, and the runs of each likely and possible member can
 *    decide the claim. Then the claim differs if three conditions are true; if one is false, the claim is not swept:
 *    - the likely and the possible members together are at least 59;
 *    - a search of 200 members (sensitivity/search.h) is complete;
 *    - there are possible members, or no possible range is wider than its likely range.
 * 3. All readings are true in each likely member, but there are fewer than 59 likely members. Then the claim is not
 *    swept.
 * 4. The likely and the possible members together are fewer than 59, none of them has all readings true, and no reading
 *    is true in a searched member. Then the claim is not swept.
 * 5. Otherwise the claim depends.
 * Searched members count in no share. But a claim does not differ if one of its readings is true in a searched member,
 * even if the search for another claim found this member.
 *
 * The split is a decision tree of depth one (Breiman, Friedman, Olshen and Stone, 1984). Its question about an
 * assumption is "is this number above T?" or "is it this word?". The question with the smallest Gini impurity of its
 * two sides is chosen. T is the mean of two neighbouring values of members, or their geometric mean if the logarithm
 * was sampled. For whole numbers T is rounded down. */
#ifndef SPRINGBACK_CLAIM_SENSITIVITY_H
#define SPRINGBACK_CLAIM_SENSITIVITY_H

#include "base/json.h"
#include "base/memory.h"
#include "base/words.h"
#include "claim/claim.h"
#include "claim/claim_file.h"
#include "run/sweep.h"
#include "trace/trace.h"

#include <stdbool.h>

/* ---- The members of a sweep ---- */

/* An axis of the sweep: an assumption that varies, or one number of it if its values have several numbers. */
struct sweep_axis {
    const char *path, *unit; /* the unit is "1" for a pure number, "" for words */
    int index;               /* the index of the path in table.assumptions */
    int component;           /* index of the number in a value of several numbers; -1 if the value has only one */
    bool is_word, whole;     /* is_word: the values are words; whole: all values are whole numbers */
    bool wide;               /* the logarithm of the number was sampled (range_is_wide) */
    double low, high;        /* of numbers: the smallest and the largest value of a likely, possible or noise member */
};

struct set_member {
    const struct sweep_member *member; /* the member in the table, or the copy that member_set_add made */
    double *places;                    /* [axis_count] the value on each axis; NaN for words */
    struct trace_data *traces; /* [table.run_count]; their parameters have the chosen values, not the member's */
    const char *rejection;     /* the text (`says`) of the first violated condition; NULL for an admissible member */
};

struct member_set {
    const char *experiment;
    struct sweep_table table; /* empty if there is no table, or if the table is outdated */
    bool *is_shared;  /* [table.assumption_count] whether all experiments of the paper share the assumption; NULL if
                       * the table was not compared with the experiment file */
    bool is_outdated; /* the runs or ranges of the experiment file have changed, or the file has a mistake; the sweep
                       * must be repeated */
    struct sweep_axis *axes;
    int axis_count;
    struct set_member *members; /* the members that ran, in the table's order; the first has the chosen values */
    int count;
    int skipped;  /* likely and possible members that did not run, because their values cannot be combined */
    int admitted; /* member_set_admit has judged the first `admitted` members by the conditions */
    struct sensitivity **judged; /* the results of sensitivity_of, one for each claim */
    int judged_count;
    struct pool pool;        /* owns the other data of this struct */
    struct member_set *next; /* the next set in struct member_sets */
};

/* Read the table SWEEPS/<experiment>.tsv.xz of an experiment's sweep. If there is no table, `count` is 0. If the file
 * EXPERIMENTS/<experiment>.yaml has other runs or ranges now, the table is outdated and `count` is 0 too. The table is
 * not compared if there is no such file or `experiments` is NULL. Errors: the file is not a table, or the first member
 * does not have the chosen values; then the set is empty. */
int member_set_read(const char *sweeps, const char *experiments, const char *experiment, struct member_set *set);
void member_set_free(struct member_set *set);

/* Whether a run that a claim selects uses a stand-in. If so, the sweep gives no verdict on the claim, because a
 * stand-in is not the paper's body. */
bool member_set_has_stand_in(const struct member_set *set, const struct source *from);

/* Sets of several experiments, each read when it is first needed. */
struct member_sets {
    const char *folder;      /* folder of the tables; if NULL, no table is read, and all sets are empty */
    const char *experiments; /* folder of the experiment files, as for member_set_read */
    struct member_set *first;
    struct read_table *ahead; /* [ahead_count] the tables that member_sets_read_ahead has read */
    int ahead_count;
};

/* Read the tables of these experiments with several threads, before member_sets_find needs them one after the other.
 * Tables that cannot be read are left to member_sets_find, which reports why. */
void member_sets_read_ahead(struct member_sets *sets, const struct words *experiments);

/* The set of an experiment, owned by the list. If the file of the experiment's sweep is not a table, the function
 * reports this and returns NULL. */
struct member_set *member_sets_find(struct member_sets *sets, const char *experiment);
void member_sets_free(struct member_sets *sets);

/* Set `rejection` of the members that violate a condition on their experiment. The first `admitted` members were judged
 * by an earlier call, and are not judged again. Errors: a condition that cannot be judged with the chosen values. */
int member_set_admit(struct member_set *set, const struct claim_file *claims);

/* Add a member of the set's experiment that the set's table does not have. The struct is copied; the data to which it
 * points must outlive the set. The results of sensitivity_of are freed. Call member_set_admit before the member is
 * used.
 */
void member_set_add(struct member_set *set, const struct sweep_member *member);

enum {
    ENOUGH_MEMBERS = 59, /* smallest n with 0.95^n < 0.05 */
    SEARCH_RUNS = 200    /* runs that a search for a claim must be allowed to make before the claim can differ */
};

/* The split by the assumption that separates the members best. One side is called "inside": the side with the larger
 * fraction of members in which the claim holds. */
struct member_split {
    const struct sweep_axis *axis; /* NULL if there is no split, for example because the claim holds in all members or
                                      in none */
    double threshold;              /* T of the question, for an axis of numbers */
    const char *word;              /* the word of the question, for an axis of words; else NULL */
    bool above;                    /* true: the members above the threshold, or with the word, are inside; false: the
                                      other members are inside */
    int holding_in, in;            /* in: members inside; holding_in: those in which the claim holds */
    int holding_out, out;          /* out: members outside; holding_out: those in which the claim holds */
    double purity;                 /* accuracy of the split: the fraction of the members that agree with the majority of
                                      their side on whether the claim holds */
    double chance;                 /* the probability that, if members are divided at random into sides of these sizes,
                                      the claim holds in holding_in or more of the members inside (chance_of,
                                      statistics.h); multiplied by the number of questions; at most 1 */
};

/* Numbers of admissible members of a kind. */
struct member_share {
    int members, holding; /* members: all admissible members of the kind; holding: those in which the claim holds in
                              every reading */
    int partly;           /* members in which the claim holds in some readings, but not in all */
    int *by_reading;      /* [1 + reading_count] members in which each reading holds; the first is the claim itself */
    int undecided;        /* members in which the claim does not hold in every reading, and is undecided in at least one
                             (struct claim_answer, answer.h) */
};

/* Whether a member counts as evidence: it is admissible and not a noise member. */
bool sensitivity_is_evidence(const struct set_member *member);

struct sensitivity {
    const struct claim *claim;
    const char *left_out; /* why the claim is not judged in the members; NULL if it is judged */
    bool is_fixed;        /* true: the claim is of a kind that is always left out (sensitivity_of); false: it is judged,
                             or has no verdict with the chosen values */
    struct member_share likely, possible, searched;
    int rejected, skipped; /* rejected: number of likely and possible members that are not admissible; skipped: number
                              of likely and possible members that did not run */
    bool may_differ;       /* by case 2 of the rule, the claim differs if its search is complete */
    int search_runs; /* how many runs a complete search for the claim was allowed (sweep_searched_runs); 0: no search */
    bool holds_with_chosen_values;
    enum verdict verdict;   /* by the rule above; VERDICT_NOT_SWEPT if `left_out` is set */
    double low, high;       /* 95 % interval of the fraction of likely members in which the claim holds, 0 to 1 */
    bool *holds;            /* [set->count] whether the claim holds in every reading */
    enum verdict *verdicts; /* [set->count] the verdict of the first reading that does not hold; if all readings hold,
                               the verdict of the first reading */
    int *shown;             /* [set->count] the reading with the verdict in `verdicts`: 0 is the claim itself, r is
                               claim->readings[r - 1] */
    int *held;              /* [set->count] the first reading that holds; -1 if none holds */
    /* holds_in: index of a member in which the claim holds; if there is none, of a member in which one of its readings
     * holds. fails_in: index of a member in which the claim does not hold. -1 if there is no such member. */
    int holds_in, fails_in;
    struct member_split split; /* the split of the likely and possible members */
    struct pool pool;          /* owns the arrays above */
    int status;                /* STATUS_BAD: the claim has a mistake, which has been reported */
};

/* Judge a claim in each member. The set owns the result. Later calls return the same result, until a member is added.
 * Some claims are left out: counts of a body, which no assumption changes; timings, because sweeps are not timed;
 * comparisons of backends, because all members run on one backend; and comparisons of texts (`same`). The claim must
 * outlive the set. */
const struct sensitivity *sensitivity_of(const struct claim *claim, struct member_set *set,
                                         const struct claim_file *claims);

/* The runs of a member that a source selects, on any backend, because the backends are bit-identical. The caller frees
 * `items`. */
struct trace_list member_set_select(const struct member_set *set, int member, const struct source *from);

/* What a reading of the claim measures in a member, and whether a run blew up. `reading`: as in sensitivity->shown.
 * Newly allocated. */
char *sensitivity_measured(const struct sensitivity *sensitivity, const struct member_set *set, int member,
                           int reading);

/* Free the results of sensitivity_of. */
void sensitivities_free(struct member_set *set);

/* In how many members a claim holds: "in 62 of 64 likely set-ups and in 40 of 60 other possible ones; 2 set-ups are not
 * admissible: ...", or "in none of 64 likely, 64 possible and 200 searched set-ups". Newly allocated. */
char *sensitivity_count_text(const struct sensitivity *sensitivity);

/* "method.stiffness: the claim holds in 40 of 41 set-ups with values above 25 N/m (largest: 10000 N/m), and in 1 of 23
 * with values below 25 N/m"; "" if there is no split. Newly allocated. */
char *split_text(const struct member_split *split);

/* The options of `springback run` that give an experiment's runs the values of a member: "--set 'time.step=1 ms'"; ""
 * for the chosen values. Newly allocated. */
char *sensitivity_options(const struct member_set *set, int member);

/* A claim's sensitivity as JSON: a new reference, which the caller releases. */
json_t *sensitivity_json(const struct sensitivity *sensitivity, const struct member_set *set);

#endif
