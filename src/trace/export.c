#include "trace/export.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/progress.h"
#include "base/vector.h"

#include <endian.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The name of the trace's file without folder and ending. Newly allocated; the caller frees it. */
static char *name_of(const struct trace_data *data) {
    const char *slash = strrchr(data->path, '/'), *file = slash ? slash + 1 : data->path;
    char *id = trace_file_id(file), *name = id ? id : text_copy(file), *dot = id ? NULL : strrchr(name, '.');
    if (dot && dot > name)
        *dot = 0;
    return name;
}

/* Write numbers in big-endian order, as legacy VTK files require. */
static void write_reals(const double *values, size_t count, int real_size, FILE *out) {
    for (size_t i = 0; i < count; i++) {
        float single = (float)values[i];
        uint32_t small;
        uint64_t large;
        memcpy(&small, &single, sizeof small);
        memcpy(&large, &values[i], sizeof large);
        small = htobe32(small);
        large = htobe64(large);
        fwrite(real_size == 4 ? (void *)&small : (void *)&large, (size_t)real_size, 1, out);
    }
}

static void write_triangles(const int32_t *corners, size_t triangles, FILE *out) {
    if (triangles == 0)
        return;
    fprintf(out, "POLYGONS %zu %zu\n", triangles, 4 * triangles);
    for (size_t t = 0; t < triangles; t++) {
        uint32_t words[4] = {htobe32(3)};
        for (size_t i = 0; i < 3; i++)
            words[i + 1] = htobe32((uint32_t)corners[3 * t + i]);
        fwrite(words, sizeof *words, 4, out);
    }
    fputc('\n', out);
}

static int geometry_write(const struct trace_data *data, int k, double *vectors, const char *path) {
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    FILE *out = draft.file;
    const char *real = data->real_size == 4 ? "float" : "double";
    int status = trace_read_mesh(data, k, vectors);
    fprintf(out, "# vtk DataFile Version 3.0\nspringback, t = %.9g s\nBINARY\nDATASET POLYDATA\nPOINTS %zu %s\n",
            data->mesh_time[k], data->nodes, real);
    write_reals(vectors, 3 * data->nodes, data->real_size, out);
    fputc('\n', out);
    write_triangles(data->triangles, data->triangle_count, out);
    if (status == STATUS_OK)
        status = trace_read_velocity(data, k, vectors);
    fprintf(out, "POINT_DATA %zu\nVECTORS velocity %s\n", data->nodes, real);
    write_reals(vectors, 3 * data->nodes, data->real_size, out);
    fputc('\n', out);
    return file_draft_end(&draft, status);
}

