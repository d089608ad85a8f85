/* Bodies of tetrahedra, and what a mesh of them is worth. Those of a closed surface come from body/tetgen.h.
 *
 * Every tetrahedron is positively oriented: det [p1 - p0, p2 - p0, p3 - p0] > 0, six times its volume. */
#ifndef SPRINGBACK_BODY_TETRAHEDRA_H
#define SPRINGBACK_BODY_TETRAHEDRA_H

#include "mesh/mesh.h"

struct tetrahedra {
    int vertices, tetrahedra;
    double (*position)[3]; /* m */
    int (*corner)[4];
    int kept; /* so many first vertices are those of the surface that was filled, bit by bit and in its order */
};

void tetrahedra_free(struct tetrahedra *body);

/* det [p1 - p0, p2 - p0, p3 - p0]: six times a tetrahedron's volume, m^3; negative where it is inverted. */
double tetrahedron_determinant(const double (*position)[3], const int corner[4]);

struct tetrahedra_survey {
    double volume;         /* m^3, of all, inverted ones counted negative */
    double smallest_angle; /* degrees, between two sides of one tetrahedron; 0 of a flat one, NaN where all are
                              inverted. For people: its last digit hangs on the C library's arctangent */
};

void tetrahedra_survey(const struct tetrahedra *body, struct tetrahedra_survey *survey);

#endif
