/* Functions that make the meshes of mesh/shape.h, which are computed from formulas. */
#ifndef SPRINGBACK_TESTS_SHAPES_H
#define SPRINGBACK_TESTS_SHAPES_H

#include "mesh/shape.h"

#include <string.h>

/* The shape with this name, or NULL. */
static inline const struct shape *shape_find(const char *name) {
    for (const struct shape *shape = shapes; shape->name; ++shape)
        if (!strcmp(shape->name, name))
            return shape;
    return NULL;
}

static inline void shape_uv_sphere(int rings, int segments, struct mesh *mesh) {
    shape_find("uv_sphere")->make((double[SHAPE_PARAMETERS]){rings, segments}, mesh);
}

static inline void shape_torus(double major, double minor, int major_segments, int minor_segments, struct mesh *mesh) {
    shape_find("torus")->make((double[SHAPE_PARAMETERS]){major, minor, major_segments, minor_segments}, mesh);
}

static inline void shape_cube(int squares, struct mesh *mesh) {
    shape_find("cube")->make((double[SHAPE_PARAMETERS]){squares}, mesh);
}

static inline void shape_cloth(int columns, int rows, double width, double depth, struct mesh *mesh) {
    shape_find("cloth")->make((double[SHAPE_PARAMETERS]){columns, rows, width, depth}, mesh);
}

#endif
