#include "mesh/mesh.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

void polygons_free(struct polygons *polygons) {
    free(polygons->position);
    free(polygons->start);
    free(polygons->corner);
    *polygons = (struct polygons){.vertices = 0};
}

/* Enlarge an array that has no space for another element: to 64 elements, then to twice its capacity, at most INT_MAX.
 * Returns the array. */
static void *grow_if_full(void *array, int used, int *capacity, size_t size) {
    if (used < *capacity)
        return array;
    *capacity = *capacity < 32 ? 64 : *capacity <= INT_MAX / 2 ? *capacity * 2 : INT_MAX;
    return memory_grow(array, (size_t)*capacity, size);
}

void polygons_add_vertex(struct polygons_builder *builder, const double position[3]) {
    struct polygons *made = &builder->made;
    made->position = grow_if_full(made->position, made->vertices, &builder->vertex_capacity, sizeof *made->position);
    memcpy(made->position[made->vertices++], position, sizeof *made->position);
}

void polygons_add_corner(struct polygons_builder *builder, int vertex) {
    struct polygons *made = &builder->made;
    made->corner = grow_if_full(made->corner, builder->corners, &builder->corner_capacity, sizeof *made->corner);
    made->corner[builder->corners++] = vertex;
}

/* While building, start[f] is the end of face f; polygons_finish moves these ends to start[f + 1]. */
void polygons_end_face(struct polygons_builder *builder) {
    struct polygons *made = &builder->made;
    made->start = grow_if_full(made->start, made->faces, &builder->face_capacity, sizeof *made->start);
    made->start[made->faces++] = builder->corners;
}

void polygons_finish(struct polygons_builder *builder, struct polygons *polygons) {
    struct polygons *made = &builder->made;
    made->position = memory_grow(made->position, (size_t)made->vertices, sizeof *made->position);
    made->corner = memory_grow(made->corner, (size_t)builder->corners, sizeof *made->corner);
    made->start = memory_grow(made->start, (size_t)made->faces + 1, sizeof *made->start);
    memmove(made->start + 1, made->start, (size_t)made->faces * sizeof *made->start);
    made->start[0] = 0;
    *polygons = *made;
    *builder = (struct polygons_builder){.corners = 0};
}

void polygons_abandon(struct polygons_builder *builder) {
    polygons_free(&builder->made);
    *builder = (struct polygons_builder){.corners = 0};
}

int polygons_triangulate(const struct polygons *polygons, const char *name, struct mesh *mesh) {
    const long long triangles = (long long)polygons->start[polygons->faces] - 2LL * polygons->faces;
    if (triangles > INT_MAX / 3)
        return fail("%s: %lld triangles are too many; use at most %d", name, triangles, INT_MAX / 3);
    mesh_create(mesh, polygons->vertices, (int)triangles);
    memcpy(mesh->position, polygons->position, (size_t)polygons->vertices * sizeof *mesh->position);
    int t = 0;
    for (int f = 0; f < polygons->faces; ++f) {
        const int *corner = polygons->corner + polygons->start[f];
        for (int k = 2; k < polygons->start[f + 1] - polygons->start[f]; ++k, ++t) {
            mesh->corner[t][0] = corner[0];
            mesh->corner[t][1] = corner[k - 1];
            mesh->corner[t][2] = corner[k];
        }
    }
    return STATUS_OK;
}
