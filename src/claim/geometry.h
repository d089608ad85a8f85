/* Quantities of the recorded geometry of traces: series over the frames that have a recorded geometry.
 *
 * All quantities are computed from the vertices of the surface. The vertices are the nodes of the triangles, so nodes
 * inside a body of tetrahedra are left out. If a trace has no triangles, all nodes are vertices. The shape at rest is
 * that of frame 0. A length "as a fraction" is divided by the longest side of the surface's bounding box at rest; for
 * quantities of two runs, by this side of the reference run. A run that blew up has only the frames before the blow-up.
 * A quantity that depends on a position that is not finite is NaN or infinite. */
#ifndef SPRINGBACK_CLAIM_GEOMETRY_H
#define SPRINGBACK_CLAIM_GEOMETRY_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

enum geometry_quantity {
    GEOMETRY_CENTRE_X, /* the mean of the vertices with equal weights; this is the centre of mass if all nodes are
                          vertices and have equal masses */
    GEOMETRY_CENTRE_Y,
    GEOMETRY_CENTRE_Z,
    GEOMETRY_LOWEST,      /* the smallest y */
    GEOMETRY_HEIGHT,      /* the largest y minus the smallest */
    GEOMETRY_WIDTH_X,     /* the largest x minus the smallest */
    GEOMETRY_WIDTH_Z,     /* the largest z minus the smallest */
    GEOMETRY_BENDING,     /* the integral of the absolute mean curvature (hinges_bending); NaN without triangles */
    GEOMETRY_WRINKLES,    /* the number of tightly bent regions (wrinkles_count); NaN without triangles */
    GEOMETRY_SHAPE_ERROR, /* the root mean square distance of the vertices, after the best rigid motion
                             (rigid_distance), from their positions at rest, as a fraction */
    /* Quantities of a run and a reference run with the same surface, in frames that both runs have: */
    GEOMETRY_SHAPE_DISTANCE,  /* the root mean square distance of the vertices, after the best rigid motion, from the
                                 reference run's vertices in the same frame, as a fraction */
    GEOMETRY_CENTRE_DISTANCE, /* the distance of the two centres, as a fraction */
    GEOMETRY_HEIGHT_DIFFERENCE, /* the absolute difference of the two heights, as a fraction */
    GEOMETRY_POSITION_DISTANCE, /* the root mean square distance from the reference run's vertices in the same frame,
                                   without a rigid motion, as a fraction */
    GEOMETRY_QUANTITIES
};

extern const struct geometry_kind {
    const char *name, *unit, *doc; /* unit: "m", or "1" for a fraction or a count; doc: the meaning, for the manual */
    bool is_pair;                  /* a quantity of two runs */
    bool needs_fit;                /* needs the best rigid motion, which a program built without GSL cannot compute */
} geometry_kinds[GEOMETRY_QUANTITIES];

/* The quantity with this name, or NULL. */
const struct geometry_kind *geometry_kind_named(const char *name);

/* Whether this program can compute a quantity. */
bool geometry_is_known(const struct geometry_kind *kind);

struct geometry {
    int frames;                          /* number of recorded geometries of the trace */
    double *values[GEOMETRY_QUANTITIES]; /* [frames]; NaN if the quantity cannot be computed for the frame */
    bool *paired;                        /* [frames] whether `against` has a geometry of the same frame */
    struct pool pool;                    /* owns these arrays */
};

/* Measure the geometries of a trace. If `against` is not NULL, also measure their distances from the geometries of
 * `against`. Returns NULL or an error message, newly allocated; after an error *out is empty. Errors: no geometry, no
 * geometry of frame 0, a different surface, no common frame, a common frame at different times, a file that cannot be
 * read, too little memory. */
char *geometry_measure(const struct trace_data *trace, const struct trace_data *against, struct geometry *out);
void geometry_free(struct geometry *geometry);

/* The best rigid motion of points to their targets has the smallest sum of squared distances: Kabsch (Acta Cryst. A32,
 * 1976; A34, 1978), Horn (J. Opt. Soc. Am. A 4, 1987). */

/* The root mean square distance of n >= 1 points from their targets after the best translation and rotation, without
 * reflection, in the unit of the points. All points may be on one plane, on one line or equal. NaN if a coordinate or a
 * product of coordinates is not finite. */
double rigid_distance(const double (*from)[3], const double (*to)[3], size_t n);

/* Bending: the integral of the absolute mean curvature of a surface. Wrinkles increase it; stretching alone does not.
 *
 * On a triangle mesh the bending is half the sum of |e| |theta| over the inner edges. |e| is the length of an edge.
 * theta is the dihedral angle between its two triangles, 0 if they are in one plane. This is the formula of
 * Cohen-Steiner and Morvan, "Restricted Delaunay Triangulations and Normal Cycle", SoCG, 2003, section 6, here without
 * signs. The bending of a cylinder of length l is pi l, for every radius. */

/* The inner edges of a surface: edges of exactly two triangles. */
struct hinges {
    int count;
    int (*corner)[4]; /* [0], [1]: the ends of the edge; [2]: the third corner of the triangle in which [1] is the next
                         corner after [0]; [3]: the third corner of the other triangle */
};

/* Find the hinges of `triangles` triangles, corner[3 * triangles]. The corners are indices of nodes, below `nodes`. The
 * corners of a triangle must differ. */
void hinges_create(const int32_t *corner, size_t triangles, size_t nodes, struct hinges *out);
void hinges_free(struct hinges *hinges);

/* The dihedral angle of a hinge in radians, -pi to pi; 0 if its two triangles are in one plane. On an oriented surface
 * the angle is positive at a crest, seen from outside. *length: the length of the edge, in m. */
double hinge_angle(const int corner[4], const double (*position)[3], double *length);

/* The bending of a surface in m, for positions in m. Not finite if a position is not finite. A triangle without area
 * adds nothing. */
double hinges_bending(const struct hinges *hinges, const double (*position)[3]);

/* Wrinkles: the number of tightly bent regions of a surface.
 *
 * A wrinkle is a connected region of vertices with an area of at least (L / 20)^2, where L is the body's length. In the
 * region, the mean curvature H has one sign, and |H| > 5 / L: the curvature of a cylinder whose radius is L / 10. The
 * mean curvature at a vertex is the sum of |e| theta / 4 over its inner edges, divided by a third of the area of its
 * triangles. Cohen-Steiner and Morvan give an edge the measure |e| theta / 2; each of its two ends gets half of it.
 * Meyer, Desbrun, Schroeder and Barr average over such areas ("Discrete Differential-Geometry Operators for
 * Triangulated 2-Manifolds", VisMath, 2003).
 *
 * `corner` are indices of nodes, below `nodes`, three for each of the `triangles` triangles. `hinges` are the hinges of
 * these triangles. Positions and length are in m. NaN if the position of a corner is not finite or the length is not
 * positive. The surface must be oriented. */
double wrinkles_count(const struct hinges *hinges, const int32_t *corner, size_t triangles, size_t nodes,
                      const double (*position)[3], double length);

#endif
