/* Internals of a trace that is being written, for the writer and for checkpoints. */
#ifndef SPRINGBACK_TRACE_WRITER_H
#define SPRINGBACK_TRACE_WRITER_H

#include "trace/layout.h"

struct trace {
    char *path, *part;
    int fd; /* descriptor of the file `part`, which is open and locked; -1 if it is closed */
    struct layout layout;
    uint64_t *place;        /* offset of each dataset of the table, in bytes */
    uint64_t *series_place; /* offset of each series, in bytes */
    /* The numbers of series, of recorded frames and of recorded geometries. last_frame: the index of the last recorded
     * frame in the run; -1 if there is none. */
    int series_count, frames, meshes, last_frame;
    bool mesh_pending; /* a geometry was written, but its frame is not recorded yet */
    uint64_t slots;    /* offset of the two slots for checkpoints, in bytes; 0 if the run stores no checkpoints */
    int checkpoints;   /* 0 if the file has no checkpoint. The next checkpoint is written to slot `checkpoints % 2`, and
                          adds 1. trace_resume sets 1 plus the number of the slot that it has read */
    void *state;       /* the state that trace_resume found; NULL if the run did not resume */
    struct pool pool;  /* owns names and offsets */
};

/* The beginning of a checkpoint in the file. The positions of the checkpoint follow, then the velocities. */
struct writer_slot {
    int64_t frame, step, frames;
    double seconds;
    char hash[LAYOUT_HASH_SIZE];  /* state hash of the positions and velocities */
    char check[LAYOUT_HASH_SIZE]; /* checksum of the members above */
};

/* A trace for this header, without a file yet; free it with writer_free. NULL after fail() if the header is invalid. */
struct trace *writer_new(const char *path, const struct trace_header *header);
void writer_free(struct trace *trace);

/* Open and lock the temporary file. If `creates`, it is created if missing, and emptied. */
int writer_open(struct trace *trace, bool creates);

/* writer_slot_size returns the bytes of a checkpoint. writer_reserve_slots reserves disk space for both checkpoints. */
uint64_t writer_slot_size(const struct trace *trace);
int writer_reserve_slots(const struct trace *trace);

/* Read bytes at an offset. Returns 0 or an errno; ENODATA if the file is too short. */
int writer_read(const struct trace *trace, void *data, size_t bytes, uint64_t place);

/* Write `count` rows of a dataset, starting at row `first`. Returns 0 or an errno. */
int writer_put(const struct trace *trace, enum layout_row row, uint64_t first, size_t count, const void *data);

/* Rename the temporary file to the trace's name, and release the lock. */
int writer_name(struct trace *trace);

#endif
