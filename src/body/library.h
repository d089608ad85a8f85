/* The library of bodies: all bodies of the catalogue (mesh/catalogue.h), each prepared once, filled, and stored in a
 * file with all facts about it (body/prepared.h). */
#ifndef SPRINGBACK_BODY_LIBRARY_H
#define SPRINGBACK_BODY_LIBRARY_H

#include "body/prepared.h"
#include "mesh/catalogue.h"

/* Provide the body that has this name in the catalogue, as <folder>/<name>.h5, and read it. *fresh becomes true if the
 * file was made by this call. An existing valid file is kept in two cases: it was made by the same preparation from the
 * same catalogue entry and original; or it was made from a better source of the entry than the one available now.
 *
 * Facts about the body's origin: "body", "doc", "from", "kind", "package", "version", "file", "licence", "credit",
 * "original_sha256", "steps", "mesh_sha256", "stand_in" (yes or no), "missed" (why better sources were not available),
 * "key". On failure nothing is written, and nothing has to be freed. */
int library_keep(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                 const char *folder, struct prepared *prepared, struct mesh_provenance *provenance, bool *fresh);

#endif
