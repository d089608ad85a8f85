/* Chooses the shape in which a program's frame runs as one kernel, the frame kernel. On small bodies a step costs
 * little more than its launches, and a frame kernel has one launch for all stages of all steps of a frame.
 *
 * A frame kernel runs in one work group or several. A lane is a work item of it; it keeps its number through all
 * stages. In a list program (program.h) the lanes share a stage's items in iterations: item = lane, lane + lanes, and
 * so on. Another program has a frame kernel only if all stages have the same items; each lane then has one item.
 *
 * There is a barrier between two stages, and between two colours of a stage, except at a swap and before a sum of the
 * lane's own item. Within a group it is that of OpenCL; across groups it is a global barrier (kernels/frame.h). A
 * global barrier needs all groups on the device at the same time. OpenCL 1.2 does not guarantee this on any device;
 * NVIDIA's devices did it in all our runs.
 *
 * Three techniques hide the latency of memory. Prefetching: a lane reads data of its items of the next colour, which no
 * other item writes, before the barrier. Register cache: a lane keeps the prefetched data of all its items through all
 * iterations of a STAGE_REPEAT. Resident data: a lane keeps constants of its nodes through the whole frame.
 *
 * tests/bench/device.sh measures steps on a GPU, and tests/bench/ensemble.sh ensembles. */
#ifndef SPRINGBACK_BACKEND_FRAME_SHAPE_H
#define SPRINGBACK_BACKEND_FRAME_SHAPE_H

#include "backend/opencl/device.h"
#include "method/program.h"

#include <stdbool.h>

enum {
    CPU_FRAME_SUMS = 2,       /* maximum STAGE_SUMs of a frame kernel on a CPU: PoCL takes 15 s to compile three */
    CPU_LANES = 1,            /* lanes of a group on a CPU: more have no advantage */
    SINGLE_GROUP_LANES = 512, /* lanes of a single group on a GPU: each lane has 128 registers */
    WARP_SIZE = 32,           /* lanes of a warp, and maximum warps of a group */
    BUFFER_ALIGNMENT = 64     /* of buffers in local memory and in an ensemble's arena, in bytes */
};

/* The shape of a frame kernel. */
struct frame_shape {
    size_t lanes; /* of one group */
    int work_groups;
    bool is_frame_local;  /* BUFFER_FRAME is in local memory; for a single group */
    bool prefetches;      /* lanes prefetch the next colour */
    bool uses_warps;      /* sums use warp shuffles */
    bool prefetches_all;  /* a lane prefetches all its items of the next colour, not only the first one */
    bool has_no_cache;    /* no register cache, even if registers suffice */
    bool is_spare_local;  /* BUFFER_SPARE is also in local memory */
    bool is_state_local;  /* the state (STATE_SPACE) is in local memory during a frame; for ensembles */
    bool is_ordered;      /* local memory has the nodes in the order of node_order.h, and lanes keep their resident
                             data; for ensembles */
    bool is_ensemble;     /* each group runs frames of whole members (ensemble.h) */
    bool skips_converged; /* iterations after convergence are skipped (program_hints.converged): on devices with a
                             global barrier, not in ensembles */
    size_t local[2], global[2]; /* lanes of a group, and of all groups, in both dimensions */
};

/* What SPRINGBACK_OPENCL requests instead of the rules (opencl_override.h), for list programs and ensembles; zero
 * requests nothing. */
struct shape_override {
    bool one_group, many_groups, prefetch, no_prefetch, no_local, no_cache, local_state, resident;
    size_t lanes;
};

