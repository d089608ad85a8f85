/* The drawn figures, OUT/figures/<paper>/<name>.svg, with captions from their scripts. */
#ifndef SPRINGBACK_REPORT_GALLERY_H
#define SPRINGBACK_REPORT_GALLERY_H

#include "base/memory.h"

#include <stdbool.h>

struct gallery_figure {
    const char *paper, *name;
    const char *file;    /* path below OUT: "figures/va2022/fig7.svg" */
    const char *caption; /* from the comment at the start of the script figures/<paper>/<name>.gp; the name if there is
                            no comment */
    const char *reads;   /* the experiments that the script reads, as text (figure_reads) */
    char *svg;           /* the content of the file; NULL if the figure is not shown */
    const char *problem; /* a sentence on why the figure is not shown; "" if it is shown */
    int width, height;   /* of the picture's viewBox; 0 if unknown */
};

struct gallery {
    struct gallery_figure
        *figures; /* sorted by paper, then by name, with numbers in numerical order: fig2 before fig10 */
    int count;
    struct pool texts;
};

/* The size in bytes of the largest picture that the page includes. The page only links to larger pictures. */
enum { GALLERY_MOST = 2 << 20 };

/* Read the figures of a folder of results, and their captions from the scripts in figures/. If a file is too large or
 * is no SVG picture, the member `problem` of its figure says so. The gallery owns all texts. */
void gallery_read(const char *out, struct gallery *gallery);
void gallery_free(struct gallery *gallery);

/* ---- The experiments that a figure reads, from its script figures/<paper>/<name>.gp ---- */

/* The names of the experiments that a figure's script reads, with a blank before and after each name:
 * " bob bob-convex ". These are the names that occur as here."/NAME in the script and in the scripts that it loads. The
 * text is " " if the figure has no script. Newly allocated; the caller frees it. */
char *figure_reads(const char *paper, const char *figure);

/* Whether a figure of a paper reads an experiment, for example "cetinaslan2019/bob". `reads` is the text from
 * figure_reads. */
bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment);

#endif
