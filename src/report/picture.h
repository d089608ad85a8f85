/* Surfaces side by side as one figure: drawn by report/snapshot.h, put together with their titles by gnuplot. */
#ifndef SPRINGBACK_REPORT_PICTURE_H
#define SPRINGBACK_REPORT_PICTURE_H

#include "report/snapshot.h"

struct picture_panel {
    struct snapshot_surface surface;
    const char *title, *caption; /* below it, a line each */
};

/* Draw panels side by side, as seen from `turn` degrees to the right of the third axis and 20 above it, into a file
 * that ends in .svg or .png. It is there whole or, on errors, not at all: another ending, a surface of which nothing is
 * finite, gnuplot missing or failing, a file that cannot be written. */
int picture_draw(const struct picture_panel *panels, int count, double turn, const char *path);

/* Fails unless a path's ending is one that can be drawn. */
int picture_check(const char *path);

#endif
