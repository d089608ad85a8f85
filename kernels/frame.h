/* What kernels that add up, or run a whole frame, are made of beside a method's functions: sums by the fixed tree
 * (method/tree_sum.h), and the meeting of groups. For OpenCL alone; it stands behind the method's files, and what
 * backend/opencl/ prints calls it. */
#ifndef SPRINGBACK_KERNELS_FRAME_H
#define SPRINGBACK_KERNELS_FRAME_H

#ifdef __OPENCL_VERSION__

/* ---- Sums ----
 *
 * Each level of the fold takes eight values, or what is left, in the order of the tree; levels lie one behind the
 * other, so that a barrier a level is enough, and a fold may follow a fold. */

#define FOLD_ROOM(size) ((size) + (size) / 4 + 8)

static inline quad fold_pairs(quad *a, uint count) {
    for (; count > 1; count /= 2)
        for (uint k = 0; k < count / 2; ++k)
            a[k] = a[2 * k] + a[2 * k + 1];
    return a[0];
}

static inline quad fold_group(quad own, __local quad *room, const uint lane, const uint lanes) {
    uint size = 1;
    while (size < lanes)
        size *= 2;
    room[lane] = own;
    if (lane + lanes < size)
        room[lane + lanes] = (quad)(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    while (size > 1) {
        const uint width = size < 8 ? size : 8;
        quad sum = (quad)(0);
        if (lane < size / width) {
            __local const quad *a = room + width * lane;
            if (width == 8)
                sum = ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]));
            else if (width == 4)
                sum = (a[0] + a[1]) + (a[2] + a[3]);
            else
                sum = a[0] + a[1];
        }
        room += size;
        size /= width;
        if (lane < size)
            room[lane] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    return room[0];
}

/* `take` values, a power of two up to 8, from `begin` on; what is beyond `count` is 0. */
static inline quad fold_taken(__global const quad *from, const uint begin, const uint take, const uint count) {
    quad a[8];
    if (take == 1)
        return begin < count ? from[begin] : (quad)(0);
    for (uint k = 0; k < take; ++k)
        a[k] = begin + k < count ? from[begin + k] : (quad)(0);
    return fold_pairs(a, take);
}

/* ---- Meetings ---- */

#ifdef FRAME
/* NVIDIA's compiler lets a warp come to a barrier with its lanes apart, after a loop that some leave before others: on
 * an H100 it then holds back some of them alone, and a frame ends in other bits each time. CONVERGE stands before a
 * barrier for that. */
#ifdef __NV_CL_C_VERSION
#define CONVERGE asm volatile("bar.warp.sync 0xffffffff;" ::: "memory")
#define FENCE    asm volatile("fence.acq_rel.gpu;" ::: "memory")
#else
#define CONVERGE
#define FENCE mem_fence(CLK_GLOBAL_MEM_FENCE)
#endif

/* The groups of a frame. If there is one, the compiler is told: PoCL compiles twice what follows a barrier under a
 * condition, and took half a minute for a frame with two sums. NVIDIA's is not told where each lane has one item: a
 * frame of 64 x 64 nodes took 15 % longer on an H200 where it was. */
#ifndef GROUPS
#define GROUPS (uint)(get_num_groups(0) * get_num_groups(1))
#endif

/* All groups meet: those that came are counted, and every group waits until the count is `goal`. What was written
 * before is seen by all after. A group that is alone counts nothing, in no meeting: its `goal` is never reached. */
static inline void wait(__global volatile uint *come, uint goal) {
    if (GROUPS > 1 && get_local_id(0) == 0 && get_local_id(1) == 0) {
        FENCE;
        atomic_inc(come);
        while ((int)(*come - goal) < 0)
            ;
        FENCE;
    }
    CONVERGE;
    barrier(CLK_GLOBAL_MEM_FENCE);
}

static inline void meet(__global volatile uint *come, uint goal) {
    CONVERGE;
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (GROUPS > 1)
        wait(come, goal);
}
#endif

/* ---- Warps of NVIDIA's devices, whose lanes exchange what they hold, in floats ---- */

