/* The trace: one HDF5 file a run.
 *
 * Layout. /VTKHDF holds the recorded geometry as temporal PolyData, which ParaView 5.12 plays as it is; /series/<name>
 * one value a recorded frame; /frames/{index,time,hash} which frames they are and each one's state hash, /frames/mesh
 * which geometry belongs to a frame (-1: none), /frames/count how many are recorded; /timing/frame_seconds every raw
 * sample, [repeats, frames], NaN where none was taken; /parameters the run's parameters (used, defaulted and assumed);
 * the attributes of /run and /provenance say what ran, where, and how it ended (a text of more than 60,000 bytes is a
 * dataset there, since attributes end at 64 KB); /experiment/text is the description file. The root's attributes are
 * springback_trace (the version of this layout, 2), bit_exact, check, frames (how many were recorded), and whole, 1
 * once the trace was finished.
 *
 * Checksums, all XXH3. HDF5 keeps them for its own metadata and attributes, in the format of 1.8 and later, and no
 * file of an older one is given to it; what stands in datasets has ours:
 * /frames/check one of each frame's row and its values in /series, /timing/check one a repeat, the root's attribute
 * check one of the experiment's text, the parameters and the topology. Geometry has the state hash of its frame.
 * trace_open reads all of it and compares, so that what it returns is what was written.
 *
 * Crash safety. All datasets are allocated whole before the first frame, HDF5 is closed, and frames go to their places
 * by plain writes: no metadata changes while the run lasts. A frame's data is written before its hash, its hash before
 * the count. The file carries the temporary name PATH.part until it is whole, checked, and renamed; what a killed run
 * leaves there can be opened by trace_open, and is overwritten by the next trace_create of the same path.
 *
 * Going on. Behind what HDF5 sees of the temporary file, at the place that the root's attribute checkpoints names, are
 * two slots that take turns, so that one is good while the other is written: the frame and the index of the next time
 * step, how many frames were recorded until then, the seconds spent, the state hash, a checksum of all these, then
 * positions and velocities as the run's reals. Before a slot is overwritten the file is brought to the disk, so that a
 * loss of power leaves one good. A whole trace has none of this. */
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

/* One named text: an attribute of /run or /provenance. */
struct trace_note {
    const char *name, *value;
};

struct trace_parameter {
    const char *path, *value, *unit, *origin, *why; /* why: "" but for assumptions */
    const char *low, *high;                         /* an assumption's range, else "" */
};

/* All that is known before the first frame. Nothing is copied that is not written at once. No text is NULL. */
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
    int frames;                /* recorded frames at most, the start included */
    int mesh_frames;           /* of these, frames whose geometry is recorded at most; 0: no /VTKHDF */
    int repeats, timed_frames; /* shape of the timing samples; 0 repeats: no /timing */
    bool bit_exact;
    bool checkpoints; /* the run keeps its state now and then, so that it can go on after an interruption */
    size_t nodes;
    int real_size;            /* 4 or 8: bytes of a coordinate */
    const int32_t *triangles; /* 3 nodes a triangle; NULL where the body has none */
    size_t triangle_count;
};

/* About how many bytes a trace takes on the disk; of the header's texts only the experiment's counts, and `triangles`
 * does not. Infinite if it is too large a number. */
double trace_bytes(const struct trace_header *header);

struct trace; /* one being written */

/* Make PATH's temporary twin with everything allocated; PATH's folder must exist. Errors (folder not writable, disk too
 * full, another process writing the same trace) leave nothing, and *out is NULL. */
int trace_create(const char *path, const struct trace_header *header, struct trace **out);

/* Record a frame: its index in the run, larger than the last one's, its time in seconds, one value a series in the
 * header's order and unit, its state hash of 32 digits. Errors of this and of the next two: the disk's, or more than
 * the header announced; the trace is then to be discarded. */
int trace_add_frame(struct trace *trace, int frame, double time, const double *series, const char *hash);

/* Record the geometry of a frame: positions in m and velocities in m/s, [nodes][3] reals of real_size bytes each.
 * Before trace_add_frame of that frame, without which it does not count, and whose time and state hash (of positions,
 * then velocities, as they are here) it must have: so it is found out if it was damaged. */
int trace_add_mesh(struct trace *trace, double time, const void *positions, const void *velocities);

/* Record the timing samples of one repeat, 0 <= repeat < repeats: seconds of each of the timed_frames. */
int trace_add_timing(struct trace *trace, int repeat, const double *seconds);

/* A state from which a run can go on. */
struct trace_checkpoint {
    int frame;      /* after which it is */
    int64_t step;   /* index of the next time step */
    int frames;     /* how many were recorded until then; set by trace_add_checkpoint */
    double seconds; /* spent until then */
    char hash[DIGEST_SIZE];
    const void *positions, *velocities; /* as of trace_add_mesh */
};

/* Keep a state, in place of the one before the last. After trace_add_frame of its frame, where that is recorded. */
int trace_add_checkpoint(struct trace *trace, const struct trace_checkpoint *checkpoint);

/* Go on with what an interrupted run left of the trace that trace_create would make: *checkpoint is the last that is
 * right and whose recorded frames are, and *out the trace after it. The state stays until the trace is finished. Errors
 * leave the file as it is: trace_error is set, or it cannot be resumed: there is none, it is damaged or another run's
 * (`key` of the header's notes differs), nothing was kept in it. */
