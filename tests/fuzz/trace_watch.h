/* Check which files, folders and libraries are opened while a trace is read. The functions that open them replace those
 * of libc, also for HDF5. */
#ifndef SPRINGBACK_TESTS_TRACE_WATCH_H
#define SPRINGBACK_TESTS_TRACE_WATCH_H

/* From now on only the file `path` may be opened for reading; if `path` is a folder, this folder and its files. If
 * `path` is NULL, any file may be opened. The text is not copied. */
void watch_only(const char *path);

#endif
