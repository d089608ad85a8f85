/* Access to HDF5 files for traces and prepared bodies: handles that close automatically, errors with HDF5's own reason,
 * numbers and texts by name. All files use our own file driver (base/store_driver.h). */
#ifndef SPRINGBACK_BASE_STORE_H
#define SPRINGBACK_BASE_STORE_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle that is closed at the end of its scope. */
#define HANDLE __attribute__((cleanup(store_release))) hid_t
void store_release(hid_t *id);

/* Open an existing file; negative on failure, and store_fault then gives the reason. Flags as for H5Fopen. Written data
 * stays in memory until store_close. If the file is closed by other means, it stays unchanged.
 *
 * Three kinds of files are refused: files that are not regular files; HDF5 files in a format without checksums, because
 * HDF5 cannot detect damage in them; HDF5 files with contents that springback never writes (base/store_driver.h). */
hid_t store_open(const char *path, unsigned flags);

/* Create a file, or empty an existing one; negative on failure. The file stays empty until store_close. */
hid_t store_create(const char *path);

/* Close a file and write the changes. On failure store_close reports "PATH: WHAT: REASON" and writes the old contents
 * back. If that fails, too, the file is damaged. */
int store_close(hid_t file, const char *path, const char *what);

/* Why this thread's last store_open failed; STORE_SOUND if it did not fail. STORE_UNREADABLE if a system call on the
 * file has failed since then. */
enum store_fault {
    STORE_SOUND,
    STORE_UNREADABLE, /* the system refused: no such file, no permission, an I/O error; see store_error */
    STORE_NO_FILE,    /* not a regular file: for example, a folder, a FIFO or a device */
    STORE_EMPTY,
    STORE_FOREIGN,   /* not HDF5 */
    STORE_UNCHECKED, /* HDF5 in a format without checksums */
    STORE_DAMAGED,
    STORE_FORBIDDEN /* HDF5 with contents that springback never writes */
};
enum store_fault store_fault(void);

/* The errno of the first system call that failed since this thread's last store_open or store_create, except the
 * writes of store_close; 0 if none failed. */
int store_error(void);

/* Fail with "PATH: WHAT: " and the reason: the message of the system, or the innermost message of HDF5's error stack.
 * Call store_fail before any other HDF5 call, which would clear the error stack. */
int store_fail(const char *path, const char *what);

/* Fail with the reason why store_open failed. `expected` is a noun: "a trace". */
int store_fail_open(const char *path, const char *expected);

/* store_group creates a group that keeps the creation order of its members and attributes; negative on failure.
 * store_parents creates the missing groups above a path, and returns whether this succeeded. */
hid_t store_group(hid_t file, const char *path);
bool store_parents(hid_t file, const char *path);

/* A fixed-length string type of `size` bytes, zero-padded; UTF-8 or ASCII. */
hid_t store_text_type(size_t size, H5T_cset_t set);

/* Write or read an attribute that is one whole number. Both functions return false on failure. Reading fails unless the
 * attribute exists and is one whole number. Writing fails if an attribute of this name exists and is anything else. */
bool store_number_write(hid_t object, const char *name, int64_t value);
bool store_number_read(hid_t object, const char *name, int64_t *value);

/* Write or read a named text of a group: an attribute, or a dataset if the text is longer than 60,000 bytes. Writing
 * replaces an attribute or dataset of this name, and returns false on failure. Reading returns a newly allocated
 * string, which the caller frees, or NULL if there is no such text. */
bool store_text_write(hid_t group, const char *name, const char *text);
char *store_text_read(hid_t group, const char *name);

/* Like store_text_write and store_text_read, but store_attribute_... always uses an attribute, of any object, and
 * store_text_dataset_... always uses a dataset of a group. Writing fails if the name exists. */
bool store_attribute_write(hid_t object, const char *name, const char *text);
char *store_attribute_read(hid_t object, const char *name);
bool store_text_dataset_write(hid_t group, const char *name, const char *text);
char *store_text_dataset_read(hid_t group, const char *name);

#endif
