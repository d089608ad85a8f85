/* The trace: one HDF5 file per run.
 *
 * Layout.
 *
 *   /VTKHDF                          the recorded geometry as temporal UnstructuredGrid, which ParaView 5.12 can play
 *   /series/<name>                   one value per recorded frame
 *   /frames/index, time, hash        index, time and state hash of each recorded frame
 *   /frames/mesh                     for each recorded frame, the number of its geometry; -1 if it has none
 *   /frames/check                    for each recorded frame, a checksum
 *   /frames/count                    the number of recorded frames
 *   /timing/frame_seconds            computing time of each timed frame in s, [repeats, timed frames]; NaN for frames
 *                                    that were not measured
 *   /timing/check                    for each repeat, a checksum
 *   /parameters                      all parameters of the run, with their origin
 *   attributes of /run, /provenance  what ran, where, and how it ended. An attribute has at most 64 KiB, so a text of
 *                                    more than 60,000 bytes is a dataset instead
 *   /experiment/text                 the experiment file
 *   attributes of /                  springback_trace (3, the version of this layout), bit_exact, check, checkpoints;
 *                                    whole, which is 1 after the trace is finished and 0 before
 *
 * Checksums, all XXH3. HDF5 has checksums for its own metadata and attributes in the format of 1.8 and later; files of
 * older formats are refused. Datasets have our own checksums. An element of /frames/check is the checksum of the
 * frame's index, time, geometry number and state hash, and of its values in /series. An element of /timing/check is the
 * checksum of a repeat's samples. The root's attribute `check` is the checksum of the experiment file, the parameters
 * and the corners of all triangles and tetrahedra. Geometry is checked by the state hash of its frame. trace_open reads
 * the whole trace, except the points of the scene, and compares all checksums, so it returns only what was written.
 *
 * Crash safety. HDF5 allocates all datasets before the first frame, and closes the file. Each frame is then written by
 * write calls at fixed offsets, so no metadata changes during the run. A frame's data is written before its hash and
 * checksum, and these are written before /frames/count. The file has the temporary name PATH.part until it is complete,
 * checked, and renamed. If a run was killed, trace_open can open PATH.part, and the next trace_create of the same path
 * overwrites it.
 *
 * Resuming. PATH.part has two slots for checkpoints, after the bytes that HDF5 uses. A slot is the space for one
 * checkpoint. The root's attribute `checkpoints` is the offset of the slots in bytes. The slots are written
 * alternately, so one is valid while the other is written. A slot has the frame, the index of the next time step, the
 * number of recorded frames, the seconds spent, the state hash, and a checksum of these values. Positions and
 * velocities follow as reals of the run. Before a slot is overwritten, the file is flushed to the disk, so that one
 * valid slot remains after a loss of power. A whole trace has no slots. */
#ifndef SPRINGBACK_TRACE_TRACE_H
#define SPRINGBACK_TRACE_TRACE_H

#include "base/digest.h"
#include "base/memory.h"
#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_series {
    const char *name, *unit, *doc;
};

/* A named text: an attribute of /run or /provenance. */
struct trace_note {
    const char *name, *value;
};

struct trace_parameter {
    const char *path, *value, *unit, *origin, *why; /* why: the reason of an assumption; otherwise "" */
    const char *low, *high; /* the first and last value of an assumption's likely range, or of its possible range if the
                               likely range has one value; "" for other parameters */
};

/* Ground, plate and obstacles of the scene, as triangles for VTK. The triangles of the ground come first, then those of
 * the plate, then those of the obstacles. */
struct trace_scene {
    size_t points, ground, plate, obstacles; /* number of points; number of triangles of each part */
    const int32_t *corners;                  /* 3 indices of points per triangle, from 0 */
};

/* Everything that is known before the first frame. All pointers are borrowed until trace_create or trace_resume
 * returns. No text is NULL. */
struct trace_header {
    const char *experiment_text;
    const struct trace_note *run; /* id, experiment, paper, backend, device, key, ... */
    int run_count;
    const struct trace_note *provenance; /* version, revision, compiler, flags, CPU, ... */
    int provenance_count;
    const struct trace_parameter *parameters;
    int parameter_count;
    const struct trace_series *series;
    int series_count;
    int frames;                /* maximum number of recorded frames, including the initial state */
    int mesh_frames;           /* maximum number of recorded geometries; 0: no /VTKHDF */
    int repeats, timed_frames; /* shape of the timing samples; no /timing if one of them is 0 */
    bool bit_exact;
    bool checkpoints; /* the run stores checkpoints, so that it can resume after an interruption */
    size_t nodes;
    int real_size;            /* 4 or 8: bytes per coordinate */
    const int32_t *triangles; /* 3 nodes per triangle; NULL if the body has none */
    size_t triangle_count;
    const int32_t *tetrahedra; /* 4 nodes per tetrahedron; NULL if the body has none */
    size_t tetrahedron_count;
    struct trace_scene scene;
};

