/* Check which files, folders and libraries are opened while a trace is read. The functions that open them replace those
 * of libc, also for HDF5. */
#ifndef SPRINGBACK_TESTS_TRACE_WATCH_H
#define SPRINGBACK_TESTS_TRACE_WATCH_H

/* From now on only this file may be opened or, if it is a folder, its files. NULL: any file. The text is not copied. */
void watch_only(const char *path);

#endif
