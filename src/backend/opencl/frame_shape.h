/* Chooses the shape in which a program's frame runs as one kernel, the frame kernel. A frame kernel needs one launch
 * for all stages of all steps of a frame. This saves time on small bodies, whose steps take little longer than their
 * launches.
 *
 * A frame kernel runs in one or several work groups. A lane is a work item of the frame kernel, and has the same number
 * in all stages. In a list program (program.h) n lanes share a stage's items in iterations: item = lane, lane + n, lane
 * + 2 n, and so on. A program that is not a list program has a frame kernel only if all its stages have the same items;
 * each lane then has one item.
 *
 * A barrier follows each stage, and each colour of a stage. Two exceptions always apply: no barrier follows a swap, or
 * a stage before a sum to which each lane contributes only its own item. A third exception applies if there is one
 * group: no barrier follows a sum whose own barriers suffice (frame_source.c). With one group the barriers are those of
 * OpenCL; with several groups they are global barriers (kernels/frame.h). A global barrier works only if all groups are
 * on the device at the same time. OpenCL 1.2 does not guarantee this on any device. On NVIDIA's devices all groups were
 * there at the same time in all our runs.
 *
 * Three techniques hide the latency of memory. Prefetching: before the barrier, a lane reads those data of its items of
 * the next colour that no other item writes. Register cache: a lane keeps the prefetched data of all its items in
 * registers through all iterations of a STAGE_REPEAT. Resident data: a lane keeps constants of its nodes in registers
 * through the whole frame.
 *
 * tests/bench/device.sh measures steps on a GPU, and tests/bench/ensemble.sh measures ensembles. */
#ifndef SPRINGBACK_BACKEND_FRAME_SHAPE_H
#define SPRINGBACK_BACKEND_FRAME_SHAPE_H

#include "backend/opencl/device.h"
#include "method/program.h"

#include <stdbool.h>

enum {
    CPU_FRAME_SUMS = 2,       /* maximum number of STAGE_SUMs of a frame on a CPU: PoCL takes 15 s to compile three */
    CPU_LANES = 1,            /* lanes of a group on a CPU: more have no advantage */
    SINGLE_GROUP_LANES = 512, /* maximum lanes of a single group on a GPU: each lane can have 128 registers */
    BUFFER_ALIGNMENT = 64     /* of buffers in local memory and in the memory objects of an ensemble, in bytes */
};

/* The shape of a frame kernel. */
struct frame_shape {
    size_t lanes; /* number of lanes of one group */
    int work_groups;
    bool is_frame_local;  /* BUFFER_FRAME buffers are in local memory; false if several groups run one frame */
    bool prefetches;      /* lanes prefetch data of the next colour */
    bool uses_warps;      /* sums use warp shuffles */
    bool prefetches_all;  /* a lane prefetches all its items of the next colour; else only its first item */
    bool has_no_cache;    /* no register cache, even if registers suffice */
    bool is_spare_local;  /* BUFFER_SPARE buffers are also in local memory */
    bool is_state_local;  /* the state (program.state_count buffers) is in local memory during a frame; for ensembles */
    bool is_ordered;      /* local memory has the nodes in the order of node_order.h, and lanes keep their resident
                             data; for ensembles */
    bool is_ensemble;     /* each group runs frames of whole members (ensemble.h) */
    bool skips_converged; /* iterations after convergence are skipped (program_hints.converged): on devices with a
                             global barrier, not in ensembles */
    size_t local[2], global[2]; /* `local`: lanes of a group; `global`: lanes of all groups; in both dimensions */
};

/* The requests of SPRINGBACK_OPENCL (opencl_override.h). They override the rules below for list programs and ensembles.
 * Zero or false requests nothing. */
struct shape_override {
    bool one_group, many_groups, prefetch, no_prefetch, no_local, no_cache, local_state, resident;
    size_t lanes;
};

/* The rule for programs that are not list programs (program.is_list_program). The frame must have at least two
 * barriers, all its stages must be over the same items, and no stage may be on the host. SPRINGBACK_OPENCL does not
 * change this rule.
 *
 * - On a device with a global barrier: groups of 64 to 256 lanes, as small as possible, at most one for each compute
 * unit. With sums: at most 128 groups of 64 to 1,024 lanes (in double precision, of 64 to 512 lanes).
 *
 * - On another GPU: one group with a lane for each item, if a group can have so many lanes.
 *
 * - On a CPU: one group with a lane for each item, on one core, for at most 256 items and two sums.
 *
 * Measurements: on an H100 a step of 64 x 64 nodes takes 2.7 us in a frame kernel, and 5.4 us by launches. With more
 * than 33,792 nodes a frame kernel is not faster. With sums, a frame kernel is faster also for more nodes, because it
 * saves two more launches for each sum: 50 iterations of conjugate gradients on 256 x 256 nodes take 0.39 ms in a frame
 * kernel, and 1.1 ms by launches. */