/* Approximate size of a trace on the disk, in bytes; infinite on overflow. The size depends on the length of
 * experiment_text, but not on the header's other texts. The pointers `triangles`, `tetrahedra` and scene.corners may be
 * NULL. */
double trace_bytes(const struct trace_header *header);

struct trace; /* a trace that is being written */

/* Create PATH.part with all datasets allocated; the folder of PATH must exist. On failure (folder not writable, disk
 * full, another process writes the same trace), this call leaves no file, and *out is NULL. */
int trace_create(const char *path, const struct trace_header *header, struct trace **out);

/* Record a frame. `frame` is its index in the run, which must be larger than that of the last recorded frame. `time` is
 * its simulated time in seconds. `series` has one value for each series of the header, in the same order and units.
 * `hash` is its state hash of 32 digits. Errors of this function, trace_add_mesh and trace_add_timing: a disk error, or
 * more frames, geometries or repeats than the header announced. The caller must then discard the trace. */
int trace_add_frame(struct trace *trace, int frame, double time, const double *series, const char *hash);

/* Record the geometry of a frame: positions in m and velocities in m/s, each [nodes][3] reals of real_size bytes. Call
 * this before trace_add_frame of the same frame. If trace_add_frame does not follow, the geometry is ignored. The
 * `time` of trace_add_frame must be the same, and its `hash` must be the state hash of these positions and velocities.
 * The reader compares time and hash to detect damage. */
int trace_add_mesh(struct trace *trace, double time, const void *positions, const void *velocities);

/* Record the scene of the geometry that trace_add_mesh has just recorded: positions in m and velocities in m/s of its
 * points, each [points][3]. VTK shows them. springback does not read them, and they have no checksum. */
int trace_add_scene(struct trace *trace, const double *positions, const double *velocities);

/* Record the timing samples of one repeat, 0 <= repeat < repeats: the seconds of each of timed_frames frames. */
int trace_add_timing(struct trace *trace, int repeat, const double *seconds);

/* A state from which a run can resume. */
struct trace_checkpoint {
    int frame;      /* the state is the state after this frame */
    int64_t step;   /* index of the next time step */
    int frames;     /* number of frames recorded so far; set by trace_resume, ignored by trace_add_checkpoint */
    double seconds; /* wall-clock time of the run so far */
    char hash[DIGEST_SIZE];
    const void *positions, *velocities; /* in m and m/s, as for trace_add_mesh */
};

/* Store a checkpoint, which overwrites the older of the two stored checkpoints. If the checkpoint's frame is also
 * recorded, call trace_add_frame first. */
int trace_add_checkpoint(struct trace *trace, const struct trace_checkpoint *checkpoint);

/* Resume from the file PATH.part that an interrupted run left. *checkpoint becomes the last valid checkpoint whose
 * recorded frames are also valid. *out becomes the trace, ready for the frames after this checkpoint. *out owns the
 * positions and velocities of the checkpoint, which are valid until *out is freed.
 *
 * On failure the file stays unchanged. If a system call failed, for example because the file does not exist,
 * trace_error is set. If trace_error is not set, the file cannot be resumed: it is damaged, has no checkpoint, is being
 * written by another process, or belongs to another run (its note `key` differs from that of the header). */
int trace_resume(const char *path, const struct trace_header *header, struct trace_checkpoint *checkpoint,
                 struct trace **out);

/* Whether PATH.part exists. */
bool trace_is_begun(const char *path);

/* Rename PATH.part to PATH, if it is a finished trace with this key. Returns STATUS_BAD if there is no such file, or if
 * a process is writing the file. There is a message only if trace_error is set. */
int trace_adopt(const char *path, const char *key);

/* Remove PATH.part, unless a process is writing it. Call this if the trace at PATH is up to date. */
void trace_drop_part(const char *path);

/* Free the trace. PATH.part stays for trace_resume if it has a checkpoint; otherwise it is removed. Returns whether it
 * stays. */
bool trace_keep(struct trace *trace);

/* Write the closing notes (status, state_hash, seconds, ...) as attributes of /run, check the file, and rename it to
 * PATH. If the check or the renaming fails, PATH.part stays for trace_adopt. If an earlier step fails, PATH.part stays
 * only if it has a checkpoint. The trace is freed in all cases. */
int trace_finish(struct trace *trace, const struct trace_note *notes, int note_count);

/* Remove PATH.part and free the trace. NULL is allowed. */
void trace_discard(struct trace *trace);

/* How a series of a run is reduced to one number, for example the quantity "volume_loss" by the reduction "max". */
struct trace_reduction {
    const char *quantity, *reduction, *unit;
};

