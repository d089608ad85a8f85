/* Meshes prepared as the catalogue says. */
#ifndef SPRINGBACK_MESH_PREPARATION_H
#define SPRINGBACK_MESH_PREPARATION_H

#include "mesh/catalogue.h"

/* Where a prepared mesh is from. */
struct mesh_provenance {
    const struct catalogue_mesh *mesh;
    const struct mesh_source *source;
    long count[MESH_COUNTS];      /* as they came out */
    char original[CHECKSUM_SIZE]; /* SHA-256 of the original file; "" where it is a formula */
    char sum[CHECKSUM_SIZE];      /* mesh_checksum */
    char *steps;                  /* what was done, as the catalogue has it */
    char *path;                   /* of the original file; NULL where it is a formula */
    char *missed;                 /* why each source before could not be had, a line each; "" if none was tried */
};

void mesh_provenance_free(struct mesh_provenance *provenance);

/* The SHA-256 of a mesh: the counts of vertices and triangles as 32-bit integers, positions as 64-bit floats (a zero
 * without its sign), corners as 32-bit integers, all little-endian. */
void mesh_checksum(const struct mesh *mesh, char out[CHECKSUM_SIZE]);

/* Count a mesh's all; crossings only where `crossings`, since they take longest. */
void mesh_count(const struct mesh *mesh, bool crossings, long count[MESH_COUNTS]);

/* Choose the first source of a mesh that can be had, and have its original at hand. Errors: an unknown name; no source
 * can be had, and why; a damaged original. On failure there is nothing to free. */
int catalogue_choose(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                     struct mesh_provenance *provenance);

/* What a mesh from a source of the catalogue follows from, whether or not it can be had. */
void catalogue_key(const struct mesh_source *source, char key[CHECKSUM_SIZE]);

/* Make the mesh from the source that was chosen; fills in counts and sum. Errors: a step that fails; counts, or a
 * prepared sum, that are not what the catalogue says: all of them at once, with the place of the source. */
int catalogue_make(struct mesh_provenance *provenance, struct mesh *mesh);

#endif
