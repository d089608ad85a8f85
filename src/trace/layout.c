#include "trace/layout.h"

#include <string.h>

#define FRAME(name, type, unit)                                                                                        \
    { "/frames/" name, type, SIZE_FRAMES, SIZE_NONE, PART_FRAMES, unit, CONTENT_WRITTEN, SIZE_NONE, SIZE_NONE }
#define MESH(path, type, rows, columns, unit)                                                                          \
    { "/VTKHDF/" path, type, rows, columns, PART_MESH, unit, CONTENT_WRITTEN, SIZE_NONE, SIZE_NONE }
#define LINEAR(path, rows, columns, first, stride)                                                                     \
    { "/VTKHDF/" path, LAYOUT_INT64, rows, columns, PART_MESH, NULL, CONTENT_LINEAR, first, stride }
#define CELLS(path, type, rows, content)                                                                               \
    { "/VTKHDF/" path, type, rows, SIZE_NONE, PART_MESH, NULL, content, SIZE_NONE, SIZE_NONE }
#define ONE(path, size) LINEAR(path, SIZE_ONE, SIZE_NONE, size, SIZE_ZERO)

/* /VTKHDF is a temporal UnstructuredGrid of VTK 9.3 and newer. The cells are stored once (one part, offset 0). The
 * points of all geometries are stored one geometry after the other. */
const struct layout_dataset layout_datasets[] = {
    [LAYOUT_COUNT] = {"/frames/count", LAYOUT_INT64, SIZE_ONE, SIZE_NONE, PART_FRAMES, .unit = NULL},
    [LAYOUT_INDEX] = FRAME("index", LAYOUT_INT64, NULL),
    [LAYOUT_TIME] = FRAME("time", LAYOUT_DOUBLE, "s"),
    [LAYOUT_FRAME_MESH] = FRAME("mesh", LAYOUT_INT64, NULL),
    [LAYOUT_FRAME_HASH] = FRAME("hash", LAYOUT_HASH, NULL),
    [LAYOUT_FRAME_CHECK] = FRAME("check", LAYOUT_HASH, NULL),
    [LAYOUT_FRAME_SECONDS] = {"/timing/frame_seconds", LAYOUT_DOUBLE, SIZE_REPEATS, SIZE_TIMED, PART_TIMING,
                              .unit = "s"},
    [LAYOUT_TIMING_CHECK] = {"/timing/check", LAYOUT_HASH, SIZE_REPEATS, SIZE_NONE, PART_TIMING, .unit = NULL},
    [LAYOUT_POINTS] = MESH("Points", LAYOUT_REAL, SIZE_POINTS, SIZE_XYZ, "m"),
    [LAYOUT_VELOCITY] = MESH("PointData/velocity", LAYOUT_REAL, SIZE_POINTS, SIZE_XYZ, "m/s"),
    [LAYOUT_STEP_TIME] = MESH("Steps/Values", LAYOUT_DOUBLE, SIZE_STEPS, SIZE_NONE, "s"),
    [LAYOUT_CORNERS] = MESH("Connectivity", LAYOUT_INT64, SIZE_CORNERS, SIZE_NONE, NULL),
    [LAYOUT_OBJECT] = CELLS("CellData/object", LAYOUT_BYTE, SIZE_CELLS, CONTENT_OBJECT),
    [LAYOUT_STATIC] = CELLS("Types", LAYOUT_BYTE, SIZE_CELLS, CONTENT_TYPE),
    CELLS("Offsets", LAYOUT_INT64, SIZE_CELL_OFFSETS, CONTENT_CORNERS),
    ONE("NumberOfPoints", SIZE_STEP_POINTS),
    ONE("NumberOfCells", SIZE_CELLS),
    ONE("NumberOfConnectivityIds", SIZE_CORNERS),
    LINEAR("Steps/NumberOfParts", SIZE_STEPS, SIZE_NONE, SIZE_ONE, SIZE_ZERO),
    LINEAR("Steps/PartOffsets", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_ZERO),
    LINEAR("Steps/PointOffsets", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_STEP_POINTS),
    LINEAR("Steps/CellOffsets", SIZE_STEPS, SIZE_ONE, SIZE_ZERO, SIZE_ZERO),
    LINEAR("Steps/ConnectivityIdOffsets", SIZE_STEPS, SIZE_ONE, SIZE_ZERO, SIZE_ZERO),
    LINEAR("Steps/PointDataOffsets/velocity", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_STEP_POINTS),
    LINEAR("Steps/CellDataOffsets/object", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_ZERO),
};
const int layout_dataset_count = sizeof layout_datasets / sizeof *layout_datasets;

struct layout_dataset layout_series(const char *path, const char *unit) {
    return (struct layout_dataset){path, LAYOUT_DOUBLE, SIZE_FRAMES, SIZE_NONE, PART_FRAMES, .unit = unit};
}

int layout_corners(enum layout_object object) {
    return object == OBJECT_INSIDE ? 4 : 3;
}

int layout_steps(int geometries) {
    return geometries == 1 ? 2 : geometries;
}

