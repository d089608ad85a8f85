/* STL (3D Systems, StereoLithography Interface Specification, 1989): triangles one by one, each with its corners'
 * coordinates. ASCII: solid ... facet normal / outer loop / three vertex / endloop / endfacet ... endsolid, one solid
 * or several. Binary: 80 bytes of any kind, a count, and 50 bytes per triangle, in little-endian order. Normals are
 * ignored, because the order of the corners has the same information. */
#include "base/memory.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"
#include "mesh/scan.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HEADER = 80, COUNTED = HEADER + 4, TRIANGLE = 50, NORMAL = 12 };

static uint32_t word_at(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

/* Each corner is first a separate vertex; this function makes corners with equal coordinates one vertex. */
static void join_vertices(struct polygons_builder *builder) {
    struct polygons *made = &builder->made;
    AUTO_FREE int *one_with = memory_new((size_t)made->vertices, sizeof *one_with);
    int kept = 0;
    weld_find(made->vertices, (const double(*)[3])made->position, 0, one_with);
    for (int v = 0; v < made->vertices; ++v) {
        if (one_with[v] == v) {
            memmove(made->position[kept], made->position[v], sizeof *made->position);
            one_with[v] = kept++;
        } else
            one_with[v] = one_with[one_with[v]]; /* the new number of the earlier vertex one_with[v] */
        made->corner[v] = one_with[v];
    }
    made->vertices = kept;
}

static void add_corner(struct polygons_builder *builder, const double position[3]) {
    polygons_add_corner(builder, builder->made.vertices);
    polygons_add_vertex(builder, position);
}

static int read_binary(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    const uint32_t triangles = word_at(bytes + HEADER);
    if ((length - COUNTED) / TRIANGLE != triangles || (length - COUNTED) % TRIANGLE)
        return fail("%s: byte %d: the number of triangles is %u, which needs %llu bytes; the file has %zu bytes", name,
                    HEADER, triangles, COUNTED + (unsigned long long)TRIANGLE * triangles, length);
    const char *at = bytes + COUNTED;
    for (uint32_t t = 0; t < triangles; ++t, at += TRIANGLE) {
        for (int corner = 0; corner < 3; ++corner) {
            double position[3];
            for (int k = 0; k < 3; ++k) {
                const char *place = at + NORMAL + (size_t)4 * (3 * corner + k);
                const uint32_t raw = word_at(place);
                float number;
                memcpy(&number, &raw, sizeof number);
                if (!isfinite(number))
                    return fail("%s: byte %td: the coordinate %c of triangle %u is not finite", name, place - bytes,
                                "xyz"[k], t);
                position[k] = (double)number;
            }
            add_corner(builder, position);
        }
        polygons_end_face(builder);
    }
    return STATUS_OK;
}

static int expect(struct scan *scan, const char *word) {
    if (!scan_next(scan))
        return scan_fail_here(scan, "the file ends before '%s'", word);
    return scan_is(scan, word) ? STATUS_OK : scan_fail(scan, "found '%s' instead of '%s'", scan_shown(scan), word);
}

static int read_facet(struct scan *scan, struct polygons_builder *builder) {
    if (expect(scan, "normal"))
        return STATUS_BAD;
    for (int k = 0; k < 3; ++k) /* any word is accepted, because some programs write nan if a triangle has no area */
        if (!scan_next(scan))
            return scan_fail_here(scan, "the file ends within a normal");
    if (expect(scan, "outer") || expect(scan, "loop"))
        return STATUS_BAD;
    for (int k = 0; k < 3; ++k) {
        double position[3];
        if (expect(scan, "vertex") || scan_position(scan, position))
            return STATUS_BAD;
        add_corner(builder, position);
    }
    polygons_end_face(builder);
    return expect(scan, "endloop") || expect(scan, "endfacet") ? STATUS_BAD : STATUS_OK;
}

static int read_text(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    struct scan scan = scan_begin(name, bytes, length);
    if (!scan_next(&scan) || !scan_is(&scan, "solid")) /* in a file of blanks the word has length 0 */
        return scan_fail(&scan,
                         "the file begins with '%s'; STL must begin with solid, or be binary and have 84 + 50 N bytes "
                         "for N triangles",
                         scan_shown(&scan));
    for (bool inside = true; inside;) {
        if (!scan_line(&scan)) /* the rest of the line after `solid` or `endsolid` is a name */
            return scan_fail_here(&scan, "the file ends before 'facet' or 'endsolid'");
        while (scan_is(&scan, "facet"))
            if (read_facet(&scan, builder))
                return STATUS_BAD;
            else if (!scan_next(&scan))
                return scan_fail_here(&scan, "the file ends before 'facet' or 'endsolid'");
        if (!scan_is(&scan, "endsolid"))
            return scan_fail(&scan, "found '%s' instead of 'facet' or 'endsolid'", scan_shown(&scan));
        inside = scan_line(&scan);
        if (inside && !scan_is(&scan, "solid"))
            return scan_fail(&scan, "found '%s' instead of 'solid' or the end of the file", scan_shown(&scan));
    }
    return STATUS_OK;
}

static int stl_read(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    /* Some binary files also begin with "solid". Therefore a file counts as binary if it has a byte of value 0 before
     * the first triangle, or the length that its number of triangles requires. */
    const bool is_binary = length >= COUNTED && (memchr(bytes, 0, COUNTED) ||
                                                 COUNTED + (size_t)TRIANGLE * word_at(bytes + HEADER) == length);
    int status = (is_binary ? read_binary : read_text)(name, bytes, length, builder);
    if (!status)
        join_vertices(builder);
    return status;
}

const struct mesh_format mesh_format_stl = {.ending = "stl",
                                            .read = stl_read,
                                            .vertices_are = "triangles: `facet` in text, or a count above 0 at byte 80",
                                            .faces_are = "triangles: `facet` in text, or a count above 0 at byte 80"};
