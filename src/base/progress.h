/* One progress bar on standard error. It appears on a terminal if the work takes over two seconds, and is redrawn at
 * most ten times per second. If standard error is not a terminal, these functions do nothing. */
#ifndef SPRINGBACK_BASE_PROGRESS_H
#define SPRINGBACK_BASE_PROGRESS_H

/* Begin work of `total` units, which should take equally long. Ends the previous bar, if any. */
void progress_begin(double total);

/* Report progress: `done` of `total` units, and item `at` of `of` in the current part, whose name is `label` (0 of 0:
 * the part has no items). `items` names the items, for example "frames". The rate is the items per second since the
 * label changed; the remaining time is that of the whole work. May be called at any rate. Does nothing if no work was
 * begun. */
void progress_show(double done, const char *label, const char *items, long at, long of);

/* Erase the bar before a line is printed on the terminal. The next progress_show draws it again. */
void progress_hide(void);

void progress_end(void);

#endif
