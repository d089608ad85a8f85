/* The reader checks all data before it uses them. Before a dataset is allocated or read, its type and shape are
 * compared with the layout's table, and its bytes must be within the file. */
#define H5_USE_110_API 1 /* with HDF5 1.14, this makes H5O_info_t the type that H5Oget_info2 takes */

#include "base/terminal.h"
#include "trace/layout.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MEMBERS_MOST 10000 /* maximum number of series, or of notes of a group; every run has much fewer */

struct reader {
    const char *path;
    hid_t file;
    hsize_t file_size;
    struct layout layout;
    /* For each frame: the number of its geometry or -1, the state hash, the checksum. */
    int64_t *frame_mesh;
    char (*frame_hash)[LAYOUT_HASH_SIZE], (*frame_check)[LAYOUT_HASH_SIZE];
    int32_t *corners; /* the corners of all cells; owned by the trace */
    struct pool pool; /* memory that the trace does not need afterwards */
};

static _Thread_local int last_error;

int trace_error(void) {
    return last_error;
}

void layout_note_error(int error) {
    last_error = last_error ? last_error : error;
}

void layout_clear_error(void) {
    last_error = 0;
}

/* Open a file for a reader; the caller closes `file`. */
static int reader_open(const char *path, hid_t *file, struct reader *out) {
    *file = store_open(path, H5F_ACC_RDONLY);
    *out = (struct reader){.path = path, .file = *file};
    if (*file < 0)
        return store_fail_open(path, "a trace");
    return H5Fget_filesize(*file, &out->file_size) < 0 ? store_fail(path, "truncated or damaged") : STATUS_OK;
}

static int layout_wrong(const struct reader *reader, const char *dataset, const char *what) {
    return fail("%s: another layout, or damaged: %s %s", reader->path, dataset, what);
}

/* Open a dataset and find its shape. On failure there is a message, and the handle is negative. The values must be
 * contiguous in this file: a compressed dataset can require any amount of memory, and an external one can make HDF5
 * read any file. */
static hid_t dataset_open(const struct reader *reader, const char *path, int rank, hsize_t dims[2]) {
    hid_t dataset = H5Dopen2(reader->file, path, H5P_DEFAULT);
    if (dataset < 0)
        return layout_wrong(reader, path, "is missing"), -1;
    HANDLE space = H5Dget_space(dataset);
    HANDLE type = H5Dget_type(dataset);
    HANDLE list = H5Dget_create_plist(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    uint64_t place = H5Dget_offset(dataset), bytes;
    const char *wrong = NULL;
    if (H5Sget_simple_extent_ndims(space) != rank || H5Sget_simple_extent_dims(space, dims, NULL) != rank || count < 0)
        wrong = "has the wrong number of dimensions";
    else if (H5Pget_layout(list) != H5D_CONTIGUOUS || H5Pget_external_count(list) != 0)
        wrong = "is not contiguous";
    else if (__builtin_mul_overflow((uint64_t)count, H5Tget_size(type), &bytes) || bytes > reader->file_size ||
             (bytes > 0 && (place == HADDR_UNDEF || place > reader->file_size - bytes)))
        wrong = "is not within the file";
    if (!wrong)
        return dataset;
    H5Idec_ref(dataset);
    return layout_wrong(reader, path, wrong), -1;
}

/* Find the dimensions of a dataset from which a size of the layout is taken. */
static int shape_read(const struct reader *reader, enum layout_row row, hsize_t dims[2]) {
    const struct layout_dataset *dataset = &layout_datasets[row];
    HANDLE opened = dataset_open(reader, dataset->path, dataset->columns == SIZE_NONE ? 1 : 2, dims);
    return opened < 0 ? STATUS_BAD : STATUS_OK;
}

/* Open a dataset of the layout, and check its type and shape. */
static hid_t dataset_open_checked(const struct reader *reader, const struct layout_dataset *dataset) {
    hsize_t dims[2] = {0}, expected[2];
    int rank = layout_dims(&reader->layout, dataset, expected);
    hid_t opened = dataset_open(reader, dataset->path, rank, dims);
    if (opened < 0)
        return opened;
    HANDLE type = H5Dget_type(opened);
    HANDLE wanted = layout_type(&reader->layout, dataset);
    const char *wrong = H5Tequal(type, wanted) <= 0 ? "has the wrong type"
                        : memcmp(dims, expected, rank * sizeof *dims)
                            ? "has a shape that does not match the other datasets"
                            : NULL;
    if (!wrong)
        return opened;
    H5Idec_ref(opened);
    return layout_wrong(reader, dataset->path, wrong), -1;
}

/* A zeroed array, owned by the pool. The size comes from the file, and must not exceed the available memory. NULL after
 * fail(). */
static void *array_new(const struct reader *reader, hsize_t bytes, struct pool *pool) {
    enum { SMALL = 1 << 20 }; /* up to this size, allocating is faster than measuring the available memory */
    void *array = bytes <= SMALL || bytes < memory_available() ? memory_large(bytes) : NULL;
    if (array)
        return pool_add(pool, array);
    layout_note_error(ENOMEM);
    return fail("%s: needs %llu bytes of memory, more than available", reader->path, (unsigned long long)bytes), NULL;
}

/* Read a whole open dataset, converted to `type`, into a new array owned by the pool. NULL after fail(). */
static void *values_read(const struct reader *reader, hid_t dataset, hid_t type, hsize_t count, struct pool *pool) {
    void *array = array_new(reader, count * H5Tget_size(type), pool);
    if (array && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, array) < 0)
        return store_fail(reader->path, "truncated or damaged"), NULL;
    return array;
}

