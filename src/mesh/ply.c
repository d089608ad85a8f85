/* PLY (Greg Turk, The PLY Polygon File Format, 1994): a header in text that declares elements and their properties,
 * then the elements, one per line in ASCII, or packed in either byte order. x, y and z of `vertex` are used, and the
 * list vertex_indices (or vertex_index) of `face`; all other elements and properties are skipped. */
#include "base/memory.h"
#include "mesh/mesh_file.h"
#include "mesh/scan.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind { SIGNED, UNSIGNED, FLOATING };

static const struct type {
    const char *name, *other_name;
    enum kind kind;
    int bytes;
} types[] = {
    {"char", "int8", SIGNED, 1},       {"uchar", "uint8", UNSIGNED, 1},    {"short", "int16", SIGNED, 2},
    {"ushort", "uint16", UNSIGNED, 2}, {"int", "int32", SIGNED, 4},        {"uint", "uint32", UNSIGNED, 4},
    {"float", "float32", FLOATING, 4}, {"double", "float64", FLOATING, 8},
};

enum use { PASS_OVER, TAKE_X, TAKE_Y, TAKE_Z, TAKE_CORNERS };

static bool is_coordinate(enum use use) {
    return use >= TAKE_X && use <= TAKE_Z;
}

struct property {
    char *name;
    const struct type *type, *count_type; /* count_type: the type of a list's count; NULL: the property is not a list */
    enum use use;
};

struct element {
    char *name;
    long long count;
    struct property *property;
    int properties;
};

enum encoding { ASCII, LITTLE_ENDIAN_BYTES, BIG_ENDIAN_BYTES };

struct ply {
    const char *name;
    enum encoding encoding;
    struct element *element;
    int elements;
    struct pool names;
    long long vertices; /* number of vertices that the header declares; -1: none declared yet */
    struct polygons_builder *builder;
};

static void ply_free(struct ply *ply) {
    for (int e = 0; e < ply->elements; ++e)
        free(ply->element[e].property);
    free(ply->element);
    pool_free(&ply->names);
}

/* ---- The header ---- */

/* A copy of the last word; ply_free frees it. */
static char *word_copy(const struct scan *scan, struct ply *ply) {
    return pool_add(&ply->names, text_format("%.*s", scan->length, scan->word));
}

static const struct element *element_find(const struct ply *ply, const char *name) {
    for (int e = 0; e < ply->elements; ++e)
        if (strcmp(ply->element[e].name, name) == 0)
            return &ply->element[e];
    return NULL;
}

static int read_format(struct scan *scan, struct ply *ply, bool *known) {
    static const char *const words[] = {"ascii", "binary_little_endian", "binary_big_endian"};
    if (scan_next_word(scan, "ascii, binary_little_endian or binary_big_endian"))
        return STATUS_BAD;
    *known = false;
    for (int k = 0; k < 3; ++k)
        if (scan_is(scan, words[k])) {
            ply->encoding = (enum encoding)k;
            *known = true;
        }
    if (!*known)
        return scan_fail(scan, "'%s' is not a format of PLY; use ascii, binary_little_endian or binary_big_endian",
                         scan_shown(scan));
    if (scan_next_word(scan, "the version 1.0"))
        return STATUS_BAD;
    return scan_is(scan, "1.0") ? scan_rest(scan, 0)
                                : scan_fail(scan, "the version is '%s'; only 1.0 is supported", scan_shown(scan));
}

static int read_element(struct scan *scan, struct ply *ply) {
    if (scan_next_word(scan, "the element's name"))
        return STATUS_BAD;
    char *name = word_copy(scan, ply);
    if (element_find(ply, name))
        return scan_fail(scan, "the element '%s' is declared twice", scan_shown(scan));
    struct element *element = ARRAY_ADD(ply->element, ply->elements);
    *element = (struct element){.name = name};
    if (scan_next_word(scan, "the element's count") || scan_integer(scan, "the element's count", &element->count))
        return STATUS_BAD;
    if (element->count < 0 || element->count > INT_MAX)
        return scan_fail(scan, "the element's count is %lld; use 0 to %d", element->count, INT_MAX);
    if (strcmp(element->name, "vertex") == 0)
        ply->vertices = element->count;
    return scan_rest(scan, 0);
}

