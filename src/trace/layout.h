/* The table of all datasets in a trace, shared by the writer and the reader. */
#ifndef SPRINGBACK_TRACE_LAYOUT_H
#define SPRINGBACK_TRACE_LAYOUT_H

#include "base/store.h"
#include "trace/trace.h"

#define LAYOUT_VERSION   3  /* value of the root's attribute springback_trace */
#define LAYOUT_HASH_SIZE 32 /* bytes of a state hash: DIGEST_SIZE without its final zero */

enum layout_type { LAYOUT_INT64, LAYOUT_BYTE, LAYOUT_DOUBLE, LAYOUT_REAL, LAYOUT_HASH };

/* Sizes that several datasets share. The writer derives all shapes from them, and the reader compares each shape with
 * them. */
enum layout_size {
    SIZE_NONE, /* used as the number of columns of a dataset with one dimension */
    SIZE_ZERO, /* the constant 0 */
    SIZE_ONE,  /* the constant 1 */
    SIZE_XYZ,  /* the constant 3 */
    SIZE_NODES,
    SIZE_FRAMES,       /* number of allocated frames; in a whole trace, number of recorded frames */
    SIZE_STEPS,        /* number of VTK's steps: number of allocated geometries; in a whole trace, layout_steps */
    SIZE_STEP_POINTS,  /* number of points of a geometry: the nodes, then the points of the scene */
    SIZE_POINTS,       /* number of points of all allocated geometries */
    SIZE_CELLS,        /* number of cells of all objects in a geometry */
    SIZE_CELL_OFFSETS, /* SIZE_CELLS + 1 */
    SIZE_CORNERS,      /* number of corners of all cells of a geometry */
    SIZE_REPEATS,      /* number of repeats of a timed run */
    SIZE_TIMED,        /* number of timed frames of a repeat */
    SIZE_COUNT
};

/* Parts of a trace. PART_MESH and PART_TIMING may be absent. */
enum layout_part { PART_FRAMES, PART_MESH, PART_TIMING, PART_COUNT };

/* What the cells of a geometry belong to. Cells are in the order of these objects. */
enum layout_object {
    OBJECT_SURFACE, /* triangles of the body's surface */
    OBJECT_INSIDE,  /* tetrahedra of the body */
    OBJECT_GROUND,
    OBJECT_PLATE,
    OBJECT_OBSTACLES,
    OBJECT_COUNT
};

struct layout {
    hsize_t size[SIZE_COUNT];
    hsize_t cells[OBJECT_COUNT]; /* number of cells of each object */
    bool has[PART_COUNT];
    bool is_doubled;  /* the trace has one geometry, which VTK sees as two equal steps (layout_steps) */
    size_t real_size; /* bytes of a coordinate: 4 or 8 */
};

/* The content of a dataset. Fixed content, which is all except CONTENT_WRITTEN, follows from the sizes. */
enum layout_content {
    CONTENT_WRITTEN,
    CONTENT_LINEAR, /* element i is size[first] + i * size[stride]; but if is_doubled, each element of a dataset with
                       SIZE_STEPS rows is size[first] */
    CONTENT_OBJECT, /* the object of each cell */
    CONTENT_TYPE,   /* VTK's number for the type of each cell */
    CONTENT_CORNERS /* element i is the number of corners of all cells before cell i */
};

/* The first rows of layout_datasets. The writer or the reader uses these rows by name, except LAYOUT_STATIC. The rows
 * from LAYOUT_OBJECT to the end of the table have fixed content. */
enum layout_row {
    LAYOUT_COUNT, /* how many frames are recorded */
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
    LAYOUT_OBJECT,
    LAYOUT_STATIC
};

struct layout_dataset {
    const char *path;
    enum layout_type type;
    enum layout_size rows, columns;
    enum layout_part part;
    const char *unit; /* the dataset's attribute `unit`; NULL if it has none */
    enum layout_content content;
    enum layout_size first, stride; /* only for CONTENT_LINEAR */
};

extern const struct layout_dataset layout_datasets[];
extern const int layout_dataset_count;

/* The description of a series' dataset at `path`. Both texts are borrowed. */
struct layout_dataset layout_series(const char *path, const char *unit);

/* Set the constant sizes, and the sizes that follow from the numbers of cells. */
void layout_derive(struct layout *layout);

/* The number of corners of a cell of an object: 3 or 4. */
int layout_corners(enum layout_object object);

/* How many steps VTK sees in a whole trace with this number of geometries. VTK reports no time if there is only one
 * step, so a single geometry becomes two steps with the same time and the same points. */
int layout_steps(int geometries);

/* Element i of a dataset with fixed content. */
int64_t layout_element_at(const struct layout *layout, const struct layout_dataset *dataset, hsize_t i);

/* Write the dimensions of a dataset to dims, and return their number (1 or 2). */
int layout_dims(const struct layout *layout, const struct layout_dataset *dataset, hsize_t dims[2]);

/* layout_element: bytes of an element of a dataset. layout_bytes: bytes of the dataset; UINT64_MAX on overflow. */
size_t layout_element(const struct layout *layout, const struct layout_dataset *dataset);
uint64_t layout_bytes(const struct layout *layout, const struct layout_dataset *dataset);

/* Find the offsets of the datasets of an unfinished trace, in bytes from the start of the file. place[row] becomes the
 * offset of each row of layout_datasets, and series_place[s] that of each series of the header. An offset is 0 if the
 * trace does not have the part (enum layout_part) to which the dataset belongs. Errors: a dataset of a part that the
 * trace has is missing, or does not match the layout. */
int layout_places(const char *path, const struct layout *layout, const struct trace_header *header, uint64_t *place,
                  uint64_t *series_place);

/* layout_note_error sets the result of trace_error to an errno, unless it is already set. layout_clear_error resets it.
 */
void layout_note_error(int error);
void layout_clear_error(void);

/* The HDF5 type of a dataset in the file; the caller releases it. */
hid_t layout_type(const struct layout *layout, const struct layout_dataset *dataset);

/* Checksums, because HDF5 has none for datasets. The writer computes them, and the reader computes them again.
 * - layout_frame_check: the checksum of a recorded frame, including its series
 * - layout_state_hash: the state hash of a geometry or a checkpoint. The positions have `reals` coordinates of
 *   `real_size` bytes each, and so have the velocities.
 * - layout_timing_check: the checksum of a repeat's samples, in s
 * - layout_header_check: the checksum of the experiment file, the parameters and the corners of all cells */
void layout_frame_check(int64_t index, double time, int64_t mesh, const char *hash, const double *series, int count,
                        char out[DIGEST_SIZE]);
void layout_state_hash(const void *positions, const void *velocities, size_t real_size, size_t reals,
                       char out[DIGEST_SIZE]);
void layout_timing_check(const double *seconds, size_t count, char out[DIGEST_SIZE]);
void layout_header_check(const char *text, const struct trace_parameter *parameters, int parameter_count,
                         const int32_t *corners, size_t corner_count, char out[DIGEST_SIZE]);

/* The names of the members of a parameter's record, in the order of struct trace_parameter. Each member is a
 * fixed-length string. */
#define LAYOUT_PARAMETER_FIELDS 7
extern const char *const layout_parameter_names[LAYOUT_PARAMETER_FIELDS];

/* The address of a member of `parameter`; `field` is from 0 to LAYOUT_PARAMETER_FIELDS - 1. */
const char **layout_parameter_field(struct trace_parameter *parameter, int field);

/* The record type whose strings have these widths in bytes; the caller releases it. */
hid_t layout_parameter_type(const size_t widths[LAYOUT_PARAMETER_FIELDS]);

#endif
