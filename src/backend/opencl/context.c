#include "backend/opencl/context.h"

#include "base/digest.h"
#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { PROGRAMS = 16 };

static struct kept {
    cl_device_id id;
    cl_context context;
    struct built {
        char digest[DIGEST_SIZE];
        cl_program program; /* NULL if this element is empty */
    } programs[PROGRAMS];
    size_t next; /* index of the element to overwrite next */
} * kept;
static size_t count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

cl_context context_open(const struct device *device, cl_int *error) {
    cl_context context = NULL;
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count && !context; ++k)
        if (kept[k].id == device->id)
            context = kept[k].context;
    *error = CL_SUCCESS;
    if (!context && (context = clCreateContext(NULL, 1, &device->id, NULL, NULL, error))) {
        *ARRAY_ADD(kept, count) = (struct kept){.id = device->id, .context = context};
    }
    if (context)
        *error = clRetainContext(context);
    pthread_mutex_unlock(&mutex);
    return *error ? NULL : context;
}

cl_program context_find_program(cl_context context, const char *digest) {
    cl_program found = NULL;
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count; ++k)
        for (size_t b = 0; kept[k].context == context && b < PROGRAMS && !found; ++b)
            if (kept[k].programs[b].program && !strcmp(kept[k].programs[b].digest, digest))
                found = kept[k].programs[b].program;
    if (found && clRetainProgram(found))
        found = NULL;
    pthread_mutex_unlock(&mutex);
    return found;
}

void context_store_program(cl_context context, const char *digest, cl_program program) {
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count; ++k) {
        struct built *place = &kept[k].programs[kept[k].next];
        if (kept[k].context != context || clRetainProgram(program))
            continue;
        if (place->program)
            clReleaseProgram(place->program);
        memcpy(place->digest, digest, DIGEST_SIZE);
        place->program = program;
        kept[k].next = (kept[k].next + 1) % PROGRAMS;
    }
    pthread_mutex_unlock(&mutex);
}

void context_clear(void) {
    pthread_mutex_lock(&mutex);
    for (size_t k = 0; k < count; ++k) {
        for (size_t b = 0; b < PROGRAMS; ++b)
            if (kept[k].programs[b].program)
                clReleaseProgram(kept[k].programs[b].program);
        clReleaseContext(kept[k].context);
    }
    free(kept);
    kept = NULL;
    count = 0;
    pthread_mutex_unlock(&mutex);
}
