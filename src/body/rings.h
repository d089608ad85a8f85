/* Rings: the neighbours of each vertex of a closed surface, in turn around it.
 *
 * A vertex and two neighbours that follow each other in its ring, the last followed by the first, are a triangle, its
 * corners in that order. A ring begins with its neighbour of lowest index. */
#ifndef SPRINGBACK_BODY_RINGS_H
#define SPRINGBACK_BODY_RINGS_H

#include <stdbool.h>

struct rings {
    int *start;     /* [vertices + 1] */
    int *neighbour; /* [3 triangles]: ring of vertex v: from start[v] on */
};

/* From triangles of which all corners differ. False, with nothing allocated, where some vertex has not one ring: the
 * surface is open there, or not turned alike, or two parts touch. A vertex of no triangle has an empty ring. */
bool rings_create(int vertices, int triangles, const int *corner, struct rings *rings);
void rings_free(struct rings *rings);

#endif
