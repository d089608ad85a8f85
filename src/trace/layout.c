#include "trace/layout.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "frames are written raw, and a trace is little-endian"
#endif

#define FRAME(name, type, unit)                                                                                        \
    { "/frames/" name, type, SIZE_FRAMES, SIZE_NONE, PART_FRAMES, unit, false, SIZE_NONE, SIZE_NONE }
#define MESH(path, rows, columns, first, stride)                                                                       \
    { "/VTKHDF/" path, LAYOUT_INT64, rows, columns, PART_MESH, NULL, true, first, stride }
#define CELLS(group, offsets, cells, corners, corners_each)                                                            \
    MESH(group "/NumberOfCells", SIZE_ONE, SIZE_NONE, cells, SIZE_ZERO),                                               \
        MESH(group "/NumberOfConnectivityIds", SIZE_ONE, SIZE_NONE, corners, SIZE_ZERO),                               \
        MESH(group "/Offsets", offsets, SIZE_NONE, SIZE_ZERO, corners_each)
#define NO_CELLS(group)                                                                                                \
    CELLS(group, SIZE_ONE, SIZE_ZERO, SIZE_ZERO, SIZE_ZERO),                                                           \
        MESH(group "/Connectivity", SIZE_ZERO, SIZE_NONE, SIZE_ZERO, SIZE_ZERO)

/* /VTKHDF is the temporal PolyData of VTK 9.3 and newer. It has all four groups of cells, with the same integer
 * type. The topology is stored once (one part, offset 0). The nodes of all steps are stored one step after the other.
 */
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
    [LAYOUT_POINTS] = {"/VTKHDF/Points", LAYOUT_REAL, SIZE_POINTS, SIZE_XYZ, PART_MESH, .unit = "m"},
    [LAYOUT_VELOCITY] = {"/VTKHDF/PointData/velocity", LAYOUT_REAL, SIZE_POINTS, SIZE_XYZ, PART_MESH, .unit = "m/s"},
    [LAYOUT_STEP_TIME] = {"/VTKHDF/Steps/Values", LAYOUT_DOUBLE, SIZE_STEPS, SIZE_NONE, PART_MESH, .unit = "s"},
    [LAYOUT_CORNERS] = {"/VTKHDF/Polygons/Connectivity", LAYOUT_INT64, SIZE_CORNERS, SIZE_NONE, PART_MESH,
                        .unit = NULL},
    [LAYOUT_STATIC] = MESH("NumberOfPoints", SIZE_ONE, SIZE_NONE, SIZE_NODES, SIZE_ZERO),
    NO_CELLS("Vertices"),
    NO_CELLS("Lines"),
    CELLS("Polygons", SIZE_TRIANGLE_OFFSETS, SIZE_TRIANGLES, SIZE_CORNERS, SIZE_XYZ),
    NO_CELLS("Strips"),
    MESH("Steps/NumberOfParts", SIZE_STEPS, SIZE_NONE, SIZE_ONE, SIZE_ZERO),
    MESH("Steps/PartOffsets", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_ZERO),
    MESH("Steps/PointOffsets", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_NODES),
    MESH("Steps/CellOffsets", SIZE_STEPS, SIZE_KINDS, SIZE_ZERO, SIZE_ZERO),
    MESH("Steps/ConnectivityIdOffsets", SIZE_STEPS, SIZE_KINDS, SIZE_ZERO, SIZE_ZERO),
    MESH("Steps/PointDataOffsets/velocity", SIZE_STEPS, SIZE_NONE, SIZE_ZERO, SIZE_NODES),
};
const int layout_dataset_count = sizeof layout_datasets / sizeof *layout_datasets;

struct layout_dataset layout_series(const char *path, const char *unit) {
    return (struct layout_dataset){path, LAYOUT_DOUBLE, SIZE_FRAMES, SIZE_NONE, PART_FRAMES, .unit = unit};
}

void layout_derive(struct layout *layout) {
    hsize_t *size = layout->size;
    size[SIZE_ONE] = 1;
    size[SIZE_XYZ] = 3;
    size[SIZE_KINDS] = 4;
    size[SIZE_TRIANGLE_OFFSETS] = size[SIZE_TRIANGLES] + 1;
    size[SIZE_CORNERS] = 3 * size[SIZE_TRIANGLES];
    layout->has[PART_FRAMES] = true;
}

int64_t layout_content(const struct layout *layout, const struct layout_dataset *dataset, hsize_t i) {
    return (int64_t)(layout->size[dataset->first] + i * layout->size[dataset->stride]);
}

int layout_dims(const struct layout *layout, const struct layout_dataset *dataset, hsize_t dims[2]) {
    dims[0] = layout->size[dataset->rows];
    dims[1] = layout->size[dataset->columns];
    return dataset->columns == SIZE_NONE ? 1 : 2;
}

size_t layout_element(const struct layout *layout, const struct layout_dataset *dataset) {
    return dataset->type == LAYOUT_HASH   ? LAYOUT_HASH_SIZE
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
    return H5Tcopy(layout_element(layout, dataset) == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE);
}

void layout_frame_check(int64_t index, double time, int64_t mesh, const char *hash, const double *series, int count,
                        char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add(digest, &index, sizeof index);
    digest_add(digest, &time, sizeof time);
    digest_add(digest, &mesh, sizeof mesh);
    digest_add(digest, hash, LAYOUT_HASH_SIZE);
    digest_add(digest, series, (size_t)count * sizeof *series);
    digest_finish(digest, out);
}

void layout_state_hash(const void *positions, const void *velocities, size_t bytes, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add(digest, positions, bytes);
    digest_add(digest, velocities, bytes);
    digest_finish(digest, out);
}

void layout_header_check(const char *text, const struct trace_parameter *parameters, int parameter_count,
                         const int32_t *triangles, size_t triangle_count, char out[DIGEST_SIZE]) {
    struct digest *digest = digest_create();
    digest_add_text(digest, text);
    for (int p = 0; p < parameter_count; p++)
        for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++) {
            struct trace_parameter parameter = parameters[p];
            digest_add_text(digest, *layout_parameter_field(&parameter, f));
        }
    digest_add(digest, triangles, triangle_count * 3 * sizeof *triangles);
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
