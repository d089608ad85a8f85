#include "backend/opencl/local_room.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

/* Bytes that groups of NVIDIA's devices have, less a kB, which a kernel's own may be: of compute capability 9.0; 8.0;
 * 8.6; and 7.5. */
static const size_t rooms[] = {226 << 10, 162 << 10, 98 << 10, 63 << 10};

enum { GROUPS = 4, LANES = 256, ROUNDS = 3 };

/* Each lane stores words which other lanes read, in several groups that may lie on one unit, and counts those that are
 * not as they should be. */
static const char source[] = "__kernel void springback_room(__global uint *wrong, const uint seed) {\n"
                             "    __local uint room[WORDS];\n"
                             "    uint bad = 0;\n"
                             "    for (uint round = seed; round < seed + ROUNDS; ++round) {\n"
                             "        const uint mark = (round * GROUPS + (uint)get_group_id(0)) * WORDS;\n"
                             "        for (uint i = get_local_id(0); i < WORDS; i += LANES)\n"
                             "            room[i] = mark + i;\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        for (uint i = get_local_id(0); i < WORDS; i += LANES)\n"
                             "            bad += room[WORDS - 1 - i] != mark + WORDS - 1 - i;\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "    }\n"
                             "    wrong[get_global_id(0)] = bad;\n"
                             "}\n";

static bool runs(const struct device *device, cl_context context, cl_kernel kernel) {
    cl_uint wrong[GROUPS * LANES];
    const cl_uint seed = 1;
    const size_t lanes = LANES, items = GROUPS * lanes;
    cl_int error;
    for (size_t k = 0; k < items; ++k)
        wrong[k] = 1;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof wrong, wrong, &error);
    if (error)
        return false;
    cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &error);
    if (!error) {
        error = clSetKernelArg(kernel, 0, sizeof memory, &memory);
        error = error ? error : clSetKernelArg(kernel, 1, sizeof seed, &seed);
        error = error ? error : clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &lanes, 0, NULL, NULL);
        error = error ? error : clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof wrong, wrong, 0, NULL, NULL);
        clReleaseCommandQueue(queue);
    }
    clReleaseMemObject(memory);
    for (size_t k = 0; k < items && !error; ++k)
        error = wrong[k] != 0;
    return !error;
}

bool local_room_has(const struct device *device, cl_context context, size_t bytes) {
    const char *text = source;
    char options[96];
    cl_int error;
    bool is_well = false;
    snprintf(options, sizeof options, "-DWORDS=%zuu -DGROUPS=%du -DLANES=%du -DROUNDS=%du", bytes / sizeof(cl_uint),
             GROUPS, LANES, ROUNDS);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
    if (error)
        return false;
    if (clBuildProgram(program, 1, &device->id, options, NULL, NULL) == CL_SUCCESS) {
        cl_kernel kernel = clCreateKernel(program, "springback_room", &error);
        if (!error) {
            is_well = runs(device, context, kernel);
            clReleaseKernel(kernel);
        }
    }
    clReleaseProgram(program);
    return is_well;
}

size_t local_room(const struct device *device, cl_context context) {
    static struct known {
        cl_device_id id;
        size_t room;
    } * known;
    static size_t count;
    for (size_t k = 0; k < count; ++k)
        if (known[k].id == device->id)
            return known[k].room;
    size_t room = (size_t)device->local_memory;
    for (size_t k = 0; device->may_meet && k < sizeof rooms / sizeof *rooms && rooms[k] > room; ++k)
        if (local_room_has(device, context, rooms[k]))
            room = rooms[k];
    known = memory_grow(known, count + 1, sizeof *known);
    known[count++] = (struct known){device->id, room};
    return room;
}