/* Check the type and shape of a dataset of the layout, and read it as values_read does. */
static void *dataset_read(const struct reader *reader, const struct layout_dataset *dataset, hid_t type,
                          struct pool *pool) {
    HANDLE opened = dataset_open_checked(reader, dataset);
    const uint64_t count = layout_bytes(&reader->layout, dataset) / layout_element(&reader->layout, dataset);
    return opened < 0 ? NULL : values_read(reader, opened, type, count, pool);
}

static void *row_read(const struct reader *reader, enum layout_row row, hid_t type, struct pool *pool) {
    return dataset_read(reader, &layout_datasets[row], type, pool);
}

/* Check that the file has the fixed content that the table describes. */
static int static_check(struct reader *reader, const struct layout_dataset *dataset) {
    const int64_t *values = dataset_read(reader, dataset, H5T_NATIVE_INT64, &reader->pool);
    const uint64_t count = layout_bytes(&reader->layout, dataset) / sizeof *values;
    for (uint64_t i = 0; values && i < count; i++) {
        const int64_t expected = layout_element_at(&reader->layout, dataset, i);
        if (values[i] != expected)
            return fail("%s: damaged: element %llu of %s is %lld, expected %lld", reader->path, (unsigned long long)i,
                        dataset->path, (long long)values[i], (long long)expected);
    }
    return values ? STATUS_OK : STATUS_BAD;
}

static int frames_read(struct reader *reader, struct trace_data *data) {
    hsize_t dims[2];
    layout_derive(&reader->layout);
    if (shape_read(reader, LAYOUT_INDEX, dims) != STATUS_OK)
        return STATUS_BAD;
    reader->layout.size[SIZE_FRAMES] = dims[0];
    HANDLE hash_type = layout_type(&reader->layout, &layout_datasets[LAYOUT_FRAME_HASH]);
    const int64_t *count = row_read(reader, LAYOUT_COUNT, H5T_NATIVE_INT64, &reader->pool);
    if (!count)
        return STATUS_BAD;
    if (*count < 0 || *count > INT_MAX || (hsize_t)*count > dims[0])
        return fail("%s: damaged: the count is %lld frames, but the file has space for %llu", reader->path,
                    (long long)*count, (unsigned long long)dims[0]);
    data->frames = (int)*count;
    if (!(data->frame_index = row_read(reader, LAYOUT_INDEX, H5T_NATIVE_INT64, &data->pool)) ||
        !(data->frame_time = row_read(reader, LAYOUT_TIME, H5T_NATIVE_DOUBLE, &data->pool)) ||
        !(reader->frame_mesh = row_read(reader, LAYOUT_FRAME_MESH, H5T_NATIVE_INT64, &reader->pool)) ||
        !(reader->frame_hash = row_read(reader, LAYOUT_FRAME_HASH, hash_type, &reader->pool)) ||
        !(reader->frame_check = row_read(reader, LAYOUT_FRAME_CHECK, hash_type, &reader->pool)))
        return STATUS_BAD;
    data->frame_hash = pool_add(&data->pool, memory_new((size_t)data->frames, sizeof *data->frame_hash));
    for (int f = 0; f < data->frames; f++)
        memcpy(data->frame_hash[f], reader->frame_hash[f], LAYOUT_HASH_SIZE);
    return STATUS_OK;
}

/* Give a text to the trace, which then owns it. Returns the text; NULL if there is none. */
static char *keep_text(struct trace_data *data, char *text) {
    return text ? pool_add(&data->pool, text) : NULL;
}

/* The name of a group's i-th member or attribute in creation order, owned by `data`; NULL if there is none,
 * or if it has more than 1,023 bytes. */
