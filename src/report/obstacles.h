/* What lies still in a run's scene and no node enters, as surfaces to draw: the sphere and the convex bodies, by the
 * parameters that the trace recorded. */
#ifndef SPRINGBACK_REPORT_OBSTACLES_H
#define SPRINGBACK_REPORT_OBSTACLES_H

#include "mesh/mesh.h"
#include "report/snapshot.h"
#include "trace/trace.h"

enum { OBSTACLES_MOST = 2 };

struct obstacles {
    int count;
    struct mesh mesh[OBSTACLES_MOST];
    struct snapshot_surface surface[OBSTACLES_MOST];
};

/* None of a scene that has none. Errors: the mesh of the convex bodies cannot be read, or is another than the run's; a
 * parameter that this version does not know. Then *out is empty. */
int obstacles_read(const struct trace_data *trace, struct obstacles *out);
void obstacles_free(struct obstacles *obstacles);

#endif
