/* A surface as pixels: lit, seen without perspective, by rays (Embree). gnuplot would take seconds for each picture of
 * a large body, and order triangles that pass through each other wrongly. */
#ifndef SPRINGBACK_REPORT_SNAPSHOT_H
#define SPRINGBACK_REPORT_SNAPSHOT_H

#include "base/status.h"
#include "mesh/mesh.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct snapshot_surface {
    int vertices, triangles;
    const double (*position)[3]; /* m, the second axis up */
    const int (*corner)[3];
    uint32_t colour; /* 0xRRGGBB where the light falls straight */
};

struct snapshot_view {
    int width, height; /* pixels, 1 to SNAPSHOT_MOST */
    double turn, tilt; /* degrees: seen from `turn` to the right of the third axis and `tilt` above it */
    double at[3];      /* m, what the middle of the picture shows */
    double across;     /* m, what the picture's width shows; over 0 */
    double ground;     /* m, height of a round floor below `at`, on which the surface's shadow lies; NAN: none */
    double plate;      /* m, height of a round plate that one sees through; NAN: none */
};

enum { SNAPSHOT_MOST = 8192, SNAPSHOT_OBSTACLES = 4 };

/* What is drawn. */
struct snapshot_subject {
    struct snapshot_surface body;
    const struct snapshot_surface *obstacles; /* what it lies on or meets */
    int obstacle_count;                       /* up to SNAPSHOT_OBSTACLES */
    const uint32_t (*edge)[3]; /* 0xRRGGBB of the body's edges, that of triangle t from corner k to the next at [t][k],
                                  or SNAPSHOT_BARE for none; NULL draws none */
    double edge_width;         /* m */
};

#define SNAPSHOT_BARE 0xff000000u

/* See a surface whole with a margin: sets `at` and `across` for the other members. Errors: nothing of it is finite. */
int snapshot_aim(const struct snapshot_surface *surface, struct snapshot_view *view);

/* Draw a body into [height][width][3] bytes, red, green and blue, from the top left, on white. Both sides are lit
 * alike, by Lambert's law with smooth normals but at creases, and cast shadows; triangles with a corner that is not
 * finite are left out, and what lies over a hundred widths before or behind the middle is not seen. Edges keep their
 * colour in any light. The nodes of a body lie on an obstacle, so that its triangles cut into it: of an obstacle that
 * is seen before it by less than SNAPSHOT_YIELD widths of the picture, nothing is seen. Embree chooses its instructions
 * by the processor: pixels at edges may differ by a shade between machines. Errors: Embree's; too many obstacles. */
int snapshot_draw(const struct snapshot_subject *subject, const struct snapshot_view *view, unsigned char *pixels);

#define SNAPSHOT_YIELD 0.006

/* What lies still in a run's scene and no node enters, as surfaces to draw: the sphere and the convex bodies, by the
 * parameters that the trace recorded. */
enum { OBSTACLES_MOST = 2 };

struct obstacles {
    int count;
    struct mesh mesh[OBSTACLES_MOST];
    struct snapshot_surface surface[OBSTACLES_MOST];
};

/* None of a scene that has none. Errors: the mesh of the convex bodies cannot be read, or is another than the run's; a
 * parameter that this version does not know. Then *out is empty. */
int obstacles_read(const struct trace_data *trace, struct obstacles *out);
void obstacles_free(struct obstacles *obstacles);

/* The edges of a surface in colours, one an independent group: cetinaslan2019, figure 6.
 *
 * Groups are those of this project (body/groups.h), or of the paper's algorithm 2, repaired or as printed
 * (body/paper_groups.h), on the edges in the order of their vertices. What is printed leaves edges in no group, which
 * get no colour, and edges that share a particle with another of a group that both are in, which are EDGE_GROUPS_BAD.
 */

#define EDGE_GROUPS_BAD 0xe3120bu

/* Whether there is a grouping of this name: "colouring", "repaired" or "printed". */
bool edge_groups_known(const char *name);

/* Colours as struct snapshot_subject has them, [triangles][3], newly allocated; and the mean length of an edge, in m,
 * over those that are finite. The name must be known. NULL, and what is wrong: a surface of more edges than the paper's
 * algorithm is for, or of triangles whose corners are not three vertices. */
uint32_t (*edge_groups_colour(const char *name, const struct snapshot_surface *surface, double *mean_edge))[3];

/* ---- Surfaces side by side as one figure: drawn as above, put together with their titles by gnuplot ---- */

struct picture_panel {
    struct snapshot_surface surface;
    const char *title, *caption; /* below it, a line each */
    const struct snapshot_surface *obstacles;
    int obstacle_count;
    double ground, plate; /* as in struct snapshot_view */
};

enum { PICTURE_SIDE = 900 }; /* pixels of a panel that is looked at by itself */

/* Draw panels of side * side pixels side by side, as seen from `turn` degrees to the right of the third axis and 20
 * above it, into a file that ends in .svg or .png. It is there whole or, on errors, not at all: another ending, a
 * surface of which nothing is finite, gnuplot missing or failing, a file that cannot be written. */
int picture_draw(const struct picture_panel *panels, int count, int side, double turn, const char *path);

/* Fails unless a path's ending is one that can be drawn. */
int picture_check(const char *path);

#endif
