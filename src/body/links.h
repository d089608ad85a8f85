/* Inner links: what lee2022 puts inside a surface in place of tetrahedra ("internal shape preserving constraint",
 * section 3.2, algorithm 2).
 *
 * From each vertex a ray goes inward; the triangle that it hits on the other side gives the link's other end, one of
 * its corners. The paper's lines, and what they leave open:
 *
 *   (1)-(3)   normals are turned round, since the engine's rays hit only what faces them: a ray then hits triangles
 *             from inside alone.
 *   (5)       "normalDirection" is the vertex's normal; how it is made of its triangles' normals is not said: here
 *             these are weighted by area, as their cross products are.
 *   (9)-(12)  the text and figure 3 choose, three times, the corner nearest to the hit point; line (11) compares with
 *             the start vertex, as does half a sentence. The hit point is the default, for its majority, and since the
 *             corner nearest to the start leans every link towards the surface.
 *   (14)-(18) links that overlap are stored once, whichever end began.
 *
 * A link that is an edge of the surface as well is not spoken of, and so is kept. The triangles around the start,
 * which an engine may hit at distance 0, are left out. */
#ifndef SPRINGBACK_BODY_LINKS_H
#define SPRINGBACK_BODY_LINKS_H

#include "body/body.h"
#include "mesh/mesh.h"

enum links_end {
    LINKS_END_HIT,   /* the corner nearest to the hit point */
    LINKS_END_START, /* the corner nearest to the start */
};

struct links {
    int count;
    struct spring *link; /* [count] sorted by both ends; rest: their distance, m */
    /* What became of the other vertices: starts = count + missed + doubled. */
    int missed;  /* without a normal, or without a triangle on the other side */
    int doubled; /* whose link was there already */
    int edges;   /* links that are edges of the surface */
};

/* The links of a surface, closed or not. Time is nearly proportional to the mesh. Equal bits on every machine: the ray
 * caster only says which boxes, enlarged, a ray comes through; distances are taken here, in double, and of equally
 * near triangles the first counts, of equally near corners the lowest. Fails on positions that are not finite, on
 * corners that are no vertices, and where the ray caster has no memory; links is then empty. */
int links_create(const struct mesh *mesh, enum links_end end, struct links *links);
void links_free(struct links *links);

const char *links_tool(void); /* the ray caster and its version: "Embree 3.13.5" */

#endif
