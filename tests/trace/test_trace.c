#include "trace_fixture.h"
#include "vtkhdf.h"

#include <errno.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* If HDF5 detects that a file is damaged, it does not free all memory. Leaks of HDF5 are therefore ignored. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

static char *folder, *path, *part;

static void set_up(void) {
    failure_clear();
    folder = folder_new();
    path = text_format("%s/run.h5", folder);
    part = text_format("%s.part", path);
}

static void tear_down(void) {
    folder_remove(folder);
    free(path);
    free(part);
    failure_clear();
}

TestSuite(trace, .init = set_up, .fini = tear_down);

static bool exists(const char *file) {
    return access(file, F_OK) == 0;
}

/* No call may leave an HDF5 handle open. */
static void expect_no_handles(void) {
    cr_expect_eq(H5Fget_obj_count((hid_t)H5F_OBJ_ALL, H5F_OBJ_ALL), 0);
}

/* Expect a call to have failed, with a message that contains `word`. */
static void expect_failure(int status, const char *word) {
    expect_no_handles();
    cr_expect_eq(status, STATUS_BAD, "no failure; expected a message with '%s'", word);
    cr_expect_not_null(strstr(failure_text(), word), "'%s' does not say '%s'", failure_text(), word);
    failure_clear();
}

/* Write and read a trace of `frames` frames, with space for `allocated` frames. `mesh`: with geometry. `bare`: without
 * triangles, tetrahedra and scene. */
static void round_trip(int real_size, int allocated, int frames, bool mesh, bool bare) {
    struct trace_header header = fixture_header(allocated, mesh ? allocated : 0, real_size);
    if (bare) {
        header.triangles = NULL;
        header.triangle_count = 0;
        header.tetrahedra = NULL;
        header.tetrahedron_count = 0;
        header.scene = (struct trace_scene){.points = 0};
    }
    fixture_write(path, &header, frames);
    cr_assert_not(exists(part));
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_assert_eq(data.frames, frames);
    fixture_check(&data, mesh, real_size);
    cr_assert(data.whole && data.bit_exact);
    cr_assert_str_eq(data.experiment_text, "springback: 1\n");
    cr_assert_eq(data.series_count, 2);
    cr_assert_str_eq(data.series[0].name, "kinetic_energy"); /* in the order of the header, not alphabetical */
    cr_assert_str_eq(data.series[1].doc, fixture_series[1].doc);
    cr_assert_str_eq(data.series[0].unit, "J");
    cr_assert_eq(data.run_count, 5);
    cr_assert_str_eq(data.run[1].name, "key");
    cr_assert_str_eq(trace_run_note(&data, "empty"), "");
    cr_assert_str_eq(trace_run_note(&data, "status"), "whole");
    cr_assert_null(trace_run_note(&data, "version"));
    cr_assert_str_eq(trace_provenance_note(&data, "version"), "0.1.0");
    cr_assert_eq(data.parameter_count, 2);
    cr_assert_str_eq(trace_parameter_text(&data, "time.step"), "0.005 s");
    cr_assert_null(trace_parameter_text(&data, "time"));
    cr_assert_str_eq(data.parameters[1].why, "a guess");
    cr_assert_str_eq(data.parameters[1].high, "100 kg");
    cr_assert_str_eq(data.parameters[0].low, "");
    cr_assert_eq(data.nodes, mesh ? NODES : 0);
    cr_assert_eq(data.real_size, mesh ? real_size : 0);
    cr_assert_eq(data.triangle_count, mesh && !bare ? TRIANGLES : 0);
    if (data.triangle_count)
        cr_assert_arr_eq(data.triangles, fixture_triangles, sizeof fixture_triangles);
    expect_failure(trace_read_mesh(&data, data.mesh_frames, NULL), "has no geometry");
    trace_close(&data);
    trace_close(&data); /* a closed trace can be closed again */
    expect_no_handles();
}

