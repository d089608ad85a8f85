/* Check which files, folders and libraries are opened while a trace is read. For this, trace_watch.c replaces functions
 * of libc, also for HDF5. */
#ifndef SPRINGBACK_TESTS_TRACE_WATCH_H
#define SPRINGBACK_TESTS_TRACE_WATCH_H

/* From now on, only the file `path` may be opened for reading. If `path` is a folder, this folder and its files may be
 * opened. If `path` is NULL, any file may be opened. The text is not copied. */
void watch_only(const char *path);

#endif
