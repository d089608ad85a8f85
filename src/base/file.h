/* Files as wholes. */
#ifndef SPRINGBACK_BASE_FILE_H
#define SPRINGBACK_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Whether there is a file. True also if the system cannot tell: using it then fails with the reason. */
bool file_exists(const char *path);
bool folder_exists(const char *path);

/* Open a regular file to read, without waiting. Returns its descriptor, or -1 after fail(). */
int file_open(const char *path);

/* Read bytes at a place, until all are there or the file ends: how many there were, or -1 and errno. */
ssize_t file_read_at(int descriptor, void *data, size_t bytes, uint64_t place);

/* Write bytes at a place: 0 or an errno. */
int file_write_at(int descriptor, const void *data, size_t bytes, uint64_t place);

/* All of a file as a string, newly allocated. Errors: it is no regular file, it has more than 1 GiB, the system's. */
int file_read(const char *path, char **text);

/* A file that is being written: a temporary twin beside it, which goes however the program ends (base/file.h). */
struct file_draft {
    FILE *file;
    char *path, *twin;
};

/* Begin to write a file. On failure there is nothing to end. */
int file_draft_begin(const char *path, struct file_draft *draft);

/* Give the twin the file's name if `status` is STATUS_OK and all was written; else remove it. Returns the status. */
int file_draft_end(struct file_draft *draft, int status);

/* Write a file at once, as a draft. The second leaves it untouched where it holds this text. */
int file_write(const char *path, const char *text);
int file_write_if_changed(const char *path, const char *text);

/* Make a folder and its parents, and see that files can be written into it. */
int folder_make(const char *path);

/* ---- Temporary files and folders: removed however the program ends, but by SIGKILL ---- */

/* Make an empty folder under TMPDIR, or else /tmp, that is added already; its path is newly allocated. Returns a
 * status. */
int temporary_make(char **folder);

/* Remove it and all in it, as far as that can be, and free its path. NULL is no folder. */
void temporary_end(char *folder);

/* Have a file, or a folder with all in it, removed if the program ends before temporary_forget. The path is the
 * caller's, and must stay as it is until then; after 64 paths further ones are not watched. NULL is none. */
void temporary_add(const char *path);

/* The path is final, or gone. */
void temporary_forget(const char *path);

/* Remove a file, or a folder with all in it, by system calls alone. What cannot be removed stays. */
void temporary_remove(const char *path);

/* Remove all that were added: for signal handlers, and where memory is exhausted. To be followed by the program's
 * end. */
void temporary_remove_all(void);

#endif
