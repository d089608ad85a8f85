/* What a machine can do at best: copying its memory, multiplying and adding, and launching an empty kernel. The floors
 * that the time of a run stands beside: Williams, Waterman and Patterson, "Roofline", CACM 52, 2009. */
#ifndef SPRINGBACK_BACKEND_FLOORS_H
#define SPRINGBACK_BACKEND_FLOORS_H

#include "base/status.h"

#include <stdbool.h>

enum { FLOOR_SAMPLES = 9 };

/* Of the processor with so many threads, or of an OpenCL device. */
struct floors {
    const char *device;               /* NULL: the processor, with its main memory */
    int threads;                      /* of the processor; 0 for a device */
    double copy[FLOOR_SAMPLES];       /* bytes/s, read and written */
    double operations[FLOOR_SAMPLES]; /* 1/s: multiplications and additions in single precision, not contracted */
    double launch[FLOOR_SAMPLES];     /* s; of a device */
};

/* Measure the processor with so many threads, at least 1. Fails where there is no memory to copy. */
int floors_of_processor(int threads, struct floors *out);

/* Measure the device of this index in device_list(). The name lives as long as that list. */
int floors_of_device(int device, struct floors *out);

#endif
