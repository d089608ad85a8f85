/* What datasets a trace holds, as one table for the writer and the reader. */
#ifndef SPRINGBACK_TRACE_LAYOUT_H
#define SPRINGBACK_TRACE_LAYOUT_H

#include "base/store.h"
#include "trace/trace.h"

#define LAYOUT_VERSION   2  /* the root attribute springback_trace */
#define LAYOUT_HASH_SIZE 32 /* bytes of a state hash: DIGEST_SIZE without its final zero */

enum layout_type { LAYOUT_INT64, LAYOUT_DOUBLE, LAYOUT_REAL, LAYOUT_HASH };

/* Sizes that datasets share, so that shapes agree by construction when written and by one comparison when read. */
enum layout_size {
    SIZE_NONE, /* as a dataset's columns: it has one dimension */
    SIZE_ZERO,
    SIZE_ONE,
    SIZE_XYZ,
    SIZE_KINDS, /* the four groups of cells */
    SIZE_NODES,
    SIZE_FRAMES,
    SIZE_STEPS,  /* geometries: as allocated; in a whole trace, as recorded */
    SIZE_POINTS, /* nodes of all geometries that there is room for */
    SIZE_TRIANGLES,
    SIZE_TRIANGLE_OFFSETS,
    SIZE_CORNERS,
    SIZE_REPEATS,
    SIZE_TIMED,
    SIZE_COUNT
};

/* Parts of a trace that can be absent as a whole. */
enum layout_part { PART_FRAMES, PART_MESH, PART_TIMING, PART_COUNT };

struct layout {
    hsize_t size[SIZE_COUNT];
    bool has[PART_COUNT];
    size_t real_size;
};

/* The rows that either side names; the others only lie between LAYOUT_STATIC and the end. */
enum layout_row {
    LAYOUT_COUNT, /* first: how many frames are recorded */
    LAYOUT_INDEX,
    LAYOUT_TIME,
    LAYOUT_FRAME_MESH,
    LAYOUT_FRAME_HASH,
    LAYOUT_FRAME_CHECK,
    LAYOUT_FRAME_SECONDS,
    LAYOUT_TIMING_CHECK,
    LAYOUT_POINTS,
    LAYOUT_VELOCITY,
    LAYOUT_STEP_TIME,
    LAYOUT_CORNERS,
    LAYOUT_STATIC
};

struct layout_dataset {
    const char *path;
    enum layout_type type;
    enum layout_size rows, columns;
    enum layout_part part;
    const char *unit; /* its attribute `unit`; NULL for none */

    /* If its content is known beforehand: element i is size[first] + i size[stride]. */
    bool is_static;
    enum layout_size first, stride;
};

extern const struct layout_dataset layout_datasets[];
extern const int layout_dataset_count;

/* A series' dataset: as those of the table, at a path of its own. */
struct layout_dataset layout_series(const char *path, const char *unit);

/* Set what follows from the number of triangles: offsets and corners; and the constants. */
void layout_derive(struct layout *layout);

/* Element i of a dataset whose content is known beforehand. */
int64_t layout_content(const struct layout *layout, const struct layout_dataset *dataset, hsize_t i);

/* Rank, and the dimensions in dims[0..rank). */
int layout_dims(const struct layout *layout, const struct layout_dataset *dataset, hsize_t dims[2]);

/* Bytes of an element, and of a dataset; UINT64_MAX where that is too large a number. */
size_t layout_element(const struct layout *layout, const struct layout_dataset *dataset);
uint64_t layout_bytes(const struct layout *layout, const struct layout_dataset *dataset);

/* Where the datasets of an unfinished trace lie, in bytes from the file's start: those of the table, and the header's
 * series. Errors: one is missing, or is not what the layout says. */
int layout_places(const char *path, const struct layout *layout, const struct trace_header *header, uint64_t *place,
                  uint64_t *series_place);

/* Set what trace_error returns: the first errno since it was cleared. */
void layout_note_error(int error);
void layout_clear_error(void);

/* The type in the file, to be released. */
hid_t layout_type(const struct layout *layout, const struct layout_dataset *dataset);

/* Checksums, the same when written and when read: of a recorded frame's row, its series' values included; of a geometry
 * or a checkpoint, which is the state hash; and of all that is stored beforehand in datasets, which HDF5 gives no
 * checksums. A repeat's samples have digest_bytes. */
void layout_frame_check(int64_t index, double time, int64_t mesh, const char *hash, const double *series, int count,
                        char out[DIGEST_SIZE]);
void layout_state_hash(const void *positions, const void *velocities, size_t bytes, char out[DIGEST_SIZE]);
void layout_header_check(const char *text, const struct trace_parameter *parameters, int parameter_count,
                         const int32_t *triangles, size_t triangle_count, char out[DIGEST_SIZE]);

/* The parameters' record: fixed-length strings, in the order of struct trace_parameter. */
#define LAYOUT_PARAMETER_FIELDS 7
extern const char *const layout_parameter_names[LAYOUT_PARAMETER_FIELDS];
const char **layout_parameter_field(struct trace_parameter *parameter, int field);
hid_t layout_parameter_type(const size_t widths[LAYOUT_PARAMETER_FIELDS]);

#endif
