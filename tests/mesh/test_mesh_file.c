#include "mesh/mesh_file.h"
#include "mesh_write.h"
#include "support.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <zlib.h>

/* A body that is written in every format. Its vertices are numbered in the order in which its faces use them, because a
 * reader of STL numbers them in this order. */
struct fixture {
    int vertices, faces, corners; /* corners: number of corners of each face */
    const double (*position)[3];
    const int *corner;
};

static const double tetrahedron_position[][3] = {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1.5}};
static const int tetrahedron_corner[] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
static const double cube_position[][3] = {{0, 0, 0},   {0, -3, 0},  {1, -3, 0},   {1, 0, 0},
                                          {0, 0, 2.5}, {1, 0, 2.5}, {1, -3, 2.5}, {0, -3, 2.5}};
static const int cube_corner[] = {0, 1, 2, 3, 4, 5, 6, 7, 0, 3, 5, 4, 3, 2, 6, 5, 2, 1, 7, 6, 1, 0, 4, 7};
static const struct fixture fixtures[] = {{4, 4, 3, tetrahedron_position, tetrahedron_corner},
                                          {8, 6, 4, cube_position, cube_corner}};

/* A growing array of bytes, followed by a 0 that `length` does not count. */
struct bytes {
    char *at;
    size_t length;
};

static void put(struct bytes *bytes, const void *what, size_t length) {
    bytes->at = memory_grow(bytes->at, bytes->length + length + 1, 1);
    memcpy(bytes->at + bytes->length, what, length);
    bytes->length += length;
    bytes->at[bytes->length] = 0;
}

static void put_text(struct bytes *bytes, const char *format, ...) PRINTF_LIKE(2, 3);

static void put_text(struct bytes *bytes, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(bytes, text, (size_t)length);
}

/* Append the `count` least significant bytes of a number. */
static void put_raw(struct bytes *bytes, uint64_t raw, int count, bool big_endian) {
    for (int k = 0; k < count; ++k) {
        const char byte = (char)(raw >> 8 * (big_endian ? count - 1 - k : k));
        put(bytes, &byte, 1);
    }
}

static void put_float(struct bytes *bytes, double value, bool big_endian) {
    const float number = (float)value;
    uint32_t raw;
    memcpy(&raw, &number, sizeof raw);
    put_raw(bytes, raw, 4, big_endian);
}

static void put_obj(struct bytes *out, const struct fixture *f, bool backwards) {
    put_text(out, "# a body\r\nmtllib none.mtl\no body\n");
    for (int v = 0; v < f->vertices; ++v)
        put_text(out, "v %g\t%g %g\n", f->position[v][0], f->position[v][1], f->position[v][2]);
    put_text(out, "vn 0 0 1\nvt 0 0\nusemtl red\ns off\n");
    for (int face = 0; face < f->faces; ++face) {
        put_text(out, "f");
        for (int k = 0; k < f->corners; ++k) {
            const int v = f->corner[face * f->corners + k];
            put_text(out, backwards ? " %d/1/1" : k % 2 ? " %d//1" : " \\\n  %d", backwards ? v - f->vertices : v + 1);
        }
        put_text(out, " # face %d\n", face);
    }
}

static void put_off(struct bytes *out, const struct fixture *f, bool coloured) {
    put_text(out, coloured ? "COFF %d %d\n" : "# a body\nOFF\n\n%d %d 0\n", f->vertices, f->faces);
    for (int v = 0; v < f->vertices; ++v)
        put_text(out, "%g %g %g%s\n", f->position[v][0], f->position[v][1], f->position[v][2],
                 coloured ? " 0.5 1 1 1" : "");
    for (int face = 0; face < f->faces; ++face) {
        put_text(out, "%d", f->corners);
        for (int k = 0; k < f->corners; ++k)
            put_text(out, " %d", f->corner[face * f->corners + k]);
        put_text(out, coloured ? " 255 0 0 # red\n" : "\n");
    }
}

