/* Temporary folders: where child programs find their input and leave their results. */
#ifndef SPRINGBACK_BASE_SCRATCH_H
#define SPRINGBACK_BASE_SCRATCH_H

#include "base/status.h"

/* Make an empty folder under TMPDIR, or else /tmp; its path is newly allocated. It is removed also where the program
 * ends by exit(), as it does when memory is exhausted. */
int scratch_make(char **path);

/* Remove it and all in it, and free its path. What cannot be removed stays, without a word: the results are ours by
 * then. NULL is no folder. */
void scratch_remove(char *path);

/* Remove all that are there, by system calls alone: for signal handlers. To be followed by the program's end. */
void scratch_remove_all(void);

#endif
