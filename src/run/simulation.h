/* One run's model, and its simulation on one backend. */
#ifndef SPRINGBACK_RUN_SIMULATION_H
#define SPRINGBACK_RUN_SIMULATION_H

#include "backend/backend.h"
#include "base/digest.h"
#include "body/body.h"
#include "experiment/plan.h"
#include "method/method.h"

/* Body, method and program of a run: the same for all runs of a group. */
struct model {
    const struct run *run;
    const struct method *method;
    struct body body;
    struct program program;
    bool is_invalid; /* what its method has to say against the run: values do not go together */
};

/* Counts and program only, for checks before anything runs; then the arrays. The model is good to be freed in any
 * case. */
int model_describe(const struct run *run, struct model *model);
int model_build(struct model *model);
void model_free(struct model *model);

/* Bytes of main memory that a model and one simulation of it take beside the backend's own. */
size_t model_bytes(const struct model *model);

/* Hash of the kernel sources that the model's program is compiled from on a backend. */
int model_kernel_digest(const struct model *model, const struct backend_choice *choice, char out[DIGEST_SIZE]);

/* The state at the end of a frame, as the host sees it. */
struct state {
    void *position, *velocity; /* [nodes][3] reals of the program's size; every NaN is the same NaN */
    double *values;            /* one a quantity of the method */
    char hash[DIGEST_SIZE];    /* of positions, then velocities, as little-endian reals */
    int step;                  /* index of the next time step */
    bool diverged;             /* NaN, or farther from the origin than the body's reach */
};

struct simulation;

int simulation_open(const struct model *model, const struct backend_choice *choice, struct simulation **out);

/* The same on an engine of the model's program, which is closed with it, and where this fails. */
int simulation_open_on(const struct model *model, struct engine *engine, struct simulation **out);
void simulation_close(struct simulation *simulation); /* NULL does nothing */

int simulation_rewind(struct simulation *simulation);  /* to the start */
int simulation_advance(struct simulation *simulation); /* one frame */

/* What it runs on, for those that start a frame and wait for it, or look between frames; the simulation's own. */
struct engine *simulation_engine(struct simulation *simulation);

/* Go on from a state that was observed: positions and velocities as struct state has them, and the index of the next
 * time step. */
int simulation_restore(struct simulation *simulation, const void *positions, const void *velocities, int step);

/* Fetch the state from where it is computed; then tell what was fetched last: valid until the next fetch. `measured`
 * false leaves `values` alone; they are measured once. Different simulations' states may be told by different threads.
 */
int simulation_fetch(struct simulation *simulation);
const struct state *simulation_state(struct simulation *simulation, bool measured);

/* Both. */
int simulation_observe(struct simulation *simulation, bool measured, const struct state **out);

/* Fetch the positions alone, as a program does that draws them, for the clock's sake: what was fetched before is gone.
 */
int simulation_read_back(struct simulation *simulation);

#endif
