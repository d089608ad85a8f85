/* Temporary folders: where child programs find their input and leave their results. */
#ifndef SPRINGBACK_BASE_SCRATCH_H
#define SPRINGBACK_BASE_SCRATCH_H

#include "base/status.h"

/* Make an empty folder under TMPDIR, or else /tmp; its path is newly allocated. It is removed also if
 * the program ends (base/temporary.h). */
int scratch_make(char **path);

/* Remove it and all in it, and free its path. What cannot be removed stays, without a word: the results are ours by
 * then. NULL is no folder. */
void scratch_remove(char *path);

#endif
