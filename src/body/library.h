/* The library of bodies: those of the catalogue (mesh/catalogue.h), each prepared once, filled, and kept in a file with
 * all that is known about it (body/prepared.h). */
#ifndef SPRINGBACK_BODY_LIBRARY_H
#define SPRINGBACK_BODY_LIBRARY_H

#include "body/prepared.h"
#include "mesh/catalogue.h"

/* Have the catalogue's body of a name in <folder>/<name>.h5. What is there, is whole, and follows from the same entry,
 * original and way of preparing, or from a better source of the entry, is left as it is: *fresh is then false. Facts of
 * where it is from: "body", "doc", "from", "kind", "package", "version", "file", "licence", "credit",
 * "original_sha256", "steps", "mesh_sha256", "stand_in" (yes or no), "missed" (why earlier sources could not be had),
 * "key". On failure nothing is written, and nothing to be freed. */
int library_keep(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                 const char *folder, struct prepared *prepared, struct mesh_provenance *provenance, bool *fresh);

#endif