/* Whether a program's frame should run as one kernel on a device, and in which shape. Otherwise each stage is launched
 * (opencl.c).
 *
 * The rule for a program that is not a list program; `override` does not change it. The frame must have at least two
 * barriers, all its stages must be over the same items, and no stage may be on the host. Then:
 *
 * - On a device with a global barrier: groups of 64 to 256 lanes, as small as possible, at most one for each compute
 * unit. With sums: groups of 64 to 1,024 lanes, or 512 in double precision, and at most 128 of them.
 *
 * - On another GPU: one group with a lane for each item.
 *
 * - On a CPU: the same, on one core, for at most 256 items and two sums.
 *
 * Measurements: on an H100 a step of 64 x 64 nodes takes 2.7 us, and 5.4 us by launches; beyond 33,792 nodes nothing is
 * gained. With sums larger groups are faster, because each sum saves two more launches: 50 iterations of conjugate
 * gradients on 256 x 256 nodes take 0.39 ms, and 1.1 ms by launches.
 *
 * The rule for a list program, which may have hundreds of colours per step. A stage must run by colours, the frame must
 * have at least two barriers, and no stage may be on the host. Then the first of these that fits:
 *
 * - On a device with a global barrier: one group, if there are buffers of BUFFER_FRAME or sums, if they fit into local
 * memory, and if colours are small (on average at most two thirds of the kernel's grain).
 *
 * - On such a device: as many groups as the largest colour needs, at most one for each compute unit. They have 64
 * lanes; 128 or 256, if 64 lanes would need more groups than compute units. Beyond, a colour takes longer than its
 * launch.
 *
 * - On another GPU: one group, if it has a lane for each item of the largest colour.
 *
 * - On a CPU: one group of one lane, if no colour has more than CPU_COLOUR_ITEMS (frame_shape.c). Beyond, launches on
 * all cores are faster.
 *
 * Lanes of one group on a GPU: a power of two that holds the largest colour, at most 512. If kernels need few
 * registers: the fewest lanes with the same number of iterations. If the register cache suffices: one lane for each
 * item of the largest colour.
 *
 * Measurements: on an H100 a step of the Bunny (470 colours and the nodes' stages) takes 342 us with one group, whose
 * barriers are cheap, and 800 us with many groups. A colour of a cloth of 4,880 springs takes 0.44 us with the register
 * cache, and 0.77 us without. */
bool frame_shape_choose(const struct device *device, const struct program *program,
                        const struct shape_override *override, struct frame_shape *out);

/* The same for a member of an ensemble, which one group runs. On a GPU the group has at most 512 lanes, so that two
 * groups share a compute unit, unless the register cache suffices or the state is in local memory. A lane has at most
 * 32 items of a stage, because a larger body keeps several groups busy; other limits were not measured. On a CPU the
 * group has one lane, and each core runs a group. If state_fits_local, the state is in local memory. A GPU's group then
 * has a power of two of lanes that holds the widest stage, up to the device's maximum, or up to 512 if the nodes are
 * ordered (program_hints.network). Each lane then has at most eight nodes. */
bool frame_shape_choose_member(const struct device *device, const struct program *program,
                               const struct shape_override *override, struct frame_shape *out);

/* Whether a program's state should be in local memory while a member's frame runs: on a GPU, if the state buffers that
 * stages use fit, and the frame has enough steps to be worth the copying. */
bool state_fits_local(const struct device *device, const struct program *program,
                      const struct shape_override *override);

/* Bytes of the buffers of some kinds (bit 1 << BUFFER_FRAME and so on), each rounded up to BUFFER_ALIGNMENT. */
size_t aligned_bytes(const struct program *program, unsigned kinds);

/* Number of barriers in a frame. */
long frame_barriers(const struct program *program);

/* Whether a stage uses a buffer. */
bool program_uses_buffer(const struct program *program, int buffer);

/* Iterations in which `lanes` lanes run colour c of a colouring; and the maximum of all colours. */
int colour_iterations(const struct colouring *colouring, int c, size_t lanes);
int max_colour_iterations(const struct colouring *colouring, size_t lanes);

/* Whether lanes use the register cache in the loop that begins at stage `repeat`; and in any loop. */
bool loop_is_cached(const struct program *program, int repeat, const struct frame_shape *shape);
bool frame_has_cache(const struct program *program, const struct frame_shape *shape);

/* Whether lanes prefetch their items of a colour; and whether each prefetches all of its items. */
bool stage_prefetches(const struct program *program, const struct stage *stage, const struct frame_shape *shape);
bool stage_prefetches_all(const struct program *program, const struct stage *stage, const struct frame_shape *shape);

/* Iterations in which `lanes` lanes run the nodes with resident data; 0 if there are none. */
int node_iterations(const struct program *program, size_t lanes);

/* Numbers in a plane of ordered nodes' shares of a sum (kernels/frame.h). */
size_t share_plane(const struct program *program);

/* Items of a buffer in local memory. If nodes are ordered: 0 for buffers that resident data replace, and three planes
 * for shares. */
size_t stored_items(const struct program *program, int buffer, bool is_ordered);

#endif
