/* Where two runs part: what was run is compared, then the recorded frames, and then both are run again to find the
 * frame, the time step, the stage and the element. */
#ifndef SPRINGBACK_DIFF_DIFF_H
#define SPRINGBACK_DIFF_DIFF_H

#include "diff/contrast.h"
#include "method/program.h"
#include "trace/trace.h"

#include <stdint.h>
#include <stdio.h>

/* Elements of a program's buffers, compared bit for bit. NaN equals NaN, whatever its bits: they differ between
 * devices. */
struct real_pair {
    const char *buffer;
    char component[24]; /* "x", "y", "z", "w"; "[5]" of longer items, "" of single ones */
    double value[2];
    uint64_t bits[2];
    bool has_ulps; /* false where one of them is NaN */
    uint64_t ulps; /* how many steps of the last place lie between; the two zeros are one apart */
};

enum { PARTING_PAIRS = 64 };

/* The first element at which any of some buffers differ. */
struct parting {
    bool found;
    size_t element;  /* a node, or what else the buffers hold */
    int column, row; /* of a grid; -1 elsewhere */
    struct real_pair pairs[PARTING_PAIRS];
    int pair_count;
    struct {
        const char *buffer;
        size_t elements, differing;
    } buffers[PROGRAM_BUFFERS];
    int buffer_count;
    int real_size;
};

/* Whether two buffers of `items` items of `item_size` bytes differ, as reals of `real_size` (4 or 8) bytes. */
bool elements_differ(const void *a, const void *b, size_t items, size_t item_size, int real_size);

/* Compare one more buffer: the parting keeps the lowest element, and what differs there in all buffers. */
void parting_add(struct parting *parting, const char *buffer, const void *a, const void *b, size_t items,
                 size_t item_size);

/* Steps of the last place between two reals of 4 or 8 bytes. */
uint64_t real_ulps(uint64_t a, uint64_t b, int real_size);

/* How far the search got. The element is of the deepest. */
enum depth { DEPTH_TRACES, DEPTH_FRAME, DEPTH_STEP, DEPTH_STAGE };

struct diff {
    const struct trace_data *trace[2];
    struct contrasts unlike; /* other work: parameters, body, method */
    struct contrasts apart;  /* backend, device, binary, ...: should change no bit */

    /* What the traces alone tell. */
    int common;      /* recorded frames in both */
    int last_same;   /* the frame (its index in the run) before which nothing differs; -1: none */
    int first_apart; /* the first recorded frame that differs; -1: none */
    bool same;       /* like work, and the same bits in all frames of both */

    /* What running them again tells. */
    bool again;
    char backend[2][64];
    int unlike_trace[2]; /* the first recorded frame at which the run again is not in its trace's bits; -1: none */
    enum depth depth;
    int frame;            /* 0: they start unlike */
    int step, first_step; /* counted from 0 over the run; the frame's first, and how many the frame has */
    int steps;
    int stage; /* of the program's table, from 0 */
    char kernel[64];
    int colour, colours; /* of a stage that goes colour by colour, from 0, and how many there are; -1: it does not */

    struct parting parting; /* where the elements are known, which are of the frame `frame` */
    int geometry_frame;     /* from the traces' own geometry; -1: from running again, or not known */
    char *stopped;          /* why it was not narrowed further; NULL: there is no further, or nothing differs */
};

/* Compare two traces. `backends`: two names to run them again on, in place of those that the traces name; or NULL. With
 * them they are run again even where the traces are equal, over all their frames. Errors: a backend that is not known
 * or not there, if it was named so. *out is to be freed either way, and must not outlive the traces. */
int diff_traces(const struct trace_data *a, const struct trace_data *b, const char *const *backends, struct diff *out);
void diff_free(struct diff *diff);

/* Run both from their descriptions up to frame `last`, and narrow: frame, step, stage, element. What stands in the way
 * (a device that is not there, bodies of other sizes, a kernel that does not compile) ends up in diff->stopped. Errors:
 * backends that were named and are not there. For diff_traces. */
int run_again(struct diff *diff, const char *const *backends, int last);

/* For people; and one JSON object. */
void diff_print(const struct diff *diff, FILE *out);
void diff_json(const struct diff *diff, FILE *out);

#endif
