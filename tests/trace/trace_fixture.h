/* A small trace for the tests: a sheet of triangles. All its values can be computed from the frame number. */
#ifndef SPRINGBACK_TESTS_TRACE_FIXTURE_H
#define SPRINGBACK_TESTS_TRACE_FIXTURE_H

#include "base/memory.h"
#include "base/store.h"
#include "trace/trace.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIDE      5
#define NODES     (SIDE * SIDE)
#define TRIANGLES (2 * (SIDE - 1) * (SIDE - 1))

static const struct trace_series fixture_series[] = {{"kinetic_energy", "J", "Energy of motion."},
                                                     {"a_ratio", "1", "A pure number, \xc3\xa9t\xc3\xa9."}};
static const struct trace_note fixture_run[] = {{"id", "nodes=5x5"}, {"key", "0123"}, {"empty", ""}};
static const struct trace_note fixture_provenance[] = {{"version", "0.1.0"}, {"CPU", "one"}};
static const struct trace_parameter fixture_parameters[] = {
    {"time.step", "0.005 s", "s", "stated", "", "", ""},
    {"body.node_mass", "1 kg", "kg", "assumed", "a guess", "0.1 kg", "100 kg"}};

/* One tetrahedron, and a scene of three points. The scene has one triangle of the ground and one of an obstacle. */
enum { SCENE_POINTS = 3 };
static const int32_t fixture_tetrahedra[] = {0, 1, SIDE, SIDE + 1}, fixture_scene[] = {0, 1, 2, 2, 1, 0};

static int32_t fixture_triangles[3 * TRIANGLES];

static inline struct trace_header fixture_header(int frames, int mesh_frames, int real_size) {
    int32_t *to = fixture_triangles;
    for (int32_t r = 0; r + 1 < SIDE; r++)
        for (int32_t c = 0, n = r * SIDE; c + 1 < SIDE; c++, n++)
            for (int i = 0; i < 6; i++)
                *to++ = n + (int32_t[]){0, 1, SIDE, 1, SIDE + 1, SIDE}[i];
    return (struct trace_header){.experiment_text = "springback: 1\n",
                                 .run = fixture_run,
                                 .run_count = 3,
                                 .provenance = fixture_provenance,
                                 .provenance_count = 2,
                                 .parameters = fixture_parameters,
                                 .parameter_count = 2,
                                 .series = fixture_series,
                                 .series_count = 2,
                                 .frames = frames,
                                 .mesh_frames = mesh_frames,
                                 .repeats = 3,
                                 .timed_frames = 4,
                                 .bit_exact = true,
                                 .nodes = NODES,
                                 .real_size = real_size,
                                 .triangles = fixture_triangles,
                                 .triangle_count = TRIANGLES,
                                 .tetrahedra = fixture_tetrahedra,
                                 .tetrahedron_count = 1,
                                 .scene = {SCENE_POINTS, .ground = 1, .obstacles = 1, .corners = fixture_scene}};
}

/* Number i of the positions of frame f, which are three numbers for each node. The velocities are the negative values.
 * All values are exact in a float. */
static inline double fixture_value(int f, size_t i) {
    size_t node = i / 3;
    return i % 3 == 1 ? f + (double)(node % 7) / 8 : (double)(i % 3 ? node / SIDE : node % SIDE);
}

/* Store the positions and velocities of frame f as float (real_size 4) or double (8). */
static inline void fixture_state(int f, int real_size, void *positions, void *velocities) {
    for (size_t i = 0; i < 3 * NODES; i++) {
        const double value = fixture_value(f, i);
        if (real_size == 4) {
            ((float *)positions)[i] = (float)value;
            ((float *)velocities)[i] = -(float)value;
        } else {
            ((double *)positions)[i] = value;
            ((double *)velocities)[i] = -value;
        }
    }
}

static inline void fixture_hash(int f, int real_size, char out[DIGEST_SIZE]) {
    double state[2][3 * NODES];
    fixture_state(f, real_size, state[0], state[1]);
    struct digest *digest = digest_create();
    digest_add(digest, state[0], 3 * NODES * (size_t)real_size);
    digest_add(digest, state[1], 3 * NODES * (size_t)real_size);
    digest_finish(digest, out);
}

