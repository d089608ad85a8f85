/* Tetrahedra inside a closed surface, made by the program TetGen (Si, "TetGen, a Delaunay-based quality tetrahedral
 * mesh generator", ACM Transactions on Mathematical Software 41(2), 2015).
 *
 * It runs as a child under limits: on some surfaces it aborts, and some switches never end. That it fails, and what it
 * says then, is a result: lee2022 (section 4.1) rests on TetGen's errors on a dragon with holes. */
#ifndef SPRINGBACK_BODY_TETGEN_H
#define SPRINGBACK_BODY_TETGEN_H

#include "base/process.h"
#include "mesh/mesh.h"

/* Every tetrahedron is positively oriented: det [p1 - p0, p2 - p0, p3 - p0] > 0, six times its volume. */
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
                              inverted. For people: its last digit depends on the C library's arctangent */
};

void tetrahedra_survey(const struct tetrahedra *body, struct tetrahedra_survey *survey);

struct tetgen_options {
    const char *switches; /* as TetGen takes them: "-pq1.414Ya0.0001"; areas and volumes in m of the surface. -p is
                             needed, and with -Y no vertex is added to the surface */
    double seconds;       /* wall clock; 0: 60 */
    size_t memory;        /* of address space, bytes; 0: 4 GiB */
};

enum tetgen_result {
    TETGEN_WHOLE,
    TETGEN_NOT_RUN, /* not there, bad switches, or we were asked to end */
    TETGEN_FAILED,  /* it exited with a code, was ended by a signal, took too long or too much memory: see run.end */
    TETGEN_EMPTY,   /* it exited with code 0 and made no tetrahedra, as it does of a surface with a hole */
    TETGEN_BROKEN,  /* it exited with code 0, and what it wrote is not a mesh */
};

struct tetgen_outcome {
    enum tetgen_result result;
    struct process_outcome run; /* its output is all that it said, verbatim; the times in it differ from run to run */
};

/* Fill a surface, at the size it has: m. Vertices keep their bits. Fails where there is no whole result, with the end
 * of TetGen's message; the body is then empty. The outcome is set in any case, and always to be freed. */
int tetgen_fill(const struct mesh *surface, const struct tetgen_options *options, struct tetrahedra *body,
                struct tetgen_outcome *outcome);

/* Whether TetGen fills a single tetrahedron: if it does not, its failure on another surface says nothing about that
 * surface. Fails with what is wrong if not. */
int tetgen_check(void);

void tetgen_free(struct tetgen_outcome *outcome);

#endif
