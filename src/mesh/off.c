/* Geomview's OFF: the word OFF, a line of counts, one line per vertex and one line per face. With COFF, NOFF and STOFF
 * the vertices also have colours, normals or texture coordinates. These are ignored, as are colours after a face. */
#include "mesh/mesh_file.h"
#include "mesh/scan.h"

#include <limits.h>
#include <string.h>

static int read_header(struct scan *scan) {
    static const char *const right[] = {"off", "coff", "noff", "cnoff", "stoff", "stcoff", "stnoff", "stcnoff"};
    if (!scan_next(scan))
        return scan_fail_here(scan, "the file has no text except comments; it must begin with OFF");
    if (memchr(scan->word, '4', (size_t)scan->length) || strncmp(scan->word, "nOFF", 4) == 0)
        return scan_fail(scan, "'%s' is not three-dimensional; use OFF with x y z", scan_shown(scan));
    for (size_t k = 0; k < sizeof right / sizeof *right; ++k)
        if (scan_is(scan, right[k]))
            return STATUS_OK;
    return scan_fail(scan, "the file begins with '%s'; an OFF file must begin with OFF (or COFF, NOFF, STOFF)",
                     scan_shown(scan));
}

/* Read the counts of vertices, faces and edges. The count of edges is not used, and some files omit it. */
static int read_counts(struct scan *scan, long long count[3]) {
    static const char *const what[3] = {"the count of vertices", "the count of faces", "the count of edges"};
    if (!scan_next(scan))
        return scan_fail_here(scan, "the file ends before its counts: vertices, faces, edges");
    if (scan_is(scan, "binary"))
        return scan_fail(scan, "binary OFF is not supported; use OFF in text");
    for (int k = 0; k < 3; ++k) {
        if (k > 0 && !scan_word(scan)) {
            if (k == 2)
                return STATUS_OK;
            return scan_fail_here(scan, "the line ends before %s", what[k]);
        }
        if (scan_integer(scan, what[k], &count[k]))
            return STATUS_BAD;
        if (count[k] < 0 || (k < 2 && count[k] > INT_MAX))
            return scan_fail(scan, "%s is %lld; use 0 to %d", what[k], count[k], INT_MAX);
    }
    return scan_rest(scan, 0);
}

static int read_face(struct scan *scan, long long vertices, struct polygons_builder *builder) {
    long long corners;
    if (scan_integer(scan, "the count of corners", &corners) || scan_corners(scan, corners, vertices, builder))
        return STATUS_BAD;
    polygons_end_face(builder);
    return scan_rest(scan, 4); /* after the corners, a line may have a colour: an index, or up to four numbers */
}

static int off_read(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    struct scan scan = scan_begin(name, bytes, length);
    scan.comment = '#';
    long long count[3] = {0};
    if (read_header(&scan) || read_counts(&scan, count))
        return STATUS_BAD;
    for (long long v = 0; v < count[0]; ++v) {
        double position[3];
        if (!scan_line(&scan))
            return scan_fail_here(&scan, "the file ends after %lld of its %lld vertices", v, count[0]);
        if (scan_number(&scan, "the coordinate x", &position[0]) ||
            scan_next_number(&scan, "the coordinate y", &position[1]) ||
            scan_next_number(&scan, "the coordinate z", &position[2]) || scan_rest(&scan, 9))
            return STATUS_BAD;
        polygons_add_vertex(builder, position);
    }
    for (long long f = 0; f < count[1]; ++f) {
        if (!scan_line(&scan))
            return scan_fail_here(&scan, "the file ends after %lld of its %lld faces", f, count[1]);
        if (read_face(&scan, count[0], builder))
            return STATUS_BAD;
    }
    if (scan_line(&scan))
        return scan_fail(&scan, "'%s' comes after the last of %lld faces; the counts must match the numbers of lines",
                         scan_shown(&scan), count[1]);
    return STATUS_OK;
}

const struct mesh_format mesh_format_off = {.ending = "off",
                                            .read = off_read,
                                            .vertices_are = "a count of vertices above 0 in the line after OFF",
                                            .faces_are = "a count of faces above 0 in the line after OFF"};
