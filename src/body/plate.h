/* The plate of a scene, which moves down onto a mesh. */
#ifndef SPRINGBACK_BODY_PLATE_H
#define SPRINGBACK_BODY_PLATE_H

#include "experiment/plan.h"

struct plate {
    /* First and last height of the underside, m; downward speed, m/s; time at which the plate disappears, s. */
    double start, stop, speed, until;
};

/* The plate of a run that has scene.plate, for a body between the heights `low` and `high` (m) at rest. A number that
 * the run lacks is NaN; only a run that is read from a damaged trace can lack one. */
struct plate plate_of(const struct run *run, double low, double high);

/* The height of the plate's underside, in m, at a time in s. The plate exists until plate->until. */
double plate_height_at(const struct plate *plate, double time);

#endif
