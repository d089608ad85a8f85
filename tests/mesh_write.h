/* Mesh files for tests. */
#ifndef SPRINGBACK_TESTS_MESH_WRITE_H
#define SPRINGBACK_TESTS_MESH_WRITE_H

#include "mesh/mesh.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

/* Write a mesh as Wavefront OBJ if the path ends in .obj, otherwise as OFF. Numbers have 17 digits, so that reading
 * gives the same doubles. */
static inline void mesh_write(const struct mesh *mesh, const char *path) {
    const char *ending = strrchr(path, '.');
    const int is_obj = ending && !strcmp(ending, ".obj");
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file, "%s", path);
    if (!is_obj)
        fprintf(file, "OFF\n%d %d 0\n", mesh->vertices, mesh->triangles);
    for (int v = 0; v < mesh->vertices; ++v)
        fprintf(file, "%s%.17g %.17g %.17g\n", is_obj ? "v " : "", mesh->position[v][0], mesh->position[v][1],
                mesh->position[v][2]);
    for (int t = 0; t < mesh->triangles; ++t)
        fprintf(file, "%s %d %d %d\n", is_obj ? "f" : "3", mesh->corner[t][0] + is_obj, mesh->corner[t][1] + is_obj,
                mesh->corner[t][2] + is_obj);
    cr_assert_eq(fclose(file), 0);
}

#endif
