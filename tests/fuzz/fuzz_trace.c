/* The reader of traces must handle traces that were damaged or made by others.
 *
 * HDF5's metadata has checksums, so HDF5 refuses most files with random changes. Therefore the input is a list of edits
 * (trace_edits.h) of a trace with four nodes. The first byte is a sum of values of enum make, which chooses the trace
 * and the actions.
 *
 * The edits are made in this order: edits through HDF5, edits of HDF5's metadata with corrected checksums, edits of the
 * file's bytes and length.
 *
 * No edit may make the reader open another file, or take more than a second of processor time. If no edit went through
 * HDF5 or its metadata, the reader must refuse the trace or give its original content. */
#include "backend/cpu.h"
#include "diff/diff.h"
#include "fuzz.h"
#include "trace/export.h"
#include "trace/layout.h"
#include "trace_edits.h"
#include "trace_metadata.h"
#include "trace_watch.h"

#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>

/* ---- The traces that are edited ---- */

enum { NODES = 4, FRAMES = EDIT_FRAMES, RECORDED = 2, NOTES = 10, MAKES = 16, SECONDS_MOST = 1 };
enum make {
    MAKE_UNFINISHED = 1, /* a part file of an unfinished run */
    MAKE_DOUBLE = 2,     /* in double precision */
    MAKE_BARE = 4,       /* without triangles */
    MAKE_PLAIN = 8,      /* without geometry and timings */
    NAME = 16, /* read the trace's state and key; then adopt it (trace_adopt), or resume it if it is unfinished */
    USE = 32,  /* export the trace, and compare it with the original */
    MEND = 128 /* correct springback's own checksums after the edits */
};

/* A trace before it is edited. */
struct original {
    struct trace_header header;
    uint8_t *head, *slots; /* `head`: the bytes of the part that HDF5 reads. `slots`: the bytes of the checkpoints
                              (slots), which follow this part. slots_size is 0 if there are none */
    size_t head_size, slots_size, slots_place;
    struct trace_data data;
};

static struct original originals[MAKES];
static char *folder, *path, *part;

static const struct trace_series series[] = {{"kinetic_energy", "J", "Energy."}, {"ratio", "1", "A number."}};
static const struct trace_note run_notes[NOTES] = {
    {"id", "serial"},   {"key", "0123"}, {"experiment", "p/e"}, {"backend_kind", "serial"}, {"device", "cpu"},
    {"bit_exact", "1"}, {"nodes", "4"},  {"springs", "6"},      {"tier", "quick"},          {"empty", ""}};
static const struct trace_note provenance_notes[] = {{"version", "0.1.0"}, {"revision", ""}};
static const struct trace_parameter parameters[] = {
    {"time.step", "0.005 s", "s", "stated", "", "", ""},
    {"body.node_mass", "1 kg", "kg", "assumed", "a guess", "0.1 kg", "100 kg"}};
static const int32_t triangles[] = {0, 1, 2, 1, 3, 2};

static struct trace_header header_of(int make) {
    const bool plain = make & MAKE_PLAIN, is_bare = make & MAKE_BARE;
    return (struct trace_header){.experiment_text = "springback: 1\n",
                                 .run = run_notes,
                                 .run_count = NOTES,
                                 .provenance = provenance_notes,
                                 .provenance_count = 2,
                                 .parameters = parameters,
                                 .parameter_count = 2,
                                 .series = series,
                                 .series_count = 2,
                                 .frames = FRAMES,
                                 .mesh_frames = plain ? 0 : FRAMES,
                                 .repeats = plain ? 0 : 2,
                                 .timed_frames = 2,
                                 .bit_exact = true,
                                 .checkpoints = true,
                                 .nodes = NODES,
                                 .real_size = make & MAKE_DOUBLE ? 8 : 4,
                                 .triangles = is_bare ? NULL : triangles,
                                 .triangle_count = is_bare ? 0 : 2};
}

