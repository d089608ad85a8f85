/* The test reads a mesh file, and then checks, repairs, scales, rotates and subdivides the mesh. It cuts and closes no
 * holes, and does not reduce the mesh. The first byte of the input chooses the format ('0' OBJ, '1' OFF, '2' PLY, '3'
 * STL). The other bytes are the file. */
#include "base/memory.h"
#include "mesh/check.h"
#include "mesh/mesh.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void demand(bool holds) {
    if (!holds)
        abort();
}

static void see_polygons(const struct polygons *polygons) {
    demand(polygons->vertices > 0 && polygons->faces > 0 && polygons->start[0] == 0);
    for (int v = 0; v < polygons->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            demand(isfinite(polygons->position[v][k]));
    for (int f = 0; f < polygons->faces; ++f)
        demand(polygons->start[f + 1] - polygons->start[f] >= 3);
    for (int c = 0; c < polygons->start[polygons->faces]; ++c)
        demand(polygons->corner[c] >= 0 && polygons->corner[c] < polygons->vertices);
}

static void see_mesh(const struct mesh *mesh) {
    for (int t = 0; t < mesh->triangles; ++t)
        for (int k = 0; k < 3; ++k)
            demand(mesh->corner[t][k] >= 0 && mesh->corner[t][k] < mesh->vertices);
}

static void repair(struct mesh *mesh, double distance) {
    int turned;
    mesh_check(mesh, MESH_SOLID, "mesh");
    mesh_weld(mesh, distance);
    see_mesh(mesh);
    demand(mesh_weld(mesh, distance) == 0);
    mesh_drop_degenerate(mesh, distance > 0);
    mesh_drop_duplicates(mesh);
    failure_clear();
    demand(!mesh_check(mesh, MESH_NO_DUPLICATES, "mesh"));
    if (!mesh_orient(mesh, "mesh", &turned))
        demand(!mesh_check(mesh, MESH_ORIENTED, "mesh"));
    see_mesh(mesh);
    mesh_keep_largest(mesh);
    mesh_drop_unused(mesh);
    failure_clear();
    demand(!mesh_check(mesh, MESH_ALL_USED, "mesh"));
    see_mesh(mesh);
    if (!mesh_scale(mesh, 1, "mesh"))
        mesh_centre(mesh);
    mesh_rotate(mesh, 1, 3);
    mesh_check(mesh, MESH_SOLID, "mesh");
    if (mesh->triangles > 0 && !mesh_refine(mesh, "mesh"))
        see_mesh(mesh);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {"mesh.obj", "mesh.off", "mesh.ply", "mesh.stl"};
    if (size == 0)
        return 0;
    struct polygons polygons, finer;
    struct mesh mesh;
    char *bytes = malloc(size); /* a block without spare bytes, so that a read past its end is found */
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = 0;
    failure_clear();
    int status = mesh_parse(names[data[0] % 4], bytes, size - 1, &polygons);
    demand((status == STATUS_OK) == (failure_count() == 0));
    free(bytes);
    if (!status) {
        see_polygons(&polygons);
        for (int distance = 0; distance < 2; ++distance)
            if (!polygons_triangulate(&polygons, "mesh", &mesh)) {
                see_mesh(&mesh);
                repair(&mesh, distance);
                mesh_free(&mesh);
            }
        if (!polygons_catmull_clark(&polygons, "mesh", &finer)) {
            demand(finer.faces == polygons.start[polygons.faces]);
            polygons_free(&finer);
        }
        polygons_free(&polygons);
    }
    failure_clear();
    return 0;
}
