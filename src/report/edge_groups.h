/* The edges of a surface in colours, one an independent group: cetinaslan2019, figure 6.
 *
 * Groups are those of this project (body/groups.h), or of the paper's algorithm 2, repaired or as printed
 * (body/paper_groups.h), on the edges in the order of their vertices. What is printed leaves edges in no group, which
 * get no colour, and edges that share a particle with another of a group that both are in, which are EDGE_GROUPS_BAD.
 */
#ifndef SPRINGBACK_REPORT_EDGE_GROUPS_H
#define SPRINGBACK_REPORT_EDGE_GROUPS_H

#include "report/snapshot.h"

#include <stdbool.h>

#define EDGE_GROUPS_BAD 0xe3120bu

/* The groupings' names, separated by ", " and " or ": "colouring, repaired or printed". */
const char *edge_groups_names(void);

/* Whether there is a grouping of this name. */
bool edge_groups_known(const char *name);

/* Colours as struct snapshot_subject has them, [triangles][3], newly allocated; and the mean length of an edge, in m,
 * over those that are finite. The name must be known. NULL, and what is wrong: a surface of more edges than the paper's
 * algorithm is for, or of triangles whose corners are not three vertices. */
uint32_t (*edge_groups_colour(const char *name, const struct snapshot_surface *surface, double *mean_edge))[3];

#endif
