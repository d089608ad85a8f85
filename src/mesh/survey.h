/* Properties of a triangle mesh: its topology, its faults and its measures. */
#ifndef SPRINGBACK_MESH_SURVEY_H
#define SPRINGBACK_MESH_SURVEY_H

#include "mesh/edges.h"

#include <stdbool.h>

/* Triangles with two equal corners do not have three edges. They are counted in `triangles` and `degenerate`, and
 * ignored in all other fields except the bounding box. */
struct mesh_survey {
    int vertices, edges, triangles;
    int unused;     /* vertices without triangles */
    int degenerate; /* triangles without area: two corners are equal, or the three are exactly on a line */
    int duplicates; /* triangles with the corners of an earlier one, in any order */

    int components;            /* parts connected by shared vertices */
    int boundary_edges;        /* edges with one triangle */
    int boundary_loops;        /* loops of boundary edges */
    int non_manifold_edges;    /* edges with three triangles or more */
    int non_manifold_vertices; /* vertices with more than one fan of triangles: surfaces that touch in a point */
    int euler_characteristic;  /* of the surface: vertices with triangles - edges + triangles */
    int genus;     /* handles, summed over the parts, after each boundary loop is closed by a disk; -1 if undefined: not
                      orientable, not manifold, or no triangle */
    bool oriented; /* triangles at a shared edge pass it in opposite directions */
    bool orientable;    /* flipping some triangles would make the mesh oriented */
    bool closed;        /* there are triangles, and neither boundary edges nor non-manifold edges */
    long intersections; /* pairs of triangles that intersect (mesh_intersections); -1 if not computed */

    double volume;          /* m^3, above 0 if the triangles face outward; NaN unless closed and oriented */
    double area;            /* m^2 */
    double low[3], high[3]; /* m, the bounding box of all vertices */
    double shortest_edge, longest_edge, mean_edge; /* m */
    double smallest_angle;                         /* degrees, over all corners of all triangles */

    int largest_valence; /* largest number of edges at a vertex; a colouring of the edges needs at least as many
                            colours */
    int *valence;        /* [largest_valence + 1] valence[n] is the number of vertices with triangles that have n edges;
                            freed by mesh_survey_free */
};

/* Positions must be finite. Without triangles, the area, the lengths of edges and the angle are 0. Sums use one fixed
 * tree, so all results are the same on every machine. The angle is rounded to 12 digits, because the mathematical
 * libraries of two machines can compute its last digits differently. */
void mesh_survey(const struct mesh *mesh, struct mesh_survey *survey);

/* mesh_survey without the search for intersections, which takes most of the time. */
void mesh_survey_quick(const struct mesh *mesh, struct mesh_survey *survey);

/* The edges that a survey counts: those of the triangles with three different corners. `edges` numbers only these
 * triangles, in their order. */
void mesh_survey_edges(const struct mesh *mesh, struct edges *edges);
void mesh_survey_free(struct mesh_survey *survey);

/* ---- Intersections of the surface with itself ---- */

/* The number of pairs of triangles that intersect outside of shared vertices and edges: that cross, touch, overlap in a
 * plane, are folded onto each other, or are one triangle twice. Vertices at equal positions count as shared, so a mesh
 * with seams that are not welded has no more pairs than the welded one. Triangles without area (triangle_is_degenerate)
 * are ignored. TetGen 1.5's `-d` finds the same pairs, but prints and counts some of them several times: for the 205
 * pairs of the welded Stanford Dragon it reports 247.
 *
 * GTS's tree of bounding boxes finds candidates. The signs of exact determinants decide about each candidate, so the
 * number is the same everywhere (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric
 * predicates", 1997, as in GTS). The mesh need not be a manifold; positions must be finite. If `marked` is not NULL,
 * marked[t] becomes whether triangle t is in one of these pairs. */
long mesh_intersections(const struct mesh *mesh, bool *marked);

/* Whether the corners of a triangle are exactly on a line, or two of them at one position. */
int triangle_is_degenerate(const struct mesh *mesh, int triangle);

#endif
