/* Finds the first difference of two runs. First the work of both is compared, then their recorded frames. Then both are
 * run again to find the frame, the time step, the stage and the element. */
#ifndef SPRINGBACK_DIFF_DIFF_H
#define SPRINGBACK_DIFF_DIFF_H

#include "diff/contrast.h"
#include "method/program.h"
#include "trace/trace.h"

#include <stdint.h>
#include <stdio.h>

/* A real at which two buffers differ, compared bit for bit. All NaNs count as equal, because their bits differ between
 * devices. */
struct real_pair {
    const char *buffer;
    char component[24]; /* "x", "y", "z", "w"; "[5]" for longer items, "" for single values */
    double value[2];
    uint64_t bits[2];
    bool has_ulps; /* false if one of them is NaN */
    uint64_t ulps; /* distance in units in the last place; the two zeros have the distance 1 */
};

enum { DIFFERENCE_PAIRS = 64 };

/* The first element at which any of several buffers differ. */
struct difference {
    bool found;
    size_t element;  /* a node, or another item of the buffers */
    int column, row; /* in a grid; otherwise -1 */
    struct real_pair pairs[DIFFERENCE_PAIRS];
    int pair_count;
    struct {
        const char *buffer;
        size_t elements, differing;
    } buffers[PROGRAM_BUFFERS];
    int buffer_count;
    int real_size;
};

/* Whether two buffers of `items` items with `item_size` bytes differ, as reals of `real_size` (4 or 8) bytes. */
bool elements_differ(const void *a, const void *b, size_t items, size_t item_size, int real_size);

/* Compare another buffer. The difference keeps the lowest element, and the values there of all buffers that differ. */
void difference_add(struct difference *difference, const char *buffer, const void *a, const void *b, size_t items,
                    size_t item_size);

/* Distance of two reals of 4 or 8 bytes, in units in the last place. */
uint64_t real_ulps(uint64_t a, uint64_t b, int real_size);

/* How far the search went. The element belongs to the deepest level. */
enum depth { DEPTH_TRACES, DEPTH_FRAME, DEPTH_STEP, DEPTH_STAGE };

struct diff {
    const struct trace_data *trace[2];
    struct contrasts work;        /* differences of the work: parameters, body, method */
    struct contrasts environment; /* differences of backend, device, binary, ..., which should change no bit */

    /* Results from the traces alone. */
    int common;          /* number of frames recorded in both */
    int last_same;       /* index of the last recorded frame before the first difference; -1: none */
    int first_different; /* index of the first recorded frame that differs; -1: none */
    bool same;           /* the same work, and bit-identical in all frames of both */

    /* Results from running both again. */
    bool again;
    char backend[2][64];
    int first_mismatch[2]; /* first recorded frame at which the run is not bit-identical to its trace; -1: none */
    enum depth depth;
    int frame;            /* 0: the initial states differ */
    int step, first_step; /* of the run, counted from 0; the first one of the frame */
    int steps;            /* number of steps in the frame */
    int stage;            /* index in the program's table */
    char kernel[64];
    int colour,
        colours; /* for a stage that runs colour by colour: the colour, from 0, and their number; otherwise -1 */

    struct difference difference; /* valid if the elements are known; at the frame `frame` */
    int geometry_frame;           /* found in the geometry of the traces; -1: found by running again, or unknown */
    char *stopped;                /* why the search stopped early; NULL if it is complete or nothing differs */
};

/* Compare two traces, which are borrowed and must outlive *out. `backends`: two names of backends to run them again on,
 * instead of those of the traces; or NULL. If given, the traces are run again even if they are equal, over all frames.
 * Errors: a given backend is unknown or not available. Call diff_free also after an error. */
int diff_traces(const struct trace_data *a, const struct trace_data *b, const char *const *backends, struct diff *out);
void diff_free(struct diff *diff);

/* Run both again from their descriptions up to frame `last`, and find the frame, step, stage and element. If this is
 * impossible (missing device, bodies of different sizes, a kernel that does not compile), the reason goes to
 * diff->stopped. Errors: given backends that are not available. For diff_traces. */
int run_again(struct diff *diff, const char *const *backends, int last);

/* Print as text; print as one JSON object. */
void diff_print(const struct diff *diff, FILE *out);
void diff_json(const struct diff *diff, FILE *out);

#endif
