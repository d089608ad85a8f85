/* A trace in forms that other programs read.
 *
 * To draw geometry with gnuplot 5.4, which reads no HDF5, from what export_triangles wrote:
 *
 *     set pm3d depthorder corners2color c1
 *     set view equal xyz
 *     set cbrange [0:0xffffff]
 *     unset key; unset border; unset tics; unset colorbox
 *     splot 'triangles.txt' using 1:2:3:4 with pm3d lc rgb variable
 *
 * The shade is ours because gnuplot's own lighting follows the winding of each triangle and blotches. Its style
 * "with polygons" would be the natural one, but gnuplot 5.4 patchlevel 4 gives all polygons one colour there, whatever
 * "fc rgb variable" says. */
#ifndef SPRINGBACK_TRACE_EXPORT_H
#define SPRINGBACK_TRACE_EXPORT_H

#include "trace/trace.h"

#include <stdio.h>

/* Write each recorded geometry to FOLDER/<trace's name>_<number>.vtk, legacy binary PolyData with the velocities, and
 * FOLDER/<trace's name>.vtk.series, which lists them with their times for ParaView. The folder must exist. Errors: no
 * geometry was recorded, the disk's; a file that could not be written whole is removed. */
int export_vtk(const struct trace_data *data, const char *folder);

/* A further column of a trace's table: one value a recorded frame. */
struct export_column {
    const char *name, *unit;
    const double *values;
};

/* Write the series, and further columns behind them, as text separated by tabs: a line of names and units, "frame",
 * "time/s", "kinetic_energy/J" (no unit after a pure number), then a line a recorded frame. What is not a number is
 * "nan". */
int export_table(const struct trace_data *data, const struct export_column *columns, int count, FILE *out);

/* The same as comma-separated values (RFC 4180) behind a column `run`, the run's id. Traces with the same columns make
 * one table: *heading, NULL for the first of them, is the heading that was written, newly allocated. Errors: other
 * columns, the disk's. */
int export_csv(const struct trace_data *data, const struct export_column *columns, int count, char **heading,
               FILE *out);

struct export_view {
    double light[3]; /* direction to the light, in the body's axes; of any length but 0 */
    double ambient;  /* share of the light that comes from everywhere, 0 to 1 */
    uint32_t colour; /* 0xRRGGBB where the light falls straight */
};

/* The colour of a triangle of corners a, b, c: Lambert's (1760), of both sides alike; without area, or not finite, that
 * of ambient light alone. */
uint32_t export_shade(const double *a, const double *b, const double *c, const struct export_view *view);

/* Write the triangles of the k-th recorded geometry for gnuplot: each a surface of its own of two rows of two points, a
 * b and c c, so four lines "x -z y 0xRRGGBB" in m, a blank line between the rows and two after them. gnuplot's third
 * axis points up, the body's second does; the sign keeps right-handed what is right-handed. The shade is Lambert's, of
 * both sides alike. Triangles with a corner that is not finite, as after a divergence, are left out: their number goes
 * to *left_out, which may be NULL, and into a comment. Errors: no triangles, no such geometry, the disk's. */
int export_triangles(const struct trace_data *data, int k, const struct export_view *view, FILE *out, size_t *left_out);

#endif
