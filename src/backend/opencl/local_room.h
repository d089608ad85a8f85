/* How much local memory a work group may have. */
#ifndef SPRINGBACK_BACKEND_LOCAL_ROOM_H
#define SPRINGBACK_BACKEND_LOCAL_ROOM_H

#include "backend/opencl/device.h"

#include <stdbool.h>
#include <stddef.h>

/* Bytes of local memory that a kernel may declare: what the device says, or more, where a kernel that declares more is
 * seen to build, to run and to keep what it stores. NVIDIA's OpenCL says 49,152 of devices whose groups have up to
 * 232,448. The context must be the device's. Looked for once a device and process; the first time takes some ms. */
size_t local_room(const struct device *device, cl_context context);

/* Whether a kernel that declares so many bytes is seen to. */
bool local_room_has(const struct device *device, cl_context context, size_t bytes);

#endif
