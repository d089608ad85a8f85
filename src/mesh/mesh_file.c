#include "mesh/mesh_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "mesh/mesh_format.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

static const struct mesh_format *const formats[] = {
#define MESH_FORMAT(name) &mesh_format_##name,
#include "mesh/formats.def"
#undef MESH_FORMAT
};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Whether the first `length` letters of a name end with a dot and the ending, in capitals or not, and something comes
 * before. */
static bool ends_with(const char *name, size_t length, const char *ending) {
    const size_t letters = strlen(ending);
    return length > letters + 1 && name[length - letters - 1] == '.' &&
           strncasecmp(name + length - letters, ending, letters) == 0;
}

static bool is_packed(const char *name) {
    return ends_with(name, strlen(name), "gz");
}

static const struct mesh_format *format_find(const char *name, size_t length) {
    for (size_t k = 0; k < FORMATS; ++k)
        if (ends_with(name, length, formats[k]->ending))
            return formats[k];
    return NULL;
}

static const struct mesh_format *format_of(const char *name) {
    return format_find(name, strlen(name) - (is_packed(name) ? strlen(".gz") : 0));
}

/* The endings in a sentence: ".obj, .off and .ply"; of the formats that are written, or of all. Newly allocated. */
static char *endings(const char *last_word, bool written) {
    char *text = text_copy("");
    int left = 0;
    for (size_t k = 0; k < FORMATS; ++k)
        left += !written || formats[k]->write;
    for (size_t k = 0; k < FORMATS; ++k) {
        if (written && !formats[k]->write)
            continue;
        --left;
        text_append(&text, ".%s%s%s%s", formats[k]->ending,
                    left > 1 ? ", "
                    : left   ? " "
                             : "",
                    left == 1 ? last_word : "", left == 1 ? " " : "");
    }
    return text;
}

char *mesh_file_endings(const char *last_word) {
    return endings(last_word, false);
}

bool mesh_file_is_name(const char *name) {
    return format_of(name) != NULL;
}

static const struct mesh_format *format_to_read(const char *name) {
    const struct mesh_format *format = format_of(name);
    char *known = format ? NULL : mesh_file_endings("and");
    if (!format)
        fail("%s: the name's ending is that of no mesh file; %s are read, also with .gz", name, known);
    free(known);
    return format;
}

int mesh_parse(const char *name, const char *bytes, size_t length, struct polygons *polygons) {
    const struct mesh_format *format = format_to_read(name);
    if (!format)
        return STATUS_BAD;
    if (length == 0)
        return fail("%s: the file is empty", name);
    if (length > INT_MAX)
        return fail("%s: more than %d bytes are too many to be read", name, INT_MAX);
    struct polygons_builder builder = {.corners = 0};
    int status = format->read(name, bytes, length, &builder);
    if (!status && builder.made.vertices == 0)
        status = fail("%s: there are no vertices; they should be %s", name, format->vertices_are);
    else if (!status && builder.made.faces == 0)
        status = fail("%s: there are no faces; they should be %s", name, format->faces_are);
    if (status)
        polygons_abandon(&builder);
    else
        polygons_finish(&builder, polygons);
    return status;
}

/* All bytes of a file, unpacked, ended by 0. */
static int read_all(const char *path, char **bytes, size_t *length) {
    const int descriptor = file_open(path);
    gzFile file = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
    if (!file)
        return descriptor < 0 ? STATUS_BAD : fail("%s: %s", path, strerror(errno));
    gzbuffer(file, 1 << 17);
    size_t room = 1 << 16;
    char *all = memory_new(room, 1);
    int got = 0;
    *length = 0;
    while (*length <= INT_MAX) { /* mesh_parse refuses more */
        const size_t left = room - *length - 1;
        if ((got = gzread(file, all + *length, left < 1 << 30 ? (unsigned)left : 1U << 30)) <= 0)
            break;
        if ((*length += (size_t)got) + 1 == room)
            all = memory_grow(all, room *= 2, 1);
    }
    all[*length] = 0;
    int error = Z_OK, status = STATUS_OK;
    const int errno_then = errno;
    const char *message = gzerror(file, &error);
    if (error == Z_ERRNO)
        status = fail("%s: %s", path, strerror(errno_then));
    else if (got < 0 || error != Z_OK)
        status = fail("%s: cannot be unpacked: %s", path, message);
    else if (*length && is_packed(path) && gzdirect(file))
        status = fail("%s: is not packed by gzip; the name should end without .gz", path);
    else if (*length && !is_packed(path) && !gzdirect(file))
        status = fail("%s: is packed by gzip; the name should end with .gz", path);
    gzclose(file);
    if (status)
        free(all);
    else
        *bytes = all;
    return status;
}

int mesh_read_polygons(const char *path, struct polygons *polygons) {
    char *bytes = NULL;
    size_t length = 0;
    if (!format_to_read(path) || read_all(path, &bytes, &length))
        return STATUS_BAD;
    int status = mesh_parse(path, bytes, length, polygons);
    free(bytes);
    return status;
}

int mesh_read(const char *path, struct mesh *mesh) {
    struct polygons polygons;
    if (mesh_read_polygons(path, &polygons))
        return STATUS_BAD;
    int status = polygons_triangulate(&polygons, path, mesh);
    polygons_free(&polygons);
    return status;
}

static int check_to_write(const struct mesh *mesh, const char *path) {
    if (mesh->vertices == 0 || mesh->triangles == 0)
        return fail("%s: a mesh of %d vertices and %d triangles is none, and is not written", path, mesh->vertices,
                    mesh->triangles);
    for (int v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            if (!isfinite(mesh->position[v][k]))
                return fail("%s: the coordinate %c of vertex %d is not finite; it is not written", path, "xyz"[k], v);
    return STATUS_OK;
}

int mesh_write(const struct mesh *mesh, const char *path) {
    const struct mesh_format *format = format_find(path, strlen(path));
    if (!format || !format->write) {
        char *known = endings("or", true);
        fail("%s: meshes are written as %s; the name should end so", path, known);
        free(known);
        return STATUS_BAD;
    }
    if (check_to_write(mesh, path))
        return STATUS_BAD;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return fail("%s: cannot be written: %s", path, strerror(errno));
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(plain); /* points, not commas */
    format->write(mesh, file);
    uselocale(before);
    freelocale(plain);
    const bool whole = !fclose(file);
    int status = whole ? file_write(path, text) : fail("%s: cannot be written: %s", path, strerror(errno));
    free(text);
    return status;
}
