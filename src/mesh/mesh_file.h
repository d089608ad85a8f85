/* Mesh files: OBJ, OFF, PLY (ASCII, and binary of both byte orders) and STL (ASCII and binary), each also packed by
 * gzip (.obj.gz and so on). The ending of the name determines the format.
 *
 * Nothing in a file is repaired. Corners out of range, wrong counts, coordinates that are not finite and faces of fewer
 * than three corners are errors. Their place is reported as FILE:LINE:COLUMN or, in binary parts, as the offset of the
 * byte, counted from 0.
 *
 * A coordinate in text becomes the nearest double, even if a PLY header declares another type. A file states no unit of
 * length; a mesh is in m after the caller has scaled it. Colours, normals and texture coordinates are ignored.
 *
 * STL has no indices: corners with exactly equal coordinates become one vertex (-0 equals +0). These vertices are
 * numbered in the order in which the file first names them. */
#ifndef SPRINGBACK_MESH_MESH_FILE_H
#define SPRINGBACK_MESH_MESH_FILE_H

#include "mesh/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a name has the ending of a mesh file, with or without .gz after it. */
bool mesh_file_is_name(const char *name);

/* Read a file's polygons unchanged. On failure nothing is allocated. */
int mesh_read_polygons(const char *path, struct polygons *polygons);

/* Read a file's polygons, and cut them into triangles by polygons_triangulate. If faces have more than three corners
 * and `reports_cut` is true, a message on stderr says how many, once for each file. On failure nothing is allocated. */
int mesh_read(const char *path, bool reports_cut, struct mesh *mesh);

/* Read polygons from memory: bytes[length] must exist, and be 0. The ending of `name` determines the format. A
 * further ending .gz is ignored, because the bytes are already unpacked. Messages begin with `name`. On failure
 * nothing is allocated. */
int mesh_parse(const char *name, const char *bytes, size_t length, struct polygons *polygons);

/* A format of mesh files. Each has its own source file. */
struct mesh_format {
    const char *ending; /* of the file's name, without the dot */

    /* Read bytes into a builder, or fail with the reason. bytes[length] exists, and is 0; length is at least 1 and at
     * most INT_MAX. mesh_parse checks that there are vertices and faces. */
    int (*read)(const char *name, const char *bytes, size_t length, struct polygons_builder *builder);

    const char *vertices_are, *faces_are; /* how a file states its vertices and its faces, for messages */
};

/* All formats by their endings, one per line. Format NAME is mesh_format_NAME. */
#define MESH_FORMATS(FORMAT)                                                                                           \
    FORMAT(obj)                                                                                                        \
    FORMAT(off)                                                                                                        \
    FORMAT(ply)                                                                                                        \
    FORMAT(stl)

#define MESH_FORMAT_DECLARATION(name) extern const struct mesh_format mesh_format_##name;
#define MESH_FORMAT_ENDING(name)      " ." #name

MESH_FORMATS(MESH_FORMAT_DECLARATION)
#define MESH_ENDINGS MESH_FORMATS(MESH_FORMAT_ENDING) /* " .obj .off .ply .stl" */

#endif
