/* The writer. HDF5 creates the file and closes it. Frames are then written to fixed offsets, without HDF5.
 *
 * The temporary file is PATH.part, the same name for all processes, protected by a lock on the open file. A second
 * writer of the same trace is refused. After a writer was killed, the kernel has released its lock, and the next writer
 * overwrites the file. A process number in the name would avoid the lock, but old files would accumulate. */
#include "trace/writer.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define PAGE  ((uint64_t)4096)
#define SLACK ((uint64_t)1 << 20) /* bytes; an upper bound for HDF5's own metadata, and for closing the file */

void writer_free(struct trace *trace) {
    if (trace->fd >= 0)
        close(trace->fd);
    pool_free(&trace->pool);
    free(trace->state);
    free(trace);
}

void trace_discard(struct trace *trace) {
    if (!trace)
        return;
    if (trace->fd >= 0) /* our lock ensures that no other process uses the file's name */
        unlink(trace->part);
    writer_free(trace);
}

/* Open and lock the temporary file. Between opening and locking, another process may remove or rename the file. Then
 * the lock is on a file that no longer has this name, and the function tries again. File systems without locks are
 * accepted. */
int writer_open(struct trace *trace, bool creates) {
    for (;;) {
        int fd = open(trace->part, O_RDWR | O_CLOEXEC | (creates ? O_CREAT : 0), 0666);
        if (fd < 0) {
            layout_note_error(errno);
            return fail("%s: cannot be written: %s; its folder must exist and be writable", trace->part,
                        strerror(errno));
        }
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        if (fcntl(fd, F_OFD_SETLK, &lock) != 0 && (errno == EAGAIN || errno == EACCES)) {
            close(fd);
            return fail("%s: another process is writing this trace; wait for it, or end it", trace->part);
        }
        struct stat held, named;
        if (fstat(fd, &held) == 0 && stat(trace->part, &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev) {
            trace->fd = fd;
            return !creates || ftruncate(fd, 0) == 0 ? STATUS_OK
                                                     : fail("%s: cannot be emptied: %s", trace->part, strerror(errno));
        }
        close(fd);
    }
}

static int disk_full(const struct trace *trace, uint64_t needed, uint64_t available) {
    return fail(
        "%s: the disk is too full: the trace needs %llu bytes, but %llu are available; free disk space, or record "
        "less often",
        trace->part, (unsigned long long)needed, (unsigned long long)available);
}

/* An upper bound of the bytes of the whole trace; UINT64_MAX on overflow. */
static uint64_t space_needed(const struct trace *trace, const struct trace_header *header) {
    uint64_t needed = 2 * SLACK + strlen(header->experiment_text);
    const struct layout_dataset series = layout_series("", "");
    for (int d = 0; d < layout_dataset_count + header->series_count; d++) {
        const struct layout_dataset *dataset = d < layout_dataset_count ? &layout_datasets[d] : &series;
        if (trace->layout.has[dataset->part] &&
            __builtin_add_overflow(needed, layout_bytes(&trace->layout, dataset), &needed))
            return UINT64_MAX;
    }
    return needed;
}

/* Make the temporary file at least `bytes` bytes large. Every new byte is zero and allocated on the disk, so a full
 * disk cannot make a frame fail.
 *
 * HDF5 cannot recover from a full disk. Therefore space is reserved before each use of HDF5. The space for closing is
 * reserved at the start, so that a run that has started can finish. HDF5 releases unused space. If a file system cannot
 * reserve space, the function only checks that the free space is large enough. */
static int space_reserve(const struct trace *trace, uint64_t bytes) {
    struct statvfs disk;
    const uint64_t available = fstatvfs(trace->fd, &disk) == 0 ? (uint64_t)disk.f_bavail * disk.f_frsize : UINT64_MAX;
    struct stat file;
    if (fstat(trace->fd, &file) != 0)
        return fail("%s: %s", trace->part, strerror(errno));
    uint64_t held = (uint64_t)file.st_blocks * 512;
    if (bytes > held && bytes - held > available)
        return disk_full(trace, bytes, available);
    int error;
    while ((error = fallocate(trace->fd, 0, 0, (off_t)bytes) == 0 ? 0 : errno) == EINTR)
        ;
    if (error == ENOSPC || error == EDQUOT)
        return disk_full(trace, bytes, available);
    if (error && error != EOPNOTSUPP && error != ENOSYS)
        return fail("%s: cannot reserve disk space for its %llu bytes: %s", trace->part, (unsigned long long)bytes,
                    strerror(error));
    return STATUS_OK;
}

static uint64_t part_size(const struct trace *trace) {
    struct stat file;
    return fstat(trace->fd, &file) == 0 ? (uint64_t)file.st_size : 0;
}

uint64_t writer_slot_size(const struct trace *trace) {
    const uint64_t bytes = sizeof(struct writer_slot) + 6 * trace->layout.size[SIZE_NODES] * trace->layout.real_size;
    return (bytes / PAGE + 1) * PAGE;
}

int writer_reserve_slots(const struct trace *trace) {
    return space_reserve(trace, trace->slots + 2 * writer_slot_size(trace));
}

/* Allocate a dataset and find its offset. Unwritten timings are NaN, because they can remain in a whole trace. Other
 * unwritten elements are zero, as new blocks of a file are. Therefore nothing large is written twice: creating 2.5 GB
 * takes 0.01 s, but 5.4 s if HDF5 writes fill values. */
static bool dataset_create(hid_t file, const struct layout *layout, const struct layout_dataset *dataset,
                           uint64_t *place) {
    hsize_t dims[2];
    int rank = layout_dims(layout, dataset, dims);
    HANDLE type = layout_type(layout, dataset);
    HANDLE space = H5Screate_simple(rank, dims, NULL);
    HANDLE list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(list, H5D_CONTIGUOUS);
    H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY);
    bool timing = dataset->part == PART_TIMING && dataset->type == LAYOUT_DOUBLE;
    H5Pset_fill_time(list, timing ? H5D_FILL_TIME_ALLOC : H5D_FILL_TIME_NEVER);
    if (timing)
        H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &(double){(double)NAN});
    if (!store_parents(file, dataset->path))
        return false;
    HANDLE created = H5Dcreate2(file, dataset->path, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (created < 0 || (dataset->unit && !store_attribute_write(created, "unit", dataset->unit)))
        return false;
    *place = H5Dget_offset(created);
    return true;
}