static int read_type(struct scan *scan, const struct type **type) {
    if (scan_next_word(scan, "a type"))
        return STATUS_BAD;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
        if (scan_is(scan, types[k].name) || scan_is(scan, types[k].other_name)) {
            *type = &types[k];
            return STATUS_OK;
        }
    return scan_fail(scan, "'%s' is not a type; use char, uchar, short, ushort, int, uint, float or double",
                     scan_shown(scan));
}

static enum use use_of(const struct element *element, const struct property *property) {
    static const struct {
        const char *element, *property;
        enum use use;
    } uses[] = {{"vertex", "x", TAKE_X},
                {"vertex", "y", TAKE_Y},
                {"vertex", "z", TAKE_Z},
                {"face", "vertex_indices", TAKE_CORNERS},
                {"face", "vertex_index", TAKE_CORNERS}};
    for (size_t k = 0; k < sizeof uses / sizeof *uses; ++k)
        if (strcmp(element->name, uses[k].element) == 0 && strcmp(property->name, uses[k].property) == 0)
            return uses[k].use;
    return PASS_OVER;
}

static int read_property(struct scan *scan, struct ply *ply) {
    if (ply->elements == 0)
        return scan_fail(scan, "a property comes before the first element; `element NAME COUNT` must come first");
    struct element *element = &ply->element[ply->elements - 1];
    struct property *property = ARRAY_ADD(element->property, element->properties);
    *property = (struct property){.name = NULL};
    struct scan ahead = *scan;
    const bool is_list = scan_word(&ahead) && scan_is(&ahead, "list");
    if (is_list) {
        *scan = ahead;
        if (read_type(scan, &property->count_type))
            return STATUS_BAD;
        if (property->count_type->kind == FLOATING)
            return scan_fail(scan, "a list's count is of type '%s'; use an integer type", scan_shown(scan));
    }
    if (read_type(scan, &property->type))
        return STATUS_BAD;
    const struct scan at_type = *scan;
    if (scan_next_word(scan, "the property's name"))
        return STATUS_BAD;
    property->name = word_copy(scan, ply);
    property->use = use_of(element, property);
    if (property->use == TAKE_CORNERS && (!is_list || property->type->kind == FLOATING))
        return scan_fail(&at_type, "a face's corners must be a list of an integer type");
    if (is_coordinate(property->use) && is_list)
        return scan_fail(&at_type, "a coordinate must be a number, not a list");
    for (int p = 0; property->use != PASS_OVER && p < element->properties - 1; ++p)
        if (element->property[p].use == property->use)
            return scan_fail(scan, "the property '%s' is declared twice", scan_shown(scan));
    return scan_rest(scan, 0);
}

static bool uses(const struct element *element, enum use use) {
    for (int p = 0; p < element->properties; ++p)
        if (element->property[p].use == use)
            return true;
    return false;
}

/* Fails unless the required elements are declared. Messages have the place of end_header. */
static int check_header(const struct scan *scan, const struct ply *ply) {
    const struct element *vertex = element_find(ply, "vertex"), *face = element_find(ply, "face");
    if (!vertex)
        return scan_fail(scan, "the header declares no element 'vertex'");
    for (int k = 0; k < 3; ++k)
        if (!uses(vertex, (enum use)(TAKE_X + k)))
            return scan_fail(scan, "the header declares no property '%c' of the vertices", "xyz"[k]);
    if (face && !uses(face, TAKE_CORNERS))
        return scan_fail(scan, "the header declares no list 'vertex_indices' of the faces");
    if (!face && element_find(ply, "tristrips"))
        return scan_fail(scan, "the file has its triangles in strips, which are not supported; use an element 'face'");
    if (!face)
        return scan_fail(scan, "the header declares no element 'face'");
    return STATUS_OK;
}

