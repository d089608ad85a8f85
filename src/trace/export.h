/* Export of a trace to formats of other programs.
 *
 * gnuplot 5.4 cannot read HDF5. To draw a geometry from the output of export_triangles:
 *
 *     set pm3d depthorder corners2color c1
 *     set view equal xyz
 *     set cbrange [0:0xffffff]
 *     unset key; unset border; unset tics; unset colorbox
 *     splot 'triangles.txt' using 1:2:3:4 with pm3d lc rgb variable
 *
 * springback computes the shade itself, because gnuplot's lighting depends on the order of the corners of each
 * triangle, so triangles of the same surface differ in brightness. The style "with polygons" cannot be used:
 * gnuplot 5.4 patchlevel 4 draws all polygons in one colour, even with "fc rgb variable". */
#ifndef SPRINGBACK_TRACE_EXPORT_H
#define SPRINGBACK_TRACE_EXPORT_H

#include "trace/trace.h"

#include <stdio.h>

/* Write each recorded geometry to FOLDER/<trace's name>_<number>.vtk (legacy binary PolyData with velocities). Also
 * write FOLDER/<trace's name>.vtk.series, which lists these files with their times for ParaView. The folder must exist.
 * Errors: no geometry was recorded, a disk error. An incomplete file is removed. */
int export_vtk(const struct trace_data *data, const char *folder);

/* A further column of a trace's table: one value per recorded frame. */
struct export_column {
    const char *name, *unit;
    const double *values;
};

/* Write a table as text separated by tabs. Its columns are the frame, the time, the series, and the `count` further
 * columns. The first line has names and units: "frame", "time/s", "kinetic_energy/J"; a pure number has no unit. Each
 * recorded frame has one line. NaN is printed as "nan". */
int export_table(const struct trace_data *data, const struct export_column *columns, int count, FILE *out);

/* Like export_table, but as comma-separated values (RFC 4180). The first column, `run`, has the run's id. Several
 * traces with the same columns can be written to one table. *heading must be NULL for the first trace. The function
 * then writes the heading and stores it in *heading, newly allocated; the caller frees it. Errors: the columns differ
 * from the heading; a disk error. */
int export_csv(const struct trace_data *data, const struct export_column *columns, int count, char **heading,
               FILE *out);

struct export_view {
    double light[3]; /* direction to the light, in the axes of the body; any length but 0 */
    double ambient;  /* fraction of the light that does not depend on direction, 0 to 1 */
    uint32_t colour; /* 0xRRGGBB at perpendicular light */
};

/* The colour 0xRRGGBB of a triangle with corners a, b, c by Lambert's law (1760), equal for both sides. A triangle
 * without area, or with a corner that is not finite, gets ambient light alone. */
uint32_t export_shade(const double *a, const double *b, const double *c, const struct export_view *view);

/* Write the triangles of the k-th recorded geometry for gnuplot, with the colours of export_shade.
 *
 * A triangle with corners a, b, c is a surface of two rows of two points, "a b" and "c c": four lines "x -z y
 * 0xRRGGBB" with x, y, z in m, a blank line between the rows, and two blank lines after them. gnuplot's third axis
 * points up, while the body's second axis (y) points up; the sign of z keeps the system right-handed.
 *
 * Triangles with a corner that is not finite, as after a divergence, are omitted. Their number is written as a comment
 * and to *left_out, which may be NULL. Errors: no triangles, no such geometry, a disk error. */
int export_triangles(const struct trace_data *data, int k, const struct export_view *view, FILE *out, size_t *left_out);

#endif