static bool dataset_fill(hid_t file, const struct layout *layout, const struct layout_dataset *dataset) {
    uint64_t count = layout_bytes(layout, dataset) / layout_element(layout, dataset);
    AUTO_FREE int64_t *content = memory_large(count * sizeof *content);
    HANDLE opened = H5Dopen2(file, dataset->path, H5P_DEFAULT);
    if (content)
        for (uint64_t i = 0; i < count; i++)
            content[i] = layout_element_at(layout, dataset, i);
    return content && H5Dwrite(opened, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, content) >= 0;
}

/* The corners of all cells, in the order of the objects: triangles and tetrahedra of the body, triangles of the scene.
 * Newly allocated; the caller frees them. NULL if there is no memory. */
static int32_t *corners_make(const struct layout *layout, const struct trace_header *header) {
    int32_t *corners = memory_large((layout->size[SIZE_CORNERS] + 1) * sizeof *corners), *to = corners;
    if (!corners || !layout->has[PART_MESH])
        return corners;
    const size_t triangles = 3 * layout->cells[OBJECT_SURFACE], tetrahedra = 4 * layout->cells[OBJECT_INSIDE];
    if (triangles)
        memcpy(to, header->triangles, triangles * sizeof *to);
    to += triangles;
    if (tetrahedra)
        memcpy(to, header->tetrahedra, tetrahedra * sizeof *to);
    to += tetrahedra;
    for (size_t c = 0; to < corners + layout->size[SIZE_CORNERS]; c++)
        *to++ = (int32_t)header->nodes + header->scene.corners[c];
    return corners;
}