static void put_ply_text(struct bytes *out, const struct fixture *f, bool has_spaces) {
    put_text(out,
             "ply\nformat ascii 1.0\ncomment made by hand\nelement vertex %d\nproperty float x\nproperty float y\n"
             "property float z\nelement face %d\nproperty list uchar int vertex_indices\nend_header\n",
             f->vertices, f->faces);
    for (int v = 0; v < f->vertices; ++v)
        put_text(out, "%g %g %g%s\n", f->position[v][0], f->position[v][1], f->position[v][2], has_spaces ? " " : "");
    for (int face = 0; face < f->faces; ++face) {
        put_text(out, "%d", f->corners);
        for (int k = 0; k < f->corners; ++k)
            put_text(out, " %d", f->corner[face * f->corners + k]);
        put_text(out, "\n");
    }
}

/* Binary PLY with properties and an element that the reader ignores, coordinates of three types, and faces before
 * vertices. */
static void put_ply_bytes(struct bytes *out, const struct fixture *f, bool big) {
    put_text(out,
             "ply\r\nformat binary_%s_endian 1.0\r\nobj_info nothing\r\nelement other 2\r\n"
             "property list short double list\r\nproperty ushort number\r\nelement face %d\r\nproperty uchar red\r\n"
             "property list uint ushort vertex_index\r\nelement vertex %d\r\nproperty double z\r\n"
             "property float32 x\r\nproperty char quality\r\nproperty int8 y\r\nend_header\r\n",
             big ? "big" : "little", f->faces, f->vertices);
    for (int k = 0; k < 2; ++k) {
        put_raw(out, (uint64_t)k, 2, big);
        put_raw(out, UINT64_MAX, 8 * k, big);
        put_raw(out, 7, 2, big);
    }
    for (int face = 0; face < f->faces; ++face) {
        put_raw(out, 255, 1, big);
        put_raw(out, (uint64_t)f->corners, 4, big);
        for (int k = 0; k < f->corners; ++k)
            put_raw(out, (uint64_t)f->corner[face * f->corners + k], 2, big);
    }
    for (int v = 0; v < f->vertices; ++v) {
        uint64_t raw;
        memcpy(&raw, &f->position[v][2], sizeof raw);
        put_raw(out, raw, 8, big);
        put_float(out, f->position[v][0], big);
        put_raw(out, 0x80, 1, big);
        put_raw(out, (uint64_t)(int64_t)f->position[v][1], 1, big);
    }
}

static void put_stl(struct bytes *out, const struct fixture *f, bool text) {
    const int triangles = f->faces * (f->corners - 2);
    if (text)
        put_text(out, "solid body of no name\n");
    else {
        put_text(out, "%-79s", "solid, so it begins, yet is binary");
        put_raw(out, 0, 1, false);
        put_raw(out, (uint64_t)triangles, 4, false);
    }
    for (int t = 0; t < triangles; ++t) {
        const int *face = f->corner + (ptrdiff_t)t / (f->corners - 2) * f->corners, second = t % (f->corners - 2) + 1;
        const int corner[3] = {face[0], face[second], face[second + 1]};
        if (text)
            put_text(out, "facet normal nan 0 0\n  outer loop\n");
        for (int k = 0; k < 3 && !text; ++k)
            put_float(out, 0, false);
        for (int c = 0; c < 3; ++c) {
            double p[3];
            memcpy(p, f->position[corner[c]], sizeof p);
            for (int k = 0; k < 3; ++k)
                p[k] = p[k] == 0 && (t + c) % 2 ? -0.0 : p[k]; /* -0.0 equals 0, but has other bits */
            if (text)
                put_text(out, "    vertex %g %g %g\n", p[0], p[1], p[2]);
            for (int k = 0; k < 3 && !text; ++k)
                put_float(out, p[k], false);
        }
        if (text)
            put_text(out, "  endloop\nendfacet\n");
        else
            put_raw(out, 0, 2, false);
    }
    if (text)
        put_text(out, "endsolid\n");
}