Test(trace, round_trip) {
    for (int real_size = 4; real_size <= 8; real_size += 4)
        for (int mesh = 0; mesh < 2; mesh++)
            for (int bare = 0; bare < 2; bare++) {
                round_trip(real_size, 6, 6, mesh, bare);
                round_trip(real_size, 6, 4, mesh, bare); /* replaces the trace of the line above */
            }
}

Test(trace, no_frame_was_recorded) {
    round_trip(4, 3, 0, true, false);
}

Test(trace, geometry_of_some_frames_only) {
    struct trace_header header = fixture_header(6, 2, 4);
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    for (int f = 0; f < 6; f++)
        cr_assert_eq(fixture_add(trace, f, f % 3 == 1, 4), STATUS_OK, "%s", failure_text());
    cr_assert_eq(trace_finish(trace, NULL, 0), STATUS_OK, "%s", failure_text());
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_assert_eq(data.mesh_frames, 2);
    cr_assert_eq(data.mesh_frame[1], 4);
    cr_assert_eq(data.frame_time[data.mesh_frame[1]], data.mesh_time[1]);
    trace_close(&data);
}

Test(trace, timings_are_nan_until_taken) {
    struct trace_header header = fixture_header(1, 0, 4);
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    cr_assert_eq(fixture_add(trace, 0, false, 4), STATUS_OK);
    const double seconds[] = {1, 2, 3, 4};
    cr_assert_eq(trace_add_timing(trace, 1, seconds), STATUS_OK, "%s", failure_text());
    expect_failure(trace_add_timing(trace, 3, seconds), "the timing of repeat 3 exceeds");
    cr_assert_eq(trace_finish(trace, NULL, 0), STATUS_OK, "%s", failure_text());
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_assert(data.repeats == 3 && data.timed_frames == 4);
    for (int i = 0; i < 12; i++)
        cr_assert(i / 4 == 1 ? data.frame_seconds[i] == i % 4 + 1 : isnan(data.frame_seconds[i]));
    trace_close(&data);
}

Test(trace, texts_of_more_than_an_attribute_holds) {
    char *longest = memory_new(300001, 1), *log = memory_new(59999, 1);
    memset(longest, 'x', 300000);
    memset(log, 'y', 59998);
    struct trace_header header = fixture_header(1, 0, 4);
    struct trace_note provenance[12] = {{"build_log", longest}};
    char names[12][16];
    for (int i = 1; i < 12; i++) {
        snprintf(names[i], sizeof names[i], "log%d", i);
        provenance[i] = (struct trace_note){names[i], log};
    }
    header.provenance = provenance;
    header.provenance_count = 12;
    header.experiment_text = longest;
    fixture_write(path, &header, 1);
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_assert_eq(data.provenance_count, 12);
    cr_assert_str_eq(trace_provenance_note(&data, "build_log"), longest);
    cr_assert_str_eq(trace_provenance_note(&data, "log11"), log);
    cr_assert_str_eq(data.experiment_text, longest);
    trace_close(&data);
    free(longest);
    free(log);
}

Test(trace, closing_notes_take_the_place_of_earlier_ones) {
    char *longest = memory_new(100001, 1);
    memset(longest, 'x', 100000);
    struct trace_header header = fixture_header(1, 0, 4);
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    const struct trace_note notes[] = {{"id", longest}, {"key", "new"}, {"id", "short"}};
    cr_assert_eq(trace_finish(trace, notes, 3), STATUS_OK, "%s", failure_text());
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_assert_str_eq(trace_run_note(&data, "id"), "short");
    cr_assert_str_eq(trace_run_note(&data, "key"), "new");
    cr_assert_eq(data.run_count, 3);
    trace_close(&data);
    free(longest);
}

Test(trace, peek) {
    cr_assert_null(trace_peek(path, "key"));
    cr_assert_null(trace_peek(folder, "key"));
    struct trace_header header = fixture_header(2, 0, 4);
    fixture_write(path, &header, 2);
    char *note = trace_peek(path, "key");
    cr_assert_str_eq(note, "0123");
    free(note);
    cr_assert_null(trace_peek(path, "no such"));
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK);
    cr_assert_null(trace_peek(part, "key"), "a note of an unfinished trace was read");
    trace_discard(trace);
    trace_discard(NULL);
    cr_assert_not(exists(part));
    file_write(path, "no HDF5", 7);
    cr_assert_null(trace_peek(path, "key"));
    cr_assert_eq(failure_count(), 0);
}