static bool corners_write(hid_t file, const int32_t *corners) {
    HANDLE dataset = H5Dopen2(file, layout_datasets[LAYOUT_CORNERS].path, H5P_DEFAULT);
    return H5Dwrite(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, corners) >= 0;
}

static bool notes_write(hid_t group, const struct trace_note *notes, int count) {
    for (int i = 0; i < count; i++)
        if (!store_text_write(group, notes[i].name, notes[i].value))
            return false;
    return true;
}

static bool parameters_write(hid_t file, const struct trace_header *header) {
    size_t widths[LAYOUT_PARAMETER_FIELDS], record = 0;
    int count = header->parameter_count;
    for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; f++) {
        widths[f] = 1;
        for (int p = 0; p < count; p++) {
            struct trace_parameter parameter = header->parameters[p];
            size_t length = strlen(*layout_parameter_field(&parameter, f));
            widths[f] = length > widths[f] ? length : widths[f];
        }
        record += widths[f];
    }
    AUTO_FREE char *records = memory_new((size_t)count, record);
    char *to = records;
    for (int p = 0; p < count; p++)
        for (int f = 0; f < LAYOUT_PARAMETER_FIELDS; to += widths[f++]) {
            struct trace_parameter parameter = header->parameters[p];
            const char *text = *layout_parameter_field(&parameter, f);
            memcpy(to, text, strlen(text));
        }
    HANDLE type = layout_parameter_type(widths);
    HANDLE space = H5Screate_simple(1, &(hsize_t){(hsize_t)count}, NULL);
    HANDLE dataset = H5Dcreate2(file, "/parameters", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, records) >= 0;
}

static bool series_create(hid_t file, struct trace *trace, const struct trace_header *header) {
    HANDLE group = store_group(file, "/series");
    for (int s = 0; s < header->series_count; s++) {
        const struct trace_series *series = &header->series[s];
        struct layout_dataset dataset = layout_series(series->name, series->unit);
        if (!dataset_create(group, &trace->layout, &dataset, &trace->series_place[s]))
            return false;
        HANDLE created = H5Dopen2(group, series->name, H5P_DEFAULT);
        if (created < 0 || !store_attribute_write(created, "doc", series->doc))
            return false;
    }
    return group >= 0;
}

/* VTK requires that the attribute Type is an ASCII string without padding. The attribute NSteps is 0 until the trace is
 * whole. */
static bool vtk_describe(hid_t file, size_t nodes) {
    static const char kind_name[] = "UnstructuredGrid";
    HANDLE root = H5Gopen2(file, "/VTKHDF", H5P_DEFAULT);
    HANDLE steps = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
    HANDLE type = store_text_type(strlen(kind_name), H5T_CSET_ASCII);
    HANDLE scalar = H5Screate(H5S_SCALAR);
    HANDLE pair = H5Screate_simple(1, &(hsize_t){2}, NULL);
    HANDLE version = H5Acreate2(root, "Version", H5T_STD_I64LE, pair, H5P_DEFAULT, H5P_DEFAULT);
    HANDLE kind = H5Acreate2(root, "Type", type, scalar, H5P_DEFAULT, H5P_DEFAULT);
    return version >= 0 && H5Awrite(version, H5T_NATIVE_INT64, (const int64_t[]){2, 0}) >= 0 && kind >= 0 &&
           H5Awrite(kind, type, kind_name) >= 0 && store_number_write(root, "nodes", (int64_t)nodes) &&
           store_number_write(steps, "NSteps", 0);
}