void layout_derive(struct layout *layout) {
    hsize_t *size = layout->size;
    size[SIZE_ONE] = 1;
    size[SIZE_XYZ] = 3;
    size[SIZE_CELLS] = size[SIZE_CORNERS] = 0;
    for (int o = 0; o < OBJECT_COUNT; o++) {
        size[SIZE_CELLS] += layout->cells[o];
        size[SIZE_CORNERS] += layout->cells[o] * (hsize_t)layout_corners(o);
    }
    size[SIZE_CELL_OFFSETS] = size[SIZE_CELLS] + 1;
    layout->has[PART_FRAMES] = true;
}

int64_t layout_element_at(const struct layout *layout, const struct layout_dataset *dataset, hsize_t i) {
    enum { VTK_TRIANGLE = 5, VTK_TETRA = 10 }; /* VTK's numbers */
    /* before: number of cells before cell i in its object. corners: number of corners of all earlier objects. */
    hsize_t before = i, corners = 0;
    int object = 0;
    if (dataset->content == CONTENT_LINEAR) {
        const bool is_repeated = layout->is_doubled && dataset->rows == SIZE_STEPS;
        return (int64_t)(layout->size[dataset->first] + (is_repeated ? 0 : i) * layout->size[dataset->stride]);
    }
    for (; object + 1 < OBJECT_COUNT && before >= layout->cells[object]; object++) {
        before -= layout->cells[object];
        corners += layout->cells[object] * (hsize_t)layout_corners(object);
    }
    return dataset->content == CONTENT_CORNERS  ? (int64_t)(corners + before * (hsize_t)layout_corners(object))
           : dataset->content == CONTENT_OBJECT ? object
           : object == OBJECT_INSIDE            ? VTK_TETRA
                                                : VTK_TRIANGLE;
}

int layout_dims(const struct layout *layout, const struct layout_dataset *dataset, hsize_t dims[2]) {
    dims[0] = layout->size[dataset->rows];
    dims[1] = layout->size[dataset->columns];
    return dataset->columns == SIZE_NONE ? 1 : 2;
}

size_t layout_element(const struct layout *layout, const struct layout_dataset *dataset) {
    return dataset->type == LAYOUT_HASH   ? LAYOUT_HASH_SIZE
           : dataset->type == LAYOUT_BYTE ? 1
           : dataset->type == LAYOUT_REAL ? layout->real_size
                                          : sizeof(int64_t);
}

uint64_t layout_bytes(const struct layout *layout, const struct layout_dataset *dataset) {
    hsize_t dims[2];
    uint64_t bytes = layout_element(layout, dataset);
    int rank = layout_dims(layout, dataset, dims);
    for (int d = 0; d < rank; d++)
        if (__builtin_mul_overflow(bytes, dims[d], &bytes))
            return UINT64_MAX;
    return bytes;
}

hid_t layout_type(const struct layout *layout, const struct layout_dataset *dataset) {
    if (dataset->type == LAYOUT_HASH)
        return store_text_type(LAYOUT_HASH_SIZE, H5T_CSET_ASCII);
    if (dataset->type == LAYOUT_INT64)
        return H5Tcopy(H5T_STD_I64LE);
    if (dataset->type == LAYOUT_BYTE)
        return H5Tcopy(H5T_STD_U8LE);
    return H5Tcopy(layout_element(layout, dataset) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
}

void layout_frame_check(int64_t index, double time, int64_t mesh, const char *hash, const double *series, int count,
                        char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_words(digest, &index, sizeof index, 1);
    digest_add_words(digest, &time, sizeof time, 1);
    digest_add_words(digest, &mesh, sizeof mesh, 1);
    digest_add(digest, hash, LAYOUT_HASH_SIZE);
    digest_add_words(digest, series, sizeof *series, (size_t)count);
    digest_finish(digest, out);
}

void layout_state_hash(const void *positions, const void *velocities, size_t real_size, size_t reals,
                       char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_words(digest, positions, real_size, reals);
    digest_add_words(digest, velocities, real_size, reals);
    digest_finish(digest, out);
}

void layout_timing_check(const double *seconds, size_t count, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_words(digest, seconds, sizeof *seconds, count);
    digest_finish(digest, out);
}

void layout_header_check(const char *text, const struct trace_parameter *parameters, int parameter_count,
                         const int32_t *corners, size_t corner_count, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_text(digest, text);
    for (int p = 0; p < parameter_count; p++)
        for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++) {
            struct trace_parameter parameter = parameters[p];
            digest_add_text(digest, *layout_parameter_field(&parameter, f));
        }
    digest_add_words(digest, corners, sizeof *corners, corner_count);
    digest_finish(digest, out);
}

const char *const layout_parameter_names[LAYOUT_PARAMETER_FIELDS] = {"path", "value", "unit", "origin",
                                                                     "why",  "low",   "high"};

const char **layout_parameter_field(struct trace_parameter *p, int field) {
    const char **fields[LAYOUT_PARAMETER_FIELDS] = {&p->path, &p->value, &p->unit, &p->origin,
                                                    &p->why,  &p->low,   &p->high};
    return fields[field];
}

hid_t layout_parameter_type(const size_t widths[LAYOUT_PARAMETER_FIELDS]) {
    size_t size = 0;
    for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++)
        size += widths[f];
    hid_t record = H5Tcreate(H5T_COMPOUND, size);
    size = 0;
    for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++) {
        HANDLE type = store_text_type(widths[f], H5T_CSET_UTF8);
        H5Tinsert(record, layout_parameter_names[f], size, type);
        size += widths[f];
    }
    return record;
}