/* Write a trace with space for 6 frames, and record `frames` frames. The independent reader of vtkhdf.h must find
 * `steps` time steps. Arrays that VTK reads to the end must have `steps` rows. Arrays that h5py reads to the end must
 * have `frames` rows. */
static void read_as_vtk(int real_size, int frames, int steps, bool bare) {
    struct trace_header header = fixture_header(6, 6, real_size);
    if (bare) {
        header.triangle_count = header.tetrahedron_count = 0;
        header.scene = (struct trace_scene){.points = 0};
    }
    fixture_write(path, &header, frames);
    hid_t file;
    int found;
    hid_t root = vtkhdf_open(path, &file, &found);
    cr_assert_eq(found, steps);
    static const char *const whole[] = {"/VTKHDF/Steps/Values", "/VTKHDF/Steps/PointOffsets",
                                        "/frames/time",         "/frames/hash",
                                        "/series/a_ratio",      "/series/kinetic_energy"};
    for (size_t d = 0; d < sizeof whole / sizeof *whole; d++) {
        hid_t dataset = H5Dopen2(file, whole[d], H5P_DEFAULT), space = H5Dget_space(dataset);
        cr_expect_eq(H5Sget_simple_extent_npoints(space), d < 2 ? steps : frames, "%s", whole[d]);
        H5Sclose(space);
        H5Dclose(dataset);
    }
    for (int k = 0; k < steps; k++) {
        struct vtkhdf_grid grid;
        const int f = k < frames ? k : frames - 1;
        vtkhdf_read(root, k, &grid);
        cr_expect_eq(grid.time, f * 0.25);
        cr_assert_eq(grid.points, NODES + (bare ? 0 : SCENE_POINTS));
        for (size_t i = 0; i < 3 * NODES; i++)
            cr_assert(grid.point[i / 3][i % 3] == fixture_value(f, i) &&
                      grid.velocity[i / 3][i % 3] == -fixture_value(f, i));
        cr_assert_eq(grid.cells, bare ? 0 : TRIANGLES + 3);
        for (int64_t i = 0; i < (bare ? 0 : 3 * TRIANGLES); i++)
            cr_assert_eq(grid.corner[i], fixture_triangles[i]);
        cr_expect_eq(vtkhdf_count(&grid, 0, VTKHDF_TRIANGLE), bare ? 0 : TRIANGLES);
        cr_expect_eq(vtkhdf_count(&grid, 1, VTKHDF_TETRAHEDRON), !bare);
        cr_expect_eq(vtkhdf_count(&grid, 2, VTKHDF_TRIANGLE), !bare);
        cr_expect_eq(vtkhdf_count(&grid, 4, VTKHDF_TRIANGLE), !bare);
        if (!bare) {
            cr_expect(grid.point[NODES][0] == f && grid.point[NODES + 1][1] == 1 && grid.velocity[NODES + 1][0] == 4);
            for (int i = 0; i < 4; i++)
                cr_expect_eq(grid.corner[3 * TRIANGLES + i], fixture_tetrahedra[i]);
            for (int i = 0; i < 6; i++)
                cr_expect_eq(grid.corner[3 * TRIANGLES + 4 + i], NODES + fixture_scene[i]);
        }
        vtkhdf_grid_free(&grid);
    }
    vtkhdf_close(file, root);
}

Test(trace, a_second_reader_finds_the_recorded_steps_alone) {
    for (int real_size = 4; real_size <= 8; real_size += 4)
        for (int bare = 0; bare < 2; bare++) {
            read_as_vtk(real_size, 6, 6, bare);
            read_as_vtk(real_size, 4, 4, bare); /* as after a run that diverged */
            read_as_vtk(real_size, 1, 2, bare); /* stored as two steps, because VTK reports no time of a single step */
        }
}

