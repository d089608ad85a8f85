/* Inner links: the constraints that lee2022 uses inside a surface instead of tetrahedra ("internal shape preserving
 * constraint", section 3.2, algorithm 2).
 *
 * From each vertex a ray is cast inward. The link's other end is one corner of the triangle that the ray hits on the
 * opposite side. The paper's lines, and what they leave open:
 *
 *     (1)-(3)   the paper reverses the normals, because the engine's rays hit only triangles that face the ray. A ray
 *               then hits triangles only from inside.
 *     (5)       "normalDirection" is the vertex's normal. The paper does not say how it follows from the triangles'
 *               normals. Here it is the sum of their cross products, so larger triangles have more weight.
 *     (9)-(12)  three places, in the text and in figure 3, name the corner nearest to the hit point. Line (11) and half
 *               a sentence name the corner nearest to the start vertex. The hit point is the default, because the paper
 *               names it more often. Also, the corner nearest to the start would tilt every link towards the surface.
 *     (14)-(18) links that coincide are stored once, whichever end is the start.
 *
 * The paper does not mention links that are also edges of the surface; they are kept. Triangles at the start vertex,
 * which an engine may hit at distance 0, are ignored. */
#ifndef SPRINGBACK_BODY_LINKS_H
#define SPRINGBACK_BODY_LINKS_H

#include "body/body.h"
#include "mesh/mesh.h"

enum links_end {
    LINKS_END_HIT,   /* the corner nearest to the hit point */
    LINKS_END_START, /* the corner nearest to the start vertex */
};

struct links {
    int count;
    struct spring *link; /* [count] sorted by both ends; rest is the distance between the ends, m */
    /* The number of vertices is count + missed + doubled. */
    int missed;  /* vertices without a normal, or whose ray hits no triangle */
    int doubled; /* vertices whose link another vertex has already made */
    int edges;   /* links that are edges of the surface */
};

/* Create the links of a surface, closed or open. The time is nearly proportional to the mesh's size. Fails if positions
 * are not finite, if corners are not vertices, or if the ray caster is out of memory; links is then empty.
 *
 * The result is bit-identical on every machine. The ray caster only reports which enlarged boxes a ray passes.
 * Distances are computed here, in double. Among equally near triangles or corners, the one with the lowest index is
 * used. */
int links_create(const struct mesh *mesh, enum links_end end, struct links *links);
void links_free(struct links *links);

const char *links_tool(void); /* the ray caster and its version: "Embree 3.13.5" */

#endif
