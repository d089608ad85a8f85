#include "base/store_driver.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes that HDF5 has written at the offset `place`, and that are not in the file yet. */
struct change {
    uint64_t place;
    size_t bytes;
    char *data;
};

struct store_changes {
    struct change *changes;
    int count;
    int descriptor;
    int holders;          /* number of users of this struct: HDF5 until it closes the file, and the caller of
                             store_driver_changes */
    bool is_open, is_cut; /* is_open: HDF5 has the file open; is_cut: store_driver_commit sets the file size to `end` */
    uint64_t end;         /* size of the file after the changes, bytes */
};

/* An open file, as HDF5 passes it to this driver. HDF5's own part must be first. */
struct driver_file {
    H5FD_t public;
    haddr_t end_of_addresses;
    struct store_changes *changes;
};

static _Thread_local int first_error;

int store_driver_error(void) {
    return first_error;
}

void store_driver_reset(void) {
    first_error = 0;
}

static int note_error(int error) {
    if (!first_error)
        first_error = error;
    return error;
}

void store_driver_forget(struct store_changes *changes) {
    if (--changes->holders)
        return;
    for (int c = 0; c < changes->count; ++c)
        free(changes->changes[c].data);
    free(changes->changes);
    close(changes->descriptor);
    free(changes);
}

/* ---- The file itself ---- */

/* Read bytes; all bytes after the end of the file are zero. Returns 0 or an errno. */
static int bytes_read(int descriptor, void *data, size_t bytes, uint64_t place) {
    const ssize_t held = file_read_at(descriptor, data, bytes, place);
    if (held < 0)
        return errno;
    memset((char *)data + held, 0, bytes - (size_t)held);
    return 0;
}

/* Write the bytes of a change to the file, and keep the earlier bytes of the file in the change. A second call undoes
 * the first. */
static int change_swap(const struct store_changes *changes, struct change *change) {
    char *before = memory_new(change->bytes, 1);
    int error = bytes_read(changes->descriptor, before, change->bytes, change->place);
    if (!error)
        error = file_write_at(changes->descriptor, change->data, change->bytes, change->place);
    free(change->data);
    change->data = before;
    return error;
}

int store_driver_commit(struct store_changes *changes) {
    int error = changes->is_open ? EBUSY : 0, done = 0;
    while (!error && done < changes->count)
        error = change_swap(changes, &changes->changes[done++]);
    if (error)
        while (done-- > 0)
            (void)change_swap(changes, &changes->changes[done]);
    else if (changes->is_cut && ftruncate(changes->descriptor, (off_t)changes->end))
        error = errno;
    store_driver_forget(changes);
    return error;
}

/* ---- What HDF5 calls ---- */

/* Each open file is distinct, even if HDF5 opens the same file twice. */
static int driver_compare(const H5FD_t *a, const H5FD_t *b) {
    return a < b ? -1 : a > b;
}

static herr_t driver_close(H5FD_t *public) {
    struct driver_file *file = (struct driver_file *)public;
    file->changes->is_open = false;
    store_driver_forget(file->changes);
    free(file);
    return 0;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t list, haddr_t limit) {
    (void)name, (void)limit;
    const int *given = H5Pget_driver_info(list);
    struct stat about;
    const int descriptor = given ? fcntl(*given, F_DUPFD_CLOEXEC, 3) : -1;
    if (descriptor < 0 || fstat(descriptor, &about)) {
        note_error(errno);
        if (descriptor >= 0)
            close(descriptor);
        return NULL;
    }
    struct driver_file *file = memory_new(1, sizeof *file);
    file->changes = memory_new(1, sizeof *file->changes);
    *file->changes = (struct store_changes){.descriptor = descriptor,
                                            .holders = 1,
                                            .is_open = true,
                                            .end = flags & H5F_ACC_TRUNC ? 0 : (uint64_t)about.st_size};
    return &file->public;
}

