#include "base/store.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ATTRIBUTE_MOST                                                                                                 \
    60000 /* bytes: an object header's message holds 65,536 with all that describes the attribute                      \
           */

void store_release(hid_t *id) {
    if (*id > 0)
        H5Idec_ref(*id);
}

static herr_t innermost(unsigned n, const H5E_error2_t *error, void *reason) {
    if (n == 0 && error->desc)
        snprintf(reason, 256, "%s", error->desc);
    return 0;
}

int store_fail(const char *path, const char *what) {
    char reason[256] = "no reason given";
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, reason);
    return fail("%s: %s: %s", path, what, reason);
}

/* HDF5's own locks are off: they are missing on some shared file systems, and the writer has a better one. The format
 * of 1.8 is the oldest whose metadata carries checksums, so that a flipped bit in it is seen. */
static hid_t access_list(void) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_file_locking(list, false, true);
    H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18);
    return list;
}

/* Let go of the list that a file was opened with, but not of HDF5's reasons where it was not: any call clears them. */
static hid_t file_opened(hid_t file, hid_t list) {
    const hid_t reasons = file < 0 ? H5Eget_current_stack() : -1;
    store_release(&list);
    if (reasons >= 0)
        H5Eset_current_stack(reasons);
    return file;
}

/* The superblock's version stands behind the signature; from 2 on, all metadata carries checksums. */
bool store_is_checked(const char *path) {
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    unsigned char start[sizeof signature + 1];
    FILE *file = fopen(path, "rb");
    const bool is_checked = file && fread(start, 1, sizeof start, file) == sizeof start &&
                            memcmp(start, signature, sizeof signature) == 0 && start[sizeof signature] >= 2;
    if (file)
        fclose(file);
    return is_checked;
}

hid_t store_open(const char *path, unsigned flags) {
    if (!store_is_checked(path))
        return -1;
    const hid_t list = access_list();
    return file_opened(H5Fopen(path, flags, list), list);
}

hid_t store_create(const char *path) {
    const hid_t list = access_list();
    return file_opened(H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, list), list);
}

hid_t store_group(hid_t file, const char *path) {
    HANDLE list = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(list, false);
    /* All attributes stand in the group's header: elsewhere HDF5 keeps books of free room that it first looks at when
     * the closing notes are written, too late to find them damaged. */
    H5Pset_attr_phase_change(list, 65535, 0);
    return H5Gcreate2(file, path, H5P_DEFAULT, list, H5P_DEFAULT);
}

hid_t store_text_type(size_t size, H5T_cset_t set) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size ? size : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, set);
    return type;
}

/* The attribute of one whole number; negative where that is something else: its values would not fit in one. */
static hid_t number_open(hid_t object, const char *name) {
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    HANDLE space = attribute < 0 ? -1 : H5Aget_space(attribute);
    HANDLE type = space < 0 ? -1 : H5Aget_type(attribute);
    if (type >= 0 && H5Sget_simple_extent_npoints(space) == 1 && H5Tget_class(type) == H5T_INTEGER &&
        H5Tget_size(type) <= sizeof(int64_t))
        return attribute;
    if (attribute >= 0)
        H5Aclose(attribute);
    return -1;
}

bool store_number_write(hid_t object, const char *name, int64_t value) {
    HANDLE space = H5Screate(H5S_SCALAR);
    HANDLE attribute = H5Aexists(object, name) > 0
                           ? number_open(object, name)
                           : H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT);
    return attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &value) >= 0;
}

bool store_number_read(hid_t object, const char *name, int64_t *value) {
    HANDLE attribute = H5Aexists(object, name) > 0 ? number_open(object, name) : -1;
    return attribute >= 0 && H5Aread(attribute, H5T_NATIVE_INT64, value) >= 0;
}

bool store_attribute_write(hid_t object, const char *name, const char *text) {
    HANDLE type = store_text_type(strlen(text), H5T_CSET_UTF8);
    HANDLE space = H5Screate(H5S_SCALAR);
    HANDLE attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    return attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
}

bool store_text_dataset_write(hid_t group, const char *name, const char *text) {
    HANDLE type = store_text_type(strlen(text), H5T_CSET_UTF8);
    HANDLE space = H5Screate(H5S_SCALAR);
    HANDLE dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
}

bool store_text_write(hid_t group, const char *name, const char *text) {
    if (H5Aexists(group, name) > 0 && H5Adelete(group, name) < 0)
        return false;
    if (H5Lexists(group, name, H5P_DEFAULT) > 0 && H5Ldelete(group, name, H5P_DEFAULT) < 0)
        return false;
    return strlen(text) > ATTRIBUTE_MOST ? store_text_dataset_write(group, name, text)
                                         : store_attribute_write(group, name, text);
}

/* A buffer for one fixed-length string, with a final zero; NULL where type and space are something else. `most` bounds
 * what a damaged file can ask for. */
static char *text_buffer(hid_t type, hid_t space, size_t most) {
    if (type < 0 || space < 0 || H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 ||
        H5Sget_simple_extent_npoints(space) != 1 || H5Tget_size(type) > most)
        return NULL;
    return memory_new(H5Tget_size(type) + 1, 1);
}

static char *text_or_null(char *text, bool good) {
    if (good)
        return text;
    free(text);
    return NULL;
}

char *store_attribute_read(hid_t object, const char *name) {
    HANDLE attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0)
        return NULL;
    HANDLE type = H5Aget_type(attribute);
    HANDLE space = H5Aget_space(attribute);
    char *text = text_buffer(type, space, ATTRIBUTE_MOST);
    return text_or_null(text, text && H5Aread(attribute, type, text) >= 0);
}

char *store_text_dataset_read(hid_t group, const char *name) {
    HANDLE dataset = H5Dopen2(group, name, H5P_DEFAULT);
    if (dataset < 0)
        return NULL;
    HANDLE type = H5Dget_type(dataset);
    HANDLE space = H5Dget_space(dataset);
    hsize_t file_size = 0;
    HANDLE file = H5Iget_file_id(dataset);
    if (file < 0 || H5Fget_filesize(file, &file_size) < 0)
        return NULL;
    char *text = text_buffer(type, space, file_size);
    return text_or_null(text, text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
}

char *store_text_read(hid_t group, const char *name) {
    if (H5Aexists(group, name) > 0)
        return store_attribute_read(group, name);
    return H5Lexists(group, name, H5P_DEFAULT) > 0 ? store_text_dataset_read(group, name) : NULL;
}