Test(trace, one_geometry_is_announced) {
    struct trace_header header = fixture_header(1, 1, 4);
    fixture_write(path, &header, 1);
    struct trace_data data;
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    cr_expect_eq(data.mesh_frames, 1);
    fixture_check(&data, true, 4);
    trace_close(&data);
    hid_t file;
    int steps;
    hid_t root = vtkhdf_open(path, &file, &steps);
    cr_expect_eq(steps, 2);
    vtkhdf_close(file, root);
}

Test(trace, names) {
    static const struct {
        const char *id, *name;
    } cases[] = {{"nodes=20x20", "nodes=20x20.h5"}, {"step=0.5", "step=0.5.trace-1.vtkhdf"}};
    for (int c = 0; c < 2; c++) {
        AUTO_FREE char *name = trace_file_name(cases[c].id, c == 1), *id = trace_file_id(cases[c].name);
        cr_expect_str_eq(name, cases[c].name);
        cr_expect_str_eq(id, cases[c].id);
    }
    static const char *const others[] = {".h5", "a.vtkhdf", "a.h5.part", "runs.tsv", ".trace-1.vtkhdf"};
    for (size_t c = 0; c < sizeof others / sizeof *others; c++)
        cr_expect_null(trace_file_id(others[c]), "%s", others[c]);
}

/* After a writer is killed at a random time, there must be no trace at `path`. The part file must have all frames that
 * its frame count includes. */
Test(trace, killed_in_the_middle) {
    srand(1);
    struct trace_header header = fixture_header(1500, 1500, 4);
    int most = 0;
    for (int round = 0; round < 40; round++) {
        int ready[2];
        cr_assert_eq(pipe(ready), 0);
        pid_t child = fork();
        if (child == 0) {
            struct trace *trace;
            if (trace_create(path, &header, &trace) != STATUS_OK || write(ready[1], "", 1) != 1)
                _exit(1);
            for (int f = 0; f < header.frames; f++)
                if (fixture_add(trace, f, true, 4) != STATUS_OK)
                    _exit(1);
            pause();
        }
        char byte;
        cr_assert_eq(read(ready[0], &byte, 1), 1);
        usleep((useconds_t)(rand() % 4000));
        kill(child, SIGKILL);
        int how;
        cr_assert_eq(waitpid(child, &how, 0), child);
        cr_assert(WIFSIGNALED(how));
        close(ready[0]);
        close(ready[1]);
        cr_assert_not(exists(path));
        struct trace_data data;
        cr_assert_eq(trace_open(part, &data), STATUS_OK, "round %d: %s", round, failure_text());
        cr_assert_not(data.whole);
        most = data.frames > most ? data.frames : most;
        fixture_check(&data, true, 4);
        trace_close(&data);
    }
    cr_assert(most > 10, "at most %d frames were written: the kills came too early to tell anything", most);
    fixture_write(path, &header, 2); /* replaces the part file of the last writer */
    cr_assert(exists(path) && !exists(part));
}

Test(trace, killed_while_it_is_created) {
    srand(2);
    struct trace_header header = fixture_header(4000, 4000, 8);
    for (int round = 0; round < 20; round++) {
        pid_t child = fork();
        if (child == 0) {
            struct trace *trace;
            for (;;)
                if (trace_create(path, &header, &trace) == STATUS_OK)
                    trace_discard(trace);
        }
        usleep((useconds_t)(rand() % 5000));
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        cr_assert_not(exists(path));
        struct trace_data data; /* the part file is refused, or has no frames */
        if (trace_open(part, &data) == STATUS_OK)
            cr_assert_eq(data.frames, 0);
        trace_close(&data);
    }
    fixture_write(path, &header, 1);
}

