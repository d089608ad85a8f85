/* Stores the OpenCL contexts of this process, one for each device, and the programs that were built in them.
 * Thread-safe. */
#ifndef SPRINGBACK_BACKEND_CONTEXT_H
#define SPRINGBACK_BACKEND_CONTEXT_H

#include "backend/opencl/device.h"

/* The device's context. The first call creates and stores the context. Each successful call gives the caller one
 * reference to the context, which the caller must release. On failure NULL, and *error is the OpenCL error code.
 *
 * Contexts are stored because drivers create only one context at a time for all processes. When twelve processes
 * created a context for each run, they mostly waited. */
cl_context context_open(const struct device *device, cl_int *error);

/* The stored program whose text and options have this digest (base/digest.h). NULL if there is no such program. The
 * caller releases the program. Runs of one experiment that differ only in parameters often have the same program. */
cl_program context_find_program(cl_context context, const char *digest);

/* Store a built program. If the context already has 16 programs, the new one replaces the oldest. */
void context_store_program(cl_context context, const char *digest, cl_program program);

/* Release the stored contexts and programs of all devices. opencl_failed calls this function, because contexts and
 * programs may be unusable after an error. After a compile error this function is not called. Open engines have their
 * own references. */
void context_clear(void);

#endif