/* The contents of a trace, except the geometry, which trace_read_mesh reads. If no geometry was to be recorded,
 * `nodes`, `triangle_count` and `mesh_frames` are 0, and `triangles` is NULL. */
struct trace_data {
    char *path;
    char *experiment_text;
    struct trace_note *run, *provenance;
    int run_count, provenance_count;
    struct trace_parameter *parameters;
    int parameter_count;
    int series_count;
    struct trace_series *series;
    double **values;      /* values[s][f]: series s at recorded frame f */
    int frames;           /* number of recorded frames */
    int64_t *frame_index; /* the index of each recorded frame in the run, increasing */
    double *frame_time;   /* the simulated time of each recorded frame, s */
    char (*frame_hash)[DIGEST_SIZE];
    int repeats, timed_frames;
    double *frame_seconds; /* [repeats][timed_frames] computing times, s; NULL if the run is not timed */
    size_t nodes, triangle_count;
    size_t mesh_points; /* number of points of a geometry in the file: nodes and points of the scene */
    int32_t *triangles;
    int mesh_frames;   /* number of recorded geometries */
    double *mesh_time; /* the simulated time of each recorded geometry, s */
    int *mesh_frame;   /* for each recorded geometry, the index of its frame in frame_index */
    int real_size;     /* bytes per coordinate in the file; 0 without geometry */
    const struct trace_reduction
        *reductions;      /* what a run of a sweep has instead of series (run/sweep.h); NULL for a trace from a file */
    const float *reduced; /* [reduction_count]: the value of each reduction */
    int reduction_count;
    bool bit_exact;
    bool whole;                      /* the trace is finished; false if its run was interrupted or is still running */
    struct trace_index_entry *entry; /* the trace's entry in an index (trace/index.h), or NULL */
    struct pool pool;                /* memory of all the above */
};

/* Read a trace and compare all checksums. Errors: no such file, not HDF5, truncated, another layout, damaged, or
 * unreadable. The message has the path and the reason, and *out is then empty. In the file of an interrupted run, an
 * invalid frame and all later frames are ignored. */
int trace_open(const char *path, struct trace_data *out);
void trace_close(struct trace_data *data); /* the data may be empty */

/* The errno of this thread's last call of trace_open, trace_peek, trace_resume or trace_adopt. It is not 0 if the call
 * failed because of the system, the memory or the disk; the file may then be valid. It is 0 if the call did not fail,
 * or if the contents of the file are wrong. If there is no such file, it is not 0 after trace_resume, and 0 after the
 * other three functions. */
int trace_error(void);

/* Read positions (in m) or velocities (in m/s) of the k-th recorded geometry, 0 <= k < mesh_frames, as [nodes][3]
 * doubles. */
int trace_read_mesh(const struct trace_data *data, int k, double *positions);
int trace_read_velocity(const struct trace_data *data, int k, double *velocities);

/* The number k of the recorded geometry of a frame, given the frame's index in the run; -1 if the frame has none. */
int trace_geometry_at(const struct trace_data *data, int64_t frame);

/* The text of a note, or the canonical text of a parameter, borrowed from `data`; NULL if there is none. trace_run_text
 * returns "" instead of NULL. */
const char *trace_run_note(const struct trace_data *data, const char *name);
const char *trace_run_text(const struct trace_data *data, const char *name);
const char *trace_provenance_note(const struct trace_data *data, const char *name);
const char *trace_parameter_text(const struct trace_data *data, const char *path);

/* A parameter by its path, borrowed from `data`, or NULL. */
const struct trace_parameter *trace_parameter_at(const struct trace_data *data, const char *path);

/* trace_file_name: the name of the file of a run's trace, <id>.h5, or <id>.trace-1.vtkhdf if it has geometry.
 * trace_file_id: the id in such a name; NULL if the name has none of these two endings. Both are newly allocated; the
 * caller frees them. */
char *trace_file_name(const char *id, bool has_geometry);
char *trace_file_id(const char *name);

/* The kind of file at a path, found without reading its data. Reports no errors. */
enum trace_state {
    TRACE_ABSENT,
    TRACE_UNREADABLE, /* the system cannot read the file, so its kind is unknown */
    TRACE_FOREIGN,    /* not HDF5, or not made by springback */
    TRACE_DAMAGED,    /* HDF5 that cannot be opened: truncated, or a bit error */
    TRACE_OTHER,      /* a trace of another layout, or HDF5 with contents that springback never writes */
    TRACE_UNFINISHED, /* a trace that is being written, or of an interrupted run */
    TRACE_WHOLE
};
enum trace_state trace_state(const char *path);

/* One note of /run, read without the rest of the file, to check whether the trace is up to date. Newly allocated; the
 * caller frees it. NULL if there is no whole trace. Reports no errors. */
char *trace_peek(const char *path, const char *note);

#endif
