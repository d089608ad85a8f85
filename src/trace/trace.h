/* The trace: one HDF5 file a run.
 *
 * Layout. /VTKHDF holds the recorded geometry as temporal PolyData, which ParaView 5.12 plays as it is; /series/<name>
 * one value a recorded frame; /frames/{index,time,hash} which frames they are and each one's state hash;
 * /timing/frame_seconds every raw sample, [repeats, frames]; /parameters the run's parameters (used, defaulted and
 * assumed); the attributes of /run and /provenance say what ran, where, and how it ended; /experiment/text is the
 * description file.
 *
 * Crash safety. All datasets are allocated whole before the first frame, HDF5 is closed, and frames go to their places
 * by plain writes: no metadata changes while the run lasts. A frame's data is written before its hash, its hash before
 * the count. The file carries a temporary name until it is whole, checked, and renamed. */
#ifndef SPRINGBACK_TRACE_TRACE_H
#define SPRINGBACK_TRACE_TRACE_H

#include "base/digest.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_series {
    const char *name, *unit, *doc;
};

/* One named text: an attribute of /run or /provenance. */
struct trace_note {
    const char *name, *value;
};

struct trace_parameter {
    const char *path, *value, *unit, *origin, *why; /* why: "" but for assumptions */
    const char *low, *high;                         /* an assumption's range, else "" */
};

/* All that is known before the first frame. Nothing is copied that is not written at once. */
struct trace_header {
    const char *experiment_text;
    const struct trace_note *run;        /* id, experiment, paper, backend, device, key, ... */
    int run_count;
    const struct trace_note *provenance; /* version, revision, compiler, flags, CPU, ... */
    int provenance_count;
    const struct trace_parameter *parameters;
    int parameter_count;
    const struct trace_series *series;
    int series_count;
    int frames;            /* recorded frames at most, the start included */
    int mesh_frames;       /* of these, frames whose geometry is recorded at most; 0: no /VTKHDF */
    int repeats, timed_frames; /* shape of the timing samples; 0 repeats: no /timing */
    bool bit_exact;
    size_t nodes;
    int real_size;         /* 4 or 8: bytes of a coordinate */
    const int32_t *triangles; /* 3 a triangle; NULL where the body has none */
    size_t triangle_count;
    const int32_t *lines;  /* 2 a line; used where there are no triangles */
    size_t line_count;
};

struct trace; /* one being written */

/* Make PATH's temporary twin with everything allocated. Errors (folder not writable, disk full) leave nothing. */
int trace_create(const char *path, const struct trace_header *header, struct trace **out);

/* Record a frame: its index in the run, its time in seconds, one value a series, its state hash. */
int trace_add_frame(struct trace *trace, int frame, double time, const double *series, const char *hash);

/* Record the geometry of a frame, [nodes][3] reals of real_size bytes each. Before trace_add_frame of that frame. */
int trace_add_mesh(struct trace *trace, double time, const void *positions, const void *velocities);

/* Record the timing samples of one repeat: seconds of each frame. */
int trace_add_timing(struct trace *trace, int repeat, const double *seconds);

/* Write the closing notes (status, state_hash, duration, ...) as attributes of /run, check the file, give it its name.
 * On failure the temporary file is removed. The trace is freed either way. */
int trace_finish(struct trace *trace, const struct trace_note *notes, int note_count);

/* Remove the temporary file and free. NULL does nothing. */
void trace_discard(struct trace *trace);

/* A whole trace as read: everything but the geometry, which trace_read_mesh fetches. */
struct trace_data {
    char *path;
    char *experiment_text;
    struct trace_note *run, *provenance;
    int run_count, provenance_count;
    struct trace_parameter *parameters;
    int parameter_count;
    int series_count;
    struct trace_series *series;
    double **values;       /* values[s][f] */
    int frames;            /* recorded frames */
    int64_t *frame_index;
    double *frame_time;
    char (*frame_hash)[DIGEST_SIZE];
    int repeats, timed_frames;
    double *frame_seconds; /* [repeats][timed_frames]; NULL where none were taken */
    size_t nodes, triangle_count, line_count;
    int32_t *triangles, *lines;
    int mesh_frames;
    double *mesh_time;
    bool bit_exact;
};

/* Errors: no such file, not HDF5, cut off, another layout, each with its path and a word on what it is. */
int trace_open(const char *path, struct trace_data *out);
void trace_close(struct trace_data *data);

/* Positions of the k-th recorded geometry, as [nodes][3] doubles. */
int trace_read_mesh(const struct trace_data *data, int k, double *positions);

/* The note or the parameter's canonical text of a name, or NULL. */
const char *trace_run_note(const struct trace_data *data, const char *name);
const char *trace_provenance_note(const struct trace_data *data, const char *name);
const char *trace_parameter_text(const struct trace_data *data, const char *path);

/* One note of /run read without the rest of the file, for the check of what is up to date: newly allocated, or NULL
 * where there is no whole trace there. Says nothing. */
char *trace_peek(const char *path, const char *note);

#endif
