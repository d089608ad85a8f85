/* Functions and macros in OpenCL C for sums by the fixed tree (method/tree_sum.h), for frame kernels
 * (backend/opencl/frame_shape.h) and for ensembles (backend/opencl/member.h). These functions and macros are compiled
 * after the method's files. The code that backend/opencl/ generates uses these functions and macros. */
#ifndef SPRINGBACK_KERNELS_FRAME_H
#define SPRINGBACK_KERNELS_FRAME_H

#ifdef __OPENCL_VERSION__

/* ---- Sums ----
 *
 * reduce_group returns the sum of the `own` quads of a group's lanes to every lane. The sum is computed in levels, in
 * the order of the tree. At each level, a lane that adds takes at most eight values. A level stores its sums behind its
 * inputs. Therefore one barrier for each level suffices, and the next reduction may begin without another barrier.
 * REDUCE_SCRATCH is the number of quads of scratch memory for `size` lanes; `size` is a power of two. */

#define REDUCE_SCRATCH(size) ((size) + (size) / 4 + 8)

/* Value i of those that a sum adds up. If the nodes are ORDERED, x of all values is stored first, then y, then z. Each
 * of these three planes has SHARE_PLANE numbers, a multiple of 1,024. After the number of the last node, all numbers of
 * a plane are +0. */
#ifdef ORDERED
#define SHARE_AT(shares, i)                                                                                            \
    (quad)(PLANE_AT(shares, i), PLANE_AT(shares, SHARE_PLANE + (i)), PLANE_AT(shares, 2 * SHARE_PLANE + (i)), 0)
#define PLANE_AT(shares, i) ((__local const scalar *)(shares))[i]
#else
#define SHARE_AT(shares, i) (shares)[i]
#endif

static inline quad reduce_pairs(quad *a, uint count) {
    for (; count > 1; count /= 2)
        for (uint k = 0; k < count / 2; ++k)
            a[k] = a[2 * k] + a[2 * k + 1];
    return a[0];
}

