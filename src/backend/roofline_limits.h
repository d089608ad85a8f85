/* Measures the limits of a machine: the rates of copying memory and of multiplying and adding, and the time to launch
 * an empty kernel. The time of a run is compared with these limits: Williams, Waterman and Patterson, "Roofline", CACM
 * 52, 2009. */
#ifndef SPRINGBACK_BACKEND_ROOFLINE_LIMITS_H
#define SPRINGBACK_BACKEND_ROOFLINE_LIMITS_H

#include "base/status.h"

#include <stdbool.h>

enum { ROOFLINE_SAMPLES = 9 };

/* Limits of the processor with `threads` threads, or of an OpenCL device. Each array has one value for each
 * measurement. */
struct roofline_limits {
    const char *device;                  /* NULL for the processor and its main memory */
    int threads;                         /* number of threads on the processor; 0 for a device */
    double copy[ROOFLINE_SAMPLES];       /* bytes/s: bytes read plus bytes written */
    double operations[ROOFLINE_SAMPLES]; /* 1/s: multiplications and additions in single precision, not fused */
    double launch[ROOFLINE_SAMPLES];     /* s per launch; 0 for the processor */
};

/* Measure the processor with `threads` threads, at least 1. Fails if there is not enough memory to copy. */
int roofline_measure_cpu(int threads, struct roofline_limits *out);

/* Measure the device with this index in device_list(); `out->device` is its name. */
int roofline_measure_device(int device, struct roofline_limits *out);

#endif