Test(trace, two_writers_of_one_trace) {
    struct trace_header header = fixture_header(2, 2, 4);
    struct trace *first, *second;
    cr_assert_eq(trace_create(path, &header, &first), STATUS_OK, "%s", failure_text());
    expect_failure(trace_create(path, &header, &second), "another process is writing");
    cr_assert_null(second);
    cr_assert_eq(fixture_add(first, 0, true, 4), STATUS_OK);
    cr_assert_eq(trace_finish(first, NULL, 0), STATUS_OK, "%s", failure_text());
    cr_assert_eq(trace_create(path, &header, &second), STATUS_OK, "%s", failure_text());
    trace_discard(second);
    cr_assert(exists(path) && !exists(part));
}

Test(trace, writer_errors) {
    struct trace_header header = fixture_header(2, 1, 4);
    struct trace *trace;
    char *missing = text_format("%s/no/run.h5", folder), *below = text_format("%s/file/run.h5", folder);
    char *file = text_format("%s/file", folder);
    file_write(file, "x", 1);
    expect_failure(trace_create(missing, &header, &trace), strerror(ENOENT));
    expect_failure(trace_create(below, &header, &trace), strerror(ENOTDIR));
    cr_assert_null(trace);
    free(missing);
    free(below);
    free(file);
    header.nodes = 0;
    expect_failure(trace_create(path, &header, &trace), "0 nodes");
    header.nodes = 2000000000;
    header.mesh_frames = header.frames = 1000000;
    expect_failure(trace_create(path, &header, &trace), "bytes, but");
    cr_assert_not(exists(part));
    header = fixture_header(2, 1, 4);
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    const char *hash = "0123456789abcdef0123456789abcdef";
    const double series[2] = {0};
    expect_failure(trace_add_frame(trace, 0, 0, series, "short"), "state hash");
    expect_failure(trace_add_frame(trace, 0, (double)NAN, series, hash), "cannot follow");
    cr_assert_eq(fixture_add(trace, 1, true, 4), STATUS_OK);
    expect_failure(fixture_add(trace, 2, true, 4), "exceeds the announced number");
    expect_failure(trace_add_frame(trace, 10, 1, series, hash), "cannot follow frame 10");
    cr_assert_eq(trace_add_frame(trace, 11, 1, series, hash), STATUS_OK);
    expect_failure(trace_add_frame(trace, 12, 2, series, hash), "all announced frames are already recorded");
    trace_discard(trace);
    cr_assert(!exists(part) && !exists(path));
}

Test(trace, a_disk_that_takes_no_more) {
    struct trace_header header = fixture_header(50, 50, 8);
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){4096, RLIM_INFINITY});
    expect_failure(fixture_add(trace, 0, true, 8), strerror(EFBIG));
    expect_failure(trace_finish(trace, NULL, 0), part);
    cr_assert(!exists(part) && !exists(path));
    expect_failure(trace_create(path, &header, &trace), part);
    cr_assert(!exists(part));
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY});
}

/* If a folder has the trace's path, the part file cannot be renamed. The part file is kept, and trace_adopt can rename
 * it later. */
Test(trace, name_taken_by_a_folder) {
    struct trace_header header = fixture_header(1, 0, 4);
    struct trace *trace;
    cr_assert_eq(mkdir(path, 0777), 0);
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    expect_failure(trace_finish(trace, NULL, 0), "cannot be renamed");
    struct trace_data data;
    expect_failure(trace_open(path, &data), "not a file");
    cr_assert_eq(trace_open(part, &data), STATUS_OK, "%s", failure_text());
    cr_assert(data.whole);
    trace_close(&data);
    cr_assert_eq(rmdir(path), 0);
    cr_assert_eq(trace_adopt(path, "0123"), STATUS_OK);
    cr_assert(exists(path) && !exists(part));
}

static int open_and_close(const char *file) {
    struct trace_data data;
    int status = trace_open(file, &data);
    double positions[3 * NODES];
    if (status == STATUS_OK && data.nodes <= NODES)
        for (int k = 0; k < data.mesh_frames; k++)
            trace_read_mesh(&data, k, positions);
    trace_close(&data);
    free(trace_peek(file, "key"));
    expect_no_handles();
    return status;
}