static bool contents_write(hid_t file, struct trace *trace, const struct trace_header *header) {
    const struct layout *layout = &trace->layout;
    for (int d = 0; d < layout_dataset_count; d++) {
        const struct layout_dataset *dataset = &layout_datasets[d];
        if (layout->has[dataset->part] &&
            (!dataset_create(file, layout, dataset, &trace->place[d]) ||
             (dataset->content != CONTENT_WRITTEN && !dataset_fill(file, layout, dataset))))
            return false;
    }
    AUTO_FREE int32_t *corners = corners_make(layout, header);
    if (!corners || (layout->has[PART_MESH] && (!vtk_describe(file, header->nodes) || !corners_write(file, corners))))
        return false;
    char check[DIGEST_SIZE];
    layout_header_check(header->experiment_text, header->parameters, header->parameter_count, corners,
                        layout->size[SIZE_CORNERS], check);
    HANDLE run = store_group(file, "/run");
    HANDLE provenance = store_group(file, "/provenance");
    HANDLE experiment = store_group(file, "/experiment");
    return series_create(file, trace, header) && parameters_write(file, header) &&
           notes_write(run, header->run, header->run_count) &&
           notes_write(provenance, header->provenance, header->provenance_count) &&
           store_text_dataset_write(experiment, "text", header->experiment_text) &&
           store_attribute_write(file, "check", check) && store_number_write(file, "bit_exact", header->bit_exact) &&
           store_number_write(file, "whole", 0) && store_number_write(file, "springback_trace", LAYOUT_VERSION) &&
           (!trace->slots || store_number_write(file, "checkpoints", (int64_t)trace->slots));
}

/* Check the written file: trace_open finds damage, and this function compares the numbers of frames and geometries with
 * those that were recorded. */
static int file_check(const struct trace *trace, bool whole) {
    AUTO(trace_close) struct trace_data data;
    if (trace_open(trace->part, &data) != STATUS_OK)
        return STATUS_BAD;
    return data.whole == whole && data.frames == trace->frames && data.mesh_frames == trace->meshes
               ? STATUS_OK
               : fail("%s: contains %d frames and %d geometries, but %d and %d were recorded", trace->part, data.frames,
                      data.mesh_frames, trace->frames, trace->meshes);
}

/* If `good`, close the file that HDF5 wrote, and flush it to the disk. Otherwise fail. The message says `wrong`, for
 * example "cannot be created", and HDF5's reason. */
static int file_end(const struct trace *trace, hid_t file, bool good, const char *wrong) {
    int status = good ? STATUS_OK : store_fail(trace->part, wrong);
    if (status == STATUS_OK)
        status = store_close(file, trace->part, wrong);
    else
        H5Fclose(file); /* without store_close, the file on the disk does not change */
    if (status == STATUS_OK && fsync(trace->fd) != 0)
        status = fail("%s: cannot be written to the disk: %s", trace->part, strerror(errno));
    return status;
}

/* Create the file's contents. HDF5's data are never larger than `needed` bytes, so the checkpoints begin after this
 * offset. store_close truncates the file after HDF5's data. So the checkpoints are removed when a trace is
 * completed. */
static int file_create(struct trace *trace, const struct trace_header *header) {
    const uint64_t needed = space_needed(trace, header);
    if (header->checkpoints && needed < UINT64_MAX / 2)
        trace->slots = (needed / PAGE + 1) * PAGE;
    if ((trace->slots ? writer_reserve_slots(trace) : space_reserve(trace, needed)) != STATUS_OK)
        return STATUS_BAD;
    hid_t file = store_create(trace->part);
    if (file < 0)
        return store_fail(trace->part, "cannot be created");
    int status = file_end(trace, file, contents_write(file, trace, header), "cannot be initialised");
    if (status == STATUS_OK) /* read back before the first frame, so that no run computes without a valid trace */
        status = file_check(trace, false);
    if (status != STATUS_OK)
        return status;
    return trace->slots ? writer_reserve_slots(trace) : space_reserve(trace, part_size(trace) + SLACK);
}