static const struct encoding {
    const char *name;
    void (*put)(struct bytes *out, const struct fixture *f, bool other);
    bool other; /* the last argument for `put`, which chooses between two variants of the format */
} encodings[] = {
    {"a.obj", put_obj, false},        {"b.OBJ", put_obj, true},      {"a.off", put_off, false},
    {"coloured.off", put_off, true},  {"a.ply", put_ply_text, true}, {"little.ply", put_ply_bytes, false},
    {"big.ply", put_ply_bytes, true}, {"a.stl", put_stl, true},      {"b.stl", put_stl, false},
};
enum { OBJ_BACKWARDS = 1, OFF_COLOURED = 3, PLY_LITTLE = 5, PLY_BIG, STL_TEXT, STL_BYTES, ENCODINGS };
enum { FIXTURES = sizeof fixtures / sizeof *fixtures };

static struct bytes written(const struct fixture *f, int encoding) {
    struct bytes out = {0};
    encodings[encoding].put(&out, f, encodings[encoding].other);
    return out;
}

static void expect_fixture(const struct polygons *got, const struct fixture *f, bool triangles, const char *name) {
    struct mesh mesh;
    cr_assert_eq(got->vertices, f->vertices, "%s: %d vertices", name, got->vertices);
    cr_expect_eq(got->faces, f->faces * (triangles ? f->corners - 2 : 1), "%s: %d faces", name, got->faces);
    for (int v = 0; v < f->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            cr_expect(got->position[v][k] == f->position[v][k], "%s: vertex %d", name, v);
    cr_assert_eq(polygons_triangulate(got, name, &mesh), STATUS_OK);
    cr_assert_eq(mesh.triangles, f->faces * (f->corners - 2), "%s: %d triangles", name, mesh.triangles);
    for (int t = 0; t < mesh.triangles; ++t) {
        const int *face = f->corner + (ptrdiff_t)t / (f->corners - 2) * f->corners, second = t % (f->corners - 2) + 1;
        cr_expect_eq(mesh.corner[t][0], face[0], "%s: triangle %d", name, t);
        cr_expect_eq(mesh.corner[t][1], face[second], "%s: triangle %d", name, t);
        cr_expect_eq(mesh.corner[t][2], face[second + 1], "%s: triangle %d", name, t);
    }
    mesh_free(&mesh);
}

Test(mesh_file, every_format_gives_the_same_body) {
    for (int k = 0; k < FIXTURES; ++k)
        for (int encoding = 0; encoding < ENCODINGS; ++encoding) {
            struct bytes bytes = written(&fixtures[k], encoding);
            struct polygons polygons;
            failure_clear();
            cr_assert_eq(mesh_parse(encodings[encoding].name, bytes.at, bytes.length, &polygons), STATUS_OK, "%s",
                         failure_text());
            expect_fixture(&polygons, &fixtures[k], encoding >= STL_TEXT, encodings[encoding].name);
            polygons_free(&polygons);
            free(bytes.at);
        }
}

Test(mesh_file, files_are_read_packed_and_plain) {
    char *folder = folder_temporary();
    for (int encoding = 0; encoding < ENCODINGS; ++encoding)
        for (int packed = 0; packed < 2; ++packed) {
            struct bytes bytes = written(&fixtures[0], encoding);
            char *path = text_format("%s/%s%s", folder, encodings[encoding].name, packed ? ".gz" : "");
            gzFile file = gzopen(path, packed ? "wb" : "wbT");
            cr_assert_eq(gzwrite(file, bytes.at, (unsigned)bytes.length), (int)bytes.length);
            cr_assert_eq(gzclose(file), Z_OK);
            struct mesh mesh;
            failure_clear();
            cr_assert_eq(mesh_read(path, false, &mesh), STATUS_OK, "%s", failure_text());
            cr_expect_eq(mesh.vertices, 4);
            cr_expect_eq(mesh.triangles, 4);
            mesh_free(&mesh);
            free(path);
            free(bytes.at);
        }
    folder_remove(folder);
}

/* A truncated file is refused, unless only its last newline, or the colour of its last face, is missing. OBJ is not
 * tested, because it has no counts by which a missing end could be detected. */
Test(mesh_file, a_truncated_file_is_no_file) {
    for (int encoding = OBJ_BACKWARDS + 1; encoding < ENCODINGS; ++encoding) {
        struct bytes whole = written(&fixtures[1], encoding);
        const bool is_text = whole.at[whole.length - 1] == '\n', has_comment = encoding == OFF_COLOURED;
        const size_t least = whole.length - (has_comment ? strlen(" 255 0 0 # red\n") : is_text ? 1 : 0);
        for (size_t length = 0; length < whole.length; ++length) {
            struct bytes part = {0};
            struct polygons polygons;
            put(&part, whole.at, length);
            failure_clear();
            if (length < least)
                cr_expect_eq(mesh_parse(encodings[encoding].name, part.at, length, &polygons), STATUS_BAD,
                             "%s: %zu of %zu bytes were accepted", encodings[encoding].name, length, whole.length);
            if (length < least)
                cr_expect_eq(failure_count(), 1, "%s", failure_text());
            free(part.at);
        }
        free(whole.at);
    }
}

#define HEAD    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
#define FACES   "element face 1\nproperty list uchar int vertex_indices\n"
#define CORNERS "0 0 0\n1 0 0\n0 1 0\n"
#define FACET   "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n"

Test(mesh_file, broken_files_are_told_by_line_and_column) {
    static const struct {
        const char *name, *contents, *expected;
    } table[] = {
        {"a.obj", "", "a.obj: the file is empty"},
        {"a.off", "", "a.off: the file is empty"},
        {"a.xyz", "v 0 0 0\n",
         "a.xyz: the name does not end like a mesh file; use one of these endings, with or without .gz after it: "
         ".obj .off .ply .stl"},
        {"gz", "v 0 0 0\n",
         "gz: the name does not end like a mesh file; use one of these endings, with or without .gz after it: "
         ".obj .off .ply .stl"},
        {"a.obj", "# nothing\n\n", "a.obj: the file has no vertices; expected lines `v X Y Z`"},
        {"a.obj", "f 1 2 3\n", "a.obj: the file has no vertices; expected lines `v X Y Z`"},
        {"a.obj", "v 0 0 0\n", "a.obj: the file has no faces; expected lines `f A B C`"},
        {"a.obj", "v 0 0 nan\n", "a.obj:1:7: the coordinate z is 'nan', which is not finite"},
        {"a.obj", "\nv 0 -inf 0\n", "a.obj:2:5: the coordinate y is '-inf', which is not finite"},
        {"a.obj", "v 1e999 0 0\n", "a.obj:1:3: the coordinate x is '1e999', which is not finite"},
        {"a.obj", "v 0 0\n", "a.obj:1:6: the line ends before the coordinate z"},
        {"a.obj", "v 0 0 \\\n", "a.obj:2:1: the line ends before the coordinate z"},
        {"a.obj", "v 0,5 0 0\n", "a.obj:1:3: the coordinate x is '0,5', which is not a number"},
        {"a.obj", "v 0x1p3 0 0\n", "a.obj:1:3: the coordinate x is '0x1p3', which is not a number"},
        {"a.obj", "v 0 0 0 red\n", "a.obj:1:9: the additional value is 'red', which is not a number"},
        {"a.obj", "v 0 0 0 1 1 1 1 1\n", "a.obj:1:17: unexpected '1' at the end of the line"},
        {"a.obj", "vertex 0 0 0\n",
         "a.obj:1:1: 'vertex' is not a keyword of OBJ; lines begin with v, f, vn, ..., comments with #"},
        {"a.obj", "\x89PNG\r\n\x1a\n",
         "a.obj:1:1: '?PNG' is not a keyword of OBJ; lines begin with v, f, vn, ..., comments with #"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\nf 5 1 2\n",
         "a.obj:4:7: the corner's vertex is 4, but the file's last vertex is 3"},
        {"a.obj", "f 1 2 99999999999\nv 0 0 0\nv 1 0 0\n",
         "a.obj:1:7: the corner's vertex is 99999999999, but the file's last vertex is 2"},
        {"a.obj", "v 0 0 0\nf 1 99999999999 1\n",
         "a.obj:2:5: the corner's vertex is 99999999999, but the file's last vertex is 1"},
        {"a.obj", "v 0 0 0\nf 1 9999999999999999999 1\n",
         "a.obj:2:5: the corner's vertex is '9999999999999999999', which is not a whole number of at most 18 digits"},
        {"a.obj", "v 0 0 0\nf 1 1 0\n", "a.obj:2:7: the corner's vertex is 0; OBJ counts vertices from 1"},
        {"a.obj", "v 0 0 0\nf 1 1 -2\n",
         "a.obj:2:7: the corner's vertex is -2, but the number of vertices before this face is 1"},
        {"a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2:6: the face has 2 corners; it needs at least 3"},
        {"a.obj", "v 0 0 0\nf\n", "a.obj:2:2: the face has 0 corners; it needs at least 3"},
        {"a.obj", "v 0 0 0\nf 1/1/1/1 1 1\n", "a.obj:2:3: the corner is '1/1/1/1'; use A, A/T, A//N or A/T/N"},
        {"a.obj", "v 0 0 0\nf 1 1/x 1\n", "a.obj:2:5: the corner is '1/x'; use A, A/T, A//N or A/T/N"},
        {"a.obj", "v 0 0 0\nf 1 /1 1\n",
         "a.obj:2:5: the corner's vertex is '', which is not a whole number of at most 18 digits"},
        {"a.obj", "v 0 0 0\nf 1.5 1 1\n",
         "a.obj:2:3: the corner's vertex is '1.5', which is not a whole number of at most 18 digits"},

        {"a.off", "# nothing", "a.off:1:10: the file has no text except comments; it must begin with OFF"},
        {"a.off", "ply\n",
         "a.off:1:1: the file begins with 'ply'; an OFF file must begin with OFF (or COFF, NOFF, STOFF)"},
        {"a.off", "4OFF\n1 1 1\n", "a.off:1:1: '4OFF' is not three-dimensional; use OFF with x y z"},
        {"a.off", "OFF BINARY\n", "a.off:1:5: binary OFF is not supported; use OFF in text"},
        {"a.off", "OFF\n", "a.off:2:1: the file ends before its counts: vertices, faces, edges"},
        {"a.off", "OFF\n3\n", "a.off:2:2: the line ends before the count of faces"},
        {"a.off", "OFF\n3 -1 0\n", "a.off:2:3: the count of faces is -1; use 0 to 2147483647"},
        {"a.off", "OFF\n3000000000 1 0\n", "a.off:2:1: the count of vertices is 3000000000; use 0 to 2147483647"},
        {"a.off", "OFF\n3.5 1 0\n",
         "a.off:2:1: the count of vertices is '3.5', which is not a whole number of at most 18 digits"},
        {"a.off", "OFF\n3 1 0 0\n", "a.off:2:7: unexpected '0' at the end of the line"},
        {"a.off", "OFF\n0 0 0\n",
         "a.off: the file has no vertices; expected a count of vertices above 0 in the line after OFF"},
        {"a.off", "OFF\n1 0 0\n0 0 0\n",
         "a.off: the file has no faces; expected a count of faces above 0 in the line after OFF"},
        {"a.off", "OFF\n2147483647 2147483647 0\n0 0 0\n",
         "a.off:4:1: the file ends after 1 of its 2147483647 vertices"},
        {"a.off", "OFF\n3 2 0\n" CORNERS "3 0 1 2\n", "a.off:7:1: the file ends after 1 of its 2 faces"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "3 0 1 2\n3 0 1 2\n",
         "a.off:7:1: '3' comes after the last of 1 faces; the counts must match the numbers of lines"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "3 0 1\n", "a.off:6:6: the line ends after 2 of the face's 3 corners"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "2147483647 0 1 2\n",
         "a.off:6:17: the line ends after 3 of the face's 2147483647 corners"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "2 0 1\n", "a.off:6:1: the face has 2 corners; it needs at least 3"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "3 0 1 3\n", "a.off:6:7: the corner's vertex is 3; vertices are 0 to 2"},
        {"a.off", "OFF\n3 1 0\n" CORNERS "3 0 1 -1\n", "a.off:6:7: the corner's vertex is -1; vertices are 0 to 2"},
        {"a.off", "OFF\n3 1 0\n0 0 0\n0 inf 0\n", "a.off:4:3: the coordinate y is 'inf', which is not finite"},

        {"a.ply", "OFF\n", "a.ply:1:1: the file begins with 'OFF'; a PLY file must begin with the line ply"},
        {"a.ply", "ply\n", "a.ply:2:1: the file ends in its header, before end_header"},
        {"a.ply", "ply\nend_header\n", "a.ply:2:1: the header has no format line, such as `format ascii 1.0`"},
        {"a.ply", "ply\nformat utf8 1.0\n",
         "a.ply:2:8: 'utf8' is not a format of PLY; use ascii, binary_little_endian or binary_big_endian"},
        {"a.ply", "ply\nformat ascii 2.0\n", "a.ply:2:14: the version is '2.0'; only 1.0 is supported"},
        {"a.ply", "ply\nvertex 3\n",
         "a.ply:2:1: 'vertex' is not a keyword of a PLY header; use format, element, property, comment, obj_info or "
         "end_header"},
        {"a.ply", "ply\nproperty float x\n",
         "a.ply:2:1: a property comes before the first element; `element NAME COUNT` must come first"},
        {"a.ply", "ply\nelement vertex many\n",
         "a.ply:2:16: the element's count is 'many', which is not a whole number of at most 18 digits"},
        {"a.ply", "ply\nelement vertex -3\n", "a.ply:2:16: the element's count is -3; use 0 to 2147483647"},
        {"a.ply", "ply\nelement face 1\nelement face 1\n", "a.ply:3:9: the element 'face' is declared twice"},
        {"a.ply", "ply\nelement vertex 3\nproperty real x\n",
         "a.ply:3:10: 'real' is not a type; use char, uchar, short, ushort, int, uint, float or double"},
        {"a.ply", "ply\nelement vertex 3\nproperty float x\nproperty int x\n",
         "a.ply:4:14: the property 'x' is declared twice"},
        {"a.ply", "ply\nelement vertex 3\nproperty list uchar float x\n",
         "a.ply:3:21: a coordinate must be a number, not a list"},
        {"a.ply", "ply\nelement face 3\nproperty list uchar float vertex_index\n",
         "a.ply:3:21: a face's corners must be a list of an integer type"},
        {"a.ply", "ply\nelement face 3\nproperty list float int vertex_index\n",
         "a.ply:3:15: a list's count is of type 'float'; use an integer type"},
        {"a.ply", "ply\nformat ascii 1.0\nend_header\n", "a.ply:3:1: the header declares no element 'vertex'"},
        {"a.ply", "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nproperty int z\nend_header\n",
         "a.ply:6:1: the header declares no property 'y' of the vertices"},
        {"a.ply", HEAD "end_header\n", "a.ply:7:1: the header declares no element 'face'"},
        {"a.ply", HEAD "element tristrips 1\nend_header\n",
         "a.ply:8:1: the file has its triangles in strips, which are not supported; use an element 'face'"},
        {"a.ply", HEAD "element face 1\nend_header\n",
         "a.ply:8:1: the header declares no list 'vertex_indices' of the faces"},
        {"a.ply", HEAD FACES "end_header\n0 0 0\n1 0\n",
         "a.ply:11:4: the line ends before the property 'z' of the vertex"},
        {"a.ply", HEAD FACES "end_header\n0 0 0\n1 0 0 0\n", "a.ply:11:7: unexpected '0' at the end of the line"},
        {"a.ply", HEAD FACES "end_header\n0 0 0\n1 0 0\n",
         "a.ply:12:1: the file ends after 2 of its 3 elements 'vertex'"},
        {"a.ply", HEAD FACES "end_header\n" CORNERS "3 0 1 3\n",
         "a.ply:13:7: the corner's vertex is 3; vertices are 0 to 2"},
        {"a.ply", HEAD FACES "end_header\n" CORNERS "2 0 1\n",
         "a.ply:13:1: the face has 2 corners; it needs at least 3"},
        {"a.ply", HEAD FACES "end_header\n" CORNERS "3 0 1\n",
         "a.ply:13:6: the line ends after 2 of the face's 3 corners"},
        {"a.ply", HEAD FACES "end_header\n" CORNERS "3 0 1 2\n3 0 1 2\n",
         "a.ply:14:1: '3' comes after the last element; the header's counts must match the numbers of lines"},

        {"a.stl", "v 0 0 0\n",
         "a.stl:1:1: the file begins with 'v'; STL must begin with solid, or be binary and have 84 + 50 N bytes for N "
         "triangles"},
        {"a.stl", "solid a\n", "a.stl:2:1: the file ends before 'facet' or 'endsolid'"},
        {"a.stl", "solid a\nendsolid a\n",
         "a.stl: the file has no vertices; expected triangles: `facet` in text, or a count above 0 at byte 80"},
        {"a.stl", "solid a\n" FACET, "a.stl:9:1: the file ends before 'facet' or 'endsolid'"},
        {"a.stl", "solid a\n" FACET "endsolid\nfacet\n",
         "a.stl:10:1: found 'facet' instead of 'solid' or the end of the file"},
        {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 nan\n",
         "a.stl:4:12: the coordinate z is 'nan', which is not finite"},
        {"a.stl", "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n",
         "a.stl:6:1: found 'endloop' instead of 'vertex'"},
        {"a.stl", "solid a\nface\n", "a.stl:2:1: found 'face' instead of 'facet' or 'endsolid'"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct polygons polygons;
        failure_clear();
        cr_expect_eq(mesh_parse(table[k].name, table[k].contents, strlen(table[k].contents), &polygons), STATUS_BAD,
                     "accepted: %s", table[k].contents);
        cr_expect_str_eq(failure_text(), table[k].expected, "for the file\n%s", table[k].contents);
    }
}

/* Overwrite `length` bytes of a complete binary file, beginning `from_end` bytes before its end, and check the message.
 * If the file is shorter than `from_end`, the bytes are appended. */
static void expect_bytes(int encoding, ptrdiff_t from_end, const char *change, size_t length, const char *expected) {
    struct bytes bytes = written(&fixtures[0], encoding);
    struct polygons polygons;
    if (from_end > (ptrdiff_t)bytes.length)
        put(&bytes, change, length);
    else
        memcpy(bytes.at + bytes.length - from_end, change, length);
    failure_clear();
    cr_expect_eq(mesh_parse(encodings[encoding].name, bytes.at, bytes.length, &polygons), STATUS_BAD,
                 "%s: the changed file was accepted", encodings[encoding].name);
    cr_expect(strstr(failure_text(), expected), "%s: '%s' lacks '%s'", encodings[encoding].name, failure_text(),
              expected);
    free(bytes.at);
}

Test(mesh_file, broken_bytes_are_told_by_their_place) {
    /* The PLY files end with four vertices of 14 bytes (z, x, quality, y). Before these are four faces of 11 bytes
     * (red, count, three corners). */
    expect_bytes(PLY_LITTLE, 14, "\0\0\0\0\0\0\xf0\x7f", 8, "the coordinate z of vertex 3 is not finite");
    expect_bytes(PLY_BIG, 14, "\x7f\xf8\0\0\0\0\0\0", 8, "the coordinate z of vertex 3 is not finite");
    expect_bytes(PLY_BIG, 14 * 4 + 2, "\0\x04", 2, "the corner's vertex is 4; vertices are 0 to 3");
    expect_bytes(PLY_LITTLE, 14 * 4 + 2, "\xff\xff", 2, "the corner's vertex is 65535; vertices are 0 to 3");
    expect_bytes(PLY_BIG, 14 * 4 + 10, "\0\0\0\x02", 4, "the face has 2 corners; it needs at least 3");
    expect_bytes(PLY_BIG, 14 * 4 + 10, "\xff\xff\xff\xff", 4, "the file ends within a list of 4294967295 values");
    expect_bytes(PLY_BIG, 14 * 4 + 11 * 4 + 12, "\xff\xff", 2, "the list's count is -1, which is below 0");
    expect_bytes(PLY_LITTLE, PTRDIFF_MAX, "!", 1, "1 bytes come after the last element");
    expect_bytes(
        STL_BYTES, 50 * 4 + 4, "\xff\xff\xff\xff", 4,
        "b.stl: byte 80: the number of triangles is 4294967295, which needs 214748364834 bytes; the file has 284");
    expect_bytes(STL_BYTES, 50 - 16, "\0\0\x80\x7f", 4,
                 "b.stl: byte 250: the coordinate y of triangle 3 is not finite");
}

Test(mesh_file, what_cannot_be_read_says_why, .timeout = 30) {
    char *folder = folder_temporary();
    static const struct {
        const char *name, *contents, *expected;
    } table[] = {
        {"missing.obj", NULL, "missing.obj: No such file or directory"},
        {"empty.obj.gz", "", "empty.obj.gz: the file is empty"},
        {"plain.obj.gz", "v 0 0 0\n", "plain.obj.gz: the file is not packed by gzip; remove .gz from its name"},
        {"torn.obj.gz", "\x1f\x8b\x08\x01\x01\x01\x01\x01\x01\x01\x01", "torn.obj.gz: the file cannot be unpacked: "},
        {"packed.obj", "\x1f\x8b\x08", "packed.obj: "},
        {"text.txt", "v 0 0 0\n", "text.txt: the name does not end like a mesh file"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        char *path = text_format("%s/%s", folder, table[k].name);
        struct mesh mesh;
        if (table[k].contents)
            text_write(path, table[k].contents);
        failure_clear();
        cr_expect_eq(mesh_read(path, false, &mesh), STATUS_BAD, "%s", path);
        cr_expect(strstr(failure_text(), table[k].expected), "'%s' lacks '%s'", failure_text(), table[k].expected);
        free(path);
    }
    static const char *const others[] = {"mkdir", "mkfifo"}; /* opening a FIFO would wait for a writer */
    for (size_t o = 0; o < sizeof others / sizeof *others; ++o) {
        char *inner = text_format("%s/%s.obj", folder, others[o]), *make = text_format("%s %s", others[o], inner);
        struct mesh mesh;
        cr_assert_eq(system(make), 0); /* NOLINT(cert-env33-c) */
        failure_clear();
        cr_expect_eq(mesh_read(inner, false, &mesh), STATUS_BAD);
        cr_expect(strstr(failure_text(), ".obj: not a file"), "%s", failure_text());
        free(inner);
        free(make);
    }
    folder_remove(folder);
}

Test(mesh_file, what_is_written_is_read_as_it_was) {
    static const double position[][3] = {
        {0.1, 1.0 / 3, -0.0}, {1e-300, DBL_TRUE_MIN, DBL_MAX}, {-2.0 / 3, 1e22, DBL_EPSILON}, {5, 6, 7}};
    static const char *const names[] = {"a.obj", "a.off"};
    char *folder = folder_temporary();
    struct mesh mesh, again;
    char first[33], second[33];
    mesh_create(&mesh, 4, 2);
    memcpy(mesh.position, position, sizeof position);
    memcpy(mesh.corner, (int[2][3]){{0, 1, 2}, {3, 2, 1}}, 2 * sizeof *mesh.corner);
    mesh_hash(&mesh, first);
    for (int k = 0; k < 2; ++k) {
        char *path = text_format("%s/%s", folder, names[k]);
        failure_clear();
        mesh_write(&mesh, path);
        cr_assert_eq(mesh_read(path, false, &again), STATUS_OK, "%s", failure_text());
        mesh_hash(&again, second);
        cr_expect_str_eq(first, second);
        mesh_free(&again);
        free(path);
    }
    mesh_free(&mesh);
    folder_remove(folder);
}
