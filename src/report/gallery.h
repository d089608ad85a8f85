/* The drawn figures, OUT/figures/<paper>/<name>.svg, with captions from their scripts. */
#ifndef SPRINGBACK_REPORT_GALLERY_H
#define SPRINGBACK_REPORT_GALLERY_H

#include "base/memory.h"

#include <stdbool.h>

struct gallery_figure {
    const char *paper, *name;
    const char *file;    /* path below OUT: "figures/va2022/fig7.svg" */
    const char *caption; /* the first comment of its script figures/<paper>/<name>.gp; its name if there is none */
    const char *reads;   /* the experiments that its script reads (figure_reads) */
    char *svg;           /* NULL if it is not shown */
    const char *problem; /* a sentence on why it is not shown; "" if it is shown */
    int width, height;   /* of its viewBox; 0 if unknown */
};

struct gallery {
    struct gallery_figure
        *figures; /* sorted by paper, then by name, with numbers in numerical order: fig2 before fig10 */
    int count;
    struct pool texts;
};

/* The largest picture in bytes that is included. Larger ones are only linked. */
enum { GALLERY_MOST = 2 << 20 };

/* Read the figures of a folder of results, and captions from the scripts in figures/. A file that is not an SVG
 * picture, or is too large, is reported in `problem`. The gallery owns all texts. */
void gallery_read(const char *out, struct gallery *gallery);
void gallery_free(struct gallery *gallery);

/* ---- The experiments that a figure reads, from its script figures/<paper>/<name>.gp ---- */

/* The names that occur as here."/NAME in a figure's script and in the parts that it loads, separated and enclosed by
 * blanks: " bob bob-convex ". Newly allocated; the caller frees it. " " if there is no such script. */
char *figure_reads(const char *paper, const char *figure);

/* Whether a figure of a paper reads an experiment, for example "cetinaslan2019/bob". */
bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment);

#endif
