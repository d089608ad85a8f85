/* The file driver through which HDF5 reads and writes every file here: a table of calls in the sense of H5FDpublic.h.
 *
 * HDF5 does not survive a write that fails while it closes a file, so it never sees one: what it writes stays in memory
 * until the file is closed, and store_driver_commit then writes all of it. If one of these writes fails, the bytes of
 * before are put back. HDF5 opens no file itself: it gets a descriptor of a regular file. */
#ifndef SPRINGBACK_BASE_STORE_DRIVER_H
#define SPRINGBACK_BASE_STORE_DRIVER_H

#include "base/store.h"

#include <hdf5.h>

/* A property list for H5Fopen or H5Fcreate of the file behind a descriptor, which stays the caller's; negative on
 * failure. To be released. */
hid_t store_driver_list(int descriptor);

/* What was written to an open file and is not in it yet. */
struct store_changes;

/* The changes of a file that HDF5 has open; NULL on failure. To be given to store_driver_commit or
 * store_driver_forget after H5Fclose. */
struct store_changes *store_driver_changes(hid_t file);

/* Write the changes of a closed file, and free them. Returns 0 or an errno, EBUSY if HDF5 still has the file open. */
int store_driver_commit(struct store_changes *changes);

/* Free the changes of a closed file, which stays as it was. */
void store_driver_forget(struct store_changes *changes);

/* The errno of this thread's first system call that failed in the driver since store_driver_reset; 0 if none has. */
int store_driver_error(void);
void store_driver_reset(void);

/* The metadata of HDF5 files from others, checked byte by byte before HDF5 sees the file.
 *
 * HDF5 files can name other files, whose bytes HDF5 then reads as if they were the file's own: by external and soft
 * links, external storage and virtual datasets. They can ask for far more memory or time than their size lets expect,
 * by chunks, filters and nested groups. And HDF5 1.10 crashes on object headers that are not well formed. The format is
 * the HDF5 File Format Specification, version 3.0; of it only what springback writes is allowed: superblock 2, object
 * headers 2, groups and attributes within their headers, contiguous or compact datasets, and few types. */

/* Check the file behind a descriptor. Returns what is wrong with it: of STORE_DAMAGED *word says it ("truncated file"),
 * of STORE_FORBIDDEN it says what is not allowed, as a noun ("a soft link"), and of STORE_UNREADABLE errno is set. */
enum store_fault store_metadata_check(int descriptor, const char **word);

#endif
