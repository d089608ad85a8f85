/* Bodies by formula: surfaces with exact counts, wound outward, the y axis up, about the origin.
 *
 * Angles are turned by a series of our own, so that the bits hang on no mathematical library. */
#ifndef SPRINGBACK_MESH_SHAPE_H
#define SPRINGBACK_MESH_SHAPE_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* An icosahedron of which each triangle is cut in four, `level` times (0 to 8), on a sphere of radius 1 m:
 * 10 * 4^level + 2 vertices, 20 * 4^level triangles. */
void shape_icosphere(int level, struct mesh *mesh);

/* Shapes by name, with numbers by name: what a catalogue of meshes says. */
enum { SHAPE_PARAMETERS = 4 };

struct shape_parameter {
    const char *name; /* NULL: no more */
    bool whole;
    double least, most;
};

struct shape {
    const char *name, *doc;
    struct shape_parameter parameter[SHAPE_PARAMETERS]; /* all must be given */
    void (*make)(const double value[SHAPE_PARAMETERS], struct mesh *mesh);
};

extern const struct shape shapes[]; /* ends with a NULL name */

/* See that the parameters of a shape, in the order of its table, can be: bounds keep it under 2,100,000 triangles.
 * Errors, at `place`: a number out of bounds, or not whole where it must be. */
int shape_check(const struct shape *shape, const double value[SHAPE_PARAMETERS], struct place place);

#endif
