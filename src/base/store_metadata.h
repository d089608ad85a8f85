/* The metadata of HDF5 files from others, checked byte by byte before HDF5 sees the file.
 *
 * HDF5 files can name other files, whose bytes HDF5 then reads as if they were the file's own: by external and soft
 * links, external storage and virtual datasets. They can ask for far more memory or time than their size lets expect,
 * by chunks, filters and nested groups. And HDF5 1.10 crashes on object headers that are not well formed. The format is
 * the HDF5 File Format Specification, version 3.0; of it only what springback writes is allowed: superblock 2, object
 * headers 2, groups and attributes within their headers, contiguous or compact datasets, and few types. */
#ifndef SPRINGBACK_BASE_STORE_METADATA_H
#define SPRINGBACK_BASE_STORE_METADATA_H

#include "base/store.h"

/* Check the file behind a descriptor. Returns what is wrong with it: of STORE_DAMAGED *word says it ("truncated file"),
 * of STORE_FORBIDDEN it says what is not allowed, as a noun ("a soft link"), and of STORE_UNREADABLE errno is set. */
enum store_fault store_metadata_check(int descriptor, const char **word);

#endif
