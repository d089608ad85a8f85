/* Prepared bodies in HDF5 files, which a machine without the programs and libraries that made them can read.
 *
 *     /            attributes: format, "springback body 1"; hash
 *       positions  [vertices][3] 64-bit floats, m; attribute surface_vertices: these are the first
 *       facts/     attributes, texts
 *       parts/KIND/particles [constraints][particles] 32-bit integers
 *                  start     [groups + 1] where each group of independent constraints begins
 *
 * Equal bodies make equal bytes. */
#ifndef SPRINGBACK_BODY_STORED_H
#define SPRINGBACK_BODY_STORED_H

#include "body/prepared.h"

/* Write at once: the file is there whole or, as it was before, not. */
int stored_write(const struct prepared *prepared, const char *path);

/* Read all, and see that it is what was written: its hash must be that of its contents. */
int stored_read(const char *path, struct prepared *prepared);

#endif
