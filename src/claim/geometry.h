/* What is measured of the geometry that traces recorded: series over the frames that have one.
 *
 * All are of the surface's vertices: the nodes that its triangles name, which leaves out those inside a body of
 * tetrahedra; where nothing has triangles, all nodes. "At rest" is how the run began: its frame 0, to within a rigid
 * motion. Lengths that are told as a share are of the longest side of the surface's box at rest. A run that blew up has
 * the frames until then; what is not finite there gives NaN. */
#ifndef SPRINGBACK_CLAIM_GEOMETRY_H
#define SPRINGBACK_CLAIM_GEOMETRY_H

#include "trace/trace.h"

#include <stdbool.h>
#include <stddef.h>

enum geometry_quantity {
    GEOMETRY_CENTRE_X, /* the mean of the vertices, each counted alike: of a body of equal masses its surface's centre
                        */
    GEOMETRY_CENTRE_Y,
    GEOMETRY_CENTRE_Z,
    GEOMETRY_LOWEST,      /* the least y */
    GEOMETRY_HEIGHT,      /* the greatest y less the least */
    GEOMETRY_WIDTH_X,     /* likewise */
    GEOMETRY_WIDTH_Z,     /* likewise */
    GEOMETRY_BENDING,     /* the integral of the absolute mean curvature (hinges_bending); NaN without triangles */
    GEOMETRY_WRINKLES,    /* how many places are bent tightly (wrinkles_count); NaN without triangles */
    GEOMETRY_SHAPE_ERROR, /* the root mean square distance from the places at rest after the best rigid motion
                             (rigid_distance), as a share */
    /* Of two runs of one surface, in frames that both have: */
    GEOMETRY_SHAPE_DISTANCE,    /* the same from the other run's vertices in the same frame */
    GEOMETRY_CENTRE_DISTANCE,   /* the distance of the two centres, as a share */
    GEOMETRY_HEIGHT_DIFFERENCE, /* the two heights' difference without its sign, as a share */
    GEOMETRY_POSITION_DISTANCE, /* the root mean square distance of the vertices of two runs, without any motion between
                                   them, over the longest side at rest */
    GEOMETRY_QUANTITIES
};

extern const struct geometry_kind {
    const char *name, *unit, *doc; /* the unit is "m", or "1" for a share */
    bool is_pair;                  /* of two runs */
    bool needs_fit;                /* a rigid motion, for which a program that was built without GSL has no means */
} geometry_kinds[GEOMETRY_QUANTITIES];

/* The quantity of a name; NULL where there is none. */
const struct geometry_kind *geometry_kind_named(const char *name);

/* Whether this program can measure it. */
bool geometry_is_known(const struct geometry_kind *kind);

struct geometry {
    int frames;                          /* the trace's geometries */
    double *values[GEOMETRY_QUANTITIES]; /* [frames]; NaN where this program cannot measure it, or not of this frame */
    bool *paired;                        /* [frames]: whether the other trace has the same frame */
    struct pool pool;                    /* memory of the above */
};

/* Measure a trace's geometries; beside another's, unless `against` is NULL. Returns NULL, or what is wrong, newly
 * allocated: no geometry, none of frame 0, another surface, no frame in common, one frame at two times, a file that
 * cannot be read; then *out is empty. */
char *geometry_measure(const struct trace_data *trace, const struct trace_data *against, struct geometry *out);
void geometry_free(struct geometry *geometry);

/* The rigid motion that brings one set of points nearest to another: Kabsch (Acta Cryst. A32, 1976; A34, 1978), after
 * Horn (J. Opt. Soc. Am. A 4, 1987) the best there is in the sense of least squares. */

/* The root of the mean square distance, in the points' unit, of n >= 1 points from their places after the best
 * translation and rotation of either; never a reflection. Points on a plane, on a line or in one place are well. NaN
 * where a coordinate is not finite, or none of their products is. */
double rigid_distance(const double (*from)[3], const double (*to)[3], size_t n);

/* How much a surface is bent: the integral of its absolute mean curvature, which wrinkles add to and stretching alone
 * does not.
 *
 * On a triangle mesh it is half the sum of |e| |theta| over the inner edges, with an edge's length |e| and the angle
 * theta by which its two triangles leave one plane: Cohen-Steiner and Morvan, "Restricted Delaunay Triangulations and
 * Normal Cycle", SoCG, 2003, section 6, taken without signs. A cylinder of radius r and length l has pi l, whatever r
 * is. */

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
