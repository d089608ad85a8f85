/* A program's kernels, compiled for a device. */
#ifndef SPRINGBACK_BACKEND_COMPILE_H
#define SPRINGBACK_BACKEND_COMPILE_H

#include "backend/opencl/queue.h"

/* Say that something of OpenCL failed, and keep no context any longer (context.h); returns STATUS_BAD. */
int compile_failed(const char *what, cl_int error);

/* Compile the program's kernels (backend/source.h) and what is generated behind them, which is freed, into the queue's
 * program; `define` are options as " -DFRAME". What was compiled before is not again (context.h). */
int compile(struct queue *q, const struct program *program, char *generated, const char *define);

#endif
