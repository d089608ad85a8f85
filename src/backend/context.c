#include "backend/context.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>

static struct kept {
    cl_device_id id;
    cl_context context;
} * kept;
static size_t count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

cl_context context_on(const struct device *device, cl_int *error) {
    cl_context context = NULL;
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count && !context; ++k)
        if (kept[k].id == device->id)
            context = kept[k].context;
    *error = CL_SUCCESS;
    if (!context && (context = clCreateContext(NULL, 1, &device->id, NULL, NULL, error))) {
        kept = memory_grow(kept, count + 1, sizeof *kept);
        kept[count++] = (struct kept){device->id, context};
    }
    if (context)
        *error = clRetainContext(context);
    pthread_mutex_unlock(&mutex);
    return *error ? NULL : context;
}

void context_forget(void) {
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count; ++k)
        clReleaseContext(kept[k].context);
    free(kept);
    kept = NULL;
    count = 0;
    pthread_mutex_unlock(&mutex);
}