/* Store the state of frame f in `state`: all positions, then all velocities. */
static void state_fill(int f, int real_size, void *state) {
    for (int i = 0; i < 6 * NODES; i++)
        if (real_size == 4)
            ((float *)state)[i] = (float)(i + 100 * f);
        else
            ((double *)state)[i] = i + 100 * f;
}

static void frame_add(struct trace *trace, const struct trace_header *header, int f) {
    double state[6 * NODES];
    const double row[] = {0.5 * f, f % 2 ? (double)NAN : -1};
    const size_t bytes = 3 * NODES * (size_t)header->real_size;
    char *velocities = (char *)state + bytes, hash[DIGEST_SIZE];
    state_fill(f, header->real_size, state);
    layout_state_hash(state, velocities, (size_t)header->real_size, 3 * NODES, hash);
    if (header->mesh_frames)
        MUST(trace_add_mesh(trace, 0.25 * f, state, velocities) == STATUS_OK);
    MUST(trace_add_frame(trace, 10 * f, 0.25 * f, row, hash) == STATUS_OK);
    struct trace_checkpoint checkpoint = {
        .frame = 10 * f, .step = 50 * f, .seconds = f, .positions = state, .velocities = velocities};
    memcpy(checkpoint.hash, hash, sizeof hash);
    MUST(trace_add_checkpoint(trace, &checkpoint) == STATUS_OK);
}

static void original_make(int make) {
    struct original *original = &originals[make];
    const char *file = make & MAKE_UNFINISHED ? part : path;
    struct trace *trace;
    original->header = header_of(make);
    MUST(trace_create(path, &original->header, &trace) == STATUS_OK);
    for (int f = 0; f < RECORDED; f++)
        frame_add(trace, &original->header, f);
    if (original->header.repeats)
        MUST(trace_add_timing(trace, 0, (const double[]){0.5, 0.25}) == STATUS_OK);
    if (make & MAKE_UNFINISHED)
        MUST(trace_keep(trace));
    else
        MUST(trace_finish(trace, (const struct trace_note[]){{"status", "whole"}}, 1) == STATUS_OK);
    MUST(trace_open(file, &original->data) == STATUS_OK);
    MUST(original->data.frames == RECORDED && original->data.whole == !(make & MAKE_UNFINISHED));

    hsize_t size = 0;
    int64_t slots = 0;
    HANDLE opened = store_open(file, H5F_ACC_RDONLY);
    MUST(opened >= 0);
    struct stat found;
    MUST(stat(file, &found) == 0);
    if (store_number_read(opened, "checkpoints", &slots)) {
        original->slots_place = (size_t)slots;
        original->slots_size = (size_t)found.st_size - original->slots_place;
        /* The superblock (version 2) states the end of HDF5's part. Nothing is stored between this end and the slots.
         */
        uint64_t end = 0;
        int superblock = open(file, O_RDONLY);
        MUST(pread(superblock, &end, sizeof end, 28) == sizeof end && end < original->slots_place);
        close(superblock);
        size = end;
    } else {
        size = (hsize_t)found.st_size;
    }
    original->head_size = size;
    original->head = memory_new(original->head_size, 1);
    original->slots = memory_new(original->slots_size, 1);
    int fd = open(file, O_RDONLY);
    MUST(pread(fd, original->head, original->head_size, 0) == (ssize_t)original->head_size);
    MUST(pread(fd, original->slots, original->slots_size, (off_t)original->slots_place) ==
         (ssize_t)original->slots_size);
    close(fd);
    unlink(file);
    uint8_t *mended = memory_new(original->head_size, 1);
    memcpy(mended, original->head, original->head_size);
    metadata_mend(mended, original->head_size);
    MUST(memcmp(mended, original->head, original->head_size) == 0);
    free(mended);
}

static void folder_remove(void) {
    rmdir(folder);
}

