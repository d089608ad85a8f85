/* Wrinkles: how many places of a surface are bent tightly.
 *
 * A wrinkle is a connected region of vertices whose mean curvature has one sign and is larger than that of a cylinder
 * with a tenth of the body's length L for its radius, |H| > 5 / L, and whose area is (L / 20)^2 or more. The mean
 * curvature at a vertex is that of its inner edges, |e| theta / 4 to each end, which is half of an edge's measure of
 * Cohen-Steiner and Morvan, 2003 (bending.h), over a third of the area of its triangles; for averages over such areas
 * see Meyer, Desbrun, Schroeder and Barr, "Discrete Differential-Geometry Operators for Triangulated 2-Manifolds",
 * VisMath, 2003. */
#ifndef SPRINGBACK_CLAIM_WRINKLES_H
#define SPRINGBACK_CLAIM_WRINKLES_H

#include "claim/bending.h"

/* Of `triangles` triangles, the corners of which are below `nodes`, and their hinges; positions and length in m. NaN
 * where a position that a triangle names is not finite, or the length not over 0. The surface is to be turned alike. */
double wrinkles_count(const struct hinges *hinges, const int32_t *corner, size_t triangles, size_t nodes,
                      const double (*position)[3], double length);

#endif
