/* Solids: convex bodies that lie still in a scene, each as the planes of its sides, for kernels/obstacle.h. */
#ifndef SPRINGBACK_BODY_SOLIDS_H
#define SPRINGBACK_BODY_SOLIDS_H

#include "body/body.h"
#include "mesh/mesh.h"

enum { SOLIDS_PLANES_MOST = 4096 }; /* each particle looks at all of them in each step */

/* Parts of the longest side of a body's box, and of a unit normal: how far a body may be from convex; how near two
 * normals are that are of one plane. */
#define SOLIDS_DENT             1e-4
#define SOLIDS_NORMAL_TOLERANCE 1e-5

/* The convex bodies of a run's scene as a surface, laid where they are; without vertices where there are none. Errors,
 * at the run's scene.convex.mesh: it cannot be read. */
int solids_mesh(const struct run *run, struct mesh *mesh);

/* Where the run has scene.convex.mesh: read it, lay it, set the body's planes, and put them into its sum. Errors, at
 * the run's scene.convex.mesh: it cannot be read; as solids_of_mesh. */
int solids_describe(const struct run *run, struct body *body);

/* Set body->solids, solid_start and plane from a mesh: a solid is what hangs together by shared vertices, in the order
 * of their lowest vertices. Its planes are in the order of its triangles, those of one plane once, each so far out that
 * no vertex of the solid is beyond. Errors, at `place`: no triangles, a surface that is not closed and turned outward,
 * a solid that is not convex within SOLIDS_DENT, with its number and a triangle; a length that is not from 1e-6 to 1e6
 * m; more planes than SOLIDS_PLANES_MOST. Then nothing is set. Takes time proportional to the mesh times the planes. */
int solids_of_mesh(const struct mesh *mesh, const char *name, struct place place, struct body *body);

#endif
