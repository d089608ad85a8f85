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
    GEOMETRY_BENDING,     /* the integral of the absolute mean curvature (bending.h); NaN without triangles */
    GEOMETRY_WRINKLES,    /* how many places are bent tightly (bending.h); NaN without triangles */
    GEOMETRY_SHAPE_ERROR, /* the root mean square distance from the places at rest after the best rigid motion
                             (rigid_distance), as a share */
    /* Of two runs of one surface, in frames that both have: */
    GEOMETRY_SHAPE_DISTANCE,    /* the same from the other run's vertices in the same frame */
    GEOMETRY_CENTRE_DISTANCE,   /* the distance of the two centres, as a share */
    GEOMETRY_HEIGHT_DIFFERENCE, /* the two heights' difference without its sign, as a share */
    GEOMETRY_QUANTITIES
};

extern const struct geometry_kind {
    const char *name, *unit; /* "m", or "1" for a share */
    bool is_pair;            /* of two runs */
    bool needs_fit;          /* a rigid motion, for which a program that was built without GSL has no means */
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

#endif