static int index_write(json_t *files, const char *path) {
    struct file_draft draft;
    if (file_draft_begin(path, &draft))
        return STATUS_BAD;
    FILE *out = draft.file;
    json_t *index = json_pack("{s:s, s:O}", "file-series-version", "1.0", "files", files);
    int status = index && json_dumpf(index, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0
                     ? STATUS_OK
                     : fail("%s: cannot be written", path);
    fputc('\n', out);
    json_decref(index);
    return file_draft_end(&draft, status);
}

int export_vtk(const struct trace_data *data, const char *folder) {
    if (data->mesh_frames == 0)
        return fail("%s: no geometry is recorded; set record.mesh_every in the experiment", data->path);
    AUTO_FREE double *vectors = memory_large(3 * data->nodes * sizeof *vectors);
    if (!vectors)
        return fail("%s: not enough memory for %zu nodes", data->path, data->nodes);
    AUTO_FREE char *name = name_of(data);
    json_t *files = json_array();
    int status = STATUS_OK;
    progress_begin(data->mesh_frames);
    for (int k = 0; k < data->mesh_frames && status == STATUS_OK; k++) {
        progress_show(k, name, "geometries", k, data->mesh_frames);
        AUTO_FREE char *file = text_format("%s_%04d.vtk", name, k), *path = text_format("%s/%s", folder, file);
        status = geometry_write(data, k, vectors, path);
        json_array_append_new(files, json_pack("{s:s%, s:f}", "name", file, strlen(file), "time", data->mesh_time[k]));
    }
    progress_end();
    AUTO_FREE char *path = text_format("%s/%s.vtk.series", folder, name);
    if (status == STATUS_OK)
        status = index_write(files, path);
    json_decref(files);
    return status;
}

static int stream_status(const struct trace_data *data, FILE *out) {
    return fflush(out) == 0 && !ferror(out) ? STATUS_OK
                                            : fail("%s: its export cannot be written: %s", data->path, strerror(errno));
}

static void add_name(char **heading, char separator, const char *name, const char *unit) {
    const bool pure = strcmp(unit, "1") == 0 || !*unit;
    text_append(heading, "%c%s%s%s", separator, name, pure ? "" : "/", pure ? "" : unit);
}

static void write_value(char separator, double value, FILE *out) {
    if (isnan(value)) /* printf would print the sign of NaN */
        fprintf(out, "%cnan", separator);
    else
        fprintf(out, "%c%.9g", separator, value);
}

static char *heading_make(const struct trace_data *data, const struct export_column *columns, int count,
                          char separator) {
    char *heading = text_format("frame%ctime/s", separator);
    for (int s = 0; s < data->series_count; s++)
        add_name(&heading, separator, data->series[s].name, data->series[s].unit);
    for (int c = 0; c < count; c++)
        add_name(&heading, separator, columns[c].name, columns[c].unit);
    return heading;
}

/* Write the lines of a table. Each line begins with the text `first`. */
static int write_lines(const struct trace_data *data, const struct export_column *columns, int count, const char *first,
                       char separator, FILE *out) {
    for (int f = 0; f < data->frames; f++) {
        fprintf(out, "%s%lld%c%.9g", first, (long long)data->frame_index[f], separator, data->frame_time[f]);
        for (int s = 0; s < data->series_count; s++)
            write_value(separator, data->values[s][f], out);
        for (int c = 0; c < count; c++)
            write_value(separator, columns[c].values[f], out);
        fputc('\n', out);
    }
    return stream_status(data, out);
}

int export_table(const struct trace_data *data, const struct export_column *columns, int count, FILE *out) {
    AUTO_FREE char *heading = heading_make(data, columns, count, '\t');
    fprintf(out, "%s\n", heading);
    return write_lines(data, columns, count, "", '\t', out);
}

int export_csv(const struct trace_data *data, const struct export_column *columns, int count, char **heading,
               FILE *out) {
    const char *id = trace_run_note(data, "id");
    AUTO_FREE char *own = heading_make(data, columns, count, ','), *first = text_copy("\"");
    for (const char *c = id ? id : data->path; *c; c++)
        text_append(&first, *c == '"' ? "\"\"" : "%c", *c);
    text_append(&first, "\",");
    if (*heading && strcmp(*heading, own) != 0)
        return fail("%s: its columns differ from those of the traces before it; export it separately", data->path);
    if (!*heading) {
        fprintf(out, "run,%s\n", own);
        *heading = text_copy(own);
    }
    return write_lines(data, columns, count, first, ',', out);
}

/* Lambert (1760), for both sides: the fraction of the light that reaches a plane is the cosine of the angle between its
 * normal and the light. */
uint32_t export_shade(const double *a, const double *b, const double *c, const struct export_view *view) {
    double normal[3];
    vector_normal(a, b, c, normal);
    double length = vector_length(normal) * vector_length(view->light);
    double lambert = length > 0 && isfinite(length) ? fmin(fabs(vector_dot(normal, view->light)) / length, 1) : 0;
    double bright = fmax(0, fmin(1, view->ambient + (1 - view->ambient) * lambert));
    uint32_t colour = 0;
    for (int shift = 16; shift >= 0; shift -= 8)
        colour |= (uint32_t)lround(bright * (view->colour >> shift & 0xff)) << shift;
    return colour;
}

static void write_triangle(const double *a, const double *b, const double *c, uint32_t colour, FILE *out) {
    const double *const points[] = {a, b, c, c}; /* two rows of two points */
    static const char *const ends[] = {"", "\n", "", "\n\n"};
    for (int p = 0; p < 4; p++)
        fprintf(out, "%.7g %.7g %.7g 0x%06x\n%s", points[p][0], 0 - points[p][2], points[p][1], (unsigned)colour,
                ends[p]);
}

int export_triangles(const struct trace_data *data, int k, const struct export_view *view, FILE *out,
                     size_t *left_out) {
    size_t missing = 0;
    if (data->triangle_count == 0)
        return fail("%s: the trace has no recorded triangles to draw", data->path);
    AUTO_FREE double *positions = memory_large(3 * data->nodes * sizeof *positions);
    if (!positions)
        return fail("%s: not enough memory for %zu nodes", data->path, data->nodes);
    int status = trace_read_mesh(data, k, positions);
    for (size_t t = 0; t < data->triangle_count && status == STATUS_OK; t++) {
        const double *corner[3];
        bool finite = true;
        for (int c = 0; c < 3; c++) {
            corner[c] = &positions[3 * (size_t)data->triangles[3 * t + (size_t)c]];
            for (int i = 0; i < 3; i++)
                finite = finite && isfinite(corner[c][i]);
        }
        if (!finite) {
            missing++;
            continue;
        }
        write_triangle(corner[0], corner[1], corner[2], export_shade(corner[0], corner[1], corner[2], view), out);
    }
    if (left_out)
        *left_out = missing;
    if (status == STATUS_OK && missing)
        fprintf(out, "# %zu triangles left out: not finite\n", missing);
    return status == STATUS_OK ? stream_status(data, out) : status;
}
