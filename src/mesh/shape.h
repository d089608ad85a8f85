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

/* Parallels and meridians on a sphere of radius 1 m, poles on the y axis: (rings - 1) * segments + 2 vertices and
 * 2 * (rings - 1) * segments triangles. 16 rings of 32 segments, which is what Blender offers first, are the 482
 * vertices of va2023's sphere. At least 2 rings and 3 segments. */
void shape_uv_sphere(int rings, int segments, struct mesh *mesh);

/* A tube of radius `minor` (m) round the y axis, its centre line `major` (m) away from it: major_segments *
 * minor_segments vertices, twice as many triangles. At least 3 segments each; minor < major. */
void shape_torus(double major, double minor, int major_segments, int minor_segments, struct mesh *mesh);

/* A cube of side 1 m, each face squares x squares: 6 * squares^2 + 2 vertices, 12 * squares^2 triangles. */
void shape_cube(int squares, struct mesh *mesh);

/* A level grid of columns x rows vertices, `width` along x and `depth` along z (m), one diagonal a square, facing up.
 * 41 x 41 has the 4,880 edges of cetinaslan2019's cloth. Open. */
void shape_cloth(int columns, int rows, double width, double depth, struct mesh *mesh);

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

const struct shape *shape_find(const char *name); /* or NULL */

/* See that the parameters of a shape, in the order of its table, can be: bounds keep it under 2,100,000 triangles.
 * Errors, at `place`: a number out of bounds, or not whole where it must be. */
int shape_check(const struct shape *shape, const double value[SHAPE_PARAMETERS], struct place place);

#endif
