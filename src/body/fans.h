/* Fans: the triangles at each node, which a node gathers from. */
#ifndef SPRINGBACK_BODY_FANS_H
#define SPRINGBACK_BODY_FANS_H

#include <stddef.h>
#include <stdint.h>

/* Newly allocated: the triangles at node i are (*fan)[(*start)[i]] .. (*fan)[(*start)[i + 1] - 1], rising. Fails, with
 * nothing allocated, where memory does not suffice or an int cannot number three of each triangle. */
int fans_create(int nodes, size_t triangles, const int32_t (*corner)[3], int **start, int **fan);

#endif
