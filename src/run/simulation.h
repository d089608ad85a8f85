/* The model of a run, and its simulation on one backend. */
#ifndef SPRINGBACK_RUN_SIMULATION_H
#define SPRINGBACK_RUN_SIMULATION_H

#include "backend/backend.h"
#include "base/digest.h"
#include "body/body.h"
#include "experiment/plan.h"
#include "method/method.h"

/* The body, the method and the program of a run. All runs of a group share one model, except in a sweep. */
struct model {
    const struct run *run;
    const struct method *method;
    struct body body;
    struct program program;
    bool is_invalid; /* the values of the run do not fit together. Either the method does not support the scene, or it
                        refuses the values, or the backend cannot run the program's kernels */
};

/* model_describe counts the model's items and makes its program, without arrays. model_build makes the body's arrays.
 * Call model_free also after a failure. The model borrows `run`. */
int model_describe(const struct run *run, struct model *model);
int model_build(struct model *model);
void model_free(struct model *model);

/* Bytes of main memory for a model and one simulation of it, without the memory of the backend. */
size_t model_bytes(const struct model *model);

/* Hash of the model's kernel sources. If the environment variable SPRINGBACK_KERNELS is set and the backend compiles
 * kernels, the sources are read from the folder that this variable names. Otherwise they are the embedded sources. */
int model_kernel_digest(const struct model *model, const struct backend_choice *choice, char out[DIGEST_SIZE]);

/* Whether runs of the model on this backend are bit-identical to those on other backends: the device is bit-exact, and
 * no sum depends on the order of threads. */
bool model_is_exact(const struct model *model, const struct backend_choice *choice);

/* The state after a frame, in main memory. A backend stores four reals x, y, z and w for each node; the state has only
 * x, y and z. */
struct state {
    void *position, *velocity; /* [nodes][3] reals of the program's precision; all NaNs have the same bits */
    double *values;            /* one per quantity of the method */
    char hash[DIGEST_SIZE];    /* state hash: hash of the positions, then the velocities, as little-endian reals */
    int step;                  /* index of the next time step */
    bool diverged;             /* a coordinate of a position is NaN, or its absolute value is larger than
                                  body.divergence_radius; or a coordinate of a velocity is NaN */
};

struct simulation;

/* Open a simulation; simulation_close frees it. The model is borrowed. */
int simulation_open(const struct model *model, const struct backend_choice *choice, struct simulation **out);

/* Open a simulation on an engine of the model's program. The simulation then owns the engine: simulation_close closes
 * the engine, and if this function fails, it closes the engine too. */
int simulation_open_engine(const struct model *model, struct engine *engine, struct simulation **out);
void simulation_close(struct simulation *simulation); /* NULL is allowed */

int simulation_rewind(struct simulation *simulation);  /* go to the start; invalidates the fetched state */
int simulation_advance(struct simulation *simulation); /* compute one frame */

/* The simulation's engine, borrowed, for starting a frame and waiting for it. */
struct engine *simulation_engine(struct simulation *simulation);

/* Set the state: positions and velocities as in struct state, and the index of the next time step. Invalidates the
 * fetched state. */
int simulation_restore(struct simulation *simulation, const void *positions, const void *velocities, int step);

/* simulation_fetch reads the state from the backend. simulation_state returns the last fetched state, borrowed and
 * valid until the next fetch. Its `values` are computed only if `measured`, and only once. Several threads may call
 * simulation_state at the same time, for different simulations. */
int simulation_fetch(struct simulation *simulation);
const struct state *simulation_state(struct simulation *simulation, bool measured);

/* Call simulation_fetch, then simulation_state. */
int simulation_observe(struct simulation *simulation, bool measured, const struct state **out);

/* Read back only the positions, as a program that draws them would do; for timing. Invalidates the fetched state. */
int simulation_read_back(struct simulation *simulation);

#endif