/* Record frame f, with its geometry if `mesh`. */
static inline int fixture_add(struct trace *trace, int f, bool mesh, int real_size) {
    double state[2][3 * NODES], series[] = {f * 0.5, f % 3 ? -1.0 : (double)NAN};
    char hash[DIGEST_SIZE];
    fixture_state(f, real_size, state[0], state[1]);
    fixture_hash(f, real_size, hash);
    if (mesh && trace_add_mesh(trace, f * 0.25, state[0], state[1]) != STATUS_OK)
        return STATUS_BAD;
    const double place[3 * SCENE_POINTS] = {f, 0, 0, f, 1, 0, f, 0, 1}, speed[3 * SCENE_POINTS] = {4, 0, 0, 4};
    if (mesh && trace_add_scene(trace, place, speed) != STATUS_OK)
        return STATUS_BAD;
    return trace_add_frame(trace, 10 * f, f * 0.25, series, hash);
}

/* Write a whole trace of `frames` frames. If header->mesh_frames is not 0, all frames have geometry; otherwise none
 * has. */
static inline void fixture_write(const char *path, const struct trace_header *header, int frames) {
    struct trace *trace;
    cr_assert_eq(trace_create(path, header, &trace), STATUS_OK, "%s", failure_text());
    for (int f = 0; f < frames; f++)
        cr_assert_eq(fixture_add(trace, f, header->mesh_frames > 0, header->real_size), STATUS_OK, "%s",
                     failure_text());
    struct trace_note notes[] = {{"status", "whole"}, {"state_hash", "f00"}};
    cr_assert_eq(trace_finish(trace, notes, 2), STATUS_OK, "%s", failure_text());
}

/* Check the frames of a trace of this fixture. `mesh`: whether each frame has its geometry. */
static inline void fixture_check(const struct trace_data *data, bool mesh, int real_size) {
    double *values = memory_new(3 * NODES, sizeof *values);
    for (int f = 0; f < data->frames; f++) {
        char hash[DIGEST_SIZE];
        fixture_hash(f, real_size, hash);
        cr_assert_str_eq(data->frame_hash[f], hash);
        cr_assert_eq(data->frame_index[f], 10 * f);
        cr_assert_eq(data->frame_time[f], f * 0.25);
        cr_assert_eq(data->values[0][f], f * 0.5);
        cr_assert(f % 3 ? data->values[1][f] == -1 : isnan(data->values[1][f]));
    }
    cr_assert_eq(data->mesh_frames, mesh ? data->frames : 0);
    for (int k = 0; k < data->mesh_frames; k++) {
        cr_assert_eq(data->mesh_frame[k], k);
        cr_assert_eq(data->mesh_time[k], k * 0.25);
        for (int sign = 1; sign >= -1; sign -= 2) {
            int status = sign > 0 ? trace_read_mesh(data, k, values) : trace_read_velocity(data, k, values);
            cr_assert_eq(status, STATUS_OK, "%s", failure_text());
            for (size_t i = 0; i < 3 * NODES; i++)
                cr_assert_eq(values[i], sign * fixture_value(k, i));
        }
    }
    free(values);
}

/* Make a temporary folder. Returns its path, which folder_remove frees. */
static inline char *folder_new(void) {
    char *folder = text_copy("/tmp/springback-trace-XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    return folder;
}

/* Remove the folder with its files, and free its path. */
static inline void folder_remove(char *folder) {
    char *command = text_format("rm -rf '%s'", folder);
    cr_assert_eq(system(command), 0);
    free(command);
    free(folder);
}

static inline char *file_read(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    cr_assert_not_null(file, "%s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = memory_new(*size + 1, 1);
    cr_assert_eq(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

static inline void file_write(const char *path, const void *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    cr_assert_not_null(file, "%s", path);
    cr_assert_eq(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

#endif
