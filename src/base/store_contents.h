/* What an HDF5 file from somebody else may hold.
 *
 * HDF5 files can name other files, whose bytes HDF5 then reads as if they were the file's own: by external and soft
 * links, external storage and virtual datasets. They can also ask for far more memory or time than their size lets
 * expect: by chunks, filters, nested groups, and objects of many names. No file written here has any of these. */
#ifndef SPRINGBACK_BASE_STORE_CONTENTS_H
#define SPRINGBACK_BASE_STORE_CONTENTS_H

#include <hdf5.h>

/* Look at all that an open file holds: 0 if it is allowed; 1 if something is not, with a noun for that ("a link to
 * another file"); -1 if HDF5 cannot open something, for the reason on its error stack. No dataset is opened that could
 * name another file. */
int store_inspect(hid_t file, const char **forbidden);

#endif
