/* A surface as pixels: lit, seen without perspective, by rays (Embree). gnuplot would take seconds for each picture of
 * a large body, and order triangles that pass through each other wrongly. */
#ifndef SPRINGBACK_REPORT_SNAPSHOT_H
#define SPRINGBACK_REPORT_SNAPSHOT_H

#include "base/status.h"

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
 * alike, as export_shade has it; triangles with a corner that is not finite are left out, and what lies over a hundred
 * widths before or behind the middle is not seen. Edges keep their colour in any light. The nodes of a body lie on an
 * obstacle, so that its triangles cut into it: of an obstacle that is seen before it by less than SNAPSHOT_YIELD widths
 * of the picture, nothing is seen. Embree chooses its instructions by the processor: pixels at edges may differ by a
 * shade between machines. Errors: Embree's; too many obstacles. */
int snapshot_draw(const struct snapshot_subject *subject, const struct snapshot_view *view, unsigned char *pixels);

#define SNAPSHOT_YIELD 0.006

#endif
