/* A reader of the geometry in a trace that is independent of the program's own reader. It follows Kitware's
 * specification of VTKHDF 2 for temporal files of the type UnstructuredGrid, as VTK 9.3 and newer versions do. The
 * reader also checks what VTK relies on. Each error fails the test. */
#ifndef SPRINGBACK_TESTS_VTKHDF_H
#define SPRINGBACK_TESTS_VTKHDF_H

#include "base/memory.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { VTKHDF_TRIANGLE = 5, VTKHDF_TETRAHEDRON = 10 };

/* A time step, which has one piece in these traces. The arrays belong to the pool. */
struct vtkhdf_grid {
    double time; /* s */
    int64_t points, cells, corners;
    double (*point)[3], (*velocity)[3]; /* [points] */
    int64_t *offset, *corner;           /* [cells + 1], [corners] */
    int64_t *type, *object;             /* [cells] */
    struct pool pool;
};

/* Read rows first to first + count - 1 of a dataset below /VTKHDF, converted to `type`, into a new array. Each row has
 * `columns` values. */
static inline void *vtkhdf_rows(hid_t root, const char *path, hid_t type, int64_t first, int64_t count, int columns) {
    hid_t dataset = H5Dopen2(root, path, H5P_DEFAULT);
    cr_assert(dataset >= 0, "%s is missing", path);
    hid_t space = H5Dget_space(dataset);
    hsize_t dims[2] = {0, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    cr_assert(rank == 1 || rank == 2, "%s has %d dimensions", path, rank);
    H5Sget_simple_extent_dims(space, dims, NULL);
    cr_assert_eq(dims[1], columns, "%s has %d columns", path, (int)dims[1]);
    cr_assert(first >= 0 && count >= 0 && (hsize_t)(first + count) <= dims[0],
              "%s has %d rows; expected %d rows from row %d on", path, (int)dims[0], (int)count, (int)first);
    char *rows = memory_new((size_t)(count * columns) + 1, sizeof(double));
    const hsize_t start[2] = {(hsize_t)first, 0}, size[2] = {(hsize_t)count, (hsize_t)columns};
    hid_t memory = H5Screate_simple(rank, size, NULL);
    if (count > 0) {
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL);
        cr_assert(H5Dread(dataset, type, memory, space, H5P_DEFAULT, rows) >= 0, "%s", path);
    }
    H5Sclose(memory);
    H5Sclose(space);
    H5Dclose(dataset);
    return rows;
}

static inline int64_t vtkhdf_number(hid_t root, const char *path, int64_t row) {
    AUTO_FREE int64_t *number = vtkhdf_rows(root, path, H5T_NATIVE_INT64, row, 1, 1);
    return *number;
}

/* Open the group /VTKHDF and return it. vtkhdf_close closes *file and the group. *steps becomes the number of time
 * steps. */
static inline hid_t vtkhdf_open(const char *path, hid_t *file, int *steps) {
    int64_t version[2] = {0};
    char type[32] = "";
    *file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    cr_assert(*file >= 0, "%s", path);
    hid_t root = H5Gopen2(*file, "/VTKHDF", H5P_DEFAULT), group = H5Gopen2(root, "Steps", H5P_DEFAULT);
    hid_t attribute = H5Aopen(root, "Version", H5P_DEFAULT);
    cr_assert(root >= 0 && group >= 0 && attribute >= 0, "%s", path);
    cr_assert_eq(H5Aget_storage_size(attribute), sizeof version);
    H5Aread(attribute, H5T_NATIVE_INT64, version);
    cr_assert_eq(version[0], 2);
    H5Aclose(attribute);
    attribute = H5Aopen(root, "Type", H5P_DEFAULT);
    hid_t text = H5Aget_type(attribute);
    cr_assert(H5Tget_class(text) == H5T_STRING && !H5Tis_variable_str(text) && H5Tget_cset(text) == H5T_CSET_ASCII &&
              H5Tget_size(text) == strlen("UnstructuredGrid"));
    H5Aread(attribute, text, type);
    cr_assert_str_eq(type, "UnstructuredGrid");
    H5Tclose(text);
    H5Aclose(attribute);
    attribute = H5Aopen(group, "NSteps", H5P_DEFAULT);
    cr_assert(H5Aread(attribute, H5T_NATIVE_INT, steps) >= 0);
    H5Aclose(attribute);
    H5Gclose(group);
    return root;
}

static inline void vtkhdf_close(hid_t file, hid_t root) {
    H5Gclose(root);
    H5Fclose(file);
}

