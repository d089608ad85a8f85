/* Tetrahedra inside a closed surface, computed by the program TetGen (Si, "TetGen, a Delaunay-based quality tetrahedral
 * mesh generator", ACM Transactions on Mathematical Software 41(2), 2015).
 *
 * TetGen runs as a child process with limits of time and memory, because it aborts on some surfaces, and with some
 * switches it never ends. Its failures and their messages are results: lee2022 (section 4.1) relies on TetGen's errors
 * on a dragon with holes. */
#ifndef SPRINGBACK_BODY_TETGEN_H
#define SPRINGBACK_BODY_TETGEN_H

#include "base/process.h"
#include "mesh/mesh.h"

/* Every tetrahedron is positively oriented: det [p1 - p0, p2 - p0, p3 - p0] > 0, six times its volume. */
struct tetrahedra {
    int vertices, tetrahedra;
    double (*position)[3]; /* m */
    int (*corner)[4];
    int kept; /* the first `kept` vertices are bit-identical to those of the filled surface, in the same order */
};

void tetrahedra_free(struct tetrahedra *body);

/* det [p1 - p0, p2 - p0, p3 - p0]: six times a tetrahedron's volume, m^3; negative if it is inverted. */
double tetrahedron_determinant(const double (*position)[3], const int corner[4]);

struct tetrahedra_survey {
    double volume;         /* m^3, of all tetrahedra; inverted ones count as negative */
    double smallest_angle; /* degrees, between two sides of a tetrahedron; 0 if a tetrahedron is flat, NaN if all are
                              inverted. For display only: the last digit depends on the C library's arctangent */
};

void tetrahedra_survey(const struct tetrahedra *body, struct tetrahedra_survey *survey);

struct tetgen_options {
    const char *switches; /* TetGen's switches, such as "-pq1.414Ya0.0001"; areas and volumes in them are in m^2 and
                             m^3. -p is required; with -Y no vertex is added to the surface */
    double seconds;       /* time limit; 0: 60 s */
    size_t memory;        /* limit of the address space, bytes; 0: 4 GiB */
};

enum tetgen_result {
    TETGEN_WHOLE,
    TETGEN_NOT_RUN, /* TetGen was not found or was interrupted, or the surface or the switches are invalid */
    TETGEN_FAILED,  /* TetGen exited with a code other than 0, was ended by a signal, or exceeded a limit of time or
                       memory: see run.end */
    TETGEN_EMPTY,   /* TetGen exited with code 0 and made no tetrahedra, as for a surface with a hole */
    TETGEN_BROKEN,  /* TetGen exited with code 0, but its output is not a mesh */
};

struct tetgen_outcome {
    enum tetgen_result result;
    struct process_outcome run; /* with the last MiB of TetGen's output, in which times differ from run to run */
};

/* Fill a surface, in m. body->kept of the surface's vertices stay bit-identical. Fails if the result is not
 * TETGEN_WHOLE; the body is then empty. For TETGEN_FAILED the message has the last lines of TetGen's output. The
 * outcome is set in any case, and the caller must free it. */
int tetgen_fill(const struct mesh *surface, const struct tetgen_options *options, struct tetrahedra *body,
                struct tetgen_outcome *outcome);

/* Fails if TetGen cannot fill even a single tetrahedron. A failure of TetGen on another surface then says nothing about
 * that surface. */
int tetgen_check(void);

void tetgen_free(struct tetgen_outcome *outcome);

#endif