static char *name_at(struct trace_data *data, hid_t group, hsize_t i, bool of_attribute) {
    char name[1024];
    ssize_t length = (of_attribute ? H5Aget_name_by_idx : H5Lget_name_by_idx)(
        group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
    return length > 0 && (size_t)length < sizeof name ? keep_text(data, text_copy(name)) : NULL;
}

static hid_t group_open(const struct reader *reader, const char *path, H5O_info_t *info, H5G_info_t *links) {
    hid_t group = H5Gopen2(reader->file, path, H5P_DEFAULT);
    if (group >= 0 && H5Oget_info2(group, info, H5O_INFO_NUM_ATTRS) >= 0 && H5Gget_info(group, links) >= 0 &&
        info->num_attrs <= MEMBERS_MOST && links->nlinks <= MEMBERS_MOST)
        return group;
    if (group >= 0)
        H5Idec_ref(group);
    return layout_wrong(reader, path, "is missing, or not a group of a trace"), -1;
}

static int series_read(const struct reader *reader, struct trace_data *data) {
    H5O_info_t info;
    H5G_info_t links;
    HANDLE group = group_open(reader, "/series", &info, &links);
    if (group < 0)
        return STATUS_BAD;
    data->series = pool_add(&data->pool, memory_new(links.nlinks, sizeof *data->series));
    data->values = pool_add(&data->pool, memory_new(links.nlinks, sizeof *data->values));
    for (int s = 0; s < (int)links.nlinks; s++) {
        struct trace_series *series = &data->series[s];
        series->name = name_at(data, group, (hsize_t)s, false);
        if (!series->name)
            return layout_wrong(reader, "/series", "has a member without a name of 1 to 1,023 bytes");
        AUTO_FREE char *path = text_format("/series/%s", series->name);
        struct layout_dataset dataset = layout_series(path, NULL);
        if (!(data->values[s] = dataset_read(reader, &dataset, H5T_NATIVE_DOUBLE, &data->pool)))
            return STATUS_BAD;
        HANDLE opened = H5Dopen2(reader->file, path, H5P_DEFAULT);
        series->unit = keep_text(data, store_attribute_read(opened, "unit"));
        series->doc = keep_text(data, store_attribute_read(opened, "doc"));
        if (!series->unit || !series->doc)
            return layout_wrong(reader, path, "has no unit or no doc");
    }
    data->series_count = (int)links.nlinks;
    return STATUS_OK;
}

/* Read the notes of a group: first the attributes, then the texts that were too long for attributes. */
static int notes_read(const struct reader *reader, const char *path, struct trace_data *data, struct trace_note **notes,
                      int *count) {
    H5O_info_t info;
    H5G_info_t links;
    HANDLE group = group_open(reader, path, &info, &links);
    if (group < 0)
        return STATUS_BAD;
    *notes = pool_add(&data->pool, memory_new(info.num_attrs + links.nlinks, sizeof **notes));
    for (hsize_t i = 0; i < info.num_attrs + links.nlinks; i++) {
        struct trace_note *note = &(*notes)[(*count)++];
        const bool is_attribute = i < info.num_attrs;
        note->name = name_at(data, group, is_attribute ? i : i - info.num_attrs, is_attribute);
        note->value = note->name ? keep_text(data, store_text_read(group, note->name)) : NULL;
        if (!note->value)
            return layout_wrong(reader, path, "has a note that is not a text");
    }
    return STATUS_OK;
}

static int parameters_read(struct reader *reader, struct trace_data *data) {
    hsize_t dims[2];
    HANDLE dataset = dataset_open(reader, "/parameters", 1, dims);
    if (dataset < 0)
        return STATUS_BAD;
    HANDLE type = H5Dget_type(dataset);
    size_t widths[LAYOUT_PARAMETER_FIELDS];
    bool good = H5Tget_class(type) == H5T_COMPOUND && H5Tget_nmembers(type) == LAYOUT_PARAMETER_FIELDS;
    for (unsigned f = 0; f < LAYOUT_PARAMETER_FIELDS && good; f++) {
        HANDLE member = H5Tget_member_type(type, f);
        good = member >= 0 && H5Tget_class(member) == H5T_STRING && H5Tis_variable_str(member) == 0;
        widths[f] = good ? H5Tget_size(member) : 0;
    }
    HANDLE wanted = good ? layout_parameter_type(widths) : -1;
    if (!good || dims[0] > INT_MAX || H5Tequal(type, wanted) <= 0)
        return layout_wrong(reader, "/parameters", "has the wrong record type");
    const char *from = values_read(reader, dataset, type, dims[0], &reader->pool);
    if (!from)
        return STATUS_BAD;
    data->parameters = pool_add(&data->pool, memory_new(dims[0], sizeof *data->parameters));
    data->parameter_count = (int)dims[0];
    for (int p = 0; p < data->parameter_count; p++)
        for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; from += widths[f++])
            *layout_parameter_field(&data->parameters[p], f) =
                keep_text(data, text_format("%.*s", (int)strnlen(from, widths[f]), from));
    return STATUS_OK;
}

