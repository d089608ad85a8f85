/* A cache of prepared bodies that surface_describe has described. A plan has many runs with the same few bodies;
 * without the cache, the file of a body would be read and checked for each run. The cache keeps at most the last 64
 * bodies, of at most 64 MiB together. Several threads may call these functions at the same time. */
#ifndef SPRINGBACK_BODY_MEMO_H
#define SPRINGBACK_BODY_MEMO_H

#include "body/body.h"

/* Look for the run's body, whose file is `path`, in the cache. If the cache has a body with the same parameters and an
 * unchanged file, copy it to *body and return true. The caller frees the copy by body_free. */
bool memo_find(const struct run *run, const char *path, struct body *body);

/* Keep a copy of a body that surface_describe has described from the file `path`. Bodies with coloured nodes, and
 * bodies of more than 64 MiB, are not kept. */
void memo_keep(const struct run *run, const char *path, const struct body *body);

#endif
