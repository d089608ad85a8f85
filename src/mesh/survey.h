/* What a triangle mesh is: its topology, its faults and its measures. */
#ifndef SPRINGBACK_MESH_SURVEY_H
#define SPRINGBACK_MESH_SURVEY_H

#include "mesh/edges.h"

#include <stdbool.h>

/* Triangles of which two corners are one vertex have no three edges: they count as triangles and as degenerate, and are
 * left out of all else but the bounding box. */
struct mesh_survey {
    int vertices, edges, triangles;
    int unused;     /* vertices that no triangle has */
    int degenerate; /* triangles without area: two corners are one vertex, or the three lie exactly on a line */
    int duplicates; /* triangles that have the corners of an earlier one, in any order */

    int components;            /* parts that hang together by shared vertices */
    int boundary_edges;        /* edges of one triangle */
    int boundary_loops;        /* the borders that these make up */
    int non_manifold_edges;    /* edges of three triangles or more */
    int non_manifold_vertices; /* where the triangles make more than one fan: surfaces that meet in a point */
    int euler_characteristic;  /* of what the triangles make up: vertices used - edges + triangles */
    int genus;                 /* handles, summed over the parts, once each boundary loop is closed by a disk; -1 where
                                * there is no such number: not orientable, not manifold, or no triangle */
    bool oriented;             /* triangles that share an edge pass it in opposite ways */
    bool orientable;           /* they could: some could be turned so that they do */
    bool closed;               /* there are triangles, and neither boundary nor non-manifold edges */
    long intersections;        /* pairs of triangles: mesh_intersections; -1 where they were not asked for */

    double volume;          /* m^3, above 0 where the triangles face outward; nan unless closed and oriented */
    double area;            /* m^2 */
    double low[3], high[3]; /* m, the bounding box of all vertices */
    double shortest_edge, longest_edge, mean_edge; /* m */
    double smallest_angle;                         /* degrees, of any triangle at any corner */

    int largest_valence; /* the most edges at a vertex, and so the least number of colours for all edges */
    int *valence; /* [largest_valence + 1] how many of the vertices used have so many edges; mesh_survey_free's */
};

/* Positions must be finite. Measures that a mesh without triangles lacks are 0. Sums go through one fixed tree, so all
 * of it is the same everywhere; the angle is rounded to 12 digits, as it alone comes from the mathematical library. */
void mesh_survey(const struct mesh *mesh, struct mesh_survey *survey);

/* The same, but the search for intersections, which takes most of the time, is left out. */
void mesh_survey_quick(const struct mesh *mesh, struct mesh_survey *survey);
/* The edges that a survey counts: those of the triangles of three different corners. Its triangles are these, in their
 * order. */
void mesh_survey_edges(const struct mesh *mesh, struct edges *edges);
void mesh_survey_free(struct mesh_survey *survey);

/* ---- Where it passes through itself ---- */

/* The number of pairs of triangles that meet elsewhere than in the vertices and edges that they share: that cross,
 * touch, overlap in a plane, are folded onto each other, or are one triangle twice. Vertices of equal positions count
 * as shared, so that a mesh whose seams are not welded has no more pairs than the welded one. Triangles without area
 * (triangle_is_degenerate) are left out. TetGen 1.5's `-d` finds the same pairs, but prints and counts some of them
 * several times: of the welded Stanford Dragon's 205 pairs it makes 247.
 *
 * Candidates come from the tree of bounding boxes of GTS, and each is decided by the signs of exact determinants
 * (Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997, as GTS has
 * them): the number is the same everywhere. Any mesh will do, manifold or not; positions must be finite. If `marked` is
 * not NULL, marked[t] becomes whether triangle t is in one of these pairs. */
long mesh_intersections(const struct mesh *mesh, bool *marked);

/* Whether the corners of a triangle lie exactly on a line, or two of them in one place. */
int triangle_is_degenerate(const struct mesh *mesh, int triangle);

#endif