#if defined FRAME && defined __NV_CL_C_VERSION && !defined REAL_IS_double
static inline float warp_other(float x, const uint distance) {
    float other;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=f"(other) : "f"(x), "r"(distance));
    return other;
}

/* The tree's sum over a warp, for all its lanes. A pair's sum is the same from both its sides. */
static inline quad fold_warp(quad sum) {
    UNROLLED
    for (uint distance = 1; distance < 32; distance *= 2)
        sum += (quad)(warp_other(sum.x, distance), warp_other(sum.y, distance), warp_other(sum.z, distance),
                      warp_other(sum.w, distance));
    return sum;
}

/* Of one group: each warp adds up all warps' sums. All must meet behind it, before the room is written again. */
static inline quad fold_alone(quad own, __local quad *room, const uint lane, const uint lanes) {
    own = fold_warp(own);
    if (lane % 32 == 0)
        room[lane / 32] = own;
    CONVERGE;
    barrier(CLK_LOCAL_MEM_FENCE);
    return fold_warp(lane % 32 < lanes / 32 ? room[lane % 32] : (quad)(0));
}

/* Of several groups: each warp adds up the groups' sums for itself, one barrier in place of ten. */
#ifdef WARPS
static inline quad fold_room(__local const quad *a, const uint count) {
    return count == 8   ? ((a[0] + a[1]) + (a[2] + a[3])) + ((a[4] + a[5]) + (a[6] + a[7]))
           : count == 4 ? (a[0] + a[1]) + (a[2] + a[3])
                        : a[0] + a[1];
}

static inline taken_total take_groups(const frame_total total) {
    const uint first = 4 * ((uint)get_local_id(0) % 32);
    taken_total taken;
    UNROLLED
    for (uint k = 0; k < 4; ++k) {
        const int is_there = first + k < total.groups;
        const quad sum = total.sums[is_there ? first + k : 0];
        taken.sums[k] = is_there ? sum : (quad)(0);
    }
    return taken;
}

static inline quad fold_groups(taken_total taken) {
    const quad *a = taken.sums;
    return fold_warp((a[0] + a[1]) + (a[2] + a[3])) + (quad)(0);
}
#endif
#endif

/* ---- Launches that add up ---- */

/* Leave a group's sum in its place. */
static inline void fold_stage(const quad own, __global quad *to, __local quad *room) {
    const quad sum = fold_group(own, room, get_local_id(0), get_local_size(0));
    if (get_local_id(0) == 0)
        to[get_group_id(0)] = sum;
}

/* Work items add up `take` values each, and leave a sum a group; the last launch's one is the tree's. */
static inline void fold_launch(__global const quad *from, const uint count, const uint take, __global quad *to,
                               __local quad *room) {
    const quad own = fold_taken(from, take * get_global_id(0), take, count);
    const quad sum = fold_group(own, room, get_local_id(0), get_local_size(0));
    if (get_local_id(0) == 0)
        to[get_group_id(0)] = get_num_groups(0) == 1 ? sum + (quad)(0) : sum;
}

/* ---- Members of an ensemble (backend/opencl/member.h) ---- */

#ifdef MEMBER_WORDS
/* `first` is the index of the frame's first step, of each row. */
#define MEMBER_ARGUMENTS                                                                                               \
    __global uchar *arena, __global const uchar *fixed_arena, __global const uchar *parameters,                        \
        __global const uint *rows, __global const int *first

/* Declare `row` and `p`, the parameters, of the index-th member that runs. */
#define MEMBER_TAKE(index, type)                                                                                       \
    __global const uint *row = rows + MEMBER_WORDS * (index);                                                          \
    const type p = *(__global const type *)(parameters + MEMBER_PARAMETERS * (ulong)row[MEMBER_NUMBER])

/* Where a word of the row points to; and how often a stage of the table turns. */
#define MEMBER_AT(arena, word) ((arena) + MEMBER_UNIT * (ulong)row[word])
#define MEMBER_COUNT(stage)    (int)row[MEMBER_COUNTS + (stage)]
#endif
#endif
#endif
