/* A format of mesh files. Each stands in one file of its own. */
#ifndef SPRINGBACK_MESH_MESH_FORMAT_H
#define SPRINGBACK_MESH_MESH_FORMAT_H

#include "mesh/polygons.h"

#include <stddef.h>

struct mesh_format {
    const char *ending; /* of the file's name, without the dot */

    /* Read bytes into a builder, or fail with what is wrong. bytes[length] is there, and 0; length is at least 1 and at
     * most INT_MAX. mesh_parse checks that there are vertices and faces. */
    int (*read)(const char *name, const char *bytes, size_t length, struct polygons_builder *builder);

    const char *vertices_are, *faces_are; /* how the file gives them, for messages */
};

extern const struct mesh_format mesh_format_obj, mesh_format_off, mesh_format_ply, mesh_format_stl;

#endif
