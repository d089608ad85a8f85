/* How much local memory a work group can use. */
#ifndef SPRINGBACK_BACKEND_MAX_LOCAL_MEMORY_H
#define SPRINGBACK_BACKEND_MAX_LOCAL_MEMORY_H

#include "backend/opencl/device.h"

/* Returns a copy of the device, in which local_memory is the number of bytes that a kernel can declare. This number is
 * larger than the reported one if local_memory_works for one of the larger numbers that are tried. NVIDIA's OpenCL
 * reports 49,152 bytes on devices whose groups can have up to 232,448 bytes. Only devices with a global barrier are
 * tested, once in a process; the first call takes a few ms. */
struct device device_with_max_local_memory(const struct device *device);

/* Whether a test kernel that declares `bytes` bytes can be built and run, and reads back what it has stored. */
bool local_memory_works(const struct device *device, size_t bytes);

#endif
