/* Finds the first difference of two runs, A and B, given their traces. First the work (parameters and body) of both
 * runs is compared, then their recorded frames. If a recorded frame differs, or if the caller names backends, both runs
 * are repeated to find the frame, the time step, the stage and the element of the first difference. */
#ifndef SPRINGBACK_DIFF_DIFF_H
#define SPRINGBACK_DIFF_DIFF_H

#include "diff/contrast.h"
#include "method/program.h"
#include "trace/trace.h"

#include <stdint.h>
#include <stdio.h>

/* A real that differs between A and B, compared bit for bit. All NaNs count as equal, because their bits differ between
 * devices. */
struct real_pair {
    const char *buffer; /* name of the buffer */
    char component[24]; /* which real of its item: "x", "y", "z" or "w" if the item has 3 or 4 reals, "" if it has one
                           real; otherwise an index such as "[5]" */
    double value[2];
    uint64_t bits[2];
    bool has_ulps; /* false if one of the values is NaN */
    uint64_t ulps; /* distance in units in the last place; the two zeros have the distance 1 */
};

enum { DIFFERENCE_PAIRS = 64 };

/* The first element, by its index, at which any of the compared buffers differs. */
struct difference {
    bool found;
    size_t element;                           /* index of a node, or of another item of the buffers */
    int column, row;                          /* of the node in a grid; -1 if the element is no node of a grid */
    struct real_pair pairs[DIFFERENCE_PAIRS]; /* the reals of this element that differ; only the first 64 */
    int pair_count;
    struct { /* each buffer that differs, with the number of all its elements and of its elements that differ */
        const char *buffer;
        size_t elements, differing;
    } buffers[PROGRAM_BUFFERS];
    int buffer_count;
    int real_size; /* bytes of a real: 4 or 8 */
};

/* Whether two buffers of `items` items with `item_size` bytes differ, as reals of `real_size` (4 or 8) bytes. */
bool elements_differ(const void *a, const void *b, size_t items, size_t item_size, int real_size);

/* Compare another buffer of A and B, and update *difference: the first element that differs, and the values of this
 * element in all buffers that differ at this element. */
void difference_add(struct difference *difference, const char *buffer, const void *a, const void *b, size_t items,
                    size_t item_size);

/* Distance of two reals in units in the last place. a and b are their bits; real_size is 4 or 8 bytes. */
uint64_t real_ulps(uint64_t a, uint64_t b, int real_size);

/* The levels of the search. diff.depth is the deepest level that the search reached; diff.difference is at this level.
 */
enum depth { DEPTH_TRACES, DEPTH_FRAME, DEPTH_STEP, DEPTH_STAGE };

struct diff {
    const struct trace_data *trace[2];
    struct contrasts work;        /* differences of the work: parameters, body, method */
    struct contrasts environment; /* differences of backend, device, binary, ..., which should not change the results */

    /* Results from the traces alone, except that `same` also becomes false if the repeated runs differ. */
    int common;          /* number of common frames: those that both traces recorded */
    int last_same;       /* index of a frame: all common frames up to this frame are bit-identical; -1: none */
    int first_different; /* index of the first common frame in which the states differ; -1: none */
    bool same; /* both runs did the same work, recorded the same frames, and are bit-identical in all of them */

    /* Results from repeating A and B. */
    bool again; /* the repetition of both runs was begun; if it did not reach its end, `stopped` says why */
    char backend[2][64];
    int first_mismatch[2]; /* first frame in which the new run is not bit-identical to the trace; -1: none */
    enum depth depth;
    int frame; /* the first frame that differs (0: the initial states); if none differs, the last frame that ran */
    /* Indices in the run, from 0. step: the first time step that differs. first_step: the first time step of the frame.
     */
    int step, first_step;
    int steps;       /* number of steps in the frame */
    int stage;       /* index in program.stages */
    char kernel[64]; /* the kernel of the stage; "" if a function of the host is the stage */
    /* For a stage that runs colour by colour: `colour` is the first colour after which the states differ, from 0, and
     * `colours` is the number of colours. For other stages, both are -1. */
    int colour, colours;

    struct difference difference; /* in frame `geometry_frame` if that is not -1, otherwise in frame `frame` */
    int geometry_frame;           /* first frame whose recorded geometry differs, if running again found no element;
                                     otherwise -1 */
    char *stopped;                /* why the search stopped early; NULL if it is complete or nothing differs */
};

/* Compare two traces, which are borrowed and must outlive *out. If `backends` is NULL and a common frame differs, the
 * runs are repeated on the backends of the traces. If `backends` is not NULL, it has the names of two backends, and the
 * runs are repeated on these backends, also if no common frame differs. The runs are repeated up to the first common
 * frame that differs, or up to the last common frame if no common frame differs; without common frames they are not
 * repeated. Errors: a given backend is unknown or not available; the recorded geometry cannot be read. Call diff_free
 * also after an error. */
int diff_traces(const struct trace_data *a, const struct trace_data *b, const char *const *backends, struct diff *out);
void diff_free(struct diff *diff);

/* A part of diff_traces. Repeat A and B, as their traces describe, up to frame `last`, and find the frame, step, stage
 * and element. If this is impossible, the reason is stored in diff->stopped: for example a missing device, bodies of
 * different sizes, or a kernel that does not compile. Errors: a given backend is unknown or not available. */
int run_again(struct diff *diff, const char *const *backends, int last);

/* Print the result as text (diff_print) or as one JSON object (diff_json). */
void diff_print(const struct diff *diff, FILE *out);
void diff_json(const struct diff *diff, FILE *out);

#endif
