/* The figures that were drawn: OUT/figures/<paper>/<name>.svg, with what their scripts say of them. */
#ifndef SPRINGBACK_REPORT_GALLERY_H
#define SPRINGBACK_REPORT_GALLERY_H

#include "base/memory.h"

#include <stdbool.h>

struct gallery_figure {
    const char *paper, *name;
    const char *file; /* from OUT on: "figures/va2022/fig7.svg" */
    const char
        *caption; /* the comment that its script figures/<paper>/<name>.gp begins with; its name where it has none */
    const char *reads;   /* the experiments that its script reads (figure_reads) */
    char *svg;           /* NULL where it is not shown */
    const char *problem; /* why it is not; "" where it is */
    int width, height;   /* as its viewBox has them; 0 where that is not known */
};

struct gallery {
    struct gallery_figure *figures; /* by paper, then by name, numbers as numbers: fig2 before fig10 */
    int count;
    struct pool texts;
};

/* A picture of more bytes is only linked to. */
enum { GALLERY_MOST = 2 << 20 };

/* Read the figures of a folder of results, captions from the scripts in figures/. None where there are none; a file
 * that is no SVG picture, or too large, is told in `problem`. */
void gallery_read(const char *out, struct gallery *gallery);
void gallery_free(struct gallery *gallery);

/* ---- Which experiments a figure reads, by its script figures/<paper>/<name>.gp ---- */

/* The names that stand as here."/NAME in a figure's script and in the parts that it loads, each between blanks:
 * " bob bob-convex ". Newly allocated; " " if there is no such script. */
char *figure_reads(const char *paper, const char *figure);

/* Whether an experiment, as "cetinaslan2019/bob", is among what a figure of a paper reads. */
bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment);

#endif