static int read_header(struct scan *scan, struct ply *ply) {
    bool known = false;
    if (!scan_next(scan) || !scan_is(scan, "ply") || scan->line > 1)
        return scan_fail(scan, "the file begins with '%s'; a PLY file must begin with the line ply", scan_shown(scan));
    if (scan_rest(scan, 0))
        return STATUS_BAD;
    while (scan_line(scan)) {
        if (scan_is(scan, "comment") || scan_is(scan, "obj_info"))
            continue;
        int status;
        if (scan_is(scan, "format"))
            status = read_format(scan, ply, &known);
        else if (scan_is(scan, "element"))
            status = read_element(scan, ply);
        else if (scan_is(scan, "property"))
            status = read_property(scan, ply);
        else if (!scan_is(scan, "end_header"))
            status = scan_fail(
                scan,
                "'%s' is not a keyword of a PLY header; use format, element, property, comment, obj_info or end_header",
                scan_shown(scan));
        else if (!known)
            status = scan_fail(scan, "the header has no format line, such as `format ascii 1.0`");
        else
            return check_header(scan, ply) || scan_rest(scan, 0) ? STATUS_BAD : STATUS_OK;
        if (status)
            return status;
    }
    return scan_fail_here(scan, "the file ends in its header, before end_header");
}

/* ---- Elements in text ---- */

static int text_list(struct scan *scan, const struct property *property, struct ply *ply) {
    long long count;
    if (scan_integer(scan, "the list's count", &count))
        return STATUS_BAD;
    if (count < 0)
        return scan_fail(scan, "the list's count is %lld, which is below 0", count);
    if (property->use == TAKE_CORNERS)
        return scan_corners(scan, count, ply->vertices, ply->builder);
    for (long long k = 0; k < count; ++k)
        if (!scan_word(scan))
            return scan_fail_here(scan, "the line ends after %lld of the %lld values of '%s'", k, count,
                                  property->name);
    return STATUS_OK;
}

static int text_row(struct scan *scan, const struct element *element, long long row, struct ply *ply,
                    double position[3]) {
    static const char *const what[] = {"", "the coordinate x", "the coordinate y", "the coordinate z"};
    if (!scan_line(scan))
        return scan_fail_here(scan, "the file ends after %lld of its %lld elements '%.40s'", row, element->count,
                              element->name);
    for (int p = 0; p < element->properties; ++p) {
        const struct property *property = &element->property[p];
        if (p > 0 && !scan_word(scan))
            return scan_fail_here(scan, "the line ends before the property '%.40s' of the %.40s", property->name,
                                  element->name);
        int status = STATUS_OK;
        if (property->count_type)
            status = text_list(scan, property, ply);
        else if (is_coordinate(property->use))
            status = scan_number(scan, what[property->use], &position[property->use - TAKE_X]);
        if (status)
            return status;
    }
    return scan_rest(scan, 0);
}

/* ---- Elements in bytes ---- */

struct bytes {
    const char *from, *at, *end;
};

static bool bytes_left(const struct bytes *bytes, long long count, int each) {
    return count <= (bytes->end - bytes->at) / each;
}

PRINTF_LIKE(3, 4)
static int fail_at_byte(const struct bytes *bytes, const struct ply *ply, const char *format, ...) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return fail("%s: byte %td: %s", ply->name, bytes->at - bytes->from, message);
}

static uint64_t bytes_raw(const char *at, int count, enum encoding encoding) {
    uint64_t raw = 0;
    for (int k = 0; k < count; ++k)
        raw = raw << 8 | (unsigned char)at[encoding == BIG_ENDIAN_BYTES ? k : count - 1 - k];
    return raw;
}

static long long bytes_integer(const char *at, const struct type *type, enum encoding encoding) {
    const uint64_t raw = bytes_raw(at, type->bytes, encoding);
    const uint64_t sign = 1ULL << (8 * type->bytes - 1);
    return type->kind == SIGNED && raw & sign ? (long long)raw - (long long)(sign << 1) : (long long)raw;
}

static double bytes_number(const char *at, const struct type *type, enum encoding encoding) {
    if (type->kind != FLOATING)
        return (double)bytes_integer(at, type, encoding);
    const uint64_t raw = bytes_raw(at, type->bytes, encoding);
    if (type->bytes == 4) {
        const uint32_t half = (uint32_t)raw;
        float number;
        memcpy(&number, &half, sizeof number);
        return (double)number;
    }
    double number;
    memcpy(&number, &raw, sizeof number);
    return number;
}