static void layout_of_header(struct layout *layout, const struct trace_header *header) {
    hsize_t *size = layout->size;
    size[SIZE_FRAMES] = (hsize_t)header->frames;
    size[SIZE_STEPS] = (hsize_t)header->mesh_frames;
    if (header->mesh_frames > 0) {
        const struct trace_scene *scene = &header->scene;
        const hsize_t cells[OBJECT_COUNT] = {header->triangle_count, header->tetrahedron_count, scene->ground,
                                             scene->plate, scene->obstacles};
        memcpy(layout->cells, cells, sizeof cells);
    }
    size[SIZE_REPEATS] = (hsize_t)header->repeats;
    size[SIZE_TIMED] = (hsize_t)header->timed_frames;
    size[SIZE_NODES] = header->nodes;
    size[SIZE_STEP_POINTS] = header->nodes + header->scene.points;
    layout->real_size = (size_t)header->real_size;
    layout->has[PART_MESH] = header->mesh_frames > 0;
    layout->has[PART_TIMING] = header->repeats > 0 && header->timed_frames > 0;
    if (__builtin_mul_overflow(size[SIZE_STEPS], size[SIZE_STEP_POINTS], &size[SIZE_POINTS]))
        size[SIZE_POINTS] = UINT64_MAX; /* no disk has so much space */
    layout_derive(layout);
}

double trace_bytes(const struct trace_header *header) {
    enum { METADATA = 32768 }; /* approximate bytes of HDF5's metadata and of the notes */
    struct trace trace = {.fd = -1};
    layout_of_header(&trace.layout, header);
    const uint64_t bytes = space_needed(&trace, header);
    return bytes < UINT64_MAX ? (double)(bytes - 2 * SLACK + METADATA) : (double)INFINITY;
}

struct trace *writer_new(const char *path, const struct trace_header *header) {
    if (header->frames < 1 || header->mesh_frames < 0 || header->repeats < 0 || header->timed_frames < 0)
        return fail("%s: a trace needs at least one frame; its numbers of geometries, repeats and timed frames "
                    "cannot be negative",
                    path),
               NULL;
    if ((header->mesh_frames > 0 || header->checkpoints) &&
        (header->nodes < 1 || header->nodes > INT32_MAX - header->scene.points ||
         (header->real_size != 4 && header->real_size != 8)))
        return fail("%s: %zu nodes with %d bytes per coordinate; expected 1 to %d nodes with 4 or 8 bytes", path,
                    header->nodes, header->real_size, INT32_MAX),
               NULL;
    struct trace *trace = memory_new(1, sizeof *trace);
    trace->path = pool_add(&trace->pool, text_copy(path));
    trace->part = pool_add(&trace->pool, text_format("%s.part", path));
    trace->fd = -1;
    trace->last_frame = -1;
    trace->place = pool_add(&trace->pool, memory_new((size_t)layout_dataset_count, sizeof *trace->place));
    trace->series_place = pool_add(&trace->pool, memory_new((size_t)header->series_count, sizeof *trace->series_place));
    trace->series_count = header->series_count;
    layout_of_header(&trace->layout, header);
    return trace;
}

int trace_create(const char *path, const struct trace_header *header, struct trace **out) {
    *out = writer_new(path, header);
    if (*out && writer_open(*out, true) == STATUS_OK && file_create(*out, header) == STATUS_OK)
        return STATUS_OK;
    trace_discard(*out);
    *out = NULL;
    return STATUS_BAD;
}

int writer_put(const struct trace *trace, enum layout_row row, uint64_t first, size_t count, const void *data) {
    const struct layout_dataset *dataset = &layout_datasets[row];
    const hsize_t columns = dataset->columns == SIZE_NONE ? 1 : trace->layout.size[dataset->columns];
    const size_t element = layout_element(&trace->layout, dataset),
                 bytes = columns * element; /* element: bytes of an element; bytes: bytes of a row */
    const size_t size = dataset->type == LAYOUT_HASH ? 1 : element;
    return file_write_words_at(trace->fd, data, size, count * bytes / size, trace->place[row] + first * bytes);
}

int writer_read(const struct trace *trace, void *data, size_t bytes, uint64_t place) {
    const ssize_t held = file_read_at(trace->fd, data, bytes, place);
    return held < 0 ? errno : held == (ssize_t)bytes ? 0 : ENODATA;
}

static int write_failed(const struct trace *trace, const char *what, int number, int error) {
    return fail("%s: %s %d cannot be written: %s", trace->part, what, number, strerror(error));
}