Test(trace, files_that_are_none) {
    expect_failure(open_and_close(path), strerror(ENOENT));
    file_write(path, "", 0);
    expect_failure(open_and_close(path), "an empty file");
    file_write(path, "springback: 1\n", 14);
    expect_failure(open_and_close(path), "not an HDF5 file");
    /* A file in HDF5's default format, without and with 512 bytes of another program before the content. */
    hid_t blocked = H5Pcreate(H5P_FILE_CREATE), checked = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_userblock(blocked, 512);
    for (int block = 0; block < 2; block++) {
        H5Fclose(H5Fcreate(path, H5F_ACC_TRUNC, block ? blocked : H5P_DEFAULT, H5P_DEFAULT));
        expect_failure(open_and_close(path), block ? "not an HDF5 file" : "format without checksums");
        cr_assert_eq(trace_state(path), TRACE_FOREIGN);
    }
    H5Pset_libver_bounds(checked, H5F_LIBVER_V18, H5F_LIBVER_V18);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, checked);
    H5Fclose(file);
    expect_failure(open_and_close(path), "not a springback trace");
    for (int version = 99; version > 0; version -= 96) {
        file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, checked);
        hid_t space = H5Screate(H5S_SCALAR);
        hid_t attribute = H5Acreate2(file, "springback_trace", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
        H5Awrite(attribute, H5T_NATIVE_INT, &version);
        H5Aclose(attribute);
        H5Sclose(space);
        H5Fclose(file);
        expect_failure(open_and_close(path), version == 99 ? "layout 99" : "another layout");
    }
    H5Pclose(blocked);
    H5Pclose(checked);
}

Test(trace, cut_off) {
    struct trace_header header = fixture_header(3, 3, 4);
    fixture_write(path, &header, 3);
    size_t size;
    char *bytes = file_read(path, &size);
    for (size_t cut = 1; cut < size; cut += cut < 100 ? 1 : size / 150) {
        file_write(path, bytes, cut);
        cr_assert_eq(open_and_close(path), STATUS_BAD, "cut at %zu of %zu", cut, size);
        cr_assert_not_null(strstr(failure_text(), path));
        failure_clear();
    }
    file_write(path, bytes, size - 1);
    expect_failure(open_and_close(path), "truncated or damaged: truncated file"); /* from store_metadata_check */
    file_write(path, bytes, size);
    cr_assert_eq(open_and_close(path), STATUS_OK);
    free(bytes);
}

/* If one byte of a trace is changed, the reader refuses the trace, or reads only correct values. */
Test(trace, flipped_bytes) {
    struct trace_header header = fixture_header(3, 3, 4);
    const double seconds[] = {1, 2, 3, 4};
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    for (int f = 0; f < 3; f++)
        cr_assert_eq(fixture_add(trace, f, true, 4), STATUS_OK);
    for (int repeat = 0; repeat < 3; repeat++)
        cr_assert_eq(trace_add_timing(trace, repeat, seconds), STATUS_OK);
    cr_assert_eq(trace_finish(trace, NULL, 0), STATUS_OK, "%s", failure_text());
    size_t size;
    char *bytes = file_read(path, &size);
    int seen = 0;
    srand(3);
    for (int round = 0; round < 600; round++) {
        size_t at = (size_t)rand() % size;
        char flip = (char)(1 + rand() % 255);
        bytes[at] ^= flip;
        file_write(path, bytes, size);
        struct trace_data data;
        if (trace_open(path, &data) == STATUS_OK) {
            cr_assert(data.whole && data.bit_exact && data.frames == 3, "byte %zu", at);
            fixture_check(&data, true, 4);
            cr_assert_str_eq(data.experiment_text, header.experiment_text);
            cr_assert_arr_eq(data.triangles, fixture_triangles, sizeof fixture_triangles);
            for (int i = 0; i < 12; i++)
                cr_assert_eq(data.frame_seconds[i], seconds[i % 4], "byte %zu", at);
            cr_assert_str_eq(data.parameters[1].why, "a guess");
            cr_assert_str_eq(trace_run_note(&data, "key"), "0123");
            cr_assert_str_eq(data.series[1].unit, "1");
        } else {
            cr_assert_not_null(strstr(failure_text(), path));
            cr_assert_null(strstr(failure_text(), "not a springback trace"),
                           "byte %zu: damage is reported as a file of another program", at);
            seen++;
        }
        trace_close(&data);
        free(trace_peek(path, "key"));
        expect_no_handles();
        failure_clear();
        bytes[at] ^= flip;
    }
    cr_assert(seen > 300, "only %d of 600 changes were detected", seen);
    free(bytes);
}