/* Read a piece into the grid of its time step. The grid must be empty. `piece` is the piece's row in NumberOfPoints.
 * `first` has the indices of the piece's first point, cell and corner in the file. */
static inline void vtkhdf_add_piece(hid_t root, int step, int64_t piece, int64_t first[3], struct vtkhdf_grid *grid) {
    const int64_t points = vtkhdf_number(root, "NumberOfPoints", piece),
                  cells = vtkhdf_number(root, "NumberOfCells", piece),
                  corners = vtkhdf_number(root, "NumberOfConnectivityIds", piece);
    const int64_t at = vtkhdf_number(root, "Steps/PointOffsets", step);
    const int64_t velocity = vtkhdf_number(root, "Steps/PointDataOffsets/velocity", step) + first[0] - at;
    cr_assert_eq(grid->points, 0, "the traces have one piece for each step");
    grid->points = points;
    grid->cells = cells;
    grid->corners = corners;
    grid->point = pool_add(&grid->pool, vtkhdf_rows(root, "Points", H5T_NATIVE_DOUBLE, first[0], points, 3));
    grid->velocity =
        pool_add(&grid->pool, vtkhdf_rows(root, "PointData/velocity", H5T_NATIVE_DOUBLE, velocity, points, 3));
    grid->offset =
        pool_add(&grid->pool, vtkhdf_rows(root, "Offsets", H5T_NATIVE_INT64, first[1] + piece, cells + 1, 1));
    grid->corner = pool_add(&grid->pool, vtkhdf_rows(root, "Connectivity", H5T_NATIVE_INT64, first[2], corners, 1));
    grid->type = pool_add(&grid->pool, vtkhdf_rows(root, "Types", H5T_NATIVE_INT64, first[1], cells, 1));
    grid->object =
        pool_add(&grid->pool, vtkhdf_rows(root, "CellData/object", H5T_NATIVE_INT64,
                                          vtkhdf_number(root, "Steps/CellDataOffsets/object", step), cells, 1));
}

/* Read a time step into *grid, which vtkhdf_grid_free frees, and check its cells. */
static inline void vtkhdf_read(hid_t root, int step, struct vtkhdf_grid *grid) {
    int64_t first[3] = {vtkhdf_number(root, "Steps/PointOffsets", step), vtkhdf_number(root, "Steps/CellOffsets", step),
                        vtkhdf_number(root, "Steps/ConnectivityIdOffsets", step)};
    AUTO_FREE double *time = vtkhdf_rows(root, "Steps/Values", H5T_NATIVE_DOUBLE, step, 1, 1);
    *grid = (struct vtkhdf_grid){.time = *time};
    hid_t types = H5Dopen2(root, "Types", H5P_DEFAULT), stored = H5Dget_type(types);
    cr_assert_eq(H5Tequal(stored, H5T_STD_U8LE), 1, "VTK reads cell types of one byte only");
    H5Tclose(stored);
    H5Dclose(types);
    cr_assert_eq(vtkhdf_number(root, "Steps/NumberOfParts", step), 1);
    vtkhdf_add_piece(root, step, vtkhdf_number(root, "Steps/PartOffsets", step), first, grid);
    cr_assert_eq(grid->offset[0], 0);
    cr_assert_eq(grid->offset[grid->cells], grid->corners);
    for (int64_t c = 0; c < grid->cells; c++) {
        const int64_t corners = grid->offset[c + 1] - grid->offset[c];
        cr_assert(corners == (grid->type[c] == VTKHDF_TETRAHEDRON ? 4 : 3), "cell %d of type %d has %d corners", (int)c,
                  (int)grid->type[c], (int)corners);
        cr_assert(grid->type[c] == VTKHDF_TRIANGLE || grid->type[c] == VTKHDF_TETRAHEDRON);
    }
    for (int64_t c = 0; c < grid->corners; c++)
        cr_assert(grid->corner[c] >= 0 && grid->corner[c] < grid->points, "corner %d is point %d, which does not exist",
                  (int)c, (int)grid->corner[c]);
}

static inline void vtkhdf_grid_free(struct vtkhdf_grid *grid) {
    pool_free(&grid->pool);
}

/* How many cells of an object the grid has. All of them must be of the type `type`. */
static inline int64_t vtkhdf_count(const struct vtkhdf_grid *grid, int object, int type) {
    int64_t count = 0;
    for (int64_t c = 0; c < grid->cells; c++)
        if (grid->object[c] == object) {
            cr_assert_eq(grid->type[c], type, "cell %d of object %d", (int)c, object);
            count++;
        }
    return count;
}

#endif
