/* One progress bar, on standard error: for work that takes over two seconds, on a terminal, redrawn ten times a second
 * at most. Elsewhere all of this does nothing, and a program prints what it prints anyway. */
#ifndef SPRINGBACK_BASE_PROGRESS_H
#define SPRINGBACK_BASE_PROGRESS_H

/* Begin work of a total amount, in any measure that grows evenly with time. A bar that was begun is ended. */
void progress_begin(double total);

/* Where the work stands: `done` of the total, and in the present part of it, `label`, thing `at` of `of` (0 of 0: such
 * a part counts nothing). The rate is of the things since the label changed; the time left is of the whole. To be
 * called as often as is convenient. Nothing where no work was begun. */
void progress_show(double done, const char *label, const char *things, long at, long of);

/* Take the bar off the terminal, before a line is printed there; it comes back with the next progress_show. */
void progress_hide(void);

void progress_end(void);

#endif
