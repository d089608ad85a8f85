/* Temporary files and folders: removed however the program ends, but by SIGKILL. */
#ifndef SPRINGBACK_BASE_TEMPORARY_H
#define SPRINGBACK_BASE_TEMPORARY_H

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
