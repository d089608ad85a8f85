/* The file driver with which HDF5 reads and writes every file of springback: a table of functions as defined by
 * H5FDpublic.h.
 *
 * HDF5 cannot recover from a write that fails while it closes a file. Therefore all writes stay in memory until the
 * file is closed, and store_driver_commit then writes them. If one of these writes fails, the earlier bytes are
 * restored. HDF5 does not open files itself: it gets the descriptor of a regular file. */
#ifndef SPRINGBACK_BASE_STORE_DRIVER_H
#define SPRINGBACK_BASE_STORE_DRIVER_H

#include "base/store.h"

#include <hdf5.h>

/* A property list with which H5Fopen or H5Fcreate uses the file behind a descriptor; negative on failure. The caller
 * closes the descriptor and releases the list. */
hid_t store_driver_list(int descriptor);

/* Changes of an open file that are not written yet. */
struct store_changes;

/* The changes of a file that HDF5 has open; NULL on failure. Pass them to store_driver_commit or store_driver_forget
 * after H5Fclose. */
struct store_changes *store_driver_changes(hid_t file);

/* Write the changes of a closed file, and free them. Returns 0 or an errno; EBUSY if HDF5 still has the file open. */
int store_driver_commit(struct store_changes *changes);

/* Free the changes of a closed file, which stays unchanged. */
void store_driver_forget(struct store_changes *changes);

/* The errno of the first failed system call by which HDF5 opened or read a file in this thread since
 * store_driver_reset; 0 if none failed. */
int store_driver_error(void);
void store_driver_reset(void);

/* The metadata of each file is checked before HDF5 opens the file, because an untrusted HDF5 file can do harm:
 *
 * - Links, external storage and virtual datasets can name other files, which HDF5 then reads.
 * - Chunks, filters and nested groups can need far more memory or time than the size of the file suggests.
 * - HDF5 1.10 crashes on malformed object headers.
 *
 * The HDF5 File Format Specification 3.0 defines the format. Only the part that springback writes is allowed: version 2
 * of superblock and object headers, links and attributes within the headers, contiguous or compact datasets, and a few
 * data types. */

/* Check the file behind a descriptor. Returns what is wrong with the file, or STORE_SOUND. For STORE_DAMAGED, *word
 * describes the damage ("truncated file"). For STORE_FORBIDDEN, *word is a noun for what is not allowed ("a soft
 * link"). For STORE_UNREADABLE, errno is set. */
enum store_fault store_metadata_check(int descriptor, const char **word);

#endif