/* Read a dataset that has one number, from 0 to INT32_MAX. */
static int number_read(struct reader *reader, const char *path, hsize_t *out) {
    const struct layout_dataset dataset = {path, LAYOUT_INT64, SIZE_ONE, SIZE_NONE, PART_MESH, .unit = NULL};
    const int64_t *value = dataset_read(reader, &dataset, H5T_NATIVE_INT64, &reader->pool);
    if (!value)
        return STATUS_BAD;
    if (*value < 0 || *value > INT32_MAX)
        return fail("%s: damaged: %s is %lld, expected a number from 0 to 2147483647", reader->path, path,
                    (long long)*value);
    *out = (hsize_t)*value;
    return STATUS_OK;
}

/* Count the cells of each object. static_check then checks the order of the cells. */
static int cells_read(struct reader *reader) {
    const struct layout_dataset *row = &layout_datasets[LAYOUT_OBJECT];
    hsize_t dims[2];
    if (shape_read(reader, LAYOUT_OBJECT, dims) != STATUS_OK)
        return STATUS_BAD;
    if (dims[0] > INT32_MAX)
        return layout_wrong(reader, row->path, "has too large a shape");
    reader->layout.size[SIZE_CELLS] = dims[0];
    const uint8_t *objects = dataset_read(reader, row, H5T_NATIVE_UINT8, &reader->pool);
    for (hsize_t c = 0; objects && c < dims[0]; c++) {
        if (objects[c] >= OBJECT_COUNT)
            return fail("%s: damaged: element %llu of %s is %d, expected 0 to %d", reader->path, (unsigned long long)c,
                        row->path, objects[c], OBJECT_COUNT - 1);
        reader->layout.cells[objects[c]]++;
    }
    layout_derive(&reader->layout);
    return objects ? STATUS_OK : STATUS_BAD;
}

static int mesh_layout_read(struct reader *reader) {
    struct layout *layout = &reader->layout;
    hsize_t steps[2], points[2];
    int64_t nodes = 0;
    HANDLE group = H5Gopen2(reader->file, "/VTKHDF", H5P_DEFAULT);
    if (group < 0 || !store_number_read(group, "nodes", &nodes))
        return layout_wrong(reader, "/VTKHDF", "has no number of nodes");
    HANDLE dataset = dataset_open(reader, layout_datasets[LAYOUT_POINTS].path, 2, points);
    HANDLE type = dataset < 0 ? -1 : H5Dget_type(dataset);
    if (type < 0 || shape_read(reader, LAYOUT_STEP_TIME, steps) != STATUS_OK ||
        number_read(reader, "/VTKHDF/NumberOfPoints", &layout->size[SIZE_STEP_POINTS]) != STATUS_OK ||
        cells_read(reader) != STATUS_OK)
        return STATUS_BAD;
    layout->real_size = H5Tget_size(type) == 4 ? 4 : 8;
    layout->size[SIZE_NODES] = (hsize_t)nodes;
    layout->size[SIZE_STEPS] = steps[0];
    layout->size[SIZE_POINTS] = points[0];
    layout->has[PART_MESH] = true;
    const hsize_t each = layout->size[SIZE_STEP_POINTS];
    if (nodes < 1 || (hsize_t)nodes > each || points[0] % each ||
        steps[0] > points[0] / each + (layout->is_doubled ? 1 : 0))
        return layout_wrong(reader, layout_datasets[LAYOUT_POINTS].path,
                            "has a shape that does not match the other datasets");
    for (int d = 0; d < layout_dataset_count; d++) {
        if (layout_datasets[d].part != PART_MESH)
            continue;
        HANDLE checked = dataset_open_checked(reader, &layout_datasets[d]);
        if (checked < 0 ||
            (layout_datasets[d].content != CONTENT_WRITTEN && static_check(reader, &layout_datasets[d]) != STATUS_OK))
            return STATUS_BAD;
    }
    return STATUS_OK;
}

static int mesh_read(struct reader *reader, struct trace_data *data) {
    const struct layout *layout = &reader->layout;
    int recorded = 0;
    for (int f = 0; f < data->frames; f++)
        recorded += reader->frame_mesh[f] != -1;
    reader->layout.is_doubled = data->whole && layout_steps(recorded) > recorded;
    if (mesh_layout_read(reader) != STATUS_OK)
        return STATUS_BAD;
    data->nodes = layout->size[SIZE_NODES];
    data->mesh_points = layout->size[SIZE_STEP_POINTS];
    data->real_size = (int)layout->real_size;
    data->triangle_count = layout->cells[OBJECT_SURFACE];
    /* a number too large for int32 is read as INT32_MAX */
    if (!(data->triangles = reader->corners = row_read(reader, LAYOUT_CORNERS, H5T_NATIVE_INT32, &data->pool)))
        return STATUS_BAD;
    const size_t body = 3 * layout->cells[OBJECT_SURFACE] + 4 * layout->cells[OBJECT_INSIDE];
    for (size_t c = 0; c < layout->size[SIZE_CORNERS]; c++) {
        const size_t most = c < body ? data->nodes : data->mesh_points;
        if (reader->corners[c] < 0 || (size_t)reader->corners[c] >= most)
            return fail("%s: damaged: %s has a node number that is not in 0 to %zu", reader->path,
                        layout_datasets[LAYOUT_CORNERS].path, most - 1);
    }
    if (!(data->mesh_time = row_read(reader, LAYOUT_STEP_TIME, H5T_NATIVE_DOUBLE, &data->pool)))
        return STATUS_BAD;
    data->mesh_frame = pool_add(&data->pool, memory_new((size_t)data->frames, sizeof *data->mesh_frame));
    return STATUS_OK;
}