int LLVMFuzzerInitialize(int *count, char ***words) {
    (void)count, (void)words;
    const char *parent = getenv("TMPDIR");
    folder = text_format("%s/springback-fuzz-XXXXXX", parent ? parent : "/dev/shm");
    MUST(mkdtemp(folder));
    atexit(folder_remove);
    path = text_format("%s/run.h5", folder);
    part = text_format("%s.part", path);
    fuzz_nowhere(); /* /dev/null and /proc/cpuinfo are opened now, because watch_only forbids this later */
    (void)cpu_name();
    json_object_seed(1);
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1); /* HDF5 keeps all memory that it frees, which is faster */
    for (int make = 0; make < MAKES; make++)
        original_make(make);
    return 0;
}

/* ---- Correct the checksums of springback, not those of HDF5 ---- */

/* The content of a dataset of `count` elements, newly allocated; NULL if it has another size or class. */
static void *rows_read(hid_t file, const char *where, hid_t type, hsize_t count, size_t size) {
    HANDLE dataset = H5Dopen2(file, where, H5P_DEFAULT);
    HANDLE space = dataset < 0 ? -1 : H5Dget_space(dataset);
    HANDLE stored = dataset < 0 ? -1 : H5Dget_type(dataset);
    if (space < 0 || H5Sget_simple_extent_npoints(space) != (hssize_t)count ||
        H5Tget_class(stored) != H5Tget_class(type))
        return NULL;
    void *rows = memory_new(count, size);
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows) >= 0)
        return rows;
    free(rows);
    return NULL;
}

/* The number of rows of /frames and /series in the original. */
static int rows_of(const struct original *original) {
    return original->data.whole ? RECORDED : FRAMES;
}

/* Correct the state hash of each frame that has a geometry. */
static void hashes_mend(hid_t file, const struct original *original) {
    const struct trace_header *header = &original->header;
    const size_t bytes = 3 * NODES * (size_t)header->real_size;
    const int frames = rows_of(original);
    const hid_t type = header->real_size == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    HANDLE text = store_text_type(LAYOUT_HASH_SIZE, H5T_CSET_ASCII);
    int64_t *mesh = rows_read(file, "/frames/mesh", H5T_NATIVE_INT64, (hsize_t)frames, sizeof *mesh);
    char *hash = rows_read(file, "/frames/hash", text, (hsize_t)frames, LAYOUT_HASH_SIZE);
    char *positions = NULL, *velocities = NULL, digest[DIGEST_SIZE];
    for (hsize_t steps = RECORDED; steps <= FRAMES && !positions && header->mesh_frames; steps++) {
        positions = rows_read(file, layout_datasets[LAYOUT_POINTS].path, type, 3 * NODES * steps, sizeof(double));
        velocities = rows_read(file, layout_datasets[LAYOUT_VELOCITY].path, type, 3 * NODES * steps, sizeof(double));
        for (int f = 0; mesh && hash && positions && velocities && f < frames; f++)
            if (mesh[f] >= 0 && mesh[f] < (int64_t)steps) {
                const size_t at = (size_t)mesh[f] * bytes;
                layout_state_hash(positions + at, velocities + at, (size_t)header->real_size, 3 * NODES, digest);
                memcpy(hash + (size_t)f * LAYOUT_HASH_SIZE, digest, LAYOUT_HASH_SIZE);
            }
        if (!positions || !velocities) {
            free(positions);
            free(velocities);
            positions = velocities = NULL;
        }
    }
    HANDLE dataset = hash ? H5Dopen2(file, "/frames/hash", H5P_DEFAULT) : -1;
    if (dataset >= 0 && positions)
        H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, hash);
    void *all[] = {mesh, hash, positions, velocities};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        free(all[a]);
}