int trace_resume(const char *path, const struct trace_header *header, struct trace_checkpoint *checkpoint,
                 struct trace **out);

/* Whether anything lies at PATH's temporary twin. */
bool trace_is_begun(const char *path);

/* Give its name to a twin that was finished but for that; of this key. STATUS_BAD if it was not; with a message only if
 * trace_error is set. */
int trace_adopt(const char *path, const char *key);

/* Remove PATH's temporary twin, unless a process is writing it: the trace at PATH is up to date. */
void trace_drop_part(const char *path);

/* Free the trace, and leave its temporary twin for trace_resume; where it has no checkpoint, it goes. Returns whether
 * it was left. */
bool trace_keep(struct trace *trace);

/* Write the closing notes (status, state_hash, duration, ...) as attributes of /run, check the file, give it its name.
 * On failure the temporary file is left as by trace_keep; if only the check or the name failed, it is left also
 * without a checkpoint, for trace_adopt. The trace is freed either way. */
int trace_finish(struct trace *trace, const struct trace_note *notes, int note_count);

/* Remove the temporary file and free. NULL does nothing. */
void trace_discard(struct trace *trace);

/* One number that stands for a series of a run: "volume_loss", "max". */
struct trace_reduction {
    const char *quantity, *reduction, *unit;
};

/* A trace as read: everything but the geometry, which trace_read_mesh fetches. Nodes and triangles are known only
 * where geometry was to be recorded: else 0 and NULL. */
struct trace_data {
    char *path;
    char *experiment_text;
    struct trace_note *run, *provenance;
    int run_count, provenance_count;
    struct trace_parameter *parameters;
    int parameter_count;
    int series_count;
    struct trace_series *series;
    double **values;      /* values[s][f] */
    int frames;           /* recorded frames */
    int64_t *frame_index; /* increasing */
    double *frame_time;
    char (*frame_hash)[DIGEST_SIZE];
    int repeats, timed_frames;
    double *frame_seconds; /* [repeats][timed_frames]; NULL where none were taken */
    size_t nodes, triangle_count;
    int32_t *triangles;
    int mesh_frames;
    double *mesh_time;
    int *mesh_frame; /* of each recorded geometry: which of the recorded frames it belongs to */
    int real_size;   /* bytes of a coordinate in the file; 0 without geometry */
    const struct trace_reduction *reductions; /* in place of series: a sweep's run (run/sweep.h); else NULL */
    const float *reduced;                     /* [reduction_count] */
    int reduction_count;
    bool bit_exact;
    bool whole;                      /* finished and checked; false for what a killed run left behind */
    struct trace_index_entry *entry; /* of the index that has it (trace/index.h), else NULL */
    struct pool pool;                /* memory of the above */
};

/* Read all and compare all checksums. Errors: no such file, not HDF5, cut off, another layout, damaged, or the system
 * cannot read it, each with its path and a word on what it is; *out is then empty. Of what an interrupted run left, the
 * frames up to the first that is not right are read. */
int trace_open(const char *path, struct trace_data *out);
void trace_close(struct trace_data *data); /* also of one that is empty */

/* The errno for which this thread's last trace_open, trace_peek, trace_resume or trace_adopt failed, if the system or a
 * lack of memory or disk kept it from using a file that may be sound; 0 if it did not fail, if there is no such file,
 * or if what is in the file is to blame. */
int trace_error(void);

/* Positions (in m) or velocities (in m/s) of the k-th recorded geometry, 0 <= k < mesh_frames, as [nodes][3] doubles.
 */
int trace_read_mesh(const struct trace_data *data, int k, double *positions);
int trace_read_velocity(const struct trace_data *data, int k, double *velocities);

/* Which recorded geometry is that of a frame, by the frame's index in the run; -1: none. */
int trace_geometry_at(const struct trace_data *data, int64_t frame);

/* The note or the parameter's canonical text of a name, or NULL; trace_run_text returns "" in its place. */
const char *trace_run_note(const struct trace_data *data, const char *name);
const char *trace_run_text(const struct trace_data *data, const char *name);
const char *trace_provenance_note(const struct trace_data *data, const char *name);
const char *trace_parameter_text(const struct trace_data *data, const char *path);

/* A parameter by its path, or NULL. */
const struct trace_parameter *trace_parameter_at(const struct trace_data *data, const char *path);

/* What lies at a path, by a glance that reads no data. Says nothing. */
enum trace_state {
    TRACE_ABSENT,
    TRACE_UNREADABLE, /* the system cannot read it: what it is, is not known */
    TRACE_FOREIGN,    /* no HDF5, or not made by springback */
    TRACE_DAMAGED,    /* HDF5 that cannot be opened: cut off, or a flipped bit */
    TRACE_OTHER,      /* of another layout, which this springback does not read */
    TRACE_UNFINISHED,
    TRACE_WHOLE
};
enum trace_state trace_state(const char *path);

/* One note of /run read without the rest of the file, for the check of what is up to date: newly allocated, or NULL
 * where there is no whole trace there. Says nothing. */
char *trace_peek(const char *path, const char *note);

#endif