/* Check that /VTKHDF/Steps has NSteps. In a whole trace, both NSteps and the number of allocated steps must be the
 * number of steps for the recorded geometries (layout_steps). */
static int steps_check(const struct reader *reader, const struct trace_data *data) {
    int64_t steps = 0;
    HANDLE group = H5Gopen2(reader->file, "/VTKHDF/Steps", H5P_DEFAULT);
    if (group < 0 || !store_number_read(group, "NSteps", &steps))
        return layout_wrong(reader, "/VTKHDF/Steps", "has no NSteps");
    if (data->whole && (steps != layout_steps(data->mesh_frames) || (hsize_t)steps != reader->layout.size[SIZE_STEPS]))
        return fail("%s: damaged: NSteps is %lld, and the datasets have %llu steps; expected %d, for %d geometries",
                    reader->path, (long long)steps, (unsigned long long)reader->layout.size[SIZE_STEPS],
                    layout_steps(data->mesh_frames), data->mesh_frames);
    return STATUS_OK;
}

/* Read the positions or velocities of the k-th geometry, converted to `type`. */
static int step_read(const struct reader *reader, const struct trace_data *data, enum layout_row row, int k, hid_t type,
                     void *out) {
    hsize_t dims[2], start[2] = {(hsize_t)k * data->mesh_points, 0}, count[2] = {data->nodes, 3};
    HANDLE dataset = dataset_open(reader, layout_datasets[row].path, 2, dims);
    if (dataset < 0)
        return STATUS_BAD;
    if (dims[1] != 3 || dims[0] < start[0] + count[0])
        return layout_wrong(reader, layout_datasets[row].path, "has changed its shape since it was opened");
    HANDLE memory = H5Screate_simple(2, count, NULL);
    HANDLE space = H5Dget_space(dataset);
    if (H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) < 0 ||
        H5Dread(dataset, type, memory, space, H5P_DEFAULT, out) < 0)
        return store_fail(reader->path, "truncated or damaged");
    return STATUS_OK;
}

/* Check the geometry of recorded frame f, and count it. Geometries must be numbered in the order of the frames. The
 * geometry must match the frame's state hash and time. `buffer` has space for positions and velocities. */
static int geometry_check(const struct reader *reader, struct trace_data *data, int f, char *buffer) {
    const int k = data->mesh_frames;
    const hid_t type = data->real_size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    const size_t bytes = 3 * data->nodes * (size_t)data->real_size;
    char hash[DIGEST_SIZE];
    if (!buffer || reader->frame_mesh[f] != k || (hsize_t)k >= reader->layout.size[SIZE_STEPS] ||
        !isfinite(data->mesh_time[k]))
        return fail("%s: damaged: recorded frame %d has geometry %lld, expected %d", reader->path, f,
                    (long long)reader->frame_mesh[f], buffer ? k : -1);
    if (step_read(reader, data, LAYOUT_POINTS, k, type, buffer) != STATUS_OK ||
        step_read(reader, data, LAYOUT_VELOCITY, k, type, buffer + bytes) != STATUS_OK)
        return STATUS_BAD;
    layout_state_hash(buffer, buffer + bytes, (size_t)data->real_size, 3 * data->nodes, hash);
    if (memcmp(hash, data->frame_hash[f], LAYOUT_HASH_SIZE) != 0 || data->mesh_time[k] != data->frame_time[f])
        return fail("%s: damaged: the geometry of frame %lld does not match the frame's state hash and time",
                    reader->path, (long long)data->frame_index[f]);
    data->mesh_frame[k] = f;
    data->mesh_frames++;
    return STATUS_OK;
}

