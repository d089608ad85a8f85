/* The process's context on a device, and the programs that were built in it. */
#ifndef SPRINGBACK_BACKEND_CONTEXT_H
#define SPRINGBACK_BACKEND_CONTEXT_H

#include "backend/opencl/device.h"

/* Made at a device's first use and kept, since drivers make them one after another for all processes: a dozen that made
 * one for each run waited for each other most of the time. To be released as any context. */
cl_context context_on(const struct device *device, cl_int *error);

/* The program that was built of a text and options with this digest (base/digest.h), to be released as any; NULL where
 * it is not kept. An experiment's runs often differ in parameters alone. */
cl_program context_built(cl_context context, const char *digest);

/* Keep what was built, in place of the oldest of many. */
void context_keep(cl_context context, const char *digest, cl_program program);

/* Keep neither contexts nor programs any longer: after an error of OpenCL they may be of no use. */
void context_forget(void);

#endif
