/* Whether a claim holds over every set-up that its paper allows: judged in each member of a sweep over the assumptions
 * of its experiment, and what separates the members in which it holds from the others.
 *
 * A claim holds if it is true in all admissible members of the likely ranges, at least 59 of them (so that with 95 %
 * confidence it is true in 95 % of these ranges), in every reading. It differs if it is true in no admissible member of
 * the likely and possible ranges, at least 59, in no reading, and a search of 200 runs from the nearest of them found
 * none either; without such a search it is not swept. Otherwise it depends on the values, but for a claim that is true
 * in all likely members, of which there are too few: that needs more members. Members that the experiment's conditions
 * (claim_file.h, `admissible`) reject, and noise members, never count. Members of a search count in no share: one of
 * them in which a claim is true, in any reading, whichever claim it was made for, only keeps it from differing.
 *
 * The split is the best of all rules of one question, "is this number above T?" or "is it this word?": that which
 * leaves the two sides purest by Gini's impurity (a decision tree of depth one, after Breiman, Friedman, Olshen and
 * Stone, 1984). T lies midway between two neighbouring members' values, geometrically where the logarithm was sampled.
 */
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

/* One number, or the words, of an assumption that the members vary. */
struct sweep_axis {
    const char *path, *unit; /* the unit "1" for a pure number; "" for words */
    int index;               /* of the path among the table's assumptions */
    int component;           /* of a vector, from 0; -1 where the value is one number */
    bool is_word, whole;     /* all values are whole */
    bool wide;               /* its logarithm was sampled */
    double low, high;        /* the least and the largest value of a member */
};

struct set_member {
    const struct sweep_member *member; /* of the table */
    double *places;                    /* a number an axis; NaN for words */
    struct trace_data *traces;         /* [table.run_count]; their parameters are those as taken */
    const char *rejection;             /* the condition that it does not keep; NULL for an admissible member */
};

struct member_set {
    const char *experiment;
    struct sweep_table table; /* empty if there is none, or it is outdated */
    bool *is_shared;  /* [table.assumption_count] whether all experiments of the paper share it; NULL if the table
                       * was not compared with the experiment's file */
    bool is_outdated; /* its runs or ranges are not those of the experiment's file now; it must be made again */
    struct sweep_axis *axes;
    int axis_count;
    struct set_member *members; /* those that ran, in the table's order; the first has the values as taken */
    int count;
    int skipped;  /* likely and possible members that did not run, because their values cannot be combined */
    int admitted; /* how many of the first members the conditions were asked of */
    struct sensitivity **judged; /* of claims (sensitivity_of) */
    int judged_count;
    struct pool pool;        /* memory of the above */
    struct member_set *next; /* in a list of sets */
};

/* Read the table SWEEPS/<experiment>.tsv.xz of an experiment's sweep; without one, `count` is 0. A table that is not of
 * the file EXPERIMENTS/<experiment>.yaml as it is now is outdated, and `count` is 0, too; not compared if there is no
 * such file, or `experiments` is NULL. Errors: it is no table; the set is empty then. */
int member_set_read(const char *sweeps, const char *experiments, const char *experiment, struct member_set *set);
void member_set_free(struct member_set *set);

/* Whether runs that a claim selects have a stand-in for their body: what it gives is no verdict. */
bool member_set_has_stand_in(const struct member_set *set, const struct source *from);

/* Sets of several experiments, each read when it is first asked for. */
struct member_sets {
    const char *folder;      /* of the tables; NULL: none is read, and all sets are empty */
    const char *experiments; /* of the experiments' files, as for member_set_read */
    struct member_set *first;
};

/* The set of an experiment, owned by the list. NULL: its table is no table, which has been reported. */
struct member_set *member_sets_find(struct member_sets *sets, const char *experiment);
void member_sets_free(struct member_sets *sets);

/* Reject members by the conditions on their experiment, those that were added since the last time too. Errors: a
 * condition that cannot be judged. */
int member_set_admit(struct member_set *set, const struct claim_file *claims);

/* Add a member of the set's experiment that its table does not have; what it points to must outlive the set. It is not
 * rejected until members are admitted. */
void member_set_add(struct member_set *set, const struct sweep_member *member);

enum {
    ENOUGH_MEMBERS = 59, /* smallest n with 0.95^n < 0.05 */
    SEARCH_RUNS = 200    /* members that a search for a claim must have been able to run */
};

/* The assumption that separates members best. */
struct parting {
    const struct sweep_axis *axis; /* NULL where nothing separates the members: all hold, or none */
    double threshold;              /* of a number */
    const char *word;              /* of words; else NULL */
    bool above;                    /* it holds rather above the threshold, or with the word */
    int holding_in, in;            /* members on the side where it holds rather, and how many of these hold */
    int holding_out, out;          /* on the other */
    double purity;                 /* the share of members that are on the side of most like them */
    double chance;                 /* how often chance would separate them so well by some question; 1 at most */
};

/* Admissible members of a kind. */
struct member_share {
    int members, holding; /* in every reading */
    int partly;           /* in some readings, not in all */
    int undecided;        /* values lie closer than the noise floor, or there is nothing to judge */
};

/* Whether a member that a claim holds in is evidence for it: no noise, and admissible. */
bool member_is_evidence(const struct set_member *member);

struct sensitivity {
    const struct claim *claim;
    const char *left_out; /* why the claim is not judged in the members; NULL where it is */
    bool is_fixed;        /* left out since no assumption changes it */
    struct member_share likely, possible, searched;
    int rejected, skipped; /* likely and possible members */
    bool may_differ;       /* true in none of enough members, in no reading: a search must tell */
    int search_runs;       /* that a search for it could make (run/sweep.h) */
    bool holds_as_taken;
    enum verdict verdict;   /* by the rule above; VERDICT_NOT_SWEPT if there are too few members for it */
    double low, high;       /* 95 % interval of the share of the likely members that hold */
    bool *holds;            /* of each of the set's members: in every reading */
    enum verdict *verdicts; /* of each of the set's members: of its worst reading */
    const char **measured;  /* likewise */
    int holds_in, fails_in; /* indices of a member in which it holds, and of one in which it does not; -1: none */
    struct parting parting; /* of likely and possible members */
    struct pool pool;       /* memory of the above */
    int status;             /* STATUS_BAD: the claim itself is wrong, which has been reported */
};

/* Judge a claim in each member, once: the result is the set's, until a member is added. Timings, counts of a body and
 * comparisons of backends are left out, since no assumption changes them, or the members were run untimed on one
 * backend. The claim must live as long as the set. */
const struct sensitivity *sensitivity_of(const struct claim *claim, struct member_set *set,
                                         const struct claim_file *claims);

/* Forget the results. */
void sensitivities_free(struct member_set *set);

/* "in 62 of 64 likely set-ups and in 40 of 60 other possible ones; 2 set-ups are not admissible", or "in no set-up of
 * 64 likely, 64 possible and 200 searched ones"; newly allocated. */
char *sensitivity_count_text(const struct sensitivity *sensitivity);

/* "method.stiffness: it holds above 25 N/m (up to 10000 N/m) in 40 of 41, and below in 1 of 23"; newly allocated, ""
 * where nothing separates the members. */
char *parting_text(const struct parting *parting);

/* The options of `springback run` that give an experiment's runs a member's values: "--set 'time.step=1 ms'"; newly
 * allocated. */
char *member_options(const struct member_set *set, int member);

/* The same for programs. */
json_t *sensitivity_json(const struct sensitivity *sensitivity, const struct member_set *set);

#endif
