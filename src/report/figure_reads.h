/* Which experiments a figure reads, by its script figures/<paper>/<name>.gp. */
#ifndef SPRINGBACK_REPORT_FIGURE_READS_H
#define SPRINGBACK_REPORT_FIGURE_READS_H

#include <stdbool.h>

/* The names that stand as here."/NAME in a figure's script and in the parts that it loads, each between blanks:
 * " bob bob-convex ". Newly allocated; " " if there is no such script. */
char *figure_reads(const char *paper, const char *figure);

/* Whether an experiment, as "cetinaslan2019/bob", is among what a figure of a paper reads. */
bool figure_reads_experiment(const char *reads, const char *paper, const char *experiment);

#endif
