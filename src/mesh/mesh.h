/* Triangle meshes: positions and corners, and nothing that can be derived from these. */
#ifndef SPRINGBACK_MESH_MESH_H
#define SPRINGBACK_MESH_MESH_H

#include "base/status.h"

struct mesh {
    int vertices, triangles;
    double (*position)[3]; /* m */
    int (*corner)[3];      /* vertices of a triangle, counterclockwise as seen from outside */
};

/* Make the arrays, zeroed. */
void mesh_create(struct mesh *mesh, int vertices, int triangles);
void mesh_copy(const struct mesh *mesh, struct mesh *copy);
void mesh_free(struct mesh *mesh);

/* The XXH3 of counts, positions and corners, as base/digest.h writes it. */
void mesh_hash(const struct mesh *mesh, char out[33]);

/* The least exponent such that its power of 2 is above all coordinates' magnitudes; 0 if these are 0. */
int mesh_exponent(const struct mesh *mesh);

#endif
