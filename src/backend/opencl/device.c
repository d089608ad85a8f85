#include "backend/opencl/device.h"

#include "backend/backend.h"
#include "backend/opencl/opencl_override.h"
#include "base/memory.h"
#include "base/number.h"

#include <CL/cl_ext.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ADVICE "install the OpenCL driver of a GPU, or the package pocl-opencl-icd for the CPU"

static void device_text(cl_device_id id, cl_device_info what, char *out, size_t size) {
    if (clGetDeviceInfo(id, what, size, out, NULL) != CL_SUCCESS)
        snprintf(out, size, "unknown");
    out[size - 1] = 0;
}

static void device_read(cl_platform_id platform, cl_device_id id, struct device *device) {
    *device = (struct device){.platform_id = platform, .id = id};
    if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof device->platform, device->platform, NULL) != CL_SUCCESS)
        snprintf(device->platform, sizeof device->platform, "unknown");
    device_text(id, CL_DEVICE_NAME, device->name, sizeof device->name);
    device_text(id, CL_DRIVER_VERSION, device->driver, sizeof device->driver);
    device_text(id, CL_DEVICE_VERSION, device->version, sizeof device->version);
    clGetDeviceInfo(id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof device->memory, &device->memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof device->largest_buffer, &device->largest_buffer, NULL);
    clGetDeviceInfo(id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof device->local_memory, &device->local_memory, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof device->compute_units, &device->compute_units, NULL);
    clGetDeviceInfo(id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof device->max_group_size, &device->max_group_size, NULL);
    cl_device_type type = 0;
    clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    device->is_gpu = type & CL_DEVICE_TYPE_GPU;
    cl_device_fp_config single = 0, twice = 0;
    clGetDeviceInfo(id, CL_DEVICE_SINGLE_FP_CONFIG, sizeof single, &single, NULL);
    clGetDeviceInfo(id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof twice, &twice, NULL);
    const cl_device_fp_config needed = CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT | CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST;
    device->bit_exact = (single & needed) == needed;
    device->has_double = twice != 0;
    cl_uint capability = 0; /* fence.acq_rel and shfl.sync (kernels/frame.h) need capability 7 */
    if (device->is_gpu && strstr(device->platform, "NVIDIA"))
        clGetDeviceInfo(id, CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV, sizeof capability, &capability, NULL);
    device->has_global_barrier = capability >= 7;
}

const struct device_list *device_list(void) {
    static struct device_list list;
    static bool known;
    if (known)
        return &list;
    known = true;
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return &list;
    for (cl_uint p = 0; p < platform_count && p < 16; ++p) {
        cl_device_id ids[64];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 64, ids, &count) != CL_SUCCESS)
            continue;
        for (cl_uint d = 0; d < count && d < 64; ++d) {
            list.devices = memory_grow(list.devices, (size_t)list.count + 1, sizeof *list.devices);
            device_read(platforms[p], ids[d], &list.devices[list.count++]);
        }
    }
    return &list;
}

int device_count(const char *name) {
    const struct device_list *list = device_list();
    int count = 0;
    for (int d = 0; d < list->count; ++d)
        count += !strcmp(list->devices[d].name, name);
    return count;
}

/* The rank of a device. A bit-exact device ranks above a device that is not bit-exact. If both devices are
 * bit-exact, or neither is, a GPU ranks above a CPU. */
static int rank(const struct device *device) {
    return 2 * device->bit_exact + device->is_gpu;
}

/* Index of the best device of a type ("" for any type), by `rank`; of several best devices, the first. -1 if there is
 * no device of this type. */
static int best_device(const char *type) {
    const struct device_list *list = device_list();
    int best = -1;
    for (int d = list->count - 1; d >= 0; --d)
        if ((!*type || list->devices[d].is_gpu == !strcmp(type, "gpu")) &&
            (best < 0 || rank(&list->devices[d]) >= rank(&list->devices[best])))
            best = d;
    return best;
}

/* Choose a device that has the same name as device `best`, by the rule in device.h (device_choose). With this rule,
 * several processes on one host can use different devices. Returns the index of the device. */
static int share_devices(int best) {
    const struct device_list *list = device_list();
    const char *number = getenv("SPRINGBACK_DEVICE"), *name = list->devices[best].name;
    const int same_name = device_count(name);
    int mine;
    if (!number)
        number = getenv("SLURM_LOCALID");
    if (!same_name || !number || !whole_read(number, 0, INT_MAX, &mine))
        return best;
    mine %= same_name;
    for (int d = 0; d < list->count; ++d)
        if (!strcmp(list->devices[d].name, name) && !mine--)
            return d;
    return best;
}

static int fail_missing(const char *word) {
    return fail("backend %s: there is no OpenCL device here; " ADVICE, word);
}