int trace_add_mesh(struct trace *trace, double time, const void *positions, const void *velocities) {
    const int k = trace->meshes;
    const size_t nodes = trace->layout.size[SIZE_NODES];
    const uint64_t first = (uint64_t)k * trace->layout.size[SIZE_STEP_POINTS];
    if (!trace->layout.has[PART_MESH] || (hsize_t)k >= trace->layout.size[SIZE_STEPS])
        return fail("%s: geometry %d (counted from 0) exceeds the announced number of geometries", trace->part, k);
    int error;
    if ((error = writer_put(trace, LAYOUT_POINTS, first, nodes, positions)) ||
        (error = writer_put(trace, LAYOUT_VELOCITY, first, nodes, velocities)) ||
        (error = writer_put(trace, LAYOUT_STEP_TIME, (uint64_t)k, 1, &time)))
        return write_failed(trace, "geometry", k, error);
    trace->mesh_pending = true;
    return STATUS_OK;
}

int trace_add_scene(struct trace *trace, const double *positions, const double *velocities) {
    const size_t nodes = trace->layout.size[SIZE_NODES], points = trace->layout.size[SIZE_STEP_POINTS] - nodes;
    const uint64_t first = (uint64_t)trace->meshes * trace->layout.size[SIZE_STEP_POINTS] + nodes;
    if (!trace->mesh_pending)
        return fail("%s: the scene's points were added before the geometry of the frame", trace->part);
    AUTO_FREE float *small = memory_new(3 * points, sizeof *small);
    int error = 0;
    for (int pass = 0; pass < 2 && !error; pass++) {
        const double *values = pass ? velocities : positions;
        for (size_t i = 0; i < 3 * points; i++)
            small[i] = (float)values[i];
        error = writer_put(trace, pass ? LAYOUT_VELOCITY : LAYOUT_POINTS, first, points,
                           trace->layout.real_size == sizeof *small ? (const void *)small : values);
    }
    return error ? write_failed(trace, "the scene of geometry", trace->meshes, error) : STATUS_OK;
}

int trace_add_frame(struct trace *trace, int frame, double time, const double *series, const char *hash) {
    const int f = trace->frames;
    int error = 0;
    if ((hsize_t)f >= trace->layout.size[SIZE_FRAMES])
        return fail("%s: no space for frame %d: all announced frames are already recorded", trace->part, frame);
    if (frame <= trace->last_frame || !isfinite(time))
        return fail("%s: frame %d at %g s cannot follow frame %d", trace->part, frame, time, trace->last_frame);
    if (strlen(hash) != LAYOUT_HASH_SIZE)
        return fail("%s: frame %d has the state hash '%s'; expected %d digits", trace->part, frame, hash,
                    LAYOUT_HASH_SIZE);
    for (int s = 0; s < trace->series_count && !error; s++)
        error = file_write_words_at(trace->fd, &series[s], sizeof *series, 1, trace->series_place[s] + 8 * (uint64_t)f);
    const int64_t index = frame, mesh = trace->mesh_pending ? trace->meshes : -1, count = f + 1;
    char check[DIGEST_SIZE];
    layout_frame_check(index, time, mesh, hash, series, trace->series_count, check);
    const struct {
        enum layout_row row;
        const void *data;
    } writes[] = {{LAYOUT_TIME, &time},
                  {LAYOUT_INDEX, &index},
                  {LAYOUT_FRAME_MESH, &mesh},
                  {LAYOUT_FRAME_HASH, hash},
                  {LAYOUT_FRAME_CHECK, check}};
    for (size_t w = 0; w < sizeof writes / sizeof *writes && !error; w++)
        error = writer_put(trace, writes[w].row, (uint64_t)f, 1, writes[w].data);
    if (!error)
        error = writer_put(trace, LAYOUT_COUNT, 0, 1, &count);
    if (error)
        return write_failed(trace, "frame", frame, error);
    trace->meshes += trace->mesh_pending;
    trace->mesh_pending = false;
    trace->last_frame = frame;
    trace->frames++;
    return STATUS_OK;
}

