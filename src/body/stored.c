#include "body/prepared.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/store.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char format[] = "springback body 1";

/* ---- Writing ---- */

/* Write a dataset without its creation time, so that equal bodies give equal files. */
static bool write_array(hid_t group, const char *name, hid_t type, hid_t memory_type, hsize_t rows, hsize_t columns,
                        const void *data) {
    const hsize_t dims[] = {rows, columns};
    HANDLE space = H5Screate_simple(columns > 1 ? 2 : 1, dims, NULL);
    HANDLE list = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(list, false);
    HANDLE dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    return dataset >= 0 && (rows == 0 || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
}

static bool write_part(hid_t parts, const struct part_kind *kind, const struct part *part) {
    HANDLE group = store_group(parts, kind->name);
    return group >= 0 &&
           write_array(group, "particles", H5T_STD_I32LE, H5T_NATIVE_INT, (hsize_t)part->count, (hsize_t)kind->size,
                       part->particle) &&
           write_array(group, "start", H5T_STD_I32LE, H5T_NATIVE_INT, (hsize_t)part->groups + 1, 1, part->start);
}

static bool write_body(hid_t file, const struct prepared *prepared) {
    HANDLE facts = store_group(file, "facts");
    HANDLE parts = store_group(file, "parts");
    bool good = facts >= 0 && parts >= 0 && store_attribute_write(file, "format", format) &&
                store_attribute_write(file, "hash", prepared->hash) &&
                store_number_write(file, "surface_vertices", prepared->surface_vertices) &&
                write_array(file, "positions", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, (hsize_t)prepared->vertices, 3,
                            prepared->position);
    for (int f = 0; f < prepared->facts.count && good; ++f)
        good = store_text_write(facts, prepared->facts.items[f].name, prepared->facts.items[f].value);
    for (int k = 0; k < BODY_PARTS && good; ++k)
        good = !prepared->parts[k].count || write_part(parts, &part_kinds[k], &prepared->parts[k]);
    return good;
}

int stored_write(const struct prepared *prepared, const char *path) {
    AUTO_FREE char *twin = text_format("%s.%ld.part", path, (long)getpid());
    static const char wrong[] = "the body cannot be written";
    temporary_add(twin);
    const hid_t file = store_create(twin);
    int status = file >= 0 && write_body(file, prepared) ? STATUS_OK : store_fail(path, wrong);
    if (!status)
        status = store_close(file, path, wrong);
    else if (file >= 0)
        H5Fclose(file);
    if (!status && rename(twin, path))
        status = fail("%s: the body cannot be written: %s", path, strerror(errno));
    if (status)
        unlink(twin);
    temporary_forget(twin);
    return status;
}

/* ---- Reading ---- */

/* Read a dataset with `columns` columns and items of `item` bytes; *rows is its number of rows. Newly allocated.
 * Returns NULL if there is no such dataset, or if it cannot be read. */
static void *read_array(hid_t group, const char *name, hid_t memory_type, size_t item, int columns, int *rows) {
    hsize_t dims[2] = {0, 1};
    HANDLE dataset = H5Dopen2(group, name, H5P_DEFAULT);
    HANDLE space = dataset < 0 ? -1 : H5Dget_space(dataset);
    HANDLE type = dataset < 0 ? -1 : H5Dget_type(dataset);
    HANDLE file = dataset < 0 ? -1 : H5Iget_file_id(dataset);
    hsize_t bytes = 0;
    if (space < 0 || type < 0 || file < 0 || H5Fget_filesize(file, &bytes) < 0 ||
        H5Sget_simple_extent_ndims(space) != (columns > 1 ? 2 : 1) ||
        H5Sget_simple_extent_dims(space, dims, NULL) < 0 || dims[1] != (hsize_t)columns || dims[0] > INT_MAX ||
        dims[0] * dims[1] > bytes / item || H5Tget_class(type) != H5Tget_class(memory_type) ||
        H5Tget_size(type) != item)
        return NULL;
    void *data = memory_large((size_t)(dims[0] * dims[1]) * item);
    if (data && dims[0] && H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
        return free(data), NULL;
    *rows = (int)dims[0];
    return data;
}

static const char *read_part(hid_t parts, const struct part_kind *kind, struct part *part) {
    if (H5Lexists(parts, kind->name, H5P_DEFAULT) <= 0)
        return NULL;
    HANDLE group = H5Gopen2(parts, kind->name, H5P_DEFAULT);
    int starts = 0;
    if (group < 0)
        return "a part cannot be opened";
    part->particle = read_array(group, "particles", H5T_NATIVE_INT, sizeof(int), kind->size, &part->count);
    part->start = read_array(group, "start", H5T_NATIVE_INT, sizeof(int), 1, &starts);
    part->groups = starts - 1;
    return part->particle && part->start && part->groups >= 0 ? NULL : "a part has no particles or no groups";
}

static herr_t read_fact(hid_t group, const char *name, const H5A_info_t *info, void *context) {
    (void)info;
    AUTO_FREE char *text = store_text_read(group, name);
    if (!text)
        return -1;
    prepared_add(context, name, "%s", text);
    return 0;
}

static const char *read_body(hid_t file, struct prepared *prepared) {
    AUTO_FREE char *found = store_attribute_read(file, "format");
    AUTO_FREE char *hash = store_attribute_read(file, "hash");
    if (!found || strcmp(found, format) != 0 || !hash)
        return "it is not a prepared body of this version";
    HANDLE parts = H5Gopen2(file, "parts", H5P_DEFAULT);
    HANDLE facts = H5Gopen2(file, "facts", H5P_DEFAULT);
    int64_t surface = 0;
    prepared->position = read_array(file, "positions", H5T_NATIVE_DOUBLE, sizeof(double), 3, &prepared->vertices);
    if (parts < 0 || facts < 0 || !prepared->position || !store_number_read(file, "surface_vertices", &surface) ||
        surface < 0 || surface > prepared->vertices)
        return "its positions, parts or facts are damaged";
    prepared->surface_vertices = (int)surface;
    const char *flaw = NULL;
    for (int k = 0; k < BODY_PARTS && !flaw; ++k)
        flaw = read_part(parts, &part_kinds[k], &prepared->parts[k]);
    if (!flaw && H5Aiterate2(facts, H5_INDEX_CRT_ORDER, H5_ITER_INC, NULL, read_fact, prepared) < 0)
        flaw = "its facts are damaged";
    if (!flaw)
        flaw = prepared_flaw(prepared);
    if (flaw)
        return flaw;
    prepared_seal(prepared);
    return strcmp(hash, prepared->hash) != 0 ? "its contents do not match its hash" : NULL;
}

int stored_read(const char *path, struct prepared *prepared) {
    *prepared = (struct prepared){.vertices = 0};
    if (!file_exists(path))
        return fail("%s: there is no such file", path);
    HANDLE file = store_open(path, H5F_ACC_RDONLY);
    if (file < 0)
        return store_fail_open(path, "a prepared body");
    const char *flaw = read_body(file, prepared);
    if (!flaw)
        return STATUS_OK;
    prepared_free(prepared);
    return fail("%s: %s; remove the file, and prepare the body again with `springback meshes`", path, flaw);
}
