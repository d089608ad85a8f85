/* The cloth: a grid of nodes with springs by type, as in va2022, figure 1 and section 4.1. */
#ifndef SPRINGBACK_BODY_CLOTH_H
#define SPRINGBACK_BODY_CLOTH_H

#include "body/body.h"

/* The 12 neighbours of a node in the order in which its forces are added. */
struct cloth_neighbour {
    enum spring_type type;
    int right, down;
};
enum { CLOTH_NEIGHBOURS = 12 };
extern const struct cloth_neighbour cloth_neighbours[CLOTH_NEIGHBOURS];

/* Whether a spring joins a node of the grid to its k-th neighbour; if so, sets the neighbour's index and the spring's
 * rest length, in m. */
bool cloth_spring(const struct body *body, int column, int row, int k, int *other, double *rest);

/* body_describe and body_build for a cloth. cloth_describe fails if the method needs a list of springs, and the cloth
 * has no springs, more than INT_MAX / 2, or more than fit into memory. */
int cloth_describe(const struct run *run, struct body *body);
int cloth_build(const struct run *run, struct body *body);

#endif
