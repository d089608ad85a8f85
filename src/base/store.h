/* The little of HDF5 that traces and prepared bodies use: handles that close themselves, errors with HDF5's own reason,
 * numbers and texts by name. */
#ifndef SPRINGBACK_BASE_STORE_H
#define SPRINGBACK_BASE_STORE_H

#include "base/status.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

/* A handle that is closed where its scope ends. */
#define HANDLE __attribute__((cleanup(store_release))) hid_t
void store_release(hid_t *id);

/* Fail with "PATH: WHAT: HDF5's innermost reason". To be called before any other HDF5 call, which would clear that. */
int store_fail(const char *path, const char *what);

/* Open an existing file; negative on failure. Flags as of H5Fopen. A file of a format without checksums is refused
 * before HDF5 sees it: HDF5 believes what it reads there, and no trace is of one. */
hid_t store_open(const char *path, unsigned flags);

/* Whether a file begins as one of a format with checksums: HDF5's of 1.8 and later, which its default is not. */
bool store_is_checked(const char *path);

/* Make a file, or empty one that is there; negative on failure. */
hid_t store_create(const char *path);

/* Make a group that keeps the order in which its members and attributes were made; negative on failure. */
hid_t store_group(hid_t file, const char *path);

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