/* Check the index, time, state hash and checksum of recorded frame f. `values` has space for one value per series. */
static int row_check(const struct reader *reader, const struct trace_data *data, int f, double *values) {
    for (int i = 0; i < LAYOUT_HASH_SIZE; i++)
        if (!isxdigit((unsigned char)data->frame_hash[f][i]))
            return fail("%s: damaged: recorded frame %d has no state hash", reader->path, f);
    if (data->frame_index[f] < 0 || data->frame_index[f] > INT_MAX || !isfinite(data->frame_time[f]) ||
        (f > 0 && data->frame_index[f] <= data->frame_index[f - 1]))
        return fail("%s: damaged: recorded frame %d has an invalid index or time: frame %lld at %g s", reader->path, f,
                    (long long)data->frame_index[f], data->frame_time[f]);
    char check[DIGEST_SIZE];
    for (int s = 0; s < data->series_count; s++)
        values[s] = data->values[s][f];
    layout_frame_check(data->frame_index[f], data->frame_time[f], reader->frame_mesh[f], data->frame_hash[f], values,
                       data->series_count, check);
    return memcmp(check, reader->frame_check[f], LAYOUT_HASH_SIZE) == 0
               ? STATUS_OK
               : fail("%s: damaged: the data of frame %lld do not match their checksum", reader->path,
                      (long long)data->frame_index[f]);
}

/* Check every recorded frame. In the file of an interrupted run, an invalid frame and all later frames are ignored:
 * after a loss of power, the count may be on the disk without the frames that it counts. */
static int frames_check(struct reader *reader, struct trace_data *data) {
    const size_t bytes = 6 * data->nodes * (size_t)data->real_size;
    char *buffer = data->real_size ? array_new(reader, bytes, &reader->pool) : NULL;
    if (data->real_size && !buffer)
        return STATUS_BAD;
    AUTO_FREE double *values = memory_new((size_t)data->series_count, sizeof *values);
    int status = STATUS_OK;
    for (int f = 0; f < data->frames && status == STATUS_OK; f++) {
        const struct failure_mark mark = failure_mark();
        status = row_check(reader, data, f, values);
        if (status == STATUS_OK && reader->frame_mesh[f] != -1)
            status = geometry_check(reader, data, f, buffer);
        if (status != STATUS_OK && !data->whole) {
            failure_rewind(mark);
            data->frames = f;
            status = STATUS_OK;
        }
    }
    const hsize_t recorded = reader->layout.size[SIZE_FRAMES];
    if (status == STATUS_OK && data->whole && recorded != (hsize_t)data->frames)
        status = fail("%s: damaged: the trace says that it has %d frames, but %llu are stored", reader->path,
                      data->frames, (unsigned long long)recorded);
    return status == STATUS_OK && data->real_size ? steps_check(reader, data) : status;
}

/* Check the samples of a repeat. `stored` is their checksum; it may be empty if no sample was measured, that is, if all
 * samples are NaN. In the file of an interrupted run, samples that do not match their checksum are replaced by NaN. */
static int samples_check(const struct reader *reader, struct trace_data *data, int repeat, const char *stored) {
    double *seconds = &data->frame_seconds[(size_t)repeat * (size_t)data->timed_frames];
    char check[DIGEST_SIZE];
    bool is_timed = *stored;
    for (int f = 0; f < data->timed_frames && !is_timed; f++)
        is_timed = !isnan(seconds[f]);
    layout_timing_check(seconds, (size_t)data->timed_frames, check);
    if (!is_timed || memcmp(check, stored, LAYOUT_HASH_SIZE) == 0)
        return STATUS_OK;
    for (int f = 0; f < data->timed_frames && !data->whole; f++)
        seconds[f] = (double)NAN;
    return data->whole
               ? fail("%s: damaged: the samples of repeat %d do not match their checksum", reader->path, repeat + 1)
               : STATUS_OK;
}

static int timing_read(struct reader *reader, struct trace_data *data) {
    hsize_t dims[2];
    if (shape_read(reader, LAYOUT_FRAME_SECONDS, dims) != STATUS_OK)
        return STATUS_BAD;
    if (dims[0] > INT_MAX || dims[1] > INT_MAX)
        return layout_wrong(reader, layout_datasets[LAYOUT_FRAME_SECONDS].path, "has too large a shape");
    reader->layout.size[SIZE_REPEATS] = dims[0];
    reader->layout.size[SIZE_TIMED] = dims[1];
    data->repeats = (int)dims[0];
    data->timed_frames = (int)dims[1];
    HANDLE hash_type = layout_type(&reader->layout, &layout_datasets[LAYOUT_TIMING_CHECK]);
    data->frame_seconds = row_read(reader, LAYOUT_FRAME_SECONDS, H5T_NATIVE_DOUBLE, &data->pool);
    const char(*checks)[LAYOUT_HASH_SIZE] =
        data->frame_seconds ? row_read(reader, LAYOUT_TIMING_CHECK, hash_type, &reader->pool) : NULL;
    int status = checks ? STATUS_OK : STATUS_BAD;
    for (int r = 0; r < data->repeats && status == STATUS_OK; r++)
        status = samples_check(reader, data, r, checks[r]);
    return status;
}

