/* How far a claim hangs on what its paper leaves unsaid: in which members of a sweep over all assumptions' ranges it
 * holds, and what parts these from the others.
 *
 * The parting is the best of all rules of one question, "is this number above T?" or "is it this word?": that which
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

/* ---- The members of a sweep over an experiment's assumptions, as traces: src/run/sweep.h says where they lie ---- */

/* One number, or the words, of an assumption that the members vary. */
struct sweep_axis {
    const char *path, *unit; /* the unit "1" for a pure number; "" for words */
    int index;               /* of the path among the set's */
    int component;           /* of a vector, from 0; -1 where the value is one number */
    bool is_word, whole;     /* all values are whole */
    bool wide;               /* the range is: its logarithm was sampled */
    double low, high;
};

struct sweep_member {
    int number;
    char **texts;               /* a value an assumption, as the sweep's table has them */
    double *places;             /* a number an axis; NaN for words */
    struct trace_data **traces; /* a run each, in the order of the set's ids */
};

struct member_set {
    const char *experiment;
    struct sweep_members table; /* of all members that the sweep has or will have */
    struct sweep_axis *axes;
    int axis_count;
    const char **ids; /* of the runs that each member has */
    int id_count;
    struct sweep_member *members; /* the first has the values that the experiment takes */
    int count;
    int skipped;      /* members that do not run */
    const char *end;  /* why the members end before those of the table do; "" where they do not */
    struct pool pool; /* memory of the above */
};

/* Read the members of an experiment's sweep below OUT: all up to the first that is not there as it should be. A run's
 * parameters that an assumption gives are shown with the values that the experiment takes, so that claims select as in
 * the main sweep; the members' own are in `texts` and `places`. Without a sweep, `count` is 0. Errors: its table is
 * none. */
int member_set_read(const char *out, const char *experiment, struct member_set *set);
void member_set_free(struct member_set *set);

/* The share of agreeing members under which a verdict is sensitive. */
#define SENSITIVITY_SURE 0.95

/* The assumption that a claim hangs on most. */
struct parting {
    const struct sweep_axis *axis; /* NULL where nothing parts the members: all hold, or none */
    double threshold;              /* of a number */
    const char *word;              /* of words; else NULL */
    bool above;                    /* it holds rather above the threshold, or with the word */
    int holding_in, in;            /* members on the side where it holds rather, and how many of these hold */
    int holding_out, out;          /* on the other */
    double purity;                 /* the share of members that are on the side of most like them */
    double chance;                 /* how often chance would part them so well by some question; 1 at most */
};

struct sensitivity {
    const char *left_out; /* why the claim is not judged in the members; NULL where it is */
    int members;          /* that have a verdict, that of the values as taken among them */
    int without;          /* that have none, as where no run is left to compare */
    int holding;
    bool holds_as_taken;
    double share, low, high; /* of the members that hold, and its 95 % interval */
    enum verdict *verdicts;  /* a member each, the set's count */
    const char **measured;   /* likewise */
    struct parting parting;
    struct pool pool; /* memory of the above */
    int status;       /* STATUS_BAD: the claim itself is wrong, which has been reported */
};

/* Judge a claim in each member. Timings, counts of bits and comparisons of backends are left out, since the members
 * were run untimed on one. The set must outlive the result. */
struct sensitivity *sensitivity_of(const struct claim *claim, const struct member_set *set);
void sensitivity_free(struct sensitivity *sensitivity);

/* The share of members whose verdict holds as that of the values as taken does, or does not as it does not. */
double sensitivity_agreement(const struct sensitivity *sensitivity);

/* "41 of 64 members over all assumptions' ranges (64.1 %, 95 % interval 51.8 % to 74.7 %)", and what it hangs on most:
 * "method.stiffness: it holds above 25 N/m (up to 10000 N/m) in 40 of 41, and below in 1 of 23". Newly allocated; the
 * latter "" where nothing parts the members. */
char *sensitivity_count_text(const struct sensitivity *sensitivity);
char *parting_text(const struct parting *parting);

/* The same for programs: {members, holding, without_verdict, share, interval, holds_as_taken, agreement, hangs_on,
 * count_text, parting_text}, or {left_out}. */
json_t *sensitivity_json(const struct sensitivity *sensitivity);

#endif