static inline quad reduce_group(quad own, __local quad *scratch, const uint lane, const uint lanes) {
    uint size = 1;
    while (size < lanes)
        size *= 2;
    scratch[lane] = own;
    if (lane + lanes < size)
        scratch[lane + lanes] = (quad)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    while (size > 1) {
        const uint width = size < 8 ? size : 8;
        quad sum = (quad)(0);
        if (lane < size / width) {
            __local const quad *a = scratch + width * lane;
            if (width == 8)
                sum = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
            else if (width == 4)
                sum = (a[0] + a[1]) + (a[2] + a[3]);
            else
                sum = a[0] + a[1];
        }
        scratch += size;
        size /= width;
        if (lane < size)
            scratch[lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return scratch[0];
}

/* The sum of `take` values from `begin` on; `take` is a power of two up to 8. Values from `count` on are 0. */
static inline quad sum_values(__global const quad *from, const uint begin, const uint take, const uint count) {
    quad a[8];
    if (take == 1)
        return begin < count ? from[begin] : (quad)(0);
    for (uint k = 0; k < take; ++k)
        a[k] = begin + k < count ? from[begin + k] : (quad)(0);
    return reduce_pairs(a, take);
}

/* ---- Barriers ---- */

/* CONVERGE makes the lanes of a warp wait for each other. It is written before each barrier that may follow a loop that
 * some lanes leave earlier. After such a loop, NVIDIA's compiler may let the warp reach the barrier with its lanes
 * diverged. On an H100 only some of these lanes then waited at the barrier, and results changed from run to run. Warp
 * shuffles also make the lanes wait. */
#ifdef __NV_CL_C_VERSION
#define CONVERGE asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define FENCE    asm volatile("fence.acq_rel.gpu;" ::: "memory")
#else
#define CONVERGE
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

#ifdef FRAME
/* The number of groups. It is a compile-time constant in list programs, and in all programs if there is one group. If
 * the number 1 were not a constant, PoCL would compile the code after a conditional barrier twice, which took half a
 * minute for a frame with two sums. In other programs with several groups, the number is not a constant. As a constant
 * it made a frame of 64 x 64 nodes 15 % slower on an H200, with NVIDIA's compiler. */
#ifndef GROUPS
#define GROUPS (uint)(get_num_groups(0) * get_num_groups(1))
#endif

/* global_barrier is a barrier of all groups. `arrivals` counts the groups that have arrived, and each group waits until
 * the count is `goal`. All writes before the barrier are visible after it. If there is only one group, nothing is
 * counted. global_wait does the same, but must follow a barrier of the group's own lanes. */
static inline void global_wait(__global volatile uint *arrivals, uint goal) {
    if (GROUPS > 1 && get_local_id(0) == 0 && get_local_id(1) == 0) {
        FENCE;
        atomic_inc(arrivals);
        while ((int)(*arrivals - goal) < 0)
            ;
        FENCE;
    }
    CONVERGE;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static inline void global_barrier(__global volatile uint *arrivals, uint goal) {
    CONVERGE;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (GROUPS > 1)
        global_wait(arrivals, goal);
}
#endif

/* ---- Warps of NVIDIA's devices, whose lanes exchange floats ---- */

#if (defined FRAME || defined SUMS_ARE_FUSED) && defined __NV_CL_C_VERSION && !defined REAL_IS_double
static inline float warp_exchange(float x, const uint distance) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(x), "r"(distance));
    return other;
}

#ifndef SUMS_HAVE_W /* whether w of the summed values may differ from +0 */
#define SUMS_HAVE_W 1
#endif

#define WARP_LANES 32

/* Returns the sum over a warp, by the fixed tree, to all lanes of the warp. At each distance, both lanes of a pair
 * compute the same sum. */
static inline quad reduce_warp(quad sum) {
    if (!SUMS_HAVE_W)
        sum.w = 0;
    UNROLLED
    for (uint distance = 1; distance < 32; distance *= 2)
        sum += (quad)(warp_exchange(sum.x, distance), warp_exchange(sum.y, distance), warp_exchange(sum.z, distance),
                      SUMS_HAVE_W ? warp_exchange(sum.w, distance) : 0);
    return sum;
}

/* Returns the sum over the first `warps` warps of a single group to all lanes. Each of these warps stores its sum in
 * `scratch`; then every warp adds up the stored sums. A barrier must follow before `scratch` is written again. */
static inline quad reduce_single_group(quad own, __local quad *scratch, const uint lane, const uint warps) {
    if (lane < 32 * warps)
        own = reduce_warp(own);
    if (lane % 32 == 0)
        scratch[lane / 32] = own;
    CONVERGE;
    barrier(CLK_LOCAL_MEM_FENCE);
    return reduce_warp(lane % 32 < warps ? scratch[lane % 32] : (quad)(0));
}

/* Returns the sums of the three planes (SHARE_AT) in x, y and z, to all lanes. A plane has at most 4,096 numbers. A
 * warp adds up 1,024 numbers, 32 for each lane. Eight neighbouring lanes read their quads in different orders, so that
 * they use different banks of local memory. This order only exchanges operands of additions. `scratch` must be 0 before
 * the first sum. */
#ifdef ORDERED
static inline quad reduce_planes(__local const void *planes, __local quad *scratch, const uint lane, const uint lanes) {
    const uint blocks = SHARE_PLANE / 1024;
    for (uint block = lane / 32; block < 3 * blocks; block += lanes / 32) {
        __local const quad *from = (__local const quad *)planes + 256 * block + 8 * (lane % 32);
        float part[8];
        UNROLLED
        for (uint k = 0; k < 8; ++k) {
            const quad four = from[k ^ lane % 8];
            part[k] = (four.x + four.y) + (four.z + four.w);
        }
        float sum = ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
        UNROLLED
        for (uint distance = 1; distance < 32; distance *= 2)
            sum += warp_exchange(sum, distance);
        if (lane % 32 == 0)
            ((__local float *)(scratch + block / blocks))[block % blocks] = sum;
    }
    CONVERGE;
    barrier(CLK_LOCAL_MEM_FENCE);
    const quad x = scratch[0], y = scratch[1], z = scratch[2];
    return (quad)((x.x + x.y) + (x.z + x.w), (y.x + y.y) + (y.z + y.w), (z.x + z.y) + (z.z + z.w), 0);
}
#endif

/* The sum over several groups. Each warp reads the groups' sums and adds them up itself. This needs one barrier instead
 * of ten. prefetch_groups starts the reads; reduce_groups returns the total. */
#ifdef WARPS
static inline quad reduce_warps(__local const quad *a, const uint count) {
    return count == 8   ? ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
           : count == 4 ? (a[0] + a[1]) + (a[2] + a[3])
                        : a[0] + a[1];
}

static inline prefetched_total prefetch_groups(const frame_total total) {
    const uint first = 4 * ((uint)get_local_id(0) % 32);
    prefetched_total prefetched;
    UNROLLED
    for (uint k = 0; k < 4; ++k) {
        const int is_there = first + k < total.groups;
        const quad sum = total.sums[is_there ? first + k : 0];
        prefetched.sums[k] = is_there ? sum : (quad)(0);
    }
    return prefetched;
}

static inline quad reduce_groups(prefetched_total prefetched) {
    const quad *a = prefetched.sums;
    return reduce_warp((a[0] + a[1]) + (a[2] + a[3])) + (quad)(0);
}
#endif
#endif

/* ---- Launches that add up ---- */

/* Store the sum of a group's `own` quads in `to`, at the group's index. */
static inline void reduce_stage(const quad own, __global quad *to, __local quad *scratch) {
    const quad sum = reduce_group(own, scratch, get_local_id(0), get_local_size(0));
    if (get_local_id(0) == 0)
        to[get_group_id(0)] = sum;
}

#ifdef SUMS_ARE_FUSED
/* The initial value of a work item's share. w is -1 until the work item writes a share, whose w is 0. */
#define NO_SHARE (quad)(0, 0, 0, -1)

/* Add up the work items' shares (`own` is the share of this work item), and store the sums in `to`: one sum for each
 * group, or, on tiles, one for each warp. If none of the work items of a sum has written a share, the stored sum keeps
 * its value. Otherwise a work item without a share adds 0. */
static inline void reduce_shares(quad own, __global quad *to, __local quad *scratch) {
#ifdef GRID_COLUMNS /* a row of a tile is a warp */
    const uint lanes = WARP_LANES, index = (uint)ITEM / WARP_LANES;
    const bool is_first = get_local_id(0) % WARP_LANES == 0;
    own = reduce_warp(own);
#else
    const uint lanes = get_local_size(0), index = get_group_id(0);
    const bool is_first = get_local_id(0) == 0;
    own = reduce_group(own, scratch, get_local_id(0), lanes);
#endif
    if (is_first && own.w > -(scalar)lanes)
        to[index] = (quad)(own.x, own.y, own.z, 0);
}
#endif

/* Each work item adds up `take` of the `count` values in `from`, and each group stores one sum in `to`. A launch of one
 * group stores the total, in which a sum of -0 becomes +0. */
static inline void reduce_launch(__global const quad *from, const uint count, const uint take, __global quad *to,
                                 __local quad *scratch) {
    const quad own = sum_values(from, take * get_global_id(0), take, count);
    const quad sum = reduce_group(own, scratch, get_local_id(0), get_local_size(0));
    if (get_local_id(0) == 0)
        to[get_group_id(0)] = get_num_groups(0) == 1 ? sum + (quad)(0) : sum;
}

#ifdef SUMS_AT_ONCE
/* The sum of eight values from `begin` on; values from `count` on are 0. */
static inline quad sum_eight(__global const quad *from, const uint begin, const uint count) {
    quad a[8];
    UNROLLED
    for (uint k = 0; k < 8; ++k)
        a[k] = begin + k < count ? from[begin + k] : (quad)(0);
    return ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
}

/* Add up the `count` values in `from`, and store the total in `to`; a total of -0 becomes +0. Each work item adds up
 * eight values, and each group stores its sum in `parts`. The group that finishes last adds up these sums; there are at
 * most eight for each of its work items. `finished`, the number of groups that have finished, is 0 before and after the
 * launch. */
static inline void reduce_at_once(__global const quad *from, const uint count, __global quad *to, __global quad *parts,
                                  __global volatile uint *finished, __local quad *scratch) {
    __local uint *const is_last = (__local uint *)(scratch + WARP_LANES);
    const uint lane = get_local_id(0), warps = get_local_size(0) / WARP_LANES, groups = get_num_groups(0);
    quad sum = reduce_single_group(sum_eight(from, 8 * get_global_id(0), count), scratch, lane, warps);
    if (groups > 1) {
        if (lane == 0) {
            parts[get_group_id(0)] = sum;
            FENCE;
            *is_last = atomic_inc(finished) == groups - 1;
            FENCE;
        }
        CONVERGE;
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (!*is_last)
            return;
        sum = reduce_single_group(sum_eight(parts, 8 * lane, groups), scratch, lane, warps);
    }
    if (lane == 0) {
        *to = sum + (quad)(0);
        *finished = 0;
    }
}
#endif

/* ---- Members of an ensemble (backend/opencl/member.h) ---- */

#ifdef MEMBER_WORDS
/* Arguments of an ensemble's kernels. There are `members` rows. first[i] is the index of the next time step of the
 * member in row i. */
#define MEMBER_ARGUMENTS                                                                                               \
    __global uchar *arena, __global const uchar *fixed_arena, __global const uchar *parameters,                        \
        __global const uint *rows, __global int *first, const uint members

/* Declare `row`, the row with this index, and `p`, the parameters of the row's member. */
#define MEMBER_LOAD(index, type)                                                                                       \
    __global const uint *row = rows + MEMBER_WORDS * (index);                                                          \
    const type p = *(__global const type *)(parameters + MEMBER_PARAMETERS * (ulong)row[MEMBER_NUMBER])

/* MEMBER_AT: the address of the buffer whose offset is in this word of the row. MEMBER_COUNT: the count of the loop
 * that begins at this stage. */
#define MEMBER_AT_ROW(row, arena, word) ((arena) + MEMBER_UNIT * (ulong)(row)[word])
#define MEMBER_AT(arena, word)          MEMBER_AT_ROW(row, arena, word)
#define MEMBER_COUNT(stage)             (int)row[MEMBER_COUNTS + (stage)]

#endif
#endif
#endif
