/* The little of HDF5 that traces and prepared bodies use: handles that close themselves, errors with HDF5's own reason,
 * numbers and texts by name. All files go through a driver of our own (base/store_driver.h). */
#ifndef SPRINGBACK_BASE_STORE_H
#define SPRINGBACK_BASE_STORE_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle that is closed where its scope ends. */
#define HANDLE __attribute__((cleanup(store_release))) hid_t
void store_release(hid_t *id);

/* Open an existing file; negative on failure, for the reason that store_fault gives. Flags as of H5Fopen. A file is
 * refused if it is no regular file, if its format has no checksums (HDF5 believes what it reads there), or if it holds
 * what no file written here does (base/store_driver.h). What is written to the file stays in memory until
 * store_close; a file that is closed otherwise stays as it was. */
hid_t store_open(const char *path, unsigned flags);

/* Make a file, or empty one that is there; negative on failure. It stays empty until store_close. */
hid_t store_create(const char *path);

/* Close a file and write what has changed. On failure, which is told as "PATH: WHAT: REASON", the file is as it was if
 * the disk still takes writes. */
int store_close(hid_t file, const char *path, const char *what);

/* Why this thread's last store_open failed, or what has failed since. */
enum store_fault {
    STORE_SOUND,
    STORE_UNREADABLE, /* the system refused: no such file, no permission, an I/O error; store_error has its errno */
    STORE_NO_FILE,    /* a folder, a FIFO, a device */
    STORE_EMPTY,
    STORE_FOREIGN,   /* no HDF5 */
    STORE_UNCHECKED, /* HDF5 of a format without checksums */
    STORE_DAMAGED,
    STORE_FORBIDDEN /* sound HDF5 that holds what no file written here does */
};
enum store_fault store_fault(void);

/* The errno of the first system call that failed for this thread's last file, from store_open or store_create to
 * store_close; 0 if none has. */
int store_error(void);

/* Fail with "PATH: WHAT: " and the system's reason, or HDF5's innermost. To be called before any other HDF5 call, which
 * would clear that. */
int store_fail(const char *path, const char *what);

/* Fail with why store_open failed. `expected` is a noun: "a trace". */
int store_fail_open(const char *path, const char *expected);

/* Make a group that keeps the order in which its members and attributes were made; negative on failure. The second
 * makes the groups on the way to a path that are not there. */
hid_t store_group(hid_t file, const char *path);
bool store_parents(hid_t file, const char *path);

/* A fixed-length string type of `size` bytes, zero-padded; UTF-8 or ASCII. */
hid_t store_text_type(size_t size, H5T_cset_t set);

/* Whole numbers as attributes. Reading fails where there is no such attribute of one number, and writing where the
 * attribute there is something else. */
bool store_number_write(hid_t object, const char *name, int64_t value);
bool store_number_read(hid_t object, const char *name, int64_t *value);

/* A named text of a group: an attribute, or, since those end at 64 KB, a dataset where it is longer. Writing takes the
 * place of what had the name. Reading gives a new string, or NULL where there is no such text. */
bool store_text_write(hid_t group, const char *name, const char *text);
char *store_text_read(hid_t group, const char *name);

/* The same, always an attribute, of any object; and always a dataset. */
bool store_attribute_write(hid_t object, const char *name, const char *text);
char *store_attribute_read(hid_t object, const char *name);
bool store_text_dataset_write(hid_t group, const char *name, const char *text);
char *store_text_dataset_read(hid_t group, const char *name);

#endif
