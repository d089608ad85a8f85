/* Bodies by formula: surfaces with exact counts of vertices and triangles. The y axis points up. The surfaces are
 * oriented outward; a cloth is open and faces up. All surfaces except stand-ins are centred at the origin. Bumps and
 * bends move the centre of a stand-in.
 *
 * Cosines and sines are computed by our own series, so that the results do not depend on a mathematical library. */
#ifndef SPRINGBACK_MESH_SHAPE_H
#define SPRINGBACK_MESH_SHAPE_H

#include "mesh/mesh.h"

#include <stdbool.h>

/* A sphere of radius 1 m: an icosahedron whose triangles are cut into four `level` times (0 to 8). It has 10 * 4^level
 * + 2 vertices and 20 * 4^level triangles. */
void shape_icosphere(int level, struct mesh *mesh);

/* Shapes by name, with named parameters, for the catalogue of meshes. */
enum { SHAPE_PARAMETERS = 4 };

struct shape_parameter {
    const char *name;   /* NULL: end of the list */
    bool whole;         /* true: the value must be an integer; false: the value has the unit m */
    double least, most; /* the allowed values */
};

struct shape {
    const char *name, *doc;
    struct shape_parameter parameter[SHAPE_PARAMETERS]; /* all are required */
    void (*make)(const double value[SHAPE_PARAMETERS], struct mesh *mesh);
};

extern const struct shape shapes[]; /* ends with a NULL name */

/* Check the values of a shape's parameters, in the order of shape->parameter. The limits keep a shape under 2,100,000
 * triangles. Errors, at `place`: a number out of range, or not an integer if it must be; a torus that intersects
 * itself. */
int shape_check(const struct shape *shape, const double value[SHAPE_PARAMETERS], struct place place);

#endif
