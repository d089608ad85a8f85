/* Solids: fixed convex bodies of a scene, each as the planes of its sides, for kernels/obstacle.h. */
#ifndef SPRINGBACK_BODY_SOLIDS_H
#define SPRINGBACK_BODY_SOLIDS_H

#include "body/body.h"
#include "mesh/mesh.h"

enum { SOLIDS_PLANES_MOST = 4096 }; /* each particle tests all planes in each iteration */

/* SOLIDS_DENT: how far a triangle may be behind its plane, as a fraction of the longest side of the body's bounding
 * box. SOLIDS_NORMAL_TOLERANCE: largest distance between two unit normals that count as the same. */
#define SOLIDS_DENT             1e-4
#define SOLIDS_NORMAL_TOLERANCE 1e-5

/* Read the convex bodies of a run's scene as one mesh, at their positions in the scene. If there are none, the mesh has
 * no vertices. Fails if the mesh cannot be read; the message has the place of scene.convex.mesh in the run. */
int solids_mesh(const struct run *run, struct mesh *mesh);

/* If the run has scene.convex.mesh: read the mesh, position it, set the body's planes, and add the planes to body->sum.
 * Errors: the mesh cannot be read; all errors of solids_of_mesh. Messages have the place of scene.convex.mesh in the
 * run. */
int solids_describe(const struct run *run, struct body *body);

/* Set body->solids, solid_start and plane from a mesh. A solid is a component connected by shared vertices. Solids are
 * in the order of their lowest vertices, and the planes of a solid in the order of its triangles. Triangles with the
 * same normal give one plane, through the solid's farthest vertex along this normal, so that no vertex is outside of
 * it.
 *
 * Errors, at `place`: no triangles; a surface that is not closed and oriented outward; a solid that is not convex
 * within SOLIDS_DENT; a smallest solid shorter than 1e-6 m, or a coordinate beyond 1e6 m; more planes than
 * SOLIDS_PLANES_MOST. Then nothing is set. The time is proportional to the mesh's size times the number of planes. */
int solids_of_mesh(const struct mesh *mesh, const char *name, struct place place, struct body *body);

#endif
