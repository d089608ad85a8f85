/* Kernels in OpenCL C that measure a device: its limits (src/backend/roofline_limits.c), and the local memory that a
 * group can use (src/backend/opencl/max_local_memory.c). */
#ifndef SPRINGBACK_KERNELS_MEASURE_H
#define SPRINGBACK_KERNELS_MEASURE_H

#ifdef __OPENCL_VERSION__

__kernel void measure_copy(__global const float4 *from, __global float4 *to) {
    const size_t i = get_global_id(0);
    to[i] = from[i];
}

/* Four independent chains of multiplications and additions. Each chain converges to a fixed point, so that all numbers
 * stay normal. */
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

/* In each of several groups, lanes store words that other lanes of the group read. The groups may share a compute unit.
 * Each lane counts the wrong words that it reads. */
#ifdef LOCAL_WORDS
__kernel void measure_local_memory(__global uint *wrong, const uint seed) {
    __local uint words[LOCAL_WORDS];
    uint bad = 0;
    for (uint round = seed; round < seed + LOCAL_ROUNDS; ++round) {
        const uint mark = (round * (uint)get_num_groups(0) + (uint)get_group_id(0)) * LOCAL_WORDS;
        for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
            words[i] = mark + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < LOCAL_WORDS; i += get_local_size(0))
            bad += words[LOCAL_WORDS - 1 - i] != mark + LOCAL_WORDS - 1 - i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    wrong[get_global_id(0)] = bad;
}
#endif
#endif
#endif
