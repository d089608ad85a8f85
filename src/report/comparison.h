/* Compares the results of two machines, A and B, by pairs of runs that did the same work. Physics (the states) and
 * speed are compared separately. The differences of the environments (hardware and software) are listed.
 *
 * Two runs did the same work if they are of one experiment and have equal parameters and equal bodies. The parameters
 * `backend`, `time.repeats` and `record.*` may differ. A parameter that only one of the runs has is
 * ignored if it has its default value, because the other run may be from an older program.
 *
 * A run of A is paired with a run of B that did the same work on the same backend. If there is none, the run is paired
 * with a run that did the same work on another backend; then only physics is compared. If there is none either, the run
 * is paired with the most similar run on the same backend. Such a pair is refused, and its differences are listed. */
#ifndef SPRINGBACK_REPORT_COMPARISON_H
#define SPRINGBACK_REPORT_COMPARISON_H

#include "diff/contrast.h"
#include "report/machine.h"

enum physics {
    PHYSICS_SAME,      /* bit-identical in all frames that both runs recorded */
    PHYSICS_DIFFERENT, /* different, although both runs are bit-exact */
    PHYSICS_INEXACT,   /* different, and at least one of the runs is not bit-exact */
    PHYSICS_UNKNOWN,   /* the runs have no recorded frame in common */
    PHYSICS_KINDS
};

/* The largest known difference between two runs, from the first different frame on: the largest distance between the
 * positions of a node, in the frames whose geometry both runs recorded. If there is no such frame: the largest relative
 * difference between the last values of a series. */
struct distance {
    const char *what; /* "position" or the name of a series; NULL: unknown */
    const char *unit; /* "m" for positions; "1" for a series, because `value` is then relative to the larger value */
    double value;
    int frame; /* the frame in which the runs differ by `value` */
};

/* The fraction of the hardware limit that a run reached: the shortest time that the hardware allows, divided by the
 * measured time. */
struct share {
    double value;   /* NaN if no limit is known */
    bool by_memory; /* true: memory bandwidth limits the run; false: arithmetic does */
};

/* The speed of a second run relative to a first run: the median frame time of the first run divided by that of the
 * second run. All members are NaN if one of the runs was not timed. */
struct ratio {
    double value, low, high;
    double confidence; /* the interval [low, high] has at least this confidence, 0 to 1 */
};

struct pair {
    const struct machine_run *run[2];
    struct contrasts work; /* differences of the work. If there are any, the pair is refused: only `run`, `work` and
                              `drift` are known */
    bool is_elsewhere;     /* the caller chose no backends, and the runs are on two kinds of backend; `ratio` is NaN */
    enum physics physics;
    int common;          /* number of common frames: those that both runs recorded */
    int first_different; /* the first common frame in which the states differ; -1: none */
    int last_same;       /* all common frames up to this one are bit-identical; -1: none */
    struct distance distance;
    struct ratio ratio;
    double drift[2]; /* for each run, the median frame time of the slowest repeat divided by that of the fastest repeat;
                        NaN if unknown */
    struct share share[2];
};

/* The fraction of the hardware limit that a paper's own machine reached, and the fractions that our run of the same
 * experiment reached on machines A and B. */
struct paper_share {
    const struct machine *machine;
    const struct machine_reported *reported;
    struct share share;   /* of the paper's machine, computed from the lowest rate that the paper states and from the
                             steps per frame of our experiment */
    struct share ours[2]; /* of our runs on machine A and on machine B */
};

struct comparison {
    const struct machine *machine[2];
    struct contrasts environment; /* differences between the environments of A's and B's runs. They should change no bit
                                     of a result */
    struct contrasts unknown;     /* environment facts that only one of the two machines has */
    struct pair *pairs;           /* in the order of A's runs */
    int pair_count, refused;      /* refused: number of pairs with different work */
    int elsewhere;                /* number of pairs with is_elsewhere */
    int alone[2];                 /* number of runs of each machine that are in no pair */
    int physics[PHYSICS_KINDS];   /* [k]: number of pairs that are not refused and whose `physics` is k */
    struct backend_speed *speeds; /* in the order of their first pairs */
    int speed_count;
    struct paper_share *papers;
    int paper_count;
};

/* The speed of machine B relative to machine A in the timed pairs of one backend. */
struct backend_speed {
    char *backend;              /* one backend, or "A's backend, B's backend" if they differ */
    const char *device[2];      /* of A and of B, in the first of these pairs; NULL if not recorded */
    int runs;                   /* number of these pairs */
    double *ratios;             /* [runs] speed of B relative to A */
    double least, median, most; /* smallest, median and largest of the ratios */
};

/* Compare two machines. If `backends` is NULL, the runs are paired as described at the beginning of this file.
 * Otherwise `backends` has two names, and A's runs on the first backend are compared with B's runs on the second.
 * `papers` are the machines of the papers; a machine without stated speeds is ignored. `paper_count` may be 0. *out
 * borrows from all these machines, which must outlive *out. Errors: a geometry cannot be read. Call comparison_free in
 * any case. */
int machines_compare(const struct machine *a, const struct machine *b, const char *const *backends,
                     const struct machine *papers, int paper_count, struct comparison *out);
void comparison_free(struct comparison *comparison);

/* The ratio of the median frame times of two runs, a / b. Each median has an interval [low, high] by order statistics,
 * with a confidence of 97.5 %. The interval of the ratio is [a.low / b.high, a.high / b.low]. Its confidence is at
 * least 95 % for any distribution of the samples. The confidence is lower in two cases:
 * - A record does not have all samples of a run. Then the recorded interval of this run is used, which has a confidence
 *   of 95 %.
 * - A run has too few samples. Then the interval of this run is the whole range of its samples. */
struct ratio ratio_of(const struct machine_run *a, const struct machine_run *b);

/* The backend of a run, without the number of a device. Two runs are on the same backend if these texts are equal.
 * Borrowed from the run or from the program. */
const char *backend_class(const struct machine_run *run);

/* Write a comparison. comparison_print writes text, and comparison_json writes one JSON object. comparison_html writes
 * one <section> of an HTML page: a sentence and a small table, and details that the reader can unfold. comparison_table
 * writes a table for figures/compare.gp. Times in the text and in the table are in ms per frame. */
void comparison_print(const struct comparison *comparison, FILE *out);
void comparison_json(const struct comparison *comparison, FILE *out);
void comparison_html(const struct comparison *comparison, FILE *out);
void comparison_table(const struct comparison *comparison, FILE *out);

#endif
