/* Forecasts how long a run takes, from the times of similar runs. */
#ifndef SPRINGBACK_RUN_FORECAST_H
#define SPRINGBACK_RUN_FORECAST_H

#include "run/simulation.h"

enum forecast_basis {
    FORECAST_SAME,  /* from an earlier run of the same id, method, backend and device */
    FORECAST_LIKE,  /* from a run of the same method, backend and device: of the same variant first, then of the
                       nearest work */
    FORECAST_ROUGH, /* from constants of the backend and the method's relative cost */
    FORECAST_BASES
};

struct forecast {
    double seconds; /* wall-clock time of the frames; see job.h */
    enum forecast_basis basis;
};

/* Speeds of the runs whose traces are below a folder. The traces are read when a speed is first needed. */
struct speeds;
struct speeds *speeds_create(const char *out);
void speeds_free(struct speeds *speeds);

/* The forecast of a run on a body with so many nodes and springs. Times of earlier runs are scaled by the work: (nodes
 * + springs) times iterations, steps, frames and repeats. Without `speeds` (NULL) it has only the backend's constants.
 */
struct forecast forecast_make(struct speeds *speeds, const char *experiment, const struct run *run, int nodes,
                              long springs, const struct backend_choice *choice);

#endif