/* Check the experiment text, the parameters and the corners of all cells. HDF5 does not protect them by checksums. */
static int header_check(const struct reader *reader, const struct trace_data *data) {
    char check[DIGEST_SIZE];
    layout_header_check(data->experiment_text, data->parameters, data->parameter_count, reader->corners,
                        reader->layout.size[SIZE_CORNERS], check);
    AUTO_FREE char *stored = store_attribute_read(reader->file, "check");
    const bool same = stored && strcmp(stored, check) == 0;
    return same
               ? STATUS_OK
               : fail("%s: damaged: experiment text, parameters or topology do not match their checksum", reader->path);
}

/* The state of an open file, according to the attributes of its root. */
static enum trace_state state_of_file(hid_t file) {
    int64_t version = 0, whole = 0;
    if (H5Aexists(file, "springback_trace") < 0)
        return TRACE_DAMAGED;
    if (!store_number_read(file, "springback_trace", &version))
        return TRACE_FOREIGN;
    if (version != LAYOUT_VERSION)
        return TRACE_OTHER;
    return store_number_read(file, "whole", &whole) && whole == 1 ? TRACE_WHOLE : TRACE_UNFINISHED;
}

static int root_read(const struct reader *reader, struct trace_data *data) {
    int64_t number = 0;
    const enum trace_state state = state_of_file(reader->file);
    if (state == TRACE_DAMAGED)
        return store_fail(reader->path, "truncated or damaged");
    if (state == TRACE_FOREIGN)
        return fail("%s: an HDF5 file, but not a springback trace", reader->path);
    if (state == TRACE_OTHER && store_number_read(reader->file, "springback_trace", &number))
        return fail("%s: a trace of layout %lld; expected layout %d", reader->path, (long long)number, LAYOUT_VERSION);
    if (!store_number_read(reader->file, "whole", &number) || !store_number_read(reader->file, "bit_exact", &number))
        return layout_wrong(reader, "/", "has no springback attributes");
    data->bit_exact = number != 0;
    data->whole = state == TRACE_WHOLE;
    return STATUS_OK;
}

/* Replace control characters in the texts of a trace, which may come from another program. */
static void texts_clean(struct trace_data *data) {
    for (int n = 0; n < data->run_count + data->provenance_count; n++) {
        struct trace_note *note = n < data->run_count ? &data->run[n] : &data->provenance[n - data->run_count];
        terminal_clean((char *)note->name);
        terminal_clean((char *)note->value);
    }
    for (int p = 0; p < data->parameter_count; p++)
        for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++)
            terminal_clean((char *)*layout_parameter_field(&data->parameters[p], f));
    for (int s = 0; s < data->series_count; s++) {
        terminal_clean((char *)data->series[s].name);
        terminal_clean((char *)data->series[s].unit);
        terminal_clean((char *)data->series[s].doc);
    }
}

static int contents_read(struct reader *reader, struct trace_data *data) {
    if (root_read(reader, data) || frames_read(reader, data) || series_read(reader, data) ||
        parameters_read(reader, data) || notes_read(reader, "/run", data, &data->run, &data->run_count) ||
        notes_read(reader, "/provenance", data, &data->provenance, &data->provenance_count) ||
        (H5Lexists(reader->file, "/VTKHDF", H5P_DEFAULT) > 0 && mesh_read(reader, data)) ||
        (H5Lexists(reader->file, "/timing", H5P_DEFAULT) > 0 && timing_read(reader, data)))
        return STATUS_BAD;
    HANDLE experiment = H5Gopen2(reader->file, "/experiment", H5P_DEFAULT);
    data->experiment_text = experiment < 0 ? NULL : keep_text(data, store_text_dataset_read(experiment, "text"));
    if (!data->experiment_text)
        return layout_wrong(reader, "/experiment/text", "is missing");
    const int status = header_check(reader, data); /* checks the texts as stored in the file */
    texts_clean(data);
    return status == STATUS_OK ? frames_check(reader, data) : status;
}

/* The state of a trace's file after store_open failed, from the reason of the failure. */
static enum trace_state state_of_fault(void) {
    static const enum trace_state states[] = {
        [STORE_SOUND] = TRACE_FOREIGN,   [STORE_UNREADABLE] = TRACE_UNREADABLE, [STORE_NO_FILE] = TRACE_FOREIGN,
        [STORE_EMPTY] = TRACE_FOREIGN,   [STORE_FOREIGN] = TRACE_FOREIGN,       [STORE_UNCHECKED] = TRACE_FOREIGN,
        [STORE_DAMAGED] = TRACE_DAMAGED, [STORE_FORBIDDEN] = TRACE_OTHER,
    };
    const int error = store_error();
    return error == ENOENT || error == ENOTDIR ? TRACE_ABSENT : states[store_fault()];
}

