/* What the program asks of the system while a trace is read. The calls that open files, folders and libraries stand
 * here in front of libc's, also for HDF5. */
#ifndef SPRINGBACK_TESTS_TRACE_WATCH_H
#define SPRINGBACK_TESTS_TRACE_WATCH_H

/* From now on only this file may be opened, or, if it is a folder, those in it; NULL: any. The text is not copied. */
void watch_only(const char *path);

#endif