/* Damage that prevents HDF5 from closing a trace must be found when the run resumes. Otherwise all later frames of
 * the run would be lost. */
Test(trace, damaged_books) {
    struct trace_note notes[10]; /* by default, an object header of HDF5 has at most 8 attributes */
    char names[10][8];
    for (int n = 0; n < 10; n++) {
        snprintf(names[n], sizeof names[n], n ? "note%d" : "key", n);
        notes[n] = (struct trace_note){names[n], "0123"};
    }
    struct trace_header header = fixture_header(3, 3, 4);
    header.run = notes;
    header.run_count = 10;
    header.checkpoints = true;
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    cr_assert_eq(fixture_add(trace, 0, true, 4), STATUS_OK);
    double state[2][3 * NODES];
    struct trace_checkpoint checkpoint = {.frame = 0, .positions = state[0], .velocities = state[1]};
    fixture_state(0, 4, state[0], state[1]);
    fixture_hash(0, 4, checkpoint.hash);
    cr_assert_eq(trace_add_checkpoint(trace, &checkpoint), STATUS_OK, "%s", failure_text());
    cr_assert(trace_keep(trace));
    size_t size;
    char *bytes = file_read(part, &size);
    const char *const blocks[] = {"OHDR", "OCHK", "FRHP", "FHDB", "FSHD", "FSSE", "BTHD", "BTLF"};
    int found = 0, refused = 0;
    for (size_t b = 0; b < sizeof blocks / sizeof *blocks; b++)
        for (char *at = bytes; (at = memmem(at, size - (size_t)(at - bytes), blocks[b], 4)); at += 4)
            for (int i = 6; i < 24; i += 16, found++) {
                at[i] ^= 4;
                file_write(part, bytes, size);
                const struct trace_note status = {"status", "whole"};
                if (trace_resume(path, &header, &checkpoint, &trace) == STATUS_OK)
                    cr_assert_eq(trace_finish(trace, &status, 1), STATUS_OK, "%s: %s", blocks[b], failure_text());
                else
                    refused++;
                failure_clear();
                at[i] ^= 4;
            }
    cr_assert(found > 20 && refused > found / 2, "only %d of %d damaged files were refused", refused, found);
    free(bytes);
}

/* If the root group of a file is damaged, HDF5 opens the file as if it were empty. The damage must be reported. */
Test(trace, damaged_root) {
    struct trace_header header = fixture_header(1, 0, 4);
    fixture_write(path, &header, 1);
    size_t size;
    char *bytes = file_read(path, &size), *root = memmem(bytes, size, "OHDR", 4);
    cr_assert_not_null(root);
    root[12] ^= 1;
    file_write(path, bytes, size);
    expect_failure(open_and_close(path), "truncated or damaged: incorrect metadata checksum");
    cr_assert_eq(trace_state(path), TRACE_DAMAGED);
    cr_assert_null(trace_peek(path, "key"));
    expect_no_handles();
    free(bytes);
}

/* If an attribute is an array, empty or a text, store_number_write and store_number_read must refuse it. HDF5 itself
 * would transfer as many values as the array has. */
