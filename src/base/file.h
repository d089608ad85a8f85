/* Reading and writing whole files, and temporary files. */
#ifndef SPRINGBACK_BASE_FILE_H
#define SPRINGBACK_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* Whether a path exists. Also true if the system cannot determine this; a later use of the path then fails with the
 * system's reason. */
bool file_exists(const char *path);

/* Whether a path is a folder; false if the system cannot determine this. */
bool folder_exists(const char *path);

/* Open a regular file for reading; never blocks. Returns the descriptor, which the caller closes, or -1 after fail().
 */
int file_open(const char *path);

/* Read up to `bytes` bytes at the offset `place`. Returns the number of bytes read, or -1 with errno set. The number is
 * below `bytes` only if the file ends there. */
ssize_t file_read_at(int descriptor, void *data, size_t bytes, uint64_t place);

/* Write `bytes` bytes at the offset `place`. Returns 0 or an errno. */
int file_write_at(int descriptor, const void *data, size_t bytes, uint64_t place);

/* Write words of `size` bytes at the offset `place`, in little-endian order. Returns 0 or an errno. */
int file_write_words_at(int descriptor, const void *words, size_t size, size_t count, uint64_t place);

/* Read a whole file as a zero-terminated string. *text is newly allocated; the caller frees it. Errors: not a regular
 * file, larger than 1 GiB, cannot be read. */
int file_read(const char *path, char **text);

/* A file that is being written under a temporary name in the same folder. The temporary file is removed if the program
 * ends early (temporary_add). */
struct file_draft {
    FILE *file; /* open for writing */
    char *path, *temporary;
};

/* Begin to write the file `path`. The caller then writes the contents to draft->file. If file_draft_begin fails, do not
 * call file_draft_end. */
int file_draft_begin(const char *path, struct file_draft *draft);

/* If `status` is STATUS_OK and everything was written, rename the temporary file to the file's name. Otherwise remove
 * the temporary file. Returns `status`, or STATUS_BAD if writing failed. */
int file_draft_end(struct file_draft *draft, int status);

/* Write a file atomically, by a struct file_draft. file_write_if_changed does nothing if the file already has this
 * text. */
int file_write(const char *path, const char *text);
int file_write_if_changed(const char *path, const char *text);

/* Create a folder and its parents, and check that it is writable. */
int folder_make(const char *path);

/* ---- Temporary files and folders ----
 *
 * They are removed if the program ends by exit(), at a deadline, by a signal that interrupt_catch catches
 * (base/interrupt.h), or because memory is exhausted. A crash, or another signal such as SIGKILL, leaves them on the
 * disk. */

/* Create an empty folder in TMPDIR, or in /tmp if TMPDIR is not set, and register it (temporary_add). *folder is its
 * path, which temporary_end frees. */
int temporary_make(char **folder);

/* Remove the folder and its contents as completely as possible, and free its path. NULL is allowed. */
void temporary_end(char *folder);

/* Register a file or folder that is removed if the program ends before temporary_forget. The path is borrowed: it must
 * stay unchanged until temporary_forget. At most 64 paths are registered; more are ignored. NULL is allowed. */
void temporary_add(const char *path);

/* Cancel temporary_add, because the file is complete or already removed. */
void temporary_forget(const char *path);

/* Remove a file, or a folder with its contents, by system calls alone. Errors are ignored. */
void temporary_remove(const char *path);

/* Remove everything that is registered. Safe in signal handlers and when memory is exhausted. The program must end
 * afterwards. */
void temporary_remove_all(void);

#endif
