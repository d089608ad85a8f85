/* Draws a surface as pixels by ray casting (Embree), with light and shadow, but without perspective. gnuplot would need
 * seconds for a picture of a large body, and would draw intersecting triangles in a wrong order. */
#ifndef SPRINGBACK_REPORT_SNAPSHOT_H
#define SPRINGBACK_REPORT_SNAPSHOT_H

#include "base/status.h"
#include "mesh/mesh.h"
#include "trace/trace.h"

#include <stdbool.h>
#include <stdint.h>

struct snapshot_surface {
    int vertices, triangles;
    const double (*position)[3]; /* m; the second axis points up */
    const int (*corner)[3];
    uint32_t colour; /* 0xRRGGBB, in light that is perpendicular to the surface */
};

struct snapshot_view {
    int width, height; /* pixels, 1 to SNAPSHOT_MOST */
    double turn, tilt; /* degrees: the direction from `at` to the viewer is rotated by `turn` from the third axis
                          towards the first, and then by `tilt` upwards */
    double at[3];      /* m, the point at the centre of the picture */
    double across;     /* m, the width of the picture; greater than 0 */
    double ground;     /* m, height of a round floor, with the shadow of the surfaces; NAN: no floor */
    double plate;      /* m, height of a transparent round plate; NAN: no plate */
};

enum { SNAPSHOT_MOST = 8192, SNAPSHOT_OBSTACLES = 4 };

/* The contents of a picture. */
struct snapshot_subject {
    struct snapshot_surface body;
    const struct snapshot_surface *obstacles; /* fixed bodies that the body may touch */
    int obstacle_count;                       /* up to SNAPSHOT_OBSTACLES */
    const uint32_t (*edge)[3]; /* [t][k]: the colour 0xRRGGBB of the edge of triangle t from corner k to the next
                                  corner, or SNAPSHOT_BARE if this edge is not drawn. NULL: no edge is drawn */
    double edge_width;         /* width of a drawn edge, m */
};

#define SNAPSHOT_BARE 0xff000000u

/* Set `at` and `across` so that a view shows the whole surface with a margin. Errors: no vertex is finite. */
int snapshot_aim(const struct snapshot_surface *surface, struct snapshot_view *view);

/* Draw a body into [height][width][3] bytes: red, green and blue, from the top left, on white. Errors: those of Embree;
 * too many obstacles.
 *
 * Light: both sides of a triangle are lit equally, by Lambert's law. The normals are smooth except at creases. Surfaces
 * cast shadows. Edges have the same colour in any light.
 * Not drawn: triangles with a corner that is not finite, and parts that are more than a hundred picture widths in
 * front of the centre or behind it.
 * Obstacles: if the nodes of a body touch an obstacle, the triangles between the nodes cut into the obstacle. Therefore
 * the body hides an obstacle that is less than SNAPSHOT_YIELD picture widths in front of the body.
 * Machines: pixels at edges can differ slightly between machines, because Embree selects its instructions by the
 * processor. */
int snapshot_draw(const struct snapshot_subject *subject, const struct snapshot_view *view, unsigned char *pixels);

#define SNAPSHOT_YIELD 0.006

/* The fixed obstacles of a run's scene as surfaces to draw: the sphere and the convex bodies, from the parameters in
 * the trace. */
enum { OBSTACLES_MOST = 2 };

struct obstacles {
    int count;
    struct mesh mesh[OBSTACLES_MOST];
    struct snapshot_surface surface[OBSTACLES_MOST];
};

/* Read the obstacles. *out is empty if the scene has no obstacles, and after an error. Errors: the mesh of the convex
 * bodies cannot be read, or has changed since the run; a parameter that this version does not know. */
int obstacles_read(const struct trace_data *trace, struct obstacles *out);
void obstacles_free(struct obstacles *obstacles);

/* The edges of a surface with one colour for each group of edges, as in cetinaslan2019, figure 6. The edges of a group
 * should share no node. An edge that shares a node with another edge of its group has the colour EDGE_GROUPS_BAD.
 *
 * The groups are those of this project (body/groups.h), or those of the paper's algorithm 2, repaired or as printed
 * (body/paper_groups.h). The paper's algorithm processes the edges in the order of their vertices. The algorithm as
 * printed leaves some edges in no group; such edges are not drawn. */

#define EDGE_GROUPS_BAD 0xe3120bu

/* Whether this is the name of a grouping: "colouring", "repaired" or "printed". */
bool edge_groups_known(const char *name);

/* Colours for struct snapshot_subject, [triangles][3]. Newly allocated; the caller frees it. *mean_edge becomes the
 * mean length of the edges with finite ends, in m. The name must be known. Returns NULL after fail(): more edges than
 * the paper's algorithm allows, or triangles whose corners are not three different vertices. */
uint32_t (*edge_groups_colour(const char *name, const struct snapshot_surface *surface, double *mean_edge))[3];

/* ---- Several surfaces as one figure: drawn by snapshot_draw, and assembled with their titles by gnuplot ---- */

struct picture_panel {
    struct snapshot_surface surface;
    const char *title, *caption; /* texts below the picture, one line each */
    const struct snapshot_surface *obstacles;
    int obstacle_count;
    double ground, plate; /* as in struct snapshot_view */
};

enum { PICTURE_SIDE = 900 }; /* pixels of a panel that is shown alone */

/* Draw panels of side * side pixels next to each other into a .svg or .png file. `turn` is that of struct
 * snapshot_view, in degrees; the tilt is 20 degrees. The file is written completely or not at all. Errors: an extension
 * other than these two, a surface without finite vertices, gnuplot missing or failing, a file that cannot be
 * written. */
int picture_draw(const struct picture_panel *panels, int count, int side, double turn, const char *path);

/* Fail unless a path has a supported extension. */
int picture_check(const char *path);

#endif
