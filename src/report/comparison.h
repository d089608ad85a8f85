/* Two machines compared by the runs that both made: what was unlike where they ran, then physics apart from speed.
 *
 * Two runs are the same work where they are of one experiment and its parameters and body are alike, but for where it
 * ran (backend), how often a timing was repeated (time.repeats) and what was recorded (record.*). A parameter that an
 * older program did not know is alike where the other run has it at its default. Anything else is refused. Where
 * a run has no like on the same backend, one on another will do for its physics, but not for its speed. */
#ifndef SPRINGBACK_REPORT_COMPARISON_H
#define SPRINGBACK_REPORT_COMPARISON_H

#include "diff/contrast.h"
#include "report/machine.h"

enum physics {
    PHYSICS_SAME,    /* the same bits in all frames that both recorded */
    PHYSICS_APART,   /* not so, though both keep the bits */
    PHYSICS_INEXACT, /* not so, and one of them is made by what does not keep them */
    PHYSICS_UNKNOWN, /* no frame is recorded in both */
    PHYSICS_KINDS
};

/* How far two runs are apart. */
struct distance {
    const char *what; /* "position" or a series; NULL: it cannot be told */
    const char *unit; /* "m"; of a series, relative to the larger value, "1" */
    double value;
    int frame;
};

/* What of a hardware's limit a run reached: the least time over the measured one. */
struct share {
    double value; /* NaN where no floor is known */
    bool by_memory;
};

/* How many times as fast the second run is as the first: the first's median of a frame's seconds over the second's; NaN
 * where one was not timed. */
struct ratio {
    double value, low, high;
    double confidence; /* with which [low, high] holds, at least */
};

struct pair {
    const struct machine_run *run[2];
    struct contrasts unlike; /* anything: the two are refused, and nothing below is set */
    bool is_elsewhere;       /* on two kinds of backend, which nobody named: compared for their physics alone */
    enum physics physics;
    int common, first_apart,
        last_same; /* recorded frames: in both; the first that differs, the last before; -1: none */
    struct distance distance;
    struct ratio ratio;
    double drift[2]; /* the slowest repeat's median over the fastest one's; NaN where it cannot be told */
    struct share share[2];
};

/* What a paper states of its own machine, beside the same run here. */
struct paper_share {
    const struct machine *machine;
    const struct machine_reported *reported;
    struct share share; /* of the lower rate that is stated; steps a frame are the experiment's */
    struct share ours[2];
};

struct comparison {
    const struct machine *machine[2];
    struct contrasts apart;   /* of the runs' environments, which should change no bit */
    struct contrasts unknown; /* what only one of the two says of them */
    struct pair *pairs;       /* in the first machine's order */
    int pair_count, refused;
    int elsewhere; /* pairs that are so */
    int alone[2];  /* runs that the other machine has no work like */
    int physics[PHYSICS_KINDS];
    struct backend_speed *speeds; /* in the order of the pairs */
    int speed_count;
    struct paper_share *papers;
    int paper_count;
};

/* How many times as fast the second machine is, over the timed runs of a backend. */
struct backend_speed {
    char *backend;         /* or two, of which the first is A's */
    const char *device[2]; /* of the first of these runs; NULL where it is not recorded */
    int runs;
    double *ratios; /* a run each */
    double least, median, most;
};

/* Compare; `backends`, two names, takes only runs on the first of A and on the second of B, whatever they are, in place
 * of runs on the same backend; or NULL. The papers' machines may be none; of `papers` those that state nothing are
 * passed over. Where no run of an experiment that both have may meet another, there are no pairs. Errors: a geometry
 * that cannot be read. *out is to be freed either way, and must not outlive the machines. */
int machines_compare(const struct machine *a, const struct machine *b, const char *const *backends,
                     const struct machine *papers, int paper_count, struct comparison *out);
void comparison_free(struct comparison *comparison);

/* The interval goes from a's low over b's high to a's high over b's low, where each one's is that of its median by
 * order statistics with 97.5 %, so that both hold at once with 95 % or more, whatever the samples' distributions. Of
 * samples that a record has not all of, the recorded interval with 95 % is taken; of few samples, their whole range. */
struct ratio ratio_of(const struct machine_run *a, const struct machine_run *b);

/* The name under which runs of two machines meet: the backend's alone for any of its devices. */
const char *backend_class(const struct machine_run *run);

/* For people, one JSON object, one <section> of a page (a sentence and a small table, all else behind a click), and a
 * table for figures/compare.gp. Times in ms a frame. */
void comparison_print(const struct comparison *comparison, FILE *out);
void comparison_json(const struct comparison *comparison, FILE *out);
void comparison_html(const struct comparison *comparison, FILE *out);
void comparison_table(const struct comparison *comparison, FILE *out);

#endif
