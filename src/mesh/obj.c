/* Wavefront OBJ: lines `v X Y Z` and `f A B C ...`. Vertices are counted from 1; a negative index counts backwards from
 * the last vertex read, which is -1. A corner may be A/T/N; only A is used. Lines with other keywords of the format are
 * ignored. */
#include "mesh/mesh_file.h"
#include "mesh/scan.h"

#include <limits.h>

/* Keywords of the format's specification (Wavefront, Advanced Visualizer, appendix B1, and its old keywords) other than
 * v and f. Any other word is a mistake or another format; ignoring it silently would lose a part of the body. */
static const char *const left_out[] = {
    "vt",     "vn",         "vp",        "g",     "o",     "s",     "usemtl",   "mtllib",   "l",    "p",
    "mg",     "cstype",     "deg",       "bmat",  "step",  "curv",  "curv2",    "surf",     "parm", "trim",
    "hole",   "scrv",       "sp",        "end",   "con",   "bevel", "c_interp", "d_interp", "lod",  "maplib",
    "usemap", "shadow_obj", "trace_obj", "ctech", "stech", "bzp",   "bsp",      "cdc",      "cdp",  "res",
};

static bool is_left_out(const struct scan *scan) {
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; ++k)
        if (scan_is(scan, left_out[k]))
            return true;
    return false;
}

/* Read the vertex A of a corner A, A/T, A//N or A/T/N. `vertices`: number of vertices read so far; `highest`: the
 * highest allowed A. */
static int read_corner(struct scan *scan, int vertices, long long highest, int *vertex) {
    struct scan part = *scan; /* gets the part of the word before the first slash */
    int slashes = 0;
    part.length = 0;
    for (int k = 0; k < scan->length; ++k) {
        const char c = scan->word[k];
        part.length += !slashes && c != '/';
        slashes += c == '/';
        if (slashes && c != '/' && c != '-' && (c < '0' || c > '9'))
            slashes = 3;
    }
    if (slashes > 2)
        return scan_fail(scan, "the corner is '%s'; use A, A/T, A//N or A/T/N", scan_shown(scan));
    long long index;
    if (scan_integer(&part, "the corner's vertex", &index))
        return STATUS_BAD;
    if (index == 0)
        return scan_fail(scan, "the corner's vertex is 0; OBJ counts vertices from 1");
    if (index < -(long long)vertices)
        return scan_fail(scan, "the corner's vertex is %lld, but the number of vertices before this face is %d", index,
                         vertices);
    if (index > highest)
        return scan_fail(scan, "the corner's vertex is %lld, but the file's last vertex is %lld", index, highest);
    if (index > 0)
        *vertex = index < INT_MAX ? (int)index - 1 : INT_MAX;
    else
        *vertex = vertices + (int)index;
    return STATUS_OK;
}

static int read_face(struct scan *scan, long long highest, int *used, struct polygons_builder *builder) {
    int corners = 0, vertex = 0;
    for (; scan_word(scan); ++corners) {
        if (read_corner(scan, builder->made.vertices, highest, &vertex))
            return STATUS_BAD;
        polygons_add_corner(builder, vertex);
        *used = vertex > *used ? vertex : *used;
    }
    if (corners < 3)
        return scan_fail_here(scan, "the face has %d corner%s; it needs at least 3", corners, corners == 1 ? "" : "s");
    polygons_end_face(builder);
    return STATUS_OK;
}

/* Read all lines. `highest` is the largest vertex number that a face may have, counted from 1 as in the file. *used
 * must be -1 or the result of an earlier call; it becomes the largest vertex of all faces, counted from 0. */
static int read_lines(struct scan scan, long long highest, int *used, struct polygons_builder *builder) {
    int status = STATUS_OK;
    for (bool more = scan_next(&scan); more && !status; more = !status && scan_line(&scan)) {
        if (scan_is(&scan, "v")) {
            double position[3];
            status = scan_position(&scan, position) || scan_rest(&scan, 4) ? STATUS_BAD : STATUS_OK;
            if (!status)
                polygons_add_vertex(builder, position);
        } else if (scan_is(&scan, "f") || scan_is(&scan, "fo"))
            status = read_face(&scan, highest, used, builder);
        else if (!is_left_out(&scan))
            status = scan_fail(&scan, "'%s' is not a keyword of OBJ; lines begin with v, f, vn, ..., comments with #",
                               scan_shown(&scan));
    }
    return status;
}

static int obj_read(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    struct scan scan = scan_begin(name, bytes, length);
    scan.comment = '#';
    scan.joins_lines = true;
    int used = -1;
    int status = read_lines(scan, LLONG_MAX, &used, builder);
    const int vertices = builder->made.vertices;
    if (!status && vertices > 0 && used >= vertices) { /* faces may precede their vertices, so the number of vertices is
                                                          known only now; read again to find the mistake's place */
        polygons_abandon(builder);
        status = read_lines(scan, vertices, &used, builder);
    }
    return status;
}

const struct mesh_format mesh_format_obj = {
    .ending = "obj", .read = obj_read, .vertices_are = "lines `v X Y Z`", .faces_are = "lines `f A B C`"};