/* If the system could not read the file, replace the messages since `mark` by the system's message. */
static void tell_unreadable(const char *path, struct failure_mark mark) {
    if (last_error || state_of_fault() != TRACE_UNREADABLE)
        return;
    layout_note_error(store_error());
    failure_rewind(mark);
    fail("%s: %s", path, strerror(last_error));
}

int trace_open(const char *path, struct trace_data *out) {
    const struct failure_mark mark = failure_mark();
    struct reader reader;
    HANDLE file = -1;
    layout_clear_error();
    *out = (struct trace_data){.path = NULL};
    out->path = keep_text(out, text_copy(path));
    int status = reader_open(path, &file, &reader);
    if (status == STATUS_OK)
        status = contents_read(&reader, out);
    pool_free(&reader.pool);
    if (status != STATUS_OK) {
        tell_unreadable(path, mark);
        trace_close(out);
    }
    return status;
}

int layout_places(const char *path, const struct layout *layout, const struct trace_header *header, uint64_t *place,
                  uint64_t *series_place) {
    struct reader reader;
    HANDLE file = -1;
    if (reader_open(path, &file, &reader) != STATUS_OK)
        return STATUS_BAD;
    reader.layout = *layout;
    for (int d = 0; d < layout_dataset_count + header->series_count; d++) {
        const int s = d - layout_dataset_count;
        AUTO_FREE char *name = text_format("/series/%s", s >= 0 ? header->series[s].name : "");
        const struct layout_dataset dataset = s >= 0 ? layout_series(name, NULL) : layout_datasets[d];
        const bool has = layout->has[dataset.part];
        HANDLE opened = has ? dataset_open_checked(&reader, &dataset) : -1;
        if (has && opened < 0)
            return STATUS_BAD;
        *(s >= 0 ? &series_place[s] : &place[d]) = has ? H5Dget_offset(opened) : 0;
    }
    return STATUS_OK;
}

void trace_close(struct trace_data *data) {
    pool_free(&data->pool);
    *data = (struct trace_data){0};
}

/* Read positions or velocities of the k-th geometry. The dataset is checked again, because the file may have changed
 * since trace_open. */
static int step_fetch(const struct trace_data *data, enum layout_row row, int k, double *out) {
    if (k < 0 || k >= data->mesh_frames)
        return fail("%s: has no geometry with the index %d; there are %d, counted from 0", data->path, k,
                    data->mesh_frames);
    struct reader reader;
    HANDLE file = -1;
    return reader_open(data->path, &file, &reader) ? STATUS_BAD
                                                   : step_read(&reader, data, row, k, H5T_NATIVE_DOUBLE, out);
}

int trace_geometry_at(const struct trace_data *data, int64_t frame) {
    for (int k = 0; k < data->mesh_frames; ++k)
        if (data->frame_index[data->mesh_frame[k]] == frame)
            return k;
    return -1;
}

int trace_read_mesh(const struct trace_data *data, int k, double *positions) {
    return step_fetch(data, LAYOUT_POINTS, k, positions);
}

int trace_read_velocity(const struct trace_data *data, int k, double *velocities) {
    return step_fetch(data, LAYOUT_VELOCITY, k, velocities);
}

static const char *note_find(const struct trace_note *notes, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(notes[i].name, name) == 0)
            return notes[i].value;
    return NULL;
}

const char *trace_run_note(const struct trace_data *data, const char *name) {
    return note_find(data->run, data->run_count, name);
}

const char *trace_run_text(const struct trace_data *data, const char *name) {
    const char *text = trace_run_note(data, name);
    return text ? text : "";
}

const char *trace_provenance_note(const struct trace_data *data, const char *name) {
    return note_find(data->provenance, data->provenance_count, name);
}

const struct trace_parameter *trace_parameter_at(const struct trace_data *data, const char *path) {
    for (int p = 0; p < data->parameter_count; p++)
        if (strcmp(data->parameters[p].path, path) == 0)
            return &data->parameters[p];
    return NULL;
}

const char *trace_parameter_text(const struct trace_data *data, const char *path) {
    const struct trace_parameter *parameter = trace_parameter_at(data, path);
    return parameter ? parameter->value : NULL;
}

char *trace_peek(const char *path, const char *note) {
    layout_clear_error();
    HANDLE file = store_open(path, H5F_ACC_RDONLY);
    const bool is_whole = file >= 0 && state_of_file(file) == TRACE_WHOLE;
    HANDLE run = is_whole ? H5Gopen2(file, "/run", H5P_DEFAULT) : -1;
    char *text = run < 0 ? NULL : store_text_read(run, note);
    if (state_of_fault() == TRACE_UNREADABLE)
        layout_note_error(store_error());
    return text;
}

enum trace_state trace_state(const char *path) {
    HANDLE file = store_open(path, H5F_ACC_RDONLY);
    const enum trace_state state = file < 0 ? state_of_fault() : state_of_file(file);
    return store_fault() == STORE_UNREADABLE ? state_of_fault() : state;
}