Test(trace, number_over_others) {
    hid_t file = store_create(path), type = store_text_type(40, H5T_CSET_UTF8);
    hid_t spaces[] = {H5Screate_simple(1, &(hsize_t){1000}, NULL), H5Screate(H5S_NULL), H5Screate(H5S_SCALAR)};
    const char *const names[] = {"many", "none", "text"};
    for (int k = 0; k < 3; k++) {
        int64_t number = 5;
        H5Aclose(H5Acreate2(file, names[k], k == 2 ? type : H5T_STD_I64LE, spaces[k], H5P_DEFAULT, H5P_DEFAULT));
        cr_assert_not(store_number_write(file, names[k], 7), "%s", names[k]);
        cr_assert_not(store_number_read(file, names[k], &number), "%s", names[k]);
        cr_assert_eq(number, 5);
        H5Sclose(spaces[k]);
    }
    int64_t number;
    cr_assert(store_number_write(file, "one", 7) && store_number_write(file, "one", -8));
    cr_assert(store_number_read(file, "one", &number) && number == -8);
    H5Tclose(type);
    H5Fclose(file);
    expect_no_handles();
}

/* Replace a dataset of a correct trace by one that HDF5 accepts, but that a trace never has. */
static void replace(const char *name, hid_t type, int rank, const hsize_t *dims, const void *value, bool chunked) {
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), list = H5Pcreate(H5P_DATASET_CREATE);
    hid_t space = H5Screate_simple(rank, dims, NULL);
    if (chunked)
        H5Pset_chunk(list, rank, (const hsize_t[]){1, 1});
    H5Ldelete(file, name, H5P_DEFAULT);
    hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    cr_assert(dataset >= 0);
    if (value)
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    H5Dclose(dataset);
    H5Sclose(space);
    H5Pclose(list);
    H5Fclose(file);
}

Test(trace, foreign_datasets) {
    const int64_t many = 1000000, negative = -1, none[3] = {0}, corner[3 * TRIANGLES + 10] = {NODES};
    const struct {
        const char *name;
        hid_t type;
        int rank;
        hsize_t dims[2];
        const void *value;
        bool chunked;
        const char *word;
    } cases[] = {
        {"/frames/count", H5T_STD_I64LE, 1, {1}, &many, false, "the count is 1000000 frames"},
        {"/frames/count", H5T_STD_I64LE, 1, {1}, &negative, false, "the count is -1 frames"},
        {"/frames/index", H5T_STD_I64LE, 1, {(hsize_t)1 << 60}, NULL, false, "is not within the file"},
        {"/frames/index", H5T_STD_I64LE, 1, {3}, none, false, "invalid index or time: frame 0"},
        {"/frames/time", H5T_STD_I64LE, 1, {3}, none, false, "the wrong type"},
        {"/frames/time", H5T_IEEE_F64LE, 1, {2}, none, false, "a shape that does not match"},
        {"/frames/time", H5T_IEEE_F64LE, 1, {3}, none, true, "a dataset in chunks"},
        {"/frames/mesh", H5T_STD_I64LE, 1, {3}, none, false, "checksum"},
        {"/series/a_ratio", H5T_IEEE_F64LE, 1, {3}, none, false, "has no unit"},
        {"/series/other", H5T_IEEE_F64LE, 2, {3, 1}, none, false, "number of dimensions"},
        {"/parameters", H5T_STD_I64LE, 1, {3}, none, false, "record"},
        {"/run/odd", H5T_STD_I64LE, 1, {3}, none, false, "not a text"},
        {"/VTKHDF/NumberOfPoints", H5T_STD_I64LE, 1, {1}, &many, false, "a shape that does not match"},
        {"/VTKHDF/NumberOfPoints", H5T_STD_I64LE, 1, {1}, none, false, "a shape that does not match"},
        {"/VTKHDF/Steps/PointOffsets", H5T_STD_I64LE, 1, {3}, none, false, "element 1 of"},
        {"/VTKHDF/Connectivity", H5T_STD_I64LE, 1, {3 * TRIANGLES + 10}, corner, false, "node number that is not in"},
        {"/experiment/text", H5T_STD_I64LE, 1, {3}, none, false, "/experiment/text"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_header header = fixture_header(3, 3, 4);
        fixture_write(path, &header, 3);
        replace(cases[i].name, cases[i].type, cases[i].rank, cases[i].dims, cases[i].value, cases[i].chunked);
        expect_failure(open_and_close(path), cases[i].word);
    }
}
