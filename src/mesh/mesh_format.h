/* The formats of mesh files, for mesh_file.c alone: each reads bytes into a builder, and says what is wrong. Whether
 * there are vertices and faces at all is seen to by mesh_parse. */
#ifndef SPRINGBACK_MESH_MESH_FORMAT_H
#define SPRINGBACK_MESH_MESH_FORMAT_H

#include "mesh/polygons.h"

#include <stddef.h>

/* bytes[length] is there, and 0; length is at least 1 and at most INT_MAX. */
typedef int mesh_format_read(const char *name, const char *bytes, size_t length, struct polygons_builder *builder);

mesh_format_read obj_read, off_read, ply_read, stl_read;

#endif