static int bytes_list(struct bytes *bytes, const struct property *property, struct ply *ply) {
    const struct type *type = property->type;
    const long long count = bytes_integer(bytes->at, property->count_type, ply->encoding);
    if (count < 0 || (property->use == TAKE_CORNERS && count < 3))
        return fail_at_byte(bytes, ply,
                            property->use == TAKE_CORNERS ? "the face has %lld corners; it needs at least 3"
                                                          : "the list's count is %lld, which is below 0",
                            count);
    bytes->at += property->count_type->bytes;
    if (!bytes_left(bytes, count, type->bytes))
        return fail_at_byte(bytes, ply, "the file ends within a list of %lld values", count);
    for (long long k = 0; property->use == TAKE_CORNERS && k < count; ++k, bytes->at += type->bytes) {
        const long long vertex = bytes_integer(bytes->at, type, ply->encoding);
        if (vertex < 0 || vertex >= ply->vertices)
            return fail_at_byte(bytes, ply, "the corner's vertex is %lld; vertices are 0 to %lld", vertex,
                                ply->vertices - 1);
        polygons_add_corner(ply->builder, (int)vertex);
    }
    if (property->use != TAKE_CORNERS)
        bytes->at += count * type->bytes;
    return STATUS_OK;
}

static int bytes_row(struct bytes *bytes, const struct element *element, long long row, struct ply *ply,
                     double position[3]) {
    for (int p = 0; p < element->properties; ++p) {
        const struct property *property = &element->property[p];
        const struct type *first = property->count_type ? property->count_type : property->type;
        if (!bytes_left(bytes, 1, first->bytes))
            return fail_at_byte(bytes, ply, "the file ends after %lld of its %lld elements '%.40s'", row,
                                element->count, element->name);
        if (property->count_type) {
            if (bytes_list(bytes, property, ply))
                return STATUS_BAD;
            continue;
        }
        if (is_coordinate(property->use)) {
            const double number = bytes_number(bytes->at, property->type, ply->encoding);
            if (!isfinite(number))
                return fail_at_byte(bytes, ply, "the coordinate %s of vertex %lld is not finite", property->name, row);
            position[property->use - TAKE_X] = number;
        }
        bytes->at += property->type->bytes;
    }
    return STATUS_OK;
}

/* ---- All elements of the header, in either encoding ---- */
static int read_elements(struct scan *scan, struct bytes *bytes, struct ply *ply) {
    const bool is_text = ply->encoding == ASCII;
    for (int e = 0; e < ply->elements; ++e) {
        const struct element *element = &ply->element[e];
        for (long long row = 0; element->properties && row < element->count; ++row) {
            double position[3] = {0};
            if (is_text ? text_row(scan, element, row, ply, position) : bytes_row(bytes, element, row, ply, position))
                return STATUS_BAD;
            if (uses(element, TAKE_X))
                polygons_add_vertex(ply->builder, position);
            else if (uses(element, TAKE_CORNERS))
                polygons_end_face(ply->builder);
        }
    }
    if (is_text && scan_line(scan))
        return scan_fail(scan, "'%s' comes after the last element; the header's counts must match the numbers of lines",
                         scan_shown(scan));
    if (!is_text && bytes->at < bytes->end)
        return fail_at_byte(bytes, ply, "%td bytes come after the last element; the header's counts must include them",
                            bytes->end - bytes->at);
    return STATUS_OK;
}

static int ply_read(const char *name, const char *bytes, size_t length, struct polygons_builder *builder) {
    struct scan scan = scan_begin(name, bytes, length);
    AUTO(ply_free) struct ply ply = {.name = name, .vertices = -1, .builder = builder};
    if (read_header(&scan, &ply))
        return STATUS_BAD;
    struct bytes rest = {.from = bytes, .at = scan.at + (scan.at < scan.end), .end = scan.end};
    return read_elements(&scan, &rest, &ply);
}

const struct mesh_format mesh_format_ply = {.ending = "ply",
                                            .read = ply_read,
                                            .vertices_are =
                                                "`element vertex COUNT` in the header, with a COUNT above 0",
                                            .faces_are = "`element face COUNT` in the header, with a COUNT above 0"};
