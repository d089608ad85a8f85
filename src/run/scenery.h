/* The scene of a run as triangles, for programs that show the trace: a square of the ground, a square plate, the
 * sphere, and the convex bodies. The simulation computes with infinite planes instead of the two squares. The side of
 * the ground's square is 4 times the length of the body, and the side of the plate's square is 1.5 times this length.
 * The length of a body is the longest side of its bounding box. */
#ifndef SPRINGBACK_RUN_SCENERY_H
#define SPRINGBACK_RUN_SCENERY_H

#include "body/body.h"
#include "body/plate.h"
#include "experiment/plan.h"
#include "trace/trace.h"

struct scenery {
    struct trace_scene scene; /* its corners are owned by the pool */
    double (*still)[3];       /* [scene.points] positions at the start, in m; owned by the pool */
    size_t plate_first;       /* index of the first of the plate's four points, if scene.plate > 0 */
    struct plate plate;
    struct pool pool;
};

/* Make the scenery of a run whose body is described; scenery_free frees it, also after an error. Errors: those of
 * solids_mesh. */
int scenery_create(const struct run *run, const struct body *body, struct scenery *out);

/* Positions in m and velocities in m/s at a time in s, each [scene.points][3]. After scene.plate.until all points of
 * the plate have the same position, so that it is not shown. */
void scenery_at(const struct scenery *scenery, double time, double (*position)[3], double (*velocity)[3]);

void scenery_free(struct scenery *scenery);

#endif
