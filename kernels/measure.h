/* Kernels that measure a device: what it can do at best (src/backend/floors.c), and how much local memory a group may
 * have (src/backend/opencl/local_room.c). For OpenCL alone. */
#ifndef SPRINGBACK_KERNELS_MEASURE_H
#define SPRINGBACK_KERNELS_MEASURE_H

#ifdef __OPENCL_VERSION__

__kernel void measure_copy(__global const float4 *from, __global float4 *to) {
    const size_t i = get_global_id(0);
    to[i] = from[i];
}

/* Chains that know nothing of each other, each to a fixed point, so that no number leaves the normal ones. */
__kernel void measure_operations(__global float16 *to, const int rounds) {
    const float x = (float)get_global_id(0);
    float16 a = (float16)(x), b = (float16)(x + 1), c = (float16)(x + 2), d = (float16)(x + 3);
    for (int k = 0; k < rounds; ++k) {
        a = a * 0.999f + 0.5f;
        b = b * 0.999f + 0.5f;
        c = c * 0.999f + 0.5f;
        d = d * 0.999f + 0.5f;
    }
    to[get_global_id(0)] = a + b + c + d;
}

__kernel void measure_launch(__global float4 *to) {
}

/* Each lane stores words which other lanes read, in several groups that may lie on one unit, and counts those that are
 * not as they should be. */
#ifdef ROOM_WORDS
__kernel void measure_room(__global uint *wrong, const uint seed) {
    __local uint room[ROOM_WORDS];
    uint bad = 0;
    for (uint round = seed; round < seed + ROOM_ROUNDS; ++round) {
        const uint mark = (round * (uint)get_num_groups(0) + (uint)get_group_id(0)) * ROOM_WORDS;
        for (uint i = get_local_id(0); i < ROOM_WORDS; i += get_local_size(0))
            room[i] = mark + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < ROOM_WORDS; i += get_local_size(0))
            bad += room[ROOM_WORDS - 1 - i] != mark + ROOM_WORDS - 1 - i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wrong[get_global_id(0)] = bad;
}
#endif
#endif
#endif