/* The rule for list programs. A stage must run over a list of constraints, colour by colour; there may be hundreds of
 * colours per step. The frame must have at least two barriers, and no stage may be on the host. The first of these
 * shapes that fits is chosen:
 *
 * - On a device with a global barrier: one group, if the program has BUFFER_FRAME buffers or sums that fit into local
 * memory, and if colours are small (on average at most two thirds of kernel_hints.grain).
 *
 * - On a device with a global barrier: as many groups as the largest colour needs, if there is a compute unit for each
 * group. The groups have 64 lanes; 128 or 256, if 64 lanes would need more groups than compute units. With even larger
 * colours there is no frame kernel, because a colour takes longer than its launch.
 *
 * - On another GPU: one group, if it has a lane for each item of the largest colour.
 *
 * - On a CPU: one group of one lane, if no colour has more than CPU_COLOUR_ITEMS items (frame_shape.c). With larger
 * colours, launches on all cores are faster.
 *
 * On a GPU, a single group has the smallest power of two of lanes that is at least the size of the largest colour, but
 * at most 512. If kernels need few registers (program_hints.low_register): the smallest group that needs as few
 * iterations for each colour as the largest possible group. If the register cache suffices: one lane for each item of
 * the largest colour.
 *
 * Measurements: on an H100 a step of the Bunny (470 colours and the nodes' stages) takes 342 us with one group, whose
 * barriers are cheap, and 800 us with many groups. A colour of a cloth of 4,880 springs takes 0.44 us with the register
 * cache, and 0.77 us without. */

/* Whether a program's frame should run as one kernel on a device. If so, *out is the shape, by the two rules above. If
 * not, each stage is launched (opencl.c). */
bool frame_shape_choose(const struct device *device, const struct program *program,
                        const struct shape_override *override, struct frame_shape *out);

/* Like frame_shape_choose, but for a member of an ensemble, which one group runs.
 *
 * - On a GPU the group has at most 512 lanes, so that two groups share a compute unit. It may have more lanes if the
 * register cache suffices or the state is in local memory. A lane has at most 32 items of a colour, or of a stage if
 * there are no colours. A larger body has no shape, because it is enough work for several groups; other limits were not
 * measured.
 *
 * - On a CPU the group has one lane, and each core runs a group.
 *
 * - If state_fits_local, the state is in local memory. The number of lanes of a GPU's group is then a power of two: at
 * least a warp, and at most the device's maximum. Within these limits the number of lanes is the smallest that is at
 * least the number of items of the largest colour, or of the largest stage if there are no colours. If the nodes are
 * also ordered (program_hints.network), the group has at most 512 lanes, and each lane has at most eight nodes. */
bool frame_shape_choose_member(const struct device *device, const struct program *program,
                               const struct shape_override *override, struct frame_shape *out);

/* Whether a program's state should be in local memory while a member's frame runs. There are two conditions on a GPU.
 * The state buffers that stages use must fit, together with the memory for sums. The frame must have at least
 * MEMBER_STEPS steps (frame_shape.c), because the state is copied to local memory and back in each frame. On a CPU the
 * state is in local memory only if `override` requests this. */
bool state_fits_local(const struct device *device, const struct program *program,
                      const struct shape_override *override);

/* Bytes of the buffers of some kinds, each rounded up to BUFFER_ALIGNMENT. `kinds` is a bit set: 1 << BUFFER_FRAME and
 * so on. */
size_t aligned_bytes(const struct program *program, unsigned kinds);

/* Number of barriers in a frame. */
long frame_barriers(const struct program *program);

/* Whether a stage on the device uses a buffer. The result of a STAGE_SUM does not count. */
bool program_uses_buffer(const struct program *program, int buffer);

/* colour_iterations: in how many iterations `lanes` lanes run colour c. max_colour_iterations: the largest such number
 * of all colours. */
int colour_iterations(const struct colouring *colouring, int c, size_t lanes);
int max_colour_iterations(const struct colouring *colouring, size_t lanes);

/* loop_is_cached: whether lanes use the register cache in the loop that begins at stage `repeat`. frame_has_cache:
 * whether lanes use the register cache in any loop. */
bool loop_is_cached(const struct program *program, int repeat, const struct frame_shape *shape);
bool frame_has_cache(const struct program *program, const struct frame_shape *shape);

/* stage_prefetches: whether lanes prefetch items of the next colour. stage_prefetches_all: whether a lane prefetches
 * all its items of the next colour, not only the first one. */
bool stage_prefetches(const struct program *program, const struct stage *stage, const struct frame_shape *shape);
bool stage_prefetches_all(const struct program *program, const struct stage *stage, const struct frame_shape *shape);

/* In how many iterations `lanes` lanes run the nodes that have resident data; 0 if no stage uses resident data. */
int node_iterations(const struct program *program, size_t lanes);

/* SHARE_PLANE of kernels/frame.h. A sum over ordered nodes adds up values that are stored as three planes, one for each
 * component (x, y, z). The result is how many numbers a plane has. */
size_t share_plane(const struct program *program);

/* How many items of a buffer are stored in local memory. If nodes are ordered, there are two special cases: 0 for a
 * buffer that resident data replace, and for the buffer network.shares the size of three planes (share_plane), in
 * quads. */
size_t stored_items(const struct program *program, int buffer, bool is_ordered);

#endif
