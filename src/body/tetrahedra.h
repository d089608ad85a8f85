/* Bodies of tetrahedra: a box by formula, any mesh's surface, and what a mesh is worth. The tetrahedra of a closed
 * surface come from body/tetgen.h.
 *
 * Every tetrahedron is positively oriented: det [p1 - p0, p2 - p0, p3 - p0] > 0, six times its volume. */
#ifndef SPRINGBACK_BODY_TETRAHEDRA_H
#define SPRINGBACK_BODY_TETRAHEDRA_H

#include "mesh/mesh.h"

struct tetrahedra {
    int vertices, tetrahedra;
    double (*position)[3]; /* m */
    int (*corner)[4];
    int kept; /* so many first vertices are those of the surface that was filled, bit by bit and in its order; 0 of a
                 box */
};

/* Make the arrays, zeroed. */
void tetrahedra_create(struct tetrahedra *body, int vertices, int tetrahedra);
void tetrahedra_free(struct tetrahedra *body);

/* The XXH3 of counts, positions and corners, as base/digest.h writes it. */
void tetrahedra_hash(const struct tetrahedra *body, char out[33]);

/* det [p1 - p0, p2 - p0, p3 - p0]: six times a tetrahedron's volume, m^3; negative where it is inverted. */
double tetrahedron_determinant(const double (*position)[3], const int corner[4]);

/* How a cube is cut. */
enum box_cut {
    BOX_FIVE, /* one regular tetrahedron inside and four at corners; neighbouring cubes are mirrored, so that their
                 diagonals meet */
    BOX_SIX,  /* Kuhn's: the six that share the diagonal from the lowest corner to the highest; all cubes alike */
};

/* A box of cubes[0] x cubes[1] x cubes[2] equal cells with a corner at 0 and the given size, m. Vertices are numbered
 * x first, then y, then z. Fails on counts below 1, on more than an int can number, and on sizes that are not above
 * 0. */
int tetrahedra_box(const int cubes[3], const double size[3], enum box_cut cut, struct tetrahedra *body);

/* The triangles that belong to one tetrahedron only, turned outward, and their vertices, in the order of both. Where
 * vertex is not NULL, it is made an array: the surface's vertex k is the body's vertex (*vertex)[k]. Fails where a
 * triangle belongs to more than two tetrahedra, or to two on the same side. */
int tetrahedra_surface(const struct tetrahedra *body, struct mesh *surface, int **vertex);

struct tetrahedra_survey {
    double volume;          /* m^3, of all, inverted ones counted negative */
    double smallest_volume; /* m^3 */
    double surface_volume;  /* m^3, inside the given surface; NaN where none is given */
    double smallest_angle;  /* degrees, between two sides of one tetrahedron; 0 of a flat one, NaN where all are
                               inverted. For people: its last digit hangs on the C library's arctangent */
    int inverted, flat;     /* tetrahedra of negative volume, and of none */
};

/* The surface may be NULL. */
void tetrahedra_survey(const struct tetrahedra *body, const struct mesh *surface, struct tetrahedra_survey *survey);

#endif
