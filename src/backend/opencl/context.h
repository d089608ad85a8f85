/* The process's OpenCL context on each device, and the cl_programs that were built in it. Thread-safe. */
#ifndef SPRINGBACK_BACKEND_CONTEXT_H
#define SPRINGBACK_BACKEND_CONTEXT_H

#include "backend/opencl/device.h"

/* The device's context, which is created at its first use and then stored. The caller releases one reference to it
 * after each call. On failure NULL, and *error is the OpenCL error code. Contexts are stored because drivers create
 * contexts one at a time for all processes: twelve processes that created a context for each run mostly waited. */
cl_context context_open(const struct device *device, cl_int *error);

/* The stored program whose text and options have this digest (base/digest.h); the caller releases it. NULL if there is
 * none. Runs of one experiment that differ only in parameters often have the same program. */
cl_program context_find_program(cl_context context, const char *digest);

/* Store a program that was built; it replaces the oldest one if the context already has 16 programs. */
void context_store_program(cl_context context, const char *digest, cl_program program);

/* Release the stored contexts and programs of all devices. opencl_failed calls this function, because contexts and
 * programs may be unusable after an error. A compile error does not release them. Open engines have their own
 * references. */
void context_clear(void);

#endif
