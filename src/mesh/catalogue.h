/* The catalogue of meshes, data/meshes.yaml: for each mesh its sources, the steps of its preparation, and the counts
 * that it must have.
 *
 *     originals:
 *       bunny_cgal: {kind: deb, package: libcgal-demo, member: usr/...tar.gz, file: data/meshes/bunny00.off,
 *                    sha256: ab65..., licence: ..., credit: ...}
 *     meshes:
 *       bunny_closed_3008:
 *         doc: lee2022's Bunny, closed
 *         tetrahedra: -pq1.65Y           # fill it by TetGen, with these switches
 *         counts: {vertices: 3008, triangles: 6012, edges: 9018, euler: 2, loops: 0, crossings: 0}
 *         sources:                       # the first available source is used
 *           - {original: bunny_cgal, steps: [{reduce: {vertices: 3008}}, centre, {scale: 1 m}], sha256: 0c4f...}
 *           - {formula: {name: bunny_like, level: 6}, stand_in: true, steps: [...], sha256: 77ab...}
 *
 * A count in a source overrides the same count of the mesh. */
#ifndef SPRINGBACK_MESH_CATALOGUE_H
#define SPRINGBACK_MESH_CATALOGUE_H

#include "experiment/form.h"
#include "mesh/origin.h"
#include "mesh/reduce.h"
#include "mesh/shape.h"

/* ---- Steps from an original to a body ---- */

struct step_kind;

/* A step of the preparation. The catalogue writes it as a word, or as a word with parameters. */
struct step {
    const struct step_kind *kind;
    struct place place;
    double number[4]; /* values of the parameters, in the order of step_kind.parameter */
    enum reducer by;  /* for `reduce`: the library that reduces */
};

/* Read an item of a list of steps. Errors, with their places: an unknown step; a parameter that is missing, unknown, or
 * not a number in its range. The message for an unknown step names the most similar known step. */
int step_read(const struct node *node, struct step *step);

/* The number of `subdivide` steps at the beginning of a list. They process the faces of the file before these are cut
 * into triangles. */
int steps_of_polygons(const struct step *steps, int count);

/* Apply Catmull-Clark as often as the step says. */
int step_subdivide(const struct step *step, const char *name, struct polygons *polygons);

/* Execute a step. `name` is the mesh's name in messages. */
int step_do(const struct step *step, const char *name, struct mesh *mesh);

/* A step as text, from which step_read gets the same step. Newly allocated. The text is part of a prepared mesh's key.
 */
char *step_text(const struct step *step);

/* ---- The catalogue ---- */

/* Counts that a prepared mesh must have. */
enum mesh_count {
    MESH_VERTICES,
    MESH_TRIANGLES,
    MESH_EDGES,
    MESH_EULER,     /* vertices - edges + triangles */
    MESH_LOOPS,     /* loops of the border; loops that share a vertex count as one */
    MESH_CROSSINGS, /* pairs of triangles that intersect */
    MESH_COUNTS
};
extern const char *const mesh_count_names[MESH_COUNTS];

struct mesh_counts {
    bool asked[MESH_COUNTS]; /* whether the catalogue requires this count */
    long value[MESH_COUNTS]; /* the required number */
};

struct mesh_source {
    struct place place;
    const struct mesh_origin *origin;   /* NULL: the mesh is computed by a formula */
    const struct shape *shape;          /* the formula; NULL if there is an origin */
    double parameter[SHAPE_PARAMETERS]; /* values of the shape's parameters, in the order of shape->parameter */
    struct step *steps;
    int step_count;
    struct mesh_counts counts; /* the mesh's counts, overridden by those of the source */
    const char *sum;           /* SHA-256 of the prepared mesh (see mesh_checksum); NULL: not given */
    bool stand_in;             /* not the paper's mesh, but one with its counts and a similar shape */
};

struct catalogue_mesh {
    const char *name, *doc;
    const char *switches; /* TetGen's switches; NULL: no tetrahedra */
    struct place place;
    struct mesh_counts counts; /* the counts of each source that does not override them */
    struct mesh_source *sources;
    int source_count;
};

struct catalogue {
    struct mesh_origin *origins;
    struct catalogue_mesh *meshes;
    int origin_count, mesh_count;
    struct form form; /* owns all that the fields above point to */
};

/* Read a catalogue. All errors are reported with their places, for example: unknown keys, originals, steps and
 * formulas, each with the most similar known name; missing keys; checksums that are not 64 hexadecimal digits. The
 * caller frees the catalogue. On failure nothing is allocated. */
int catalogue_read(const char *path, struct catalogue *catalogue);
void catalogue_free(struct catalogue *catalogue); /* a zeroed catalogue is allowed */

/* A mesh by name; NULL if it does not exist. In this case, catalogue_find also reports the most similar name. */
const struct catalogue_mesh *catalogue_mesh_named(const struct catalogue *catalogue, const char *name);
const struct catalogue_mesh *catalogue_find(const struct catalogue *catalogue, const char *name);

/* ---- Meshes prepared as the catalogue says ---- */

/* How a prepared mesh was made. */
struct mesh_provenance {
    const struct catalogue_mesh *mesh;
    const struct mesh_source *source;
    long count[MESH_COUNTS];      /* counts of the prepared mesh; crossings: 0 if the catalogue does not require them */
    char original[CHECKSUM_SIZE]; /* SHA-256 of the original file; "" for a formula */
    char sum[CHECKSUM_SIZE];      /* SHA-256 of the prepared mesh (mesh_checksum) */
    char *steps;                  /* the executed steps, as text */
    char *path;                   /* path of the original file; NULL for a formula */
    char *missed;                 /* why each earlier source was not available, one per line; "" if there was no earlier
                                     source */
};

void mesh_provenance_free(struct mesh_provenance *provenance);

/* The SHA-256 of a mesh: the counts of vertices and triangles as 32-bit integers, positions as 64-bit floats (-0 as
 * +0), corners as 32-bit integers, all little-endian. */
void mesh_checksum(const struct mesh *mesh, char out[CHECKSUM_SIZE]);

/* Compute all counts of a mesh. The crossings take longest, so they are computed only if `crossings` is true; otherwise
 * their count becomes 0. */
void mesh_count(const struct mesh *mesh, bool crossings, long count[MESH_COUNTS]);

/* Choose the first available source of a mesh, and fetch its original. Errors: an unknown name; no source is available
 * (the message has the reason for each); a damaged original. On failure nothing has to be freed. */
int catalogue_choose(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                     struct mesh_provenance *provenance);

/* The key of a mesh from a source of the catalogue: a hash of all that the source says about the mesh. The original is
 * not read. */
void catalogue_key(const struct mesh_source *source, char key[CHECKSUM_SIZE]);

/* Make the mesh from the chosen source. Sets the counts and the sum of the provenance. Errors: the original cannot be
 * read; a step fails; a count, or the SHA-256 of the prepared mesh, differs from the catalogue. All wrong counts are
 * reported, with the place of the source; the SHA-256 is compared only if all counts are correct. */
int catalogue_make(struct mesh_provenance *provenance, struct mesh *mesh);

#endif
