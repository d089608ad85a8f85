#include "mesh/mesh_file.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/words.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#define FORMAT_POINTER(name) &mesh_format_##name,

static const struct mesh_format *const formats[] = {MESH_FORMATS(FORMAT_POINTER)};

enum { FORMATS = sizeof formats / sizeof *formats };

/* Whether the first `length` characters of a name end with a dot and `ending`, in small or capital letters. There must
 * be at least one character before the dot. */
static bool ends_with(const char *name, size_t length, const char *ending) {
    const size_t letters = strlen(ending);
    return length > letters + 1 && name[length - letters - 1] == '.' &&
           strncasecmp(name + length - letters, ending, letters) == 0;
}

static bool is_packed(const char *name) {
    return ends_with(name, strlen(name), "gz");
}

static const struct mesh_format *format_of(const char *name) {
    const size_t length = strlen(name) - (is_packed(name) ? strlen(".gz") : 0);
    for (size_t k = 0; k < FORMATS; ++k)
        if (ends_with(name, length, formats[k]->ending))
            return formats[k];
    return NULL;
}

bool mesh_file_is_name(const char *name) {
    return format_of(name) != NULL;
}

static const struct mesh_format *format_to_read(const char *name) {
    const struct mesh_format *format = format_of(name);
    if (!format)
        fail("%s: the name does not end like a mesh file; use one of these endings, with or without .gz after "
             "it:" MESH_ENDINGS,
             name);
    return format;
}

int mesh_parse(const char *name, const char *bytes, size_t length, struct polygons *polygons) {
    const struct mesh_format *format = format_to_read(name);
    if (!format)
        return STATUS_BAD;
    if (length == 0)
        return fail("%s: the file is empty", name);
    if (length > INT_MAX)
        return fail("%s: the file has more than %d bytes, which is the limit", name, INT_MAX);
    AUTO(polygons_abandon) struct polygons_builder builder = {.corners = 0};
    if (format->read(name, bytes, length, &builder))
        return STATUS_BAD;
    if (builder.made.vertices == 0)
        return fail("%s: the file has no vertices; expected %s", name, format->vertices_are);
    if (builder.made.faces == 0)
        return fail("%s: the file has no faces; expected %s", name, format->faces_are);
    polygons_finish(&builder, polygons);
    return STATUS_OK;
}

/* All bytes of a file, unpacked, followed by 0. *bytes must be NULL before the call; the caller frees it, also after an
 * error. */
static int read_all(const char *path, char **bytes, size_t *length) {
    const int descriptor = file_open(path);
    gzFile file = descriptor < 0 ? NULL : gzdopen(descriptor, "rb");
    if (!file)
        return descriptor < 0 ? STATUS_BAD : fail("%s: %s", path, strerror(errno));
    gzbuffer(file, 1 << 17);
    size_t capacity = 1 << 16;
    char *all = memory_new(capacity, 1);
    int got = 0;
    *length = 0;
    while (*length <= INT_MAX) { /* mesh_parse refuses a longer file */
        const size_t left = capacity - *length - 1;
        if ((got = gzread(file, all + *length, left < 1 << 30 ? (unsigned)left : 1U << 30)) <= 0)
            break;
        if ((*length += (size_t)got) + 1 == capacity)
            all = memory_grow(all, capacity *= 2, 1);
    }
    all[*length] = 0;
    int error = Z_OK, status = STATUS_OK;
    const int errno_then = errno;
    const char *message = gzerror(file, &error);
    if (error == Z_ERRNO)
        status = fail("%s: %s", path, strerror(errno_then));
    else if (got < 0 || error != Z_OK)
        status = fail("%s: the file cannot be unpacked: %s", path, message);
    else if (*length && is_packed(path) && gzdirect(file))
        status = fail("%s: the file is not packed by gzip; remove .gz from its name", path);
    else if (*length && !is_packed(path) && !gzdirect(file))
        status = fail("%s: the file is packed by gzip; add .gz to its name", path);
    gzclose(file);
    *bytes = all;
    return status;
}

int mesh_read_polygons(const char *path, struct polygons *polygons) {
    AUTO_FREE char *bytes = NULL;
    size_t length = 0;
    if (!format_to_read(path) || read_all(path, &bytes, &length))
        return STATUS_BAD;
    return mesh_parse(path, bytes, length, polygons);
}

/* Report how many faces of a file are cut. Each file is reported once, even if several runs read it. */
static void report_cut(const char *path, const struct polygons *polygons) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct words reported;
    int cut = 0;
    for (int f = 0; f < polygons->faces; ++f)
        cut += polygons->start[f + 1] - polygons->start[f] > 3;
    if (!cut)
        return;
    pthread_mutex_lock(&mutex);
    if (words_add_new(&reported, path))
        fprintf(stderr, "springback: %s: %d of %d faces have more than three corners; they are cut into triangles\n",
                path, cut, polygons->faces);
    pthread_mutex_unlock(&mutex);
}

int mesh_read(const char *path, bool reports_cut, struct mesh *mesh) {
    AUTO(polygons_free) struct polygons polygons = {.vertices = 0};
    if (mesh_read_polygons(path, &polygons) || polygons_triangulate(&polygons, path, mesh))
        return STATUS_BAD;
    if (reports_cut)
        report_cut(path, &polygons);
    return STATUS_OK;
}
