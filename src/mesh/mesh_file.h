/* Mesh files: OBJ, OFF, PLY (ASCII, and binary of both byte orders) and STL (ASCII and binary), each also packed by
 * gzip (.obj.gz and so on). The ending of the name determines the format.
 *
 * Nothing in a file is repaired. Corners out of range, wrong counts, coordinates that are not finite and faces of fewer
 * than three corners are errors. They are reported as FILE:LINE:COLUMN or, in binary parts, with their byte.
 * Coordinates are the doubles nearest to the digits in text, for any type in a PLY header. The caller decides what
 * lengths mean (m, after scaling). Colours, normals and texture coordinates are ignored. STL has no indices: corners
 * with equal coordinates (exactly; -0 equals +0) become one vertex, in the order of their first use. */
#ifndef SPRINGBACK_MESH_MESH_FILE_H
#define SPRINGBACK_MESH_MESH_FILE_H

#include "mesh/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a name has the ending of a mesh file. */
bool mesh_file_is_name(const char *name);

/* Read a file's polygons unchanged. On failure nothing is allocated. */
int mesh_read_polygons(const char *path, struct polygons *polygons);

/* The same, cut into triangles by polygons_triangulate. If a face has more than three corners and `reports_cut`, a
 * message on stderr reports it, once for each file. On failure nothing is allocated. */
int mesh_read(const char *path, bool reports_cut, struct mesh *mesh);

/* Read from memory: bytes[length] must exist, and be 0. The name determines the format (by its ending without .gz; the
 * bytes are unpacked), and begins the messages. On failure nothing is allocated. */
int mesh_parse(const char *name, const char *bytes, size_t length, struct polygons *polygons);

/* A format of mesh files. Each has its own source file. */
struct mesh_format {
    const char *ending; /* of the file's name, without the dot */

    /* Read bytes into a builder, or fail with the reason. bytes[length] exists, and is 0; length is at least 1 and at
     * most INT_MAX. mesh_parse checks that there are vertices and faces. */
    int (*read)(const char *name, const char *bytes, size_t length, struct polygons_builder *builder);

    const char *vertices_are, *faces_are; /* how the file states them, for messages */
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
