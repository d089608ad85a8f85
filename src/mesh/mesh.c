#include "mesh/mesh.h"

#include "base/digest.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void mesh_create(struct mesh *mesh, int vertices, int triangles) {
    *mesh = (struct mesh){.vertices = vertices, .triangles = triangles};
    mesh->position = memory_new((size_t)vertices, sizeof *mesh->position);
    mesh->corner = memory_new((size_t)triangles, sizeof *mesh->corner);
}

void mesh_copy(const struct mesh *mesh, struct mesh *copy) {
    mesh_create(copy, mesh->vertices, mesh->triangles);
    memcpy(copy->position, mesh->position, (size_t)mesh->vertices * sizeof *mesh->position);
    memcpy(copy->corner, mesh->corner, (size_t)mesh->triangles * sizeof *mesh->corner);
}

void mesh_free(struct mesh *mesh) {
    free(mesh->position);
    free(mesh->corner);
    *mesh = (struct mesh){.vertices = 0};
}

void mesh_hash(const struct mesh *mesh, char out[33]) {
    struct digest *digest = digest_create();
    const int counts[2] = {mesh->vertices, mesh->triangles};
    digest_add_words(digest, counts, sizeof *counts, 2);
    digest_add_words(digest, mesh->position, sizeof **mesh->position, 3 * (size_t)mesh->vertices);
    digest_add_words(digest, mesh->corner, sizeof **mesh->corner, 3 * (size_t)mesh->triangles);
    digest_finish(digest, out);
}

int mesh_exponent(const struct mesh *mesh) {
    double largest = 0;
    int exponent = 0;
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            largest = fmax(largest, fabs(mesh->position[v][k]));
    frexp(largest, &exponent);
    return exponent;
}
