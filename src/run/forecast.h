/* How long runs may take, from what like runs took. */
#ifndef SPRINGBACK_RUN_FORECAST_H
#define SPRINGBACK_RUN_FORECAST_H

#include "run/simulation.h"

enum forecast_basis {
    FORECAST_SAME,  /* the same run, made before: its seconds, in proportion where frames, steps or nodes changed */
    FORECAST_LIKE,  /* another run of the method on the same backend and device, of the nearest size */
    FORECAST_ROUGH, /* a constant of the backend */
    FORECAST_BASES
};

struct forecast {
    double seconds; /* in the backend; recording comes on top */
    enum forecast_basis basis;
};

/* The speeds that the traces below a folder tell; read when they are first asked for. */
struct speeds;
struct speeds *speeds_of(const char *out);
void speeds_free(struct speeds *speeds);

/* The forecast of a run of a body of so many nodes and springs; speeds may be NULL. */
struct forecast forecast_make(struct speeds *speeds, const char *experiment, const struct run *run, int nodes,
                              long springs, const struct backend_choice *choice);

#endif
