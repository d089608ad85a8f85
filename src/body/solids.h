/* Solids: fixed convex bodies of a scene, each as the planes of its sides, for kernels/obstacle.h. */
#ifndef SPRINGBACK_BODY_SOLIDS_H
#define SPRINGBACK_BODY_SOLIDS_H

#include "body/body.h"
#include "mesh/mesh.h"

enum { SOLIDS_PLANES_MOST = 4096 }; /* each particle tests all of them in each step */

/* SOLIDS_DENT: how far a body may be from convex, as a fraction of the longest side of its bounding box.
 * SOLIDS_NORMAL_TOLERANCE: largest distance of two unit normals that count as one plane. */
#define SOLIDS_DENT             1e-4
#define SOLIDS_NORMAL_TOLERANCE 1e-5

/* The convex bodies of a run's scene as a surface, at their positions; without vertices if there are none. Fails at the
 * run's scene.convex.mesh if the mesh cannot be read. */
int solids_mesh(const struct run *run, struct mesh *mesh);

/* If the run has scene.convex.mesh: read it, position it, set the body's planes, and add them to its sum. Fails at the
 * run's scene.convex.mesh if the mesh cannot be read, or as solids_of_mesh. */
int solids_describe(const struct run *run, struct body *body);

/* Set body->solids, solid_start and plane from a mesh. A solid is a component connected by shared vertices; solids are
 * in the order of their lowest vertices. Its planes are in the order of its triangles. Triangles of one plane give one
 * plane, which is far enough out that no vertex of the solid is beyond.
 *
 * Errors, at `place`: no triangles; a surface that is not closed and oriented outward; a solid that is not convex
 * within SOLIDS_DENT, with its number and a triangle; a length that is not from 1e-6 to 1e6 m; more planes than
 * SOLIDS_PLANES_MOST. Then nothing is set. The time is proportional to the mesh's size times the planes. */
int solids_of_mesh(const struct mesh *mesh, const char *name, struct place place, struct body *body);

#endif
