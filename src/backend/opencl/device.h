/* The OpenCL devices of this machine. */
#ifndef SPRINGBACK_BACKEND_DEVICE_H
#define SPRINGBACK_BACKEND_DEVICE_H

#include <CL/cl.h>
#include <stdbool.h>

struct backend_choice;

struct device {
    cl_platform_id platform_id;
    cl_device_id id;
    char platform[256], name[256], driver[256], version[256];
    cl_ulong memory, largest_buffer, local_memory; /* in bytes */
    cl_uint compute_units;
    size_t max_group_size; /* in work items */
    bool is_gpu;
    bool bit_exact; /* correctly rounds division and square root, and keeps denormal numbers */
    bool has_double;
    bool has_global_barrier; /* work groups can wait for each other if they are on the device at the same time
                                (frame_shape.h) */
};

enum { WARP_SIZE = 32 }; /* lanes of a warp on NVIDIA's GPUs, and maximum warps of a work group */

/* Whether the lanes of a warp can exchange reals of this size, in bytes, on a device (kernels/frame.h). */
static inline bool device_has_warps(const struct device *device, int real_size) {
    return device->has_global_barrier && real_size == sizeof(float);
}

struct device_list {
    struct device *devices;
    int count;
};

/* The OpenCL devices of all platforms, in the order of the OpenCL loader. The first call makes the list. The list is
 * empty if there are no devices.
 *
 * Only one thread at a time may call functions of src/backend/opencl/. There are two exceptions: context.h is
 * thread-safe, and threads may use different engines at the same time. A sweep (run/members.c) holds a mutex while it
 * opens engines. */
const struct device_list *device_list(void);

/* How many devices have this name. */
int device_count(const char *name);

/* Functions of the backend's descriptor (backend.h): choose, device_named and list.
 *
 * A word without an index, such as "opencl:gpu", chooses the best device. If several devices have the same name as the
 * best one, an environment variable chooses one of them: SPRINGBACK_DEVICE, or SLURM_LOCALID (set by Slurm) if
 * SPRINGBACK_DEVICE is not set. The value modulo the number of devices with this name is the index among them, from 0.
 * If the value is not a whole number from 0 on, the best device is chosen. */
int device_choose(const char *word, const char *suffix, struct backend_choice *choice);
int device_named(const char *name);
void device_print(void (*row)(const char *word, const char *text));

/* Name of an OpenCL error code, such as "CL_OUT_OF_RESOURCES"; "OpenCL error -1001" for an unknown code. Static text;
 * the text of an unknown code is valid until the next call with an unknown code. */
const char *device_error_name(cl_int error);

#endif
