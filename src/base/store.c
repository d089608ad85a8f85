#include "base/store.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/store_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* MAX_LINKS: largest number of links or attributes in a group's header. ATTRIBUTE_MOST: largest attribute in bytes;
 * HDF5 limits an attribute, including its description, to 65,536 bytes. */
enum { MAX_LINKS = 65535, ATTRIBUTE_MOST = 60000 };

void store_release(hid_t *id) {
    if (*id > 0)
        H5Idec_ref(*id);
}

/* ---- What went wrong ---- */

static _Thread_local enum store_fault last_fault;
static _Thread_local int last_error; /* errno of a failed system call in store_open or store_create; 0: none failed */
static _Thread_local const char *last_word; /* what is wrong or not allowed in the metadata, or NULL */

static hid_t refuse(enum store_fault fault, int error) {
    last_fault = fault;
    last_error = error;
    return -1;
}

static void faults_clear(void) {
    refuse(STORE_SOUND, 0);
    last_word = NULL;
    store_driver_reset();
}

int store_error(void) {
    return last_error ? last_error : store_driver_error();
}

enum store_fault store_fault(void) {
    return store_error() ? STORE_UNREADABLE : last_fault;
}

static herr_t innermost(unsigned n, const H5E_error2_t *error, void *reason) {
    if (n == 0 && error->desc)
        snprintf(reason, 256, "%s", error->desc);
    return 0;
}

int store_fail(const char *path, const char *what) {
    char reason[256] = "no reason given";
    if (store_error())
        return fail("%s: %s: %s", path, what, strerror(store_error()));
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, innermost, reason);
    return fail("%s: %s: %s", path, what, reason);
}

int store_fail_open(const char *path, const char *expected) {
    static const char *const others[STORE_FORBIDDEN + 1] = {
        [STORE_NO_FILE] = "not a file", [STORE_EMPTY] = "an empty file", [STORE_FOREIGN] = "not an HDF5 file"};
    const enum store_fault fault = store_fault();
    if (fault == STORE_UNREADABLE)
        return fail("%s: %s", path, strerror(store_error()));
    if (fault == STORE_UNCHECKED)
        return fail("%s: an HDF5 file in a format without checksums; expected %s", path, expected);
    if (fault == STORE_FORBIDDEN)
        return fail("%s: refused: it contains %s, which %s never contains", path, last_word, expected);
    if (others[fault])
        return fail("%s: %s; expected %s", path, others[fault], expected);
    return last_word ? fail("%s: truncated or damaged: %s", path, last_word) : store_fail(path, "truncated or damaged");
}

/* ---- Files ---- */

/* Open a regular file. Never blocks, unlike open() of a FIFO. */
static int descriptor_open(const char *path, int flags) {
    struct stat about;
    const int descriptor = open(path, flags | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
    if (descriptor >= 0 && !fstat(descriptor, &about) && S_ISREG(about.st_mode))
        return descriptor;
    const bool is_other = errno == EISDIR || (descriptor >= 0 && !fstat(descriptor, &about));
    refuse(is_other ? STORE_NO_FILE : STORE_UNREADABLE, is_other ? 0 : errno);
    if (descriptor >= 0)
        close(descriptor);
    return -1;
}

hid_t store_open(const char *path, unsigned flags) {
    faults_clear();
    const int descriptor = descriptor_open(path, flags & H5F_ACC_RDWR ? O_RDWR : O_RDONLY);
    hid_t file = -1;
    if (descriptor < 0)
        return file;
    last_fault = store_metadata_check(descriptor, &last_word);
    last_error = last_fault == STORE_UNREADABLE ? errno : 0;
    if (last_fault == STORE_SOUND) {
        const hid_t list = store_driver_list(descriptor);
        file = H5Fopen(path, flags, list);
        const hid_t reasons = file < 0 ? H5Eget_current_stack() : -1; /* the next HDF5 call would clear the reasons */
        last_fault = file < 0 ? STORE_DAMAGED : STORE_SOUND;
        store_release((hid_t[]){list});
        if (reasons >= 0)
            H5Eset_current_stack(reasons);
    }
    close(descriptor);
    return file;
}

hid_t store_create(const char *path) {
    faults_clear();
    const int descriptor = descriptor_open(path, O_RDWR | O_CREAT | O_TRUNC);
    if (descriptor < 0)
        return -1;
    HANDLE access = store_driver_list(descriptor);
    HANDLE creation = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_obj_track_times(creation, false);
    H5Pset_link_phase_change(creation, MAX_LINKS, 0);
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    close(descriptor);
    return file;
}

int store_close(hid_t file, const char *path, const char *what) {
    struct store_changes *changes = store_driver_changes(file);
    if (H5Fclose(file) < 0 || !changes) {
        if (changes)
            store_driver_forget(changes);
        return store_fail(path, what);
    }
    const int error = store_driver_commit(changes);
    return error ? fail("%s: %s: %s", path, what, strerror(error)) : STATUS_OK;
}

/* ---- Groups and values ---- */

hid_t store_group(hid_t file, const char *path) {
    HANDLE list = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_attr_creation_order(list, H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
    H5Pset_obj_track_times(list, false);
    /* Store all attributes and links in the group's header. Otherwise HDF5 stores lists of free space, which it reads
     * only when it closes the file, too late to report damage. store_metadata_check also refuses attributes and links
     * outside the header. */
    H5Pset_attr_phase_change(list, MAX_LINKS, 0);
    H5Pset_link_phase_change(list, MAX_LINKS, 0);
    return H5Gcreate2(file, path, H5P_DEFAULT, list, H5P_DEFAULT);
}

bool store_parents(hid_t file, const char *path) {
    bool good = true;
    for (const char *slash = strchr(path + 1, '/'); slash && good; slash = strchr(slash + 1, '/')) {
        AUTO_FREE char *parent = text_format("%.*s", (int)(slash - path), path);
        HANDLE group =
            H5Lexists(file, parent, H5P_DEFAULT) > 0 ? H5Gopen2(file, parent, H5P_DEFAULT) : store_group(file, parent);
        good = group >= 0;
    }
    return good;
}

hid_t store_text_type(size_t size, H5T_cset_t set) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, size ? size : 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    H5Tset_cset(type, set);
    return type;
}

/* Open an attribute that is one whole number of at most 64 bits; negative if it is anything else. */
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

/* A newly allocated buffer for one fixed-length string and a final zero. NULL if type and space describe anything else,
 * or a string of more than `most` bytes, because a damaged file can state any size. */
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
