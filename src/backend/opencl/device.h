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
    size_t group_size; /* maximum work items of a work group */
    bool is_gpu;
    bool bit_exact; /* division and square root are correctly rounded, and denormal numbers are kept */
    bool has_double;
    bool has_global_barrier; /* resident work groups may wait for each other (frame_shape.h) */
};

struct device_list {
    struct device *devices;
    int count;
};

/* The OpenCL devices of all platforms, in the loader's order; found once. Empty if there are none. */
const struct device_list *device_list(void);

/* Functions of the backend's descriptor (backend.h): choose, device_named and list. */
int device_choose(const char *text, const char *suffix, struct backend_choice *choice);
int device_named(const char *name);
void device_print(void (*row)(const char *choice, const char *text));

/* Name of an OpenCL error code, such as "CL_OUT_OF_RESOURCES". */
const char *device_error_name(cl_int error);

#endif