/* Correct the checksum of each frame. */
static void rows_mend(hid_t file, const struct original *original) {
    const int frames = rows_of(original);
    HANDLE text = store_text_type(LAYOUT_HASH_SIZE, H5T_CSET_ASCII);
    int64_t *index = rows_read(file, "/frames/index", H5T_NATIVE_INT64, (hsize_t)frames, sizeof *index);
    int64_t *mesh = rows_read(file, "/frames/mesh", H5T_NATIVE_INT64, (hsize_t)frames, sizeof *mesh);
    double *time = rows_read(file, "/frames/time", H5T_NATIVE_DOUBLE, (hsize_t)frames, sizeof *time);
    double *first = rows_read(file, "/series/kinetic_energy", H5T_NATIVE_DOUBLE, (hsize_t)frames, sizeof *first);
    double *second = rows_read(file, "/series/ratio", H5T_NATIVE_DOUBLE, (hsize_t)frames, sizeof *second);
    char *hash = rows_read(file, "/frames/hash", text, (hsize_t)frames, LAYOUT_HASH_SIZE);
    HANDLE dataset = H5Dopen2(file, "/frames/check", H5P_DEFAULT);
    HANDLE space = dataset < 0 ? -1 : H5Dget_space(dataset);
    if (index && mesh && time && first && second && hash && H5Sget_simple_extent_npoints(space) == frames) {
        char checks[FRAMES][LAYOUT_HASH_SIZE], check[DIGEST_SIZE];
        for (int f = 0; f < frames; f++) {
            layout_frame_check(index[f], time[f], mesh[f], hash + (size_t)f * LAYOUT_HASH_SIZE,
                               (const double[]){first[f], second[f]}, 2, check);
            memcpy(checks[f], check, LAYOUT_HASH_SIZE);
        }
        H5Dwrite(dataset, text, H5S_ALL, H5S_ALL, H5P_DEFAULT, checks);
    }
    void *all[] = {index, mesh, time, first, second, hash};
    for (size_t a = 0; a < sizeof all / sizeof *all; a++)
        free(all[a]);
}

/* Correct the checksum of the header. The new checksum covers the edited text and triangles, and the original
 * parameters. */