static herr_t driver_query(const H5FD_t *public, unsigned long *flags) {
    (void)public;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t driver_end_of_addresses(const H5FD_t *public, H5FD_mem_t type) {
    (void)type;
    return ((const struct driver_file *)public)->end_of_addresses;
}

static herr_t driver_set_end_of_addresses(H5FD_t *public, H5FD_mem_t type, haddr_t place) {
    (void)type;
    ((struct driver_file *)public)->end_of_addresses = place;
    return 0;
}

static haddr_t driver_end_of_file(const H5FD_t *public, H5FD_mem_t type) {
    (void)type;
    return ((const struct driver_file *)public)->changes->end;
}

static herr_t driver_handle(H5FD_t *public, hid_t list, void **handle) {
    (void)list;
    *handle = ((struct driver_file *)public)->changes;
    return 0;
}

static bool is_place(haddr_t place, size_t bytes) {
    return place <= INT64_MAX && bytes <= INT64_MAX - place;
}

/* Apply all changes to the bytes that were read at the offset `place`, in order: a later change overwrites an earlier
 * one. */
static void overlay(const struct store_changes *changes, char *data, size_t bytes, uint64_t place) {
    for (int c = 0; c < changes->count; ++c) {
        const struct change *change = &changes->changes[c];
        const uint64_t begin = change->place > place ? change->place : place;
        const uint64_t change_end = change->place + change->bytes, end = place + bytes;
        if (begin < change_end && begin < end)
            memcpy(data + (begin - place), change->data + (begin - change->place),
                   (change_end < end ? change_end : end) - begin);
    }
}

static herr_t driver_read(H5FD_t *public, H5FD_mem_t type, hid_t list, haddr_t place, size_t bytes, void *data) {
    (void)type, (void)list;
    const struct driver_file *file = (struct driver_file *)public;
    if (!is_place(place, bytes))
        return -1;
    const int error = bytes_read(file->changes->descriptor, data, bytes, place);
    if (error)
        return note_error(error), -1;
    overlay(file->changes, data, bytes, place);
    return 0;
}

static herr_t driver_write(H5FD_t *public, H5FD_mem_t type, hid_t list, haddr_t place, size_t bytes, const void *data) {
    (void)type, (void)list;
    struct store_changes *changes = ((struct driver_file *)public)->changes;
    if (!is_place(place, bytes))
        return -1;
    *ARRAY_ADD(changes->changes, changes->count) =
        (struct change){place, bytes, memcpy(memory_new(bytes, 1), data, bytes)};
    changes->end = place + bytes > changes->end ? place + bytes : changes->end;
    return 0;
}

static herr_t driver_truncate(H5FD_t *public, hid_t list, hbool_t closing) {
    (void)list, (void)closing;
    struct driver_file *file = (struct driver_file *)public;
    file->changes->end = file->end_of_addresses;
    file->changes->is_cut = true;
    return 0;
}

static const H5FD_class_t driver = {
#ifdef H5FD_CLASS_VERSION /* HDF5 1.14 */
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)511, /* from HDF5's range for tests and private drivers */
#endif
    .name = "springback",
    .maxaddr = (haddr_t)INT64_MAX,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(int),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_end_of_addresses,
    .set_eoa = driver_set_end_of_addresses,
    .get_eof = driver_end_of_file,
    .get_handle = driver_handle,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* ---- Initialisation ---- */

static hid_t driver_id = -1;

/* Disable HDF5's exit handler, which would fail on files after a failed write. The handler is not needed, because the
 * code that opens a file also closes it. This call must be the first call of HDF5; even the macro H5F_ACC_RDONLY is a
 * call. */
static __attribute__((constructor)) void begin(void) {
    H5dont_atexit();
}

/* External links are forbidden, because they name other files. */
static void set_up(void) {
    H5Lunregister(H5L_TYPE_EXTERNAL);
    driver_id = H5FDregister(&driver);
}

hid_t store_driver_list(int descriptor) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, set_up);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* keeps HDF5 from printing errors in this thread */
    const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && H5Pset_driver(list, driver_id, &descriptor) >= 0 &&
        H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0)
        return list;
    if (list >= 0)
        H5Pclose(list);
    return -1;
}

struct store_changes *store_driver_changes(hid_t file) {
    void *handle = NULL;
    if (H5Fget_vfd_handle(file, H5P_DEFAULT, &handle) < 0 || !handle)
        return NULL;
    struct store_changes *changes = handle;
    ++changes->holders;
    return changes;
}
