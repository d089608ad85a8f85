/* The inside of a trace that is being written: for the writer and for checkpoints. */
#ifndef SPRINGBACK_TRACE_WRITER_H
#define SPRINGBACK_TRACE_WRITER_H

#include "trace/layout.h"

struct trace {
    char *path, *part;
    int fd; /* of the part, and holder of its lock; -1 where there is none */
    struct layout layout;
    uint64_t *place; /* of each dataset of the table: bytes from the file's start */
    uint64_t *series_place;
    int series_count, frames, meshes, last_frame;
    bool mesh_pending; /* a geometry was written whose frame is still to come */
    uint64_t slots;    /* place of the two checkpoints; 0: none are kept */
    int checkpoints;   /* how many were: the next goes to slot `checkpoints % 2` */
    void *state;       /* what trace_resume found; NULL else */
    struct pool pool;  /* has names and places */
};

/* A checkpoint's numbers; its positions follow, then its velocities. */
struct writer_slot {
    int64_t frame, step, frames;
    double seconds;
    char hash[LAYOUT_HASH_SIZE];  /* of the state */
    char check[LAYOUT_HASH_SIZE]; /* of the above */
};

/* A trace of this header that has no file yet; NULL, and a message, where there can be none. */
struct trace *writer_new(const char *path, const struct trace_header *header);
void writer_free(struct trace *trace);

/* Open and lock the part; `anew` makes it where there is none, and empties it. */
int writer_open(struct trace *trace, bool anew);

/* Bytes of a checkpoint; set the room for both aside. */
uint64_t writer_slot_size(const struct trace *trace);
int writer_take_slots(const struct trace *trace);

/* Read bytes at a place of the file. 0 or an errno; ENODATA where the file ends before. */
int writer_read(const struct trace *trace, void *data, size_t bytes, uint64_t place);

/* Write `count` rows of a dataset, from row `first` times `count` on. 0 or an errno. */
int writer_put(const struct trace *trace, enum layout_row row, int first, size_t count, const void *data);

/* Give the part the trace's name, and drop the lock. */
int writer_name(struct trace *trace);

#endif
