/* Prepared bodies: data of a body that methods need, computed once from a surface, and stored.
 *
 * Vertices are in an order in which neighbours are near in memory (body/order.h). The vertices of the surface come
 * first, then the vertices that TetGen added inside. Constraints are sorted by independent groups (body/groups.h): no
 * two constraints of a group share a particle. Equal surfaces give bit-identical bodies. */
#ifndef SPRINGBACK_BODY_PREPARED_H
#define SPRINGBACK_BODY_PREPARED_H

#include "base/attributes.h"
#include "base/digest.h"
#include "mesh/mesh.h"

enum body_part {
    PART_EDGES,     /* edges of the surface */
    PART_TRIANGLES, /* triangles of the surface, with the orientation of the mesh, which may be inward */
    PART_BENDS,     /* two triangles that share an edge: the edge's two ends, then the other corner of each triangle */
    PART_LINKS,     /* inner links to the corner nearest to the hit point (body/links.h) */
    PART_LINKS_TO_START, /* inner links to the corner nearest to the ray's start */
    PART_TETRAHEDRA,     /* tetrahedra inside the surface, positively oriented */
    BODY_PARTS
};

/* Constraints of one kind: group g has the constraints start[g] to start[g + 1] - 1. */
struct part {
    int count, groups;
    int *particle; /* [count * part_kinds[].size]: the particles of each constraint */
    int *start;    /* [groups + 1]; NULL if there are no constraints */
};

extern const struct part_kind {
    const char *name;
    int size; /* particles of a constraint */
} part_kinds[BODY_PARTS];

struct prepared {
    int vertices, surface_vertices;
    double (*position)[3]; /* m */
    struct part parts[BODY_PARTS];
    struct attributes facts; /* facts about the body, such as "links_missed", in SI units, angles in degrees. Facts that
                                follow from the body come first; then callers add facts about its origin */
    char hash[DIGEST_SIZE];  /* hash of positions and parts; bodies with equal hashes give equal runs */
};

/* Prepare the edges, triangles and bends of a body from a surface. `name` is the surface's name in messages. The
 * surface must have triangles, each with three different corners. On failure nothing is allocated. */
int prepared_create(const struct mesh *surface, const char *name, struct prepared *prepared);

/* Add constraints, sorted by groups. Also adds three facts: the number of constraints, the number of groups, and a
 * lower bound of the number of groups ("edges", "edges_groups", "edges_groups_least"). */
int prepared_add_part(struct prepared *prepared, enum body_part kind, int count, const int *particle);

/* The surface of a body, newly allocated. Its triangles are in the order of PART_TRIANGLES. */
void prepared_surface(const struct prepared *prepared, struct mesh *mesh);

void prepared_free(struct prepared *prepared);

void prepared_add(struct prepared *prepared, const char *name, const char *format, ...) PRINTF_LIKE(3, 4);

/* The text of a fact, or NULL. */
const char *prepared_fact(const struct prepared *prepared, const char *name);

/* Set the hash from positions and parts. */
void prepared_seal(struct prepared *prepared);

/* What is wrong with a body, or NULL if it is valid: positions are finite; constraints have existing, different
 * particles; only tetrahedra have particles inside the body; no two constraints of a group share a particle. */
const char *prepared_flaw(const struct prepared *prepared);

/* Prepared bodies in HDF5 files, which a machine without the programs and libraries that made them can read.
 *
 *     /            attributes: format, "springback body 1"; hash; surface_vertices: how many of the positions are
 *                  vertices of the surface; these come first
 *       positions  [vertices][3] 64-bit floats, m
 *       facts/     attributes, texts
 *       parts/KIND/ for each kind that has constraints:
 *                  particles [constraints][particles] 32-bit integers
 *                  start     [groups + 1] where each group of independent constraints begins
 *
 * Equal bodies give files with equal bytes. */

/* Write a body atomically: if this fails, the file at `path` is unchanged. */
int stored_write(const struct prepared *prepared, const char *path);

/* Read a body, and check that its hash equals that of its contents. The caller frees it. On failure nothing is
 * allocated. Errors: the file does not exist, is not a valid prepared body, or has a hash that differs from that of its
 * contents. */
int stored_read(const char *path, struct prepared *prepared);

/* For each group, an order of its constraints in which neighbouring lanes seldom read from the same bank of local
 * memory.
 *
 * The local memory of NVIDIA's GPUs has 32 banks of four bytes. Eight lanes read at a time; each reads a particle's
 * quad of 16 bytes from four banks. Lanes wait for each other if their particles have different indices that are equal
 * modulo 8. If constraints are in the order of their particles, on average 2.4 of eight lanes read the bank with most
 * reads. The ideal is one lane. The constraints of a group are independent, so their order changes no result. */

/* Compute such an order of a part, whose constraints have `size` particles: order[i] is the constraint at place i.
 * Constraints stay in their groups, and near their place in the group. Edges of a lattice keep their order, because
 * vector units read consecutive edges directly. */
void banks_order(const struct part *part, int size, int *order);

/* Reorder all parts of a body by banks_order. */
void banks_lay(struct prepared *prepared);

#endif
