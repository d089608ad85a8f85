#include "report/snapshot.h"

#include "body/solids.h"
#include "experiment/run.h"
#include "mesh/shape.h"
#include "run/recipe.h"

#include <string.h>

enum { SPHERE_LEVEL = 6, OBSTACLE_COLOUR = 0xc3c8d0 };

static void add(struct obstacles *obstacles, struct mesh mesh) {
    const int o = obstacles->count++;
    obstacles->mesh[o] = mesh;
    obstacles->surface[o] = (struct snapshot_surface){.vertices = mesh.vertices,
                                                      .triangles = mesh.triangles,
                                                      .position = (const double(*)[3])mesh.position,
                                                      .corner = (const int(*)[3])mesh.corner,
                                                      .colour = OBSTACLE_COLOUR};
}

static void add_sphere(const struct run *run, struct obstacles *obstacles) {
    struct mesh mesh;
    if (!run_parameter(run, "scene.sphere.radius"))
        return;
    shape_icosphere(SPHERE_LEVEL, &mesh);
    for (int v = 0; v < mesh.vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh.position[v][k] = mesh.position[v][k] * run_number(run, "scene.sphere.radius", 0) +
                                  run_number(run, "scene.sphere.centre", k);
    add(obstacles, mesh);
}

/* Add the convex bodies. They come from a file that may have changed since the run. If the file has changed, the hash
 * of the body differs from that in the trace, which is an error. */
static int add_convex(const struct run *run, const struct trace_data *trace, struct obstacles *obstacles) {
    const char *was = trace_run_note(trace, "body_hash"), *name = trace_parameter_text(trace, "scene.convex.mesh");
    AUTO(body_free) struct body body = {.nodes = 0};
    struct mesh mesh;
    if (!run_parameter(run, "scene.convex.mesh"))
        return STATUS_OK;
    int status = body_describe(run, &body);
    if (!status && was && strcmp(was, body.sum) != 0)
        status =
            fail("%s: the convex bodies of %s, or the run's body, have changed since the trace was made; --bare draws "
                 "without the convex bodies and the sphere",
                 trace->path, name);
    if (status || solids_mesh(run, &mesh))
        return STATUS_BAD;
    add(obstacles, mesh);
    return STATUS_OK;
}

int obstacles_read(const struct trace_data *trace, struct obstacles *out) {
    *out = (struct obstacles){.count = 0};
    if (!trace_parameter_text(trace, "scene.sphere.radius") && !trace_parameter_text(trace, "scene.convex.mesh"))
        return STATUS_OK;
    struct run run;
    int status = run_of_trace(trace, &run);
    if (!status) {
        add_sphere(&run, out);
        status = add_convex(&run, trace, out);
        run_free(&run);
    }
    if (status)
        obstacles_free(out);
    return status;
}

void obstacles_free(struct obstacles *obstacles) {
    for (int o = 0; o < obstacles->count; ++o)
        mesh_free(&obstacles->mesh[o]);
    *obstacles = (struct obstacles){.count = 0};
}
