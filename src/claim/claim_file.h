/* The claims of one paper, as paper_checks/<paper>.yaml states them.
 *
 *   springback: 1
 *   paper: va2022
 *   title: Parallel Cloth Simulation       # optional, as are the next three keys
 *   authors: [Hongly Va, Min Hong]
 *   published: Computer Systems Science & Engineering 41(2), 2022
 *   doi: 10.32604/csse.2022.020685
 *   claims:
 *     - id: va2022.speed-up.mean        # unique; the figures read `reported` from the variable va2022_speed_up_mean
 *       where: Sec. 5, Tab. 10          # in the paper
 *       says: what the paper says, in words
 *       short: the sentence for tables        # optional; should have at most 40 characters
 *       kind: value | bound | ratio | order | shape | count | consistency | capability
 *       from:                           # which runs, and which of their quantities
 *         experiment: va2022/resolutions
 *         select: {backend_kind: serial}        # the runs with these values of parameters or notes (claim.h)
 *         numerator: {...}, denominator: {...}  # the quantity is a ratio of two selections
 *         between: devices                      # the ratio depends on the hardware; if it differs from the printed
 *                                               # ratio, only its direction is judged (above or below 1)
 *         quantity: frame_seconds               # see quantity.h
 *         statistic: median | lee2022           # of a timing: the median of all frames, or the rate by
 *                                               # lee2022's protocol (statistics.h)
 *         over_frames: max                      # reduces a series to one number: the maximum of all frames
 *                                               # {at: 0.5 s}: the value in the frame nearest to this time
 *                                               # {decay: 0.368}: the time from the largest value until the envelope
 *                                               # of the series has fallen to this fraction of the largest value
 *         against: {method.name: pbd_strain_tets}   # for quantities of two runs, such as shape_distance: the other run
 *         each: body.cloth.nodes                # the claim compares one number for each value of this path
 *         along: time.step | compare: method.name   # like `each`: one number for each value of this path, the axis;
 *                                               # usually for the kinds order and shape. The values of `along`
 *                                               # are numbers, those of `compare` are words
 *         only: {diverged: no}                  # uses only runs in which this quantity has this value
 *         over: {each: mean, PATH: max, runs: median}   # reduces several numbers to one, in three steps. First, runs:
 *                                               # median takes the median of the runs that have equal values for every
 *                                               # PATH under `over`. Second, PATH: max takes the largest of these
 *                                               # numbers over the values of PATH. Third, each: mean takes the mean of
 *                                               # all numbers that the claim compares
 *         same: state_hash                      # for the kind capability: this text must be equal in all runs; with
 *                                               # the key each: in all runs with the same value of its path
 *       reported: 5.61 %                        # the printed number; if it is in percent, a measured number without a
 *                                               # unit is shown in percent, too. A printed range: reported: 6 to 7 1/s
 *       tolerance: {relative: 25 %} | {absolute: 2 %}
 *       expect: ">= 30 1/s" | yes | no | a < b < c | increasing | decreasing | rises | falls
 *       scales: {time.steps_per_frame: -1}   # the quantity is proportional to this power of an assumption; the claim
 *                                            # is then also judged at the ends of the assumption's range, without runs
 *       class: result | count | erratum | background   # result: runs decide; count: a number of the body or method;
 *                                            # erratum: a comparison of the paper with itself, or with geometry;
 *                                            # background: a result of other authors. Default: erratum for the kind
 *                                            # consistency, count for the kind count, else result
 *       fact: volume-is-kept                 # claims with the same value of this key count as one fact; without the
 *                                            # key, the claim is a fact of its own
 *       explained: why the paper's equations do not give the printed result, which experiment gives this result, and
 *         three values: as printed, by the paper's equations, and in that experiment
 *       headline: true                       # one of the results for which the paper is known
 *       optional: true                       # `make reproduce` does not run the claim's experiment, so missing
 *                                            # results are no error
 *       readings:                            # other meanings of the sentence; the claim's own `from` is the first
 *                                            # reading
 *         - {says: by the mean edge, from: {...}}
 *       needs: gpu | METHOD | [gpu, METHOD]  # without a run on a GPU: not testable here; without a run of METHOD: not
 *                                            # run
 *       compute: n*(m-1), with: {n: 52, m: 52}   # consistency: the paper's own arithmetic
 *       finding: ..., verdict: differs           # consistency: what the text of the paper shows
 *       recorded: matches | {gpu: matches, no_gpu: not testable here} | {quick: matches, full: depends}
 *       why: the reason of the tolerance, and other text that explains the verdict
 *
 *   admissible:          # optional; a member of a sweep counts only if its runs satisfy these conditions; runs that
 *                        # blew up are not judged by them
 *     - {says: each body touches the plane, from: {experiment: va2023/free-fall, ...}, expect: "< 0.01 m"}
 *
 * `rises` and `falls` allow equal neighbours if the first and the last value differ; `increasing` and `decreasing` do
 * not allow them. */
#ifndef SPRINGBACK_CLAIM_CLAIM_FILE_H
#define SPRINGBACK_CLAIM_CLAIM_FILE_H

