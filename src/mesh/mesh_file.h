/* Mesh files: OBJ, OFF, PLY (ASCII, and binary of both byte orders) and STL (ASCII and binary), each also packed by
 * gzip (.obj.gz and so on). The name's ending says which format it is.
 *
 * A file is read for what it says, and nothing in it is mended: corners that lie outside, counts that do not hold,
 * coordinates that are not finite and faces of fewer than three corners are errors, told as FILE:LINE:COLUMN or, in
 * binary parts, with the byte they stand at. Coordinates are the doubles nearest to the digits in text, whatever type a
 * PLY header claims for them; what lengths mean (m, after scaling) is for the caller to say. Colours, normals and
 * texture coordinates are left out. STL has no indices: corners of equal coordinates (exactly; -0 equals +0) become one
 * vertex, in the order of their first use. */
#ifndef SPRINGBACK_MESH_MESH_FILE_H
#define SPRINGBACK_MESH_MESH_FILE_H

#include "mesh/mesh.h"

#include <stdbool.h>
#include <stddef.h>

/* Whether a name ends as that of a mesh file does. */
bool mesh_file_is_name(const char *name);

/* Read a file's polygons as they are. On failure nothing is allocated. */
int mesh_read_polygons(const char *path, struct polygons *polygons);

/* The same, cut into triangles as polygons_triangulate does. If a face has more than three corners and `reports_cut`,
 * stderr says so, once for each file. */
int mesh_read(const char *path, bool reports_cut, struct mesh *mesh);

/* Read from memory: bytes[length] must be there, and 0. The name picks the format (by its ending without .gz; the bytes
 * are the unpacked ones), and leads the messages. */
int mesh_parse(const char *name, const char *bytes, size_t length, struct polygons *polygons);

/* A format of mesh files. Each stands in one file of its own. */
struct mesh_format {
    const char *ending; /* of the file's name, without the dot */

    /* Read bytes into a builder, or fail with what is wrong. bytes[length] is there, and 0; length is at least 1 and at
     * most INT_MAX. mesh_parse checks that there are vertices and faces. */
    int (*read)(const char *name, const char *bytes, size_t length, struct polygons_builder *builder);

    const char *vertices_are, *faces_are; /* how the file gives them, for messages */
};

/* All formats by their endings, a line each. Format NAME is mesh_format_NAME. */
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
