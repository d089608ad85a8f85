/* The catalogue of meshes, data/meshes.yaml: what each body is, where it comes from, and what is done to it.
 *
 *     originals:
 *       bunny_cgal: {kind: deb, package: libcgal-demo, member: usr/...tar.gz, file: data/meshes/bunny00.off,
 *                    sha256: ab65..., licence: ..., credit: ...}
 *     meshes:
 *       bunny_closed_3008:
 *         doc: lee2022's Bunny, closed
 *         tetrahedra: -pq1.65Y           # fill it by TetGen, with these switches
 *         counts: {vertices: 3008, triangles: 6012, edges: 9018, euler: 2, loops: 0, crossings: 0}
 *         sources:                       # the first that can be had
 *           - {original: bunny_cgal, steps: [{reduce: {vertices: 3008}}, centre, {scale: 1 m}], sha256: 0c4f...}
 *           - {formula: {name: bunny_like, level: 6}, stand_in: true, steps: [...], sha256: 77ab...}
 *
 * Counts under a source are said of that source, over those of the mesh. */
#ifndef SPRINGBACK_MESH_CATALOGUE_H
#define SPRINGBACK_MESH_CATALOGUE_H

#include "experiment/form.h"
#include "mesh/origin.h"
#include "mesh/reduce.h"
#include "mesh/shape.h"

/* ---- What is done to a mesh between its original and a body: a list of steps ---- */

struct step_kind;

/* A word, or a word with what it takes. */
struct step {
    const struct step_kind *kind;
    struct place place;
    double number[4]; /* what the kind takes, in its table's order */
    enum reducer by;
};

/* Read an item of a list of steps. Errors, with their places: no such step, and the nearest right one; a value that is
 * missing, unknown, or not of its kind. */
int step_read(const struct node *node, struct step *step);

/* How many leading steps of a list want faces as they are, before they are cut into triangles. */
int steps_of_polygons(const struct step *steps, int count);

/* Catmull-Clark as often as the step says. */
int step_subdivide(const struct step *step, const char *name, struct polygons *polygons);

/* Do a step; messages call the mesh by `name`. */
int step_do(const struct step *step, const char *name, struct mesh *mesh);

/* A step in words that read back as the same, newly allocated: part of what a prepared mesh is known by. */
char *step_text(const struct step *step);

/* ---- The catalogue ---- */

/* What a prepared mesh must have. */
enum mesh_count {
    MESH_VERTICES,
    MESH_TRIANGLES,
    MESH_EDGES,
    MESH_EULER,     /* vertices - edges + triangles */
    MESH_LOOPS,     /* of its border */
    MESH_CROSSINGS, /* pairs of triangles */
    MESH_COUNTS
};
extern const char *const mesh_count_names[MESH_COUNTS];

struct mesh_counts {
    bool asked[MESH_COUNTS];
    long value[MESH_COUNTS];
};

struct mesh_source {
    struct place place;
    const struct mesh_origin *origin; /* or, where it is NULL: */
    const struct shape *shape;
    double parameter[SHAPE_PARAMETERS];
    struct step *steps;
    int step_count;
    struct mesh_counts counts; /* the mesh's, and the source's own over them */
    const char *sum;           /* SHA-256 of the prepared mesh (see mesh_checksum); NULL: not pinned */
    bool stand_in;             /* not what the paper had, but of its counts and character */
};

struct catalogue_mesh {
    const char *name, *doc;
    const char *switches; /* with which TetGen is to fill it; NULL for not at all */
    struct place place;
    struct mesh_counts counts; /* of sources that say none of their own */
    struct mesh_source *sources;
    int source_count;
};

struct catalogue {
    struct mesh_origin *origins;
    struct catalogue_mesh *meshes;
    int origin_count, mesh_count;
    struct form form; /* has everything that the fields above point to */
};

/* Read a catalogue. Errors, with their places, all in one reading: unknown keys, and the nearest right ones; keys that
 * are missing; originals that are not there; sums that are none; steps and formulas that are none. */
int catalogue_read(const char *path, struct catalogue *catalogue);
void catalogue_free(struct catalogue *catalogue); /* zeroed is fine */

/* A mesh by name; NULL where there is none. The second says then which is nearest. */
const struct catalogue_mesh *catalogue_mesh_named(const struct catalogue *catalogue, const char *name);
const struct catalogue_mesh *catalogue_find(const struct catalogue *catalogue, const char *name);

/* ---- Meshes prepared as the catalogue says ---- */

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
