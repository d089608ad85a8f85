/* The process's context on a device. */
#ifndef SPRINGBACK_BACKEND_CONTEXT_H
#define SPRINGBACK_BACKEND_CONTEXT_H

#include "backend/device.h"

/* Made at a device's first use and kept, since drivers make them one after another for all processes: a dozen that made
 * one for each run waited for each other most of the time. To be released as any context. */
cl_context context_on(const struct device *device, cl_int *error);

/* Keep none any longer: after an error of OpenCL one may be of no use. */
void context_forget(void);

#endif
