/* In what shape a program's frame runs as one kernel: how many groups of how many lanes, where what they share lies,
 * and what they take ahead or hold. Where a body is small, launches are all that a step costs. */
#ifndef SPRINGBACK_BACKEND_FRAME_SHAPE_H
#define SPRINGBACK_BACKEND_FRAME_SHAPE_H

#include "backend/opencl/device.h"
#include "method/program.h"

#include <stdbool.h>

enum {
    FRAME_SUMS = 2, /* of a table for a CPU's frame at most: PoCL takes a quarter of a minute to compile one of three */
    LIST_LANES = 1, /* of the one group on a processor: they cost it nothing, and bring it nothing */
    LIST_ALONE = 512, /* of a group that is alone on a GPU: each has 128 registers then */
    LIST_WARPS = 32   /* of a group at most, and lanes of each */
};

/* How a frame runs in one kernel: by one group of lanes, or by several that meet. */
struct frame_shape {
    size_t lanes; /* of a group */
    int groups;
    bool is_local;     /* what lives for a frame alone lies in local memory; of one group alone */
    bool is_ahead;     /* what an item takes from the body is taken before the meeting ahead of it */
    bool has_warps;    /* lanes add up by warps */
    bool has_turns;    /* of a colour's items a lane takes ahead all of its own, not the first alone */
    bool is_bare;      /* what is taken is not held in registers through a repetition, where there are enough for it */
    bool has_spare;    /* what is BUFFER_SPARE lies in local memory, too */
    bool has_state;    /* what kernels take as STATE_SPACE lies in local memory from first to last; of a member alone */
    bool has_nodes;    /* lanes hold of each of their nodes what the program says (program.h: held); likewise */
    bool of_members;   /* each group runs the frame of a member of an ensemble (ensemble.h) */
    bool leaves_turns; /* what the program says has ended (program.h: ended) is left out */
    size_t local[2], global[2]; /* lanes of a group, and of all, along both dimensions */
};

/* What the environment asks for against the rule; zero asks for nothing. */
struct frame_wish {
    bool one, many, ahead, behind, global, bare, state, hold;
    size_t lanes;
};

/* Whether a program's frames are to run as one kernel on a device, and in what shape.
 *
 * The rule for a program that is not listed: a frame has several stages, all over the same items, none of them on the
 * host, and either one work group holds them (of at most 256 items, and two sums, on a CPU, where it has one core), or
 * the device is one where groups may wait for each other, and groups of 64 to 256 items have a compute unit each (on an
 * H100, 64 x 64 nodes step in 2.7 us, in 5.4 by launches; beyond 33,792 nodes nothing is gained), or, where there are
 * sums, each two launches more, of up to 1,024 items (50 iterations of 256 x 256 nodes' conjugate gradients take
 * 0.39 ms, 1.1 by launches). OpenCL 1.2 promises that for no device; NVIDIA's have been seen to do it. Each lane has
 * one item.
 *
 * The rule for a listed program (program.h: is_listed), which may have hundreds of colours a step:
 *
 * - No stage is on the host, there is more than one meeting, and items are taken colour by colour.
 * - On a device whose groups may wait for each other (NVIDIA's): one group where what lives for a frame fits local
 *   memory and a colour is soon done, in the mean two thirds of a grain: its meeting is a barrier, and its reads need
 *   no cache. It has 512 lanes, or, of slim kernels, as few as take the fewest turns. The Bunny's 470 colours and
 *   nodes' stages a step take 342 us on an H100 so, and 800 by many. Where the constraints are few enough, lanes hold
 *   what they take of all their items through a step's iterations, in registers, and there is one for each item of the
 *   largest colour: a cloth of 4,880 springs takes 0.44 us a colour so, 0.77 otherwise. Else as
 *   many groups as the largest colour has, of 64 lanes, or, where that are more than compute units, of 128 or 256.
 *   Beyond that a colour takes longer than its launch.
 * - On other GPUs one group, where it is as large as the largest colour.
 * - On a processor one group, where no colour has more than LIST_CORE items (frame_shape.c): beyond, all cores by
 *   launches are faster than one. */
bool frame_shape_choose(const struct device *device, const struct program *program, const struct frame_wish *wish,
                        struct frame_shape *out);

/* The same where each group runs the frame of a member of an ensemble: one of 512 lanes on a GPU, where no lane has
 * more than 32 items of a stage, so that two share a compute unit; of one lane on a processor, which has a group for
 * each core at a time. Larger bodies have more than one group's work. Where list_state_fits, the state lies in local
 * memory; on a GPU there is a lane for each node then, as far as a group can have them, and, where nothing is added up,
 * they hold what does not change of up to four nodes each: beside a sum the registers do not suffice. */
bool frame_shape_of_members(const struct device *device, const struct program *program, const struct frame_wish *wish,
                            struct frame_shape *out);

/* Whether what a program's kernels take as STATE_SPACE is to lie in local memory while a member's frame runs: it fits,
 * on a GPU, and a frame has steps enough to be worth the way there and back. Of the
 * buffers that stages use. */
bool list_state_fits(const struct device *device, const struct program *program, const struct frame_wish *wish);

/* How many meetings a frame has. */
long frame_meetings(const struct program *program);

/* Whether a stage takes a buffer. */
bool list_uses(const struct program *program, int buffer);

/* Items of colour c that each of so many lanes takes, `start` being where a colouring's colours begin; and of any. */
int list_turns_of(const int *start, int c, size_t lanes);
int list_turns_at_most(const int *start, int colours, size_t lanes);

/* Whether lanes hold what they take of the colours between a frame's stage `repeat` and its end; and whether they do so
 * anywhere. */
bool list_is_held(const struct program *program, int repeat, const struct frame_shape *shape);
bool list_holds(const struct program *program, const struct frame_shape *shape);

/* Whether lanes take their items of a colour ahead, while another is at work; and whether each takes all its items so.
 */
bool list_takes_ahead(const struct program *program, const struct stage *stage, const struct frame_shape *shape);
bool list_takes_all(const struct program *program, const struct stage *stage, const struct frame_shape *shape);

/* Turns in which so many lanes take the nodes that a program holds something of; 0 where it holds nothing. */
int list_node_turns(const struct program *program, size_t lanes);

#endif