int device_choose(const char *word, const char *suffix, struct backend_choice *choice) {
    const struct device_list *list = device_list();
    const char *which = *suffix ? suffix + 1 : "";
    if (opencl_override_check()) {
        choice->backend = NULL; /* because SPRINGBACK_OPENCL is wrong (backend_choose) */
        return STATUS_BAD;
    }
    if (!*which || !strcmp(which, "gpu") || !strcmp(which, "cpu")) {
        choice->device = best_device(which);
        if (choice->device < 0)
            return list->count ? fail("backend %s: there is no OpenCL device of this type here; OpenCL devices here: "
                                      "%d (`springback "
                                      "devices` lists them)",
                                      word, list->count)
                               : fail_missing(word);
        choice->device = share_devices(choice->device);
    } else if (!whole_read(which, 0, INT_MAX, &choice->device)) {
        return fail("unknown backend '%s'; use opencl, opencl:N (N from 0), opencl:gpu or opencl:cpu", word);
    } else if (choice->device >= list->count) {
        return list->count
                   ? fail("backend %s: there is no OpenCL device %d here; OpenCL devices here: %d, numbered from "
                          "0 (`springback devices` lists them)",
                          word, choice->device, list->count)
                   : fail_missing(word);
    }
    const struct device *device = &list->devices[choice->device];
    choice->is_gpu = device->is_gpu;
    choice->bit_exact = device->bit_exact;
    choice->cost = device->is_gpu ? (struct backend_cost){0.01e-9, 3e-6}
                                  : (struct backend_cost){18e-9 / (double)sysconf(_SC_NPROCESSORS_ONLN), 50e-6};
    snprintf(choice->device_name, sizeof choice->device_name, "%s", device->name);
    snprintf(choice->driver, sizeof choice->driver, "%s, driver %s", device->platform, device->driver);
    return STATUS_OK;
}

int device_named(const char *name) {
    const struct device_list *list = device_list();
    for (int d = 0; d < list->count; ++d)
        if (!strcmp(list->devices[d].name, name))
            return d;
    return -1;
}

void device_print(void (*row)(const char *word, const char *text)) {
    const struct device_list *list = device_list();
    for (int d = 0; d < list->count; ++d) {
        const struct device *device = &list->devices[d];
        AUTO_FREE char *choice = text_format("opencl:%d", d),
                       *text = text_format("%s (%s), %s, driver %s, %.1f GiB, %u compute units%s; %s", device->name,
                                           device->is_gpu ? "GPU" : "CPU", device->platform, device->driver,
                                           (double)device->memory / 0x1p30, device->compute_units,
                                           device->has_double ? "" : ", no double precision",
                                           device->bit_exact
                                               ? "bit-exact"
                                               : "NOT bit-exact: no correctly rounded division and square root, or no "
                                                 "denormals");
        row(choice, text);
    }
    if (!list->count)
        row("opencl", "no device; " ADVICE);
}

const char *device_error_name(cl_int error) {
    static const struct {
        cl_int code;
        const char *name;
    } table[] = {
#define NAME(code) {code, #code}
        NAME(CL_DEVICE_NOT_FOUND),
        NAME(CL_DEVICE_NOT_AVAILABLE),
        NAME(CL_COMPILER_NOT_AVAILABLE),
        NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
        NAME(CL_OUT_OF_RESOURCES),
        NAME(CL_OUT_OF_HOST_MEMORY),
        NAME(CL_BUILD_PROGRAM_FAILURE),
        NAME(CL_INVALID_VALUE),
        NAME(CL_INVALID_DEVICE),
        NAME(CL_INVALID_CONTEXT),
        NAME(CL_INVALID_COMMAND_QUEUE),
        NAME(CL_INVALID_MEM_OBJECT),
        NAME(CL_INVALID_BUILD_OPTIONS),
        NAME(CL_INVALID_PROGRAM),
        NAME(CL_INVALID_PROGRAM_EXECUTABLE),
        NAME(CL_INVALID_KERNEL_NAME),
        NAME(CL_INVALID_KERNEL),
        NAME(CL_INVALID_ARG_INDEX),
        NAME(CL_INVALID_ARG_VALUE),
        NAME(CL_INVALID_ARG_SIZE),
        NAME(CL_INVALID_KERNEL_ARGS),
        NAME(CL_INVALID_WORK_DIMENSION),
        NAME(CL_INVALID_WORK_GROUP_SIZE),
        NAME(CL_INVALID_WORK_ITEM_SIZE),
        NAME(CL_INVALID_BUFFER_SIZE),
#undef NAME
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
        if (table[k].code == error)
            return table[k].name;
    static char other[32];
    snprintf(other, sizeof other, "OpenCL error %d", error);
    return other;
}
