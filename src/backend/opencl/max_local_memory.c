#include "backend/opencl/max_local_memory.h"

#include "backend/opencl/compile.h"
#include "backend/source.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes to try, the largest first: the local memory of a group on NVIDIA's devices of compute capability 9.0, 8.0, 8.6
 * and 7.5, less 1 kB each. */
static const size_t candidates[] = {226 << 10, 162 << 10, 98 << 10, 63 << 10};

enum { GROUPS = 4, LANES = 256, ROUNDS = 3 };

static bool runs(struct opencl_queue *q, size_t bytes) {
    AUTO_FREE char *text = source_read((const char *const[]){"measure.h"}, 1, true);
    AUTO_FREE char *options = text_format("-DLOCAL_WORDS=%zuu -DLOCAL_ROUNDS=%du", bytes / sizeof(cl_uint), ROUNDS);
    cl_uint wrong[GROUPS * LANES], any = 0;
    const cl_uint seed = 1;
    const size_t lanes = LANES, items = GROUPS * lanes;
    cl_kernel kernel;
    cl_mem memory;
    memset(wrong, 1, sizeof wrong); /* the word of a lane that does not run stays nonzero */
    if (compile_text(q, 1, (const char **)&text, options) || queue_create_kernel(q, "measure_local_memory", &kernel) ||
        queue_create_memory(q, "the test of local memory", sizeof wrong, wrong, &memory) ||
        KERNEL_SET(kernel, 0, ARGUMENT(memory), ARGUMENT(seed)) ||
        clEnqueueNDRangeKernel(q->commands, kernel, 1, NULL, &items, &lanes, 0, NULL, NULL) ||
        clEnqueueReadBuffer(q->commands, memory, CL_TRUE, 0, sizeof wrong, wrong, 0, NULL, NULL))
        return false;
    for (size_t k = 0; k < items; ++k)
        any |= wrong[k];
    return !any;
}

bool local_memory_works(const struct device *device, size_t bytes) {
    const struct failure_mark before = failure_mark();
    struct opencl_queue q;
    const bool works = !queue_open(device, &q) && runs(&q, bytes);
    queue_close(&q);
    failure_rewind(before);
    return works;
}

struct device device_with_max_local_memory(const struct device *device) {
    static struct device *known;
    static size_t count;
    struct device enlarged = *device;
    for (size_t k = 0; k < count; ++k)
        if (known[k].id == device->id)
            return known[k];
    for (size_t k = 0; device->has_global_barrier && k < sizeof candidates / sizeof *candidates &&
                       candidates[k] > enlarged.local_memory;
         ++k)
        if (local_memory_works(device, candidates[k]))
            enlarged.local_memory = candidates[k];
    return *ARRAY_ADD(known, count) = enlarged;
}
