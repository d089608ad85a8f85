/* Bodies that were described. Planning describes the body of every run, and most runs have one of a few bodies, whose
 * files would be read and checked each time. Up to 64 MiB of them are kept. Threads may call these functions. */
#ifndef SPRINGBACK_BODY_MEMO_H
#define SPRINGBACK_BODY_MEMO_H

#include "body/body.h"

/* If a body was described for the same parameters from the same, unchanged file, copy it to *body and return true.
 * `path` is the body's file. */
bool memo_find(const struct run *run, const char *path, struct body *body);

/* Keep a copy of a body that surface_describe described. Bodies with coloured nodes are not kept. */
void memo_keep(const struct run *run, const char *path, const struct body *body);

#endif