int trace_add_timing(struct trace *trace, int repeat, const double *seconds) {
    if (!trace->layout.has[PART_TIMING] || repeat < 0 || (hsize_t)repeat >= trace->layout.size[SIZE_REPEATS])
        return fail("%s: the timing of repeat %d exceeds the announced number of repeats", trace->part, repeat);
    /* A row of this dataset is one repeat, so the number of the row is `repeat`. */
    int error = writer_put(trace, LAYOUT_FRAME_SECONDS, (uint64_t)repeat, 1, seconds);
    char check[DIGEST_SIZE];
    layout_timing_check(seconds, trace->layout.size[SIZE_TIMED], check);
    if (!error)
        error = writer_put(trace, LAYOUT_TIMING_CHECK, (uint64_t)repeat, 1, check);
    return error ? write_failed(trace, "timing", repeat, error) : STATUS_OK;
}

/* Replace a dataset by a dataset with the present size in the layout. The new content is `data`, or the fixed content
 * if the dataset has fixed content. */
static bool dataset_replace(hid_t file, const struct layout *layout, const struct layout_dataset *dataset,
                            const void *data) {
    uint64_t place;
    if (H5Ldelete(file, dataset->path, H5P_DEFAULT) < 0 || !dataset_create(file, layout, dataset, &place))
        return false;
    if (dataset->content != CONTENT_WRITTEN)
        return dataset_fill(file, layout, dataset);
    HANDLE type = layout_type(layout, dataset);
    HANDLE opened = H5Dopen2(file, dataset->path, H5P_DEFAULT);
    return H5Dwrite(opened, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
}

/* Replace the datasets of /VTKHDF/Steps, which are small, by datasets for the recorded geometries. Otherwise ParaView
 * would show each allocated step without a recorded geometry as a body with all nodes at the origin. */
static bool steps_resize(hid_t file, struct trace *trace) {
    const int steps = layout_steps(trace->meshes);
    AUTO_FREE double *times = memory_new((size_t)steps, sizeof *times);
    if (writer_read(trace, times, (size_t)trace->meshes * sizeof *times, trace->place[LAYOUT_STEP_TIME]))
        return false;
    if (steps > trace->meshes)
        times[1] = times[0];
    trace->layout.size[SIZE_STEPS] = (hsize_t)steps;
    trace->layout.is_doubled = steps > trace->meshes;
    bool good = true;
    for (int d = 0; d < layout_dataset_count && good; d++)
        if (layout_datasets[d].rows == SIZE_STEPS)
            good = dataset_replace(file, &trace->layout, &layout_datasets[d], times);
    return good;
}

/* Replace a dataset that has a row for each allocated frame by a dataset with only the recorded frames. */
static bool frames_cut(hid_t file, const struct trace *trace, const struct layout_dataset *dataset, uint64_t place) {
    const size_t bytes = (size_t)trace->frames * layout_element(&trace->layout, dataset);
    AUTO_FREE char *rows = memory_new(bytes, 1);
    return !writer_read(trace, rows, bytes, place) && dataset_replace(file, &trace->layout, dataset, rows);
}

/* Cut the datasets of /frames and /series, which are small, at the last recorded frame, so that no reader takes the
 * zeros after it for results. The series keep their order. */
static bool frames_resize(hid_t file, struct trace *trace) {
    bool good = true;
    trace->layout.size[SIZE_FRAMES] = (hsize_t)trace->frames;
    for (int d = 0; d < layout_dataset_count && good; d++)
        if (layout_datasets[d].rows == SIZE_FRAMES)
            good = frames_cut(file, trace, &layout_datasets[d], trace->place[d]);
    HANDLE group = H5Gopen2(file, "/series", H5P_DEFAULT);
    for (int s = 0; s < trace->series_count && good; s++) {
        /* The first series in the order of creation. frames_cut creates it again, so it is then the last one. */
        char name[256];
        if (H5Lget_name_by_idx(group, ".", H5_INDEX_CRT_ORDER, H5_ITER_INC, 0, name, sizeof name, H5P_DEFAULT) <= 0)
            return false;
        AUTO_FREE char *path = text_format("/series/%s", name);
        HANDLE old = H5Dopen2(file, path, H5P_DEFAULT);
        AUTO_FREE char *unit = store_attribute_read(old, "unit"), *doc = store_attribute_read(old, "doc");
        const struct layout_dataset dataset = layout_series(path, unit);
        good = unit && doc && frames_cut(file, trace, &dataset, trace->series_place[s]);
        HANDLE new = good ? H5Dopen2(file, path, H5P_DEFAULT) : -1;
        good = new >= 0 && store_attribute_write(new, "doc", doc);
    }
    return good;
}

static bool closing_write(hid_t file, struct trace *trace, const struct trace_note *notes, int note_count) {
    HANDLE run = H5Gopen2(file, "/run", H5P_DEFAULT);
    if (run < 0 || !notes_write(run, notes, note_count))
        return false;
    if (trace->layout.has[PART_MESH]) {
        const int steps = layout_steps(trace->meshes);
        if (((hsize_t)steps != trace->layout.size[SIZE_STEPS] || steps > trace->meshes) && !steps_resize(file, trace))
            return false;
        HANDLE group = H5Gopen2(file, "/VTKHDF/Steps", H5P_DEFAULT);
        if (group < 0 || !store_number_write(group, "NSteps", steps))
            return false;
    }
    if ((hsize_t)trace->frames < trace->layout.size[SIZE_FRAMES] && !frames_resize(file, trace))
        return false;
    if (trace->slots && H5Adelete(file, "checkpoints") < 0)
        return false;
    return store_number_write(file, "whole", 1);
}

/* Check that HDF5 will be able to finish the file, before any of its metadata changes. */
static int space_check(const struct trace *trace, const struct trace_note *notes, int note_count) {
    if (fsync(trace->fd) != 0)
        return fail("%s: cannot be written to the disk: %s", trace->part, strerror(errno));
    uint64_t extra = 0;
    for (int i = 0; i < note_count; i++)
        extra += strlen(notes[i].value);
    if ((hsize_t)trace->frames < trace->layout.size[SIZE_FRAMES]) /* frames_resize will write the frames again */
        extra += (uint64_t)trace->frames * (uint64_t)(trace->series_count * 8 + 2 * LAYOUT_HASH_SIZE + 3 * 8);
    if (extra > SLACK / 2 && space_reserve(trace, part_size(trace) + extra) != STATUS_OK)
        return STATUS_BAD;
    int error = file_write_at(trace->fd, "", 1, part_size(trace) - 1); /* a trial write into the reserved space */
    return error ? fail("%s: cannot be written: %s", trace->part, strerror(error)) : STATUS_OK;
}

static int file_close(struct trace *trace, const struct trace_note *notes, int note_count) {
    hid_t file = store_open(trace->part, H5F_ACC_RDWR);
    return file < 0 ? store_fail(trace->part, "cannot be opened again")
                    : file_end(trace, file, closing_write(file, trace, notes, note_count), "cannot be completed");
}

/* Rename the file, and flush the folder's entry to the disk. Some file systems have no fsync of folders. */
int writer_name(struct trace *trace) {
    if (rename(trace->part, trace->path) != 0)
        return fail("%s: cannot be renamed to %s: %s", trace->part, trace->path, strerror(errno));
    close(trace->fd); /* releases the lock: other processes may now use the name PATH.part */
    trace->fd = -1;
    AUTO_FREE char *copy = text_copy(trace->path);
    int folder = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool good = folder < 0 || fsync(folder) == 0 || errno == EINVAL;
    int error = errno;
    if (folder >= 0)
        close(folder);
    return good ? STATUS_OK : fail("%s: its folder cannot be written to the disk: %s", trace->path, strerror(error));
}

int trace_finish(struct trace *trace, const struct trace_note *notes, int note_count) {
    if (space_check(trace, notes, note_count) != STATUS_OK || file_close(trace, notes, note_count) != STATUS_OK) {
        trace_keep(trace);
        return STATUS_BAD;
    }
    const int status = file_check(trace, true) == STATUS_OK ? writer_name(trace) : STATUS_BAD;
    writer_free(trace);
    return status;
}
