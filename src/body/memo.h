/* The last body that was described. Planning describes the body of every run, and consecutive runs mostly have the same
 * one, whose file would be read and checked each time. Threads may call these functions. */
#ifndef SPRINGBACK_BODY_MEMO_H
#define SPRINGBACK_BODY_MEMO_H

#include "body/body.h"

/* If the last body was described for the same parameters from the same, unchanged file, copy it to *body and return
 * true. `path` is the body's file. */
bool memo_find(const struct run *run, const char *path, struct body *body);

/* Remember a copy of a body that surface_describe described. A body with arrays in its pool is not remembered. */
void memo_keep(const struct run *run, const char *path, const struct body *body);

#endif
