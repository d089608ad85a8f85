/* Prepared bodies: what methods need of a body, made once from a surface, and kept.
 *
 * Vertices are in an order in which neighbours are near in memory (body/order.h); those of the surface come first, then
 * those that TetGen put inside. Constraints lie by independent groups (body/groups.h): no two of a group share a
 * particle. The same surface makes the same body, bit by bit. */
#ifndef SPRINGBACK_BODY_PREPARED_H
#define SPRINGBACK_BODY_PREPARED_H

#include "base/attributes.h"
#include "base/digest.h"
#include "mesh/mesh.h"

enum body_part {
    PART_EDGES,          /* of the surface */
    PART_TRIANGLES,      /* of the surface, outward */
    PART_BENDS,          /* two triangles that share an edge: the edge's ends, the other two corners */
    PART_LINKS,          /* inner links to the corner nearest to where the ray hits (body/links.h) */
    PART_LINKS_TO_START, /* to the corner nearest to where it began */
    PART_TETRAHEDRA,     /* positively oriented */
    BODY_PARTS
};

/* Constraints of one kind: group g is number start[g] to start[g + 1] - 1. */
struct part {
    int count, groups;
    int *particle; /* [count * size] */
    int *start;    /* [groups + 1]; NULL where there are no constraints */
};

extern const struct part_kind {
    const char *name;
    int size; /* particles of a constraint */
} part_kinds[BODY_PARTS];

struct prepared {
    int vertices, surface_vertices;
    double (*position)[3]; /* m */
    struct part parts[BODY_PARTS];
    struct attributes facts; /* what was found out about the body: "links_missed", "tetgen_message"; in SI units. Those
                                of the body follow from it; then those of where it is from, which others add */
    char hash[DIGEST_SIZE];  /* of positions and parts: two bodies of one hash run the same */
};

/* Prepare a body from a surface, which must have triangles, all of three different corners: edges, triangles and bends.
 * On failure nothing is allocated. */
int prepared_create(const struct mesh *surface, const char *name, struct prepared *prepared);

/* Add constraints, laid by groups. Facts: how many there are, in how many groups, and how few groups there can be
 * ("edges", "edges_groups", "edges_groups_least"). */
int prepared_add_part(struct prepared *prepared, enum body_part kind, int count, const int *particle);

/* The surface, newly allocated; its triangles by groups. */
void prepared_surface(const struct prepared *prepared, struct mesh *mesh);

void prepared_free(struct prepared *prepared);

void prepared_add(struct prepared *prepared, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

/* A fact's text, or NULL. */
const char *prepared_fact(const struct prepared *prepared, const char *name);

/* Set the hash from what is there. */
void prepared_seal(struct prepared *prepared);

/* What is wrong with a body, or NULL: positions are finite, constraints name particles that are there and differ, those
 * of the surface none inside, and no two of a group share one. */
const char *prepared_flaw(const struct prepared *prepared);

/* Prepared bodies in HDF5 files, which a machine without the programs and libraries that made them can read.
 *
 *     /            attributes: format, "springback body 1"; hash
 *       positions  [vertices][3] 64-bit floats, m; attribute surface_vertices: these are the first
 *       facts/     attributes, texts
 *       parts/KIND/particles [constraints][particles] 32-bit integers
 *                  start     [groups + 1] where each group of independent constraints begins
 *
 * Equal bodies make equal bytes. */

/* Write at once: the file is there whole or, as it was before, not. */
int stored_write(const struct prepared *prepared, const char *path);

/* Read all, and see that it is what was written: its hash must be that of its contents. */
int stored_read(const char *path, struct prepared *prepared);

/* An order of a group's constraints in which lanes side by side seldom meet in a bank of local memory.
 *
 * A GPU's local memory has banks, 32 of four bytes on NVIDIA's. Particles are read as quads of 16 bytes, eight lanes at
 * a time, each of which takes four banks: lanes whose particles are equal modulo 8, and not the same, wait for each
 * other. Of constraints in order of their particles, 2.4 lanes of eight meet on average where one would do. The
 * constraints of a group are independent, so that their order changes no result. */

/* order[i] is which of the part's constraints, of `size` particles, stands i-th: a permutation that keeps to its
 * groups, and nearly to the order in them. Edges of a lattice keep theirs, which vector units read as it is. */
void banks_order(const struct part *part, int size, int *order);

/* Lay all parts of a body so. */
void banks_lay(struct prepared *prepared);

#endif
