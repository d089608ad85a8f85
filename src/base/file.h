/* Files as wholes. */
#ifndef SPRINGBACK_BASE_FILE_H
#define SPRINGBACK_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>

/* Whether there is a file. True also if the system cannot tell: using it then fails with the reason. */
bool file_exists(const char *path);
bool folder_exists(const char *path);

/* All of a file as a string, newly allocated. */
int file_read(const char *path, char **text);

/* Write a file at once: a temporary twin, then renamed. The second leaves it untouched where it holds this text. */
int file_write(const char *path, const char *text);
int file_write_if_changed(const char *path, const char *text);

/* Make a folder and its parents, and see that files can be written into it. */
int folder_make(const char *path);

#endif
