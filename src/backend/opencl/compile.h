/* A program's kernels, compiled for a device. */
#ifndef SPRINGBACK_BACKEND_COMPILE_H
#define SPRINGBACK_BACKEND_COMPILE_H

#include "backend/opencl/device.h"
#include "method/program.h"

/* Say that something of OpenCL failed, and keep no context any longer (context.h); returns STATUS_BAD. */
int compile_failed(const char *what, cl_int error);

/* Compile the program's kernels (backend/source.h) and what is generated behind them, which is freed;
 * `define` are options as " -DFRAME". What was compiled before is not again (context.h). To be released by the caller,
 * also where it fails. */
int compile(cl_context context, const struct device *device, const struct program *program, char *generated,
            const char *define, cl_program *out);

#endif