#include "claim/claim.h"
#include "claim/statistics.h"
#include "experiment/form.h"

enum claim_kind {
    KIND_VALUE,
    KIND_BOUND,
    KIND_RATIO,
    KIND_ORDER,
    KIND_SHAPE,
    KIND_COUNT,
    KIND_CONSISTENCY,
    KIND_CAPABILITY,
    KIND_UNKNOWN /* the kind is not read yet, or its name is wrong; also the number of kinds */
};

const char *claim_kind_name(enum claim_kind kind);

enum claim_class { CLASS_BY_KIND, CLASS_RESULT, CLASS_COUNT, CLASS_ERRATUM, CLASS_BACKGROUND };

/* The name of a parameter, a note, a quantity or a variable of `compute`, and its value. */
struct clause {
    const char *name, *value;
    double number; /* the value as a number, for the keys `scales` and `with`; else 0 */
    struct place place;
};

struct clauses {
    struct clause *items;
    int count;
};

enum statistic { STATISTIC_MEDIAN, STATISTIC_LEE2022 };

struct source {
    /* A pointer of this struct is NULL if the claim does not have the key. */
    const char *experiment, *quantity, *same;
    struct clauses select, numerator, denominator, only;
    struct clauses against, reference; /* reference: the clauses that a reference run must match: all clauses of
                                          `against`, and the clauses of `select` whose names `against` does not have */
    const struct reducer *over_frames, *over_each;
    bool is_at_time; /* the series is reduced to its value at at_time; then over_frames is NULL */
    double at_time;  /* the time, in s */
    double decay;    /* the argument `share` of decay_time (statistics.h), above 0 and below 1; then over_frames is
                      * NULL. 0: the series is not reduced to a decay time */
    enum statistic statistic;
    struct {
        const char *path; /* the path of a parameter, the name of a note, or "runs" */
        const struct reducer *reducer;
    } over[8];
    int over_count;
    const char *each, *along, *compare;
    bool between_devices;
};

enum expectation { EXPECT_NOTHING, EXPECT_BOUND, EXPECT_CHAIN, EXPECT_TREND };

struct expect {
    enum expectation kind;
    char relation; /* '<', '>' or '='; for a trend, '<' means that each value is less than the next */
    bool or_equal;
    const char *bound;   /* EXPECT_BOUND: a number, with or without a unit */
    const char *name[8]; /* EXPECT_CHAIN: values of the `compare` path */
    int name_count;
};

/* A verdict that a file of claims states. */
struct stated_verdict {
    bool is_given;
    enum verdict verdict;
};

struct claim {
    const struct node *node;             /* the claim in the tree of its file (experiment/document.h) */
    const char *id, *where, *says, *why; /* "" if not given */
    enum claim_kind kind;
    struct source from;
    const char *reported;         /* the value as the paper prints it; NULL if not given */
    double printed, printed_half; /* the printed number, and half a unit in its last place; for a printed range: its
                                     middle, and half of its width */
    bool is_range;
    const char *reported_unit; /* the unit of `reported`; "" if there is none */
    const char *relative, *absolute;
    double relative_share; /* `relative` as a fraction: 0.25 for "25 %"; 0 if not given */
    const char *expect_text;
    struct expect expect;
    struct clauses scales, with;
    const char *needs; /* words separated by spaces; "" for none */
    const char *compute, *finding;
    double computed;                   /* the result of `compute` */
    struct stated_verdict fixed;       /* the key `verdict`: the verdict that follows from `finding` */
    struct stated_verdict recorded[2]; /* [0]: on a machine without an OpenCL GPU; [1]: on a machine with one */
    enum claim_class class;
    const char *fact, *explained, *brief; /* "" if not given; brief is the key `short` */
    bool is_headline;
    bool is_optional;       /* `make reproduce` does not run the claim's experiment, so missing results are no error */
    struct claim *readings; /* copies of the claim, each with its own `from` and `says` */
    int reading_count;
    struct stated_verdict recorded_full; /* the recorded verdict for the tier full; not given if `recorded` is for both
                                            tiers */
};

struct claim_file {
    struct form form; /* owns the data of the fields below */
    const char *paper;
    const char *title, *published, *doi; /* "" if not given */
    const struct node *authors;          /* a list of names; NULL if not given */
    const char *citation; /* "authors: title, published"; a part that the file does not give is left out */
    struct claim *claims;
    int count;
    struct claim *admissible; /* conditions that a member of a sweep must satisfy; `from` names the experiment */
    int admissible_count;
};

/* "result", "count", "erratum" or "background". */
const char *claim_class_name(const struct claim *claim);

/* The place of a key's value in the file; the place of the claim if the claim does not have the key. */
struct place claim_place(const struct claim *claim, const char *key);

/* The experiment that a claim is about; "" if the text of the paper decides. */
const char *claim_experiment(const struct claim *claim);

/* Read and check a file. Every mistake is reported with its place; after a mistake *out is empty. */
int claim_file_read(const char *file, struct claim_file *out);
void claim_file_free(struct claim_file *file);

#endif