static void header_mend(hid_t file, const struct original *original) {
    const struct trace_header *header = &original->header;
    HANDLE group = H5Gopen2(file, "/experiment", H5P_DEFAULT);
    char *text =
        group < 0 || H5Lexists(group, "text", H5P_DEFAULT) <= 0 ? NULL : store_text_dataset_read(group, "text");
    int32_t cells[6] = {0};
    const bool has_mesh = header->mesh_frames > 0;
    HANDLE dataset = has_mesh ? H5Dopen2(file, layout_datasets[LAYOUT_CORNERS].path, H5P_DEFAULT) : -1;
    HANDLE space = dataset < 0 ? -1 : H5Dget_space(dataset);
    HANDLE type = dataset < 0 ? -1 : H5Dget_type(dataset);
    const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
    if (count > 0 && count <= 6 && H5Tget_class(type) == H5T_INTEGER)
        H5Dread(dataset, H5T_NATIVE_INT32, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    char check[DIGEST_SIZE];
    layout_header_check(text ? text : "", header->parameters, header->parameter_count, cells,
                        has_mesh ? 3 * header->triangle_count : 0, check);
    if (H5Aexists(file, "check") > 0)
        H5Adelete(file, "check");
    store_attribute_write(file, "check", check);
    free(text);
}

/* ---- From the input to a file ---- */

static void bytes_put(int fd, const uint8_t *bytes, size_t size, size_t place) {
    MUST(pwrite(fd, bytes, size, (off_t)place) == (ssize_t)size);
}

/* Apply an edit of the file's bytes. */
static void raw_edit(int fd, const struct original *original, const struct edit *edit) {
    const uint64_t number = (uint64_t)edit->number;
    const size_t end = original->slots_size ? original->slots_place + original->slots_size : original->head_size;
    if (edit->kind == EDIT_LENGTH)
        MUST(ftruncate(fd, (off_t)(number % (end + 5000))) == 0);
    else if (edit->kind == EDIT_SLOT && original->slots_size)
        bytes_put(fd, &edit->how, 1, original->slots_place + number % original->slots_size);
    else if (edit->kind == EDIT_DATA)
        bytes_put(fd, (const uint8_t *)&edit->number, edit->how % 6 + 1U, number % original->head_size);
    else if (edit->kind != EDIT_METADATA)
        bytes_put(fd, &edit->how, 1, number % original->head_size);
}

/* Apply the edits through HDF5; with `mend`, also correct springback's own checksums. */
static void edits_make(const char *file, const struct original *original, bool mend, const uint8_t *bytes, int count) {
    HANDLE opened = edit_open(file);
    MUST(opened >= 0);
    for (int e = 0; e < count; e++) {
        const struct edit edit = edit_read(bytes + (size_t)e * EDIT_SIZE);
        if (edit.kind < EDIT_RAW)
            edit_make(opened, &edit);
    }
    if (mend) {
        hashes_mend(opened, original);
        rows_mend(opened, original);
        header_mend(opened, original);
    }
}

/* Apply the edits of metadata, after those through HDF5, and correct HDF5's checksums. */
static void metadata_edits_make(int fd, const uint8_t *bytes, int count) {
    static uint8_t image[1 << 20];
    const ssize_t got = pread(fd, image, sizeof image, 0);
    MUST(got >= 0);
    for (int e = 0; e < count; e++) {
        const struct edit edit = edit_read(bytes + (size_t)e * EDIT_SIZE);
        if (edit.kind == EDIT_METADATA)
            metadata_edit(image, (size_t)got, edit.object | (edit.how & 0xf0U) << 4, edit.part, edit.how,
                          (uint64_t)edit.number);
    }
    metadata_mend(image, (size_t)got);
    bytes_put(fd, image, (size_t)got, 0);
}

/* Write the edited trace to a path. Returns whether the trace is only damaged: no edit went through HDF5 or HDF5's
 * metadata. */
static bool file_make(const char *file, int make, bool mend, const uint8_t *bytes, size_t size) {
    const struct original *original = &originals[make];
    const int count = (int)(size / EDIT_SIZE);
    int kinds[EDIT_KINDS] = {0}, by_hdf5 = 0;
    for (int e = 0; e < count; e++)
        kinds[edit_read(bytes + (size_t)e * EDIT_SIZE).kind]++;
    for (int kind = 0; kind < EDIT_RAW; kind++)
        by_hdf5 += kinds[kind];
    int fd = open(file, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    MUST(fd >= 0);
    bytes_put(fd, original->head, original->head_size, 0);
    if (by_hdf5)
        edits_make(file, original, mend, bytes, count);
    if (kinds[EDIT_METADATA])
        metadata_edits_make(fd, bytes, count);
    bytes_put(fd, original->slots, original->slots_size, original->slots_place);
    if (original->slots_size)
        MUST(ftruncate(fd, (off_t)(original->slots_place + original->slots_size)) == 0);
    for (int e = 0; e < count; e++) {
        const struct edit edit = edit_read(bytes + (size_t)e * EDIT_SIZE);
        if (edit.kind >= EDIT_RAW)
            raw_edit(fd, original, &edit);
    }
    close(fd);
    return !by_hdf5 && !kinds[EDIT_METADATA];
}

/* ---- Conditions that must hold ---- */

/* Check an accepted trace. Only the last `fetched` geometries are read, because each reading opens the file again. */
static void sound_check(const struct trace_data *data, int fetched) {
    MUST(data->path && data->experiment_text && data->frames >= 0 && data->mesh_frames <= data->frames);
    for (int s = 0; s < data->series_count; s++)
        MUST(data->series[s].name && data->series[s].unit && data->series[s].doc && data->values[s]);
    for (int f = 0; f < data->frames; f++) {
        MUST(strlen(data->frame_hash[f]) == LAYOUT_HASH_SIZE && isfinite(data->frame_time[f]));
        MUST(data->frame_index[f] >= 0 && data->frame_index[f] <= INT_MAX);
        MUST(f == 0 || data->frame_index[f] > data->frame_index[f - 1]);
    }
    for (size_t c = 0; c < 3 * data->triangle_count; c++)
        MUST(data->triangles[c] >= 0 && (size_t)data->triangles[c] < data->nodes);
    MUST(data->mesh_frames == 0 || (data->nodes > 0 && (data->real_size == 4 || data->real_size == 8)));
    double *positions = memory_new(6 * data->nodes, sizeof *positions), *velocities = positions + 3 * data->nodes;
    char *packed = memory_new(6 * data->nodes, sizeof *positions);
    for (int k = 0; k < data->mesh_frames; k++) {
        const int f = data->mesh_frame[k];
        char hash[DIGEST_SIZE];
        MUST(f >= 0 && f < data->frames && (k == 0 || f > data->mesh_frame[k - 1]));
        if (k < data->mesh_frames - fetched)
            continue;
        MUST(trace_read_mesh(data, k, positions) == STATUS_OK && trace_read_velocity(data, k, velocities) == STATUS_OK);
        for (size_t i = 0; i < 6 * data->nodes; i++)
            real_store(packed, i, positions[i], data->real_size);
        const size_t bytes = 3 * data->nodes * (size_t)data->real_size;
        layout_state_hash(packed, packed + bytes, (size_t)data->real_size, 3 * data->nodes, hash);
        bool has_nan = false; /* a conversion may change the bits of a NaN */
        for (size_t i = 0; i < 6 * data->nodes; i++)
            has_nan = has_nan || isnan(positions[i]);
        MUST(has_nan || strcmp(hash, data->frame_hash[f]) == 0);
    }
    free(positions);
    free(packed);
}

static void notes_same(const struct trace_note *a, const struct trace_note *b, int count) {
    for (int n = 0; n < count; n++)
        MUST(strcmp(a[n].name, b[n].name) == 0 && strcmp(a[n].value, b[n].value) == 0);
}

/* Check that an accepted trace that was only damaged has the content of the original. An unfinished trace may lack the
 * last frames. */
static void same_check(const struct trace_data *data, const struct trace_data *of) {
    MUST(data->whole == of->whole && data->bit_exact == of->bit_exact && data->frames <= of->frames);
    MUST(!data->whole || (data->frames == of->frames && data->mesh_frames == of->mesh_frames));
    MUST(strcmp(data->experiment_text, of->experiment_text) == 0);
    MUST(data->run_count == of->run_count && data->provenance_count == of->provenance_count);
    notes_same(data->run, of->run, of->run_count);
    notes_same(data->provenance, of->provenance, of->provenance_count);
    MUST(data->parameter_count == of->parameter_count && data->series_count == of->series_count);
    const size_t frames = (size_t)data->frames;
    MUST(memcmp(data->frame_index, of->frame_index, frames * sizeof *of->frame_index) == 0);
    MUST(memcmp(data->frame_time, of->frame_time, frames * sizeof *of->frame_time) == 0);
    MUST(memcmp(data->frame_hash, of->frame_hash, frames * sizeof *of->frame_hash) == 0);
    for (int s = 0; s < of->series_count; s++)
        MUST(memcmp(data->values[s], of->values[s], frames * sizeof(double)) == 0);
    MUST(data->repeats == of->repeats && data->timed_frames == of->timed_frames);
    for (int i = 0; i < of->repeats * of->timed_frames; i++)
        MUST(data->frame_seconds[i] == of->frame_seconds[i] ||
             (isnan(data->frame_seconds[i]) && (!data->whole || isnan(of->frame_seconds[i]))));
    MUST(data->nodes == of->nodes && data->triangle_count == of->triangle_count);
    for (size_t c = 0; c < 3 * of->triangle_count; c++)
        MUST(data->triangles[c] == of->triangles[c]);
}

static void folder_empty(void) {
    DIR *opened = opendir(folder);
    MUST(opened);
    for (const struct dirent *entry; (entry = readdir(opened));) {
        char *file = text_format("%s/%s", folder, entry->d_name);
        if (entry->d_name[0] != '.')
            unlink(file);
        free(file);
    }
    closedir(opened);
}

/* Use a trace as `springback export` and `springback diff` do. */
static void use(const struct trace_data *data, const struct trace_data *of) {
    static const struct export_view view = {.light = {0, 1, 0}, .ambient = 0.3, .colour = 0x5b8fd0};
    MUST(export_table(data, NULL, 0, fuzz_nowhere()) == STATUS_OK);
    MUST((export_vtk(data, folder) == STATUS_OK) == (data->mesh_frames > 0));
    failure_clear();
    for (int k = 0; k < data->mesh_frames; k++)
        export_triangles(data, k, &view, fuzz_nowhere(), NULL);
    struct diff diff;
    failure_clear();
    if (diff_traces(data, of, NULL, &diff) == STATUS_OK) {
        MUST(diff.common <= data->frames && diff.common <= of->frames);
        diff_print(&diff, fuzz_nowhere());
        diff_json(&diff, fuzz_nowhere());
    }
    diff_free(&diff);
    failure_clear();
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Read a trace and check the result. Returns whether it was accepted and is whole. */
static bool trace_try(const char *file, const struct original *original, bool is_raw, uint8_t first) {
    struct trace_data data;
    const double start = processor_seconds();
    watch_only(file);
    enum trace_state state = TRACE_ABSENT;
    if (first & NAME) {
        state = trace_state(file);
        free(trace_peek(file, "key"));
        MUST(failure_count() == 0 && state != TRACE_ABSENT);
    }
    const int status = trace_open(file, &data);
    MUST(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    const bool is_whole = data.whole;
    if (status == STATUS_OK) {
        MUST(failure_count() == 0);
        MUST(!(first & NAME) || state == (data.whole ? TRACE_WHOLE : TRACE_UNFINISHED));
        sound_check(&data, first & USE ? 1 : 0);
        watch_only(folder);
        if (is_raw)
            same_check(&data, &original->data);
        else if (first & USE)
            use(&data, &original->data);
    } else {
        MUST(failure_count() > 0 && strncmp(failure_text(), file, strlen(file)) == 0);
        MUST(!data.path && !data.frames && !data.run_count);
        MUST(!is_raw || !strstr(failure_text(), "not a springback trace")); /* a damaged trace must be called damaged,
                                                                               not another kind of file */
    }
    trace_close(&data);
    failure_clear();
    MUST(processor_seconds() - start < SECONDS_MOST);
    return status == STATUS_OK && is_whole;
}

/* Do what `springback run --resume` does: find the checkpoint, add the missing frames, and finish the trace. */
static void resume_try(const struct original *original, bool is_raw) {
    struct trace_checkpoint checkpoint;
    struct trace *trace;
    struct trace_data data;
    if (trace_resume(path, &original->header, &checkpoint, &trace) != STATUS_OK) {
        MUST(!trace && failure_count() > 0);
        return;
    }
    MUST(failure_count() == 0 && checkpoint.frames >= 1 && checkpoint.frames <= FRAMES);
    char hash[DIGEST_SIZE];
    layout_state_hash(checkpoint.positions, checkpoint.velocities, (size_t)original->header.real_size, 3 * NODES, hash);
    MUST(strcmp(hash, checkpoint.hash) == 0);
    const int recorded = checkpoint.frames;
    /* Edited frames may have any index. Timed runs are not resumed (run/recorder.c), because damage to their samples
     * would be found only at the end. */
    if (!is_raw || original->header.repeats) {
        trace_keep(trace);
        return;
    }
    MUST(recorded <= RECORDED && checkpoint.frame == 10 * (recorded - 1));
    for (int f = recorded; f < RECORDED; f++)
        frame_add(trace, &original->header, f);
    MUST(trace_finish(trace, (const struct trace_note[]){{"status", "whole"}}, 1) == STATUS_OK);
    MUST(trace_open(path, &data) == STATUS_OK && data.whole && data.frames == RECORDED);
    for (int f = 0; f < RECORDED; f++)
        MUST(strcmp(data.frame_hash[f], original->data.frame_hash[f]) == 0);
    trace_close(&data);
}

/* If the trace is unfinished, resume it. Otherwise rename it to PATH.part, call trace_adopt, and check that only a
 * whole trace gets its name back. */
static void name_try(const struct original *original, bool is_raw, bool is_unfinished, bool is_whole) {
    watch_only(folder);
    if (is_unfinished) {
        MUST(trace_is_begun(path));
        resume_try(original, is_raw);
        return;
    }
    MUST(rename(path, part) == 0);
    const bool is_adopted = trace_adopt(path, "0123") == STATUS_OK;
    MUST(failure_count() == 0 && (!is_adopted || is_whole) && (!is_raw || is_adopted == is_whole));
    MUST(access(is_adopted ? path : part, F_OK) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const uint8_t first = size ? bytes[0] : 0;
    const int make = first % MAKES;
    const bool is_unfinished = make & MAKE_UNFINISHED;
    failure_clear();
    const bool is_raw =
        file_make(is_unfinished ? part : path, make, first & MEND, bytes + (size > 0), size ? size - 1 : 0);
    MUST(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    const bool is_whole = trace_try(is_unfinished ? part : path, &originals[make], is_raw, first);
    if (first & NAME)
        name_try(&originals[make], is_raw, is_unfinished, is_whole);
    watch_only(NULL);
    MUST(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL) == 0);
    failure_clear();
    unlink(path);
    unlink(part);
    if (first & USE)
        folder_empty();
    return 0;
}

/* ---- Mutations ---- */

/* Make a random edit. */
static void edit_invent(uint8_t *edit, uint64_t *state) {
    for (int i = 0; i < EDIT_SIZE; i++)
        edit[i] = (uint8_t)fuzz_below(state, 256);
    edit[0] = (uint8_t)(fuzz_below(state, 3) ? fuzz_below(state, EDIT_KINDS) : EDIT_METADATA);
    if (fuzz_below(state, 2))
        edit[4] = EDIT_TURN;
    else
        memset(edit + 5, 0, 5);
}

/* Insert, remove and change whole edits, because an edit that is shifted by some bytes is another edit; or flip a bit
 * of the first byte. In one of four cases use libFuzzer's own mutations, which insert values with which the program has
 * compared parts of earlier inputs. */
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t most, unsigned seed) {
    uint64_t state = seed;
    unsigned count = size ? (unsigned)(size - 1) / EDIT_SIZE : 0;
    if (size == 0 || fuzz_below(&state, 4) == 0)
        return LLVMFuzzerMutate(bytes, size, most);
    uint8_t *edits = bytes + 1, *edit = count ? edits + EDIT_SIZE * (size_t)fuzz_below(&state, count) : NULL;
    const unsigned what = fuzz_below(&state, 8);
    if (what == 0) {
        bytes[0] ^= (uint8_t)(1U << fuzz_below(&state, 8));
    } else if (what == 1 && count > 1) {
        memmove(edit, edits + EDIT_SIZE * (size_t)--count, EDIT_SIZE);
    } else if ((what < 4 || !edit) && 1 + EDIT_SIZE * (size_t)(count + 1) <= most) {
        edit_invent(edits + EDIT_SIZE * (size_t)count++, &state);
    } else if (edit && what == 4) {
        edit_invent(edit, &state);
    } else if (edit && what == 5) {
        uint8_t *number = edit + 4, *field = edit + 1 + fuzz_below(&state, 3);
        *(fuzz_below(&state, 2) ? number : field) += fuzz_below(&state, 2) ? 1 : 255;
    } else if (edit) {
        edit[1 + fuzz_below(&state, EDIT_SIZE - 1)] = (uint8_t)fuzz_below(&state, 256);
    }
    return 1 + EDIT_SIZE * (size_t)count;
}
