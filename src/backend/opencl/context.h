/* The process's OpenCL context on each device, and the cl_programs that were built in it. Thread-safe. */
#ifndef SPRINGBACK_BACKEND_CONTEXT_H
#define SPRINGBACK_BACKEND_CONTEXT_H

#include "backend/opencl/device.h"

/* The device's context, created at its first use and then kept. Each call retains it once more for the caller, who
 * releases that reference. Reason: drivers create contexts one at a time for all processes, so twelve processes that
 * created one for each run mostly waited. */
cl_context context_open(const struct device *device, cl_int *error);

/* The program built from a text and options with this digest (base/digest.h); the caller releases it. NULL if it is not
 * kept. Runs of one experiment often differ in parameters alone, and then have the same program. */
cl_program context_find_program(cl_context context, const char *digest);

/* Keep a program that was built, in place of the oldest one if there are too many. */
void context_store_program(cl_context context, const char *digest, cl_program program);

/* Release the kept contexts and programs of all devices. opencl_failed calls this, because they may be unusable after
 * an error; a compile error does not. Open engines keep their own references. */
void context_clear(void);

#endif
