/* How much a surface is bent: the integral of its absolute mean curvature, which wrinkles add to and stretching alone
 * does not.
 *
 * On a triangle mesh it is half the sum of |e| |theta| over the inner edges, with an edge's length |e| and the angle
 * theta by which its two triangles leave one plane: Cohen-Steiner and Morvan, "Restricted Delaunay Triangulations and
 * Normal Cycle", SoCG, 2003, section 6, taken without signs. A cylinder of radius r and length l has pi l, whatever r
 * is. */
#ifndef SPRINGBACK_CLAIM_BENDING_H
#define SPRINGBACK_CLAIM_BENDING_H

#include <stddef.h>
#include <stdint.h>

/* The inner edges of a surface: those where two triangles meet. */
struct hinges {
    int count;
    int (*corner)[4]; /* [count] an edge's ends; the other corners of the triangle that goes along it from the first end
                         to the second, and of that which does not */
};

/* Of `triangles` triangles of three nodes each, below `nodes`. Corners of a triangle must differ. */
void hinges_create(const int32_t *corner, size_t triangles, size_t nodes, struct hinges *out);
void hinges_free(struct hinges *hinges);

/* The angle by which the two triangles of a hinge leave one plane, -pi to pi, and the edge's length in m. On a surface
 * that is turned alike its sign is that of the side to which it bends: positive over a crest, as seen from outside. */
double hinge_angle(const int corner[4], const double (*position)[3], double *length);

/* The integral, m; positions in m. Not finite where a position is not; a triangle without area counts as even. */
double hinges_bending(const struct hinges *hinges, const double (*position)[3]);

/* Wrinkles: how many places of a surface are bent tightly.
 *
 * A wrinkle is a connected region of vertices whose mean curvature has one sign and is larger than that of a cylinder
 * with a tenth of the body's length L for its radius, |H| > 5 / L, and whose area is (L / 20)^2 or more. The mean
 * curvature at a vertex is that of its inner edges, |e| theta / 4 to each end, which is half of an edge's measure of
 * Cohen-Steiner and Morvan, over a third of the area of its triangles; for averages over such areas see Meyer, Desbrun,
 * Schroeder and Barr, "Discrete Differential-Geometry Operators for Triangulated 2-Manifolds", VisMath, 2003.
 *
 * Of `triangles` triangles, the corners of which are below `nodes`, and their hinges; positions and length in m. NaN
 * where a position that a triangle names is not finite, or the length not over 0. The surface is to be turned alike. */
double wrinkles_count(const struct hinges *hinges, const int32_t *corner, size_t triangles, size_t nodes,
                      const double (*position)[3], double length);

#endif
