/* One progress bar on standard error. The bar appears on a terminal after two seconds, or after 0.3 s if the work is
 * estimated to take over two seconds. The bar is redrawn at most ten times per second. If standard error is not a
 * terminal, these functions do nothing. */
#ifndef SPRINGBACK_BASE_PROGRESS_H
#define SPRINGBACK_BASE_PROGRESS_H

/* Begin work of `total` units, which should take about the same time each. Ends the previous bar, if any. */
void progress_begin(double total);

/* Report progress: `done` of the `total` units, and item `at` of the `of` items in the current part of the work.
 * `label` is the name of this part, and `items` names its items, for example "frames"; `of` is 0 if the part has no
 * items. The bar shows the items per second since the label changed, and the remaining time of the whole work. May be
 * called at any rate. Does nothing if no work was begun. */
void progress_show(double done, const char *label, const char *items, long at, long of);

/* Erase the bar before a line is printed on the terminal. The next progress_show draws it again. */
void progress_hide(void);

void progress_end(void);

#endif
