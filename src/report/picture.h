/* Surfaces as pictures: lit, in perspective, drawn by gnuplot.
 *
 * A scene is written as text triangles, each with a shade of ours, which a figure's own script can draw as well:
 *
 *     set view map
 *     set pm3d depthorder corners2color c1
 *     splot 'scene.txt' using 1:3:2:4 with pm3d lc rgb variable */
#ifndef SPRINGBACK_REPORT_PICTURE_H
#define SPRINGBACK_REPORT_PICTURE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct picture_surface {
    int vertices, triangles;
    const double (*position)[3]; /* m, the second axis up; triangles with a corner that is not finite are left out */
    const int (*corner)[3];
    uint32_t colour;   /* 0xRRGGBB where the light falls straight */
    bool hides_inside; /* closed and turned outward: what faces away is not seen, and need not be drawn */
};

/* From where surfaces are seen. */
struct picture_camera {
    double centre[3], radius;          /* m, of a ball around all; lengths are in radii from here on */
    double right[3], up[3], toward[3]; /* unit vectors of the picture, the third towards who looks */
    double distance;                   /* from the centre */
    double low[2], high[2];            /* what the surfaces take up of the picture */
};

/* Turn a camera's axes so that it sees from `turn` degrees to the right of the third axis and `tilt` above it; the
 * other members are 0. */
void picture_face(double turn, double tilt, struct picture_camera *camera);

/* See some surfaces whole, from `turn` degrees to the right of the third axis and `tilt` above it (30 and 20 show a
 * body well). Errors: nothing of them is finite. */
int picture_aim(const struct picture_surface *surfaces, int count, double turn, double tilt,
                struct picture_camera *camera);

/* Write surfaces as a camera sees them, in export_triangle's form: right, away, up (the picture's own, in radii) and
 * the shade of light over the left shoulder. A surface of more than `most` triangles is thinned to about as many
 * (Garland and Heckbert 1997, by meshoptimizer). */
void picture_write(const struct picture_surface *surfaces, int count, const struct picture_camera *camera, int most,
                   FILE *out);

struct picture_panel {
    const struct picture_surface *surfaces;
    int count;
    const char *title, *caption; /* below it, a line each */
    double turn;                 /* degrees, as picture_aim has it; the tilt is 20 */
};

/* Draw panels side by side into a file, which ends in .svg or .png. It is there whole or, on errors, not at all:
 * another ending, gnuplot missing or failing, a file that cannot be written. */
int picture_draw(const struct picture_panel *panels, int count, const char *path);

/* Fails unless a path's ending is one that can be drawn. */
int picture_check(const char *path);

#endif
