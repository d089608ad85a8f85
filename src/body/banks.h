/* An order of a group's constraints in which lanes side by side seldom meet in a bank of local memory.
 *
 * A GPU's local memory has banks, 32 of four bytes on NVIDIA's. Particles are read as quads of 16 bytes, eight lanes at
 * a time, each of which takes four banks: lanes whose particles are equal modulo 8, and not the same, wait for each
 * other. Of constraints in order of their particles, 2.4 lanes of eight meet on average where one would do. The
 * constraints of a group are independent, so that their order changes no result. */
#ifndef SPRINGBACK_BODY_BANKS_H
#define SPRINGBACK_BODY_BANKS_H

#include "body/prepared.h"

/* order[i] is which of the part's constraints, of `size` particles, stands i-th: a permutation that keeps to its
 * groups, and nearly to the order in them. Edges of a lattice keep theirs, which vector units read as it is. */
void banks_order(const struct part *part, int size, int *order);

/* Lay all parts of a body so. */
void banks_lay(struct prepared *prepared);

#endif
