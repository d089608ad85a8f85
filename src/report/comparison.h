/* Compares the results of two machines, A and B, by the runs that both made. The comparison lists the differences of
 * the environments (hardware and software). It compares physics (the states) and speed separately.
 *
 * Two runs did the same work if they are of one experiment and have equal parameters and bodies. The parameters
 * `backend`, `time.repeats` and `record.*` may differ. A parameter that only one run has is ignored, too, if it has its
 * default value there, because the other run may be from an older program. If no run on the other machine did the same
 * work, a run is paired with the most similar run on the same backend; such a pair is refused, and its differences are
 * listed. If a run has no match on the same backend, its physics may be compared with a run on another backend, but not
 * its speed. */
#ifndef SPRINGBACK_REPORT_COMPARISON_H
#define SPRINGBACK_REPORT_COMPARISON_H

#include "diff/contrast.h"
#include "report/machine.h"

enum physics {
    PHYSICS_SAME,      /* bit-identical in all frames that both recorded */
    PHYSICS_DIFFERENT, /* different, although both are bit-exact */
    PHYSICS_INEXACT,   /* different, and at least one of them is not bit-exact */
    PHYSICS_UNKNOWN,   /* no frame is recorded in both */
    PHYSICS_KINDS
};

/* The largest difference between the states of two runs. */
struct distance {
    const char *what; /* "position" or the name of a series; NULL: unknown */
    const char *unit; /* "m"; "1" for a series: relative to the larger value */
    double value;
    int frame; /* the frame in which this difference was found */
};

/* The fraction of the hardware limit that a run reached: the shortest time that the hardware allows, divided by the
 * measured time. */
struct share {
    double value;   /* NaN if no limit is known */
    bool by_memory; /* true: memory bandwidth limits the run; false: arithmetic does */
};

/* Speed of the second run relative to the first: the median frame time of the first run divided by that of the second.
 * All members are NaN if one of the runs was not timed. */
struct ratio {
    double value, low, high;
    double confidence; /* of the interval [low, high]: at least this, 0 to 1 */
};

struct pair {
    const struct machine_run *run[2];
    struct contrasts work; /* differences of the work; if there are any, the pair is refused, and of the members below
                              only `drift` is known */
    bool is_elsewhere;     /* the runs are on two kinds of backend that the caller did not choose; `ratio` is unknown */
    enum physics physics;
    int common;          /* number of frames that both runs recorded */
    int first_different; /* the first of these frames that differs; -1: none */
    int last_same;       /* the last of these frames before the first difference; -1: none */
    struct distance distance;
    struct ratio ratio;
    double drift[2]; /* of each run, the median of its slowest repeat divided by that of its fastest; NaN if unknown */
    struct share share[2];
};

/* The fraction of the hardware limit that a paper's own machine reached, and the fractions that the same run reached on
 * the two compared machines. */
struct paper_share {
    const struct machine *machine;
    const struct machine_reported *reported;
    struct share share; /* of the paper's machine, at the lowest rate that the paper states, with our experiment's steps
                           per frame */
    struct share ours[2];
};

struct comparison {
    const struct machine *machine[2];
    struct contrasts environment; /* differences of the environments of A's and B's runs, which should change no bit of
                                     a result */
    struct contrasts unknown;     /* environment facts that only one of the two machines has */
    struct pair *pairs;           /* in the order of the first machine's runs */
    int pair_count, refused;      /* refused: number of pairs with different work */
    int elsewhere;                /* number of pairs with is_elsewhere */
    int alone[2];                 /* number of runs of each machine that are in no pair */
    int physics[PHYSICS_KINDS];   /* number of pairs of each kind, without refused pairs */
    struct backend_speed *speeds; /* in the order of their first pairs */
    int speed_count;
    struct paper_share *papers;
    int paper_count;
};

/* Speed of the second machine relative to the first, over the timed runs of one backend. */
struct backend_speed {
    char *backend;         /* one backend, or "A's backend, B's backend" if they differ */
    const char *device[2]; /* of A and B in the first of these runs; NULL if not recorded */
    int runs;
    double *ratios;             /* speed of B relative to A, [runs] */
    double least, median, most; /* of the ratios */
};

/* Compare two machines. If `backends` is not NULL, it has two names: only runs of A on the first backend and of B on
 * the second are compared, instead of runs on the same backend. `papers` are the machines of the papers; a machine
 * without stated speeds is ignored. `paper_count` may be 0. If no two runs match, there are no pairs. Errors: a
 * geometry cannot be read. Call comparison_free in any case. *out borrows from the machines, which must outlive it. */
int machines_compare(const struct machine *a, const struct machine *b, const char *const *backends,
                     const struct machine *papers, int paper_count, struct comparison *out);
void comparison_free(struct comparison *comparison);

/* The ratio of the median frame times of two runs, a over b. Each median has an interval [low, high] by order
 * statistics, with a confidence of 97.5 %. The interval of the ratio is [a.low / b.high, a.high / b.low]; its
 * confidence is at least 95 % for any distribution of the samples, except in two cases. If a record does not have all
 * samples of a run, the recorded interval of this run is used, which has a confidence of 95 %. If a run has too few
 * samples, its interval is the whole range of the samples. In these two cases the confidence is lower. */
struct ratio ratio_of(const struct machine_run *a, const struct machine_run *b);

/* The backend of a run, without the number of a device. Two runs are on the same backend if these texts are equal.
 * Borrowed from the run or from the program. */
const char *backend_class(const struct machine_run *run);

/* Write a comparison: as text; as one JSON object; as one <section> of an HTML page (a sentence and a small table, with
 * details that the reader can unfold); and as a table for figures/compare.gp. Times in the text and the table are in ms
 * per frame. */
void comparison_print(const struct comparison *comparison, FILE *out);
void comparison_json(const struct comparison *comparison, FILE *out);
void comparison_html(const struct comparison *comparison, FILE *out);
void comparison_table(const struct comparison *comparison, FILE *out);

#endif
