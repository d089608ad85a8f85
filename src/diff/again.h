/* Running two traces again, side by side, to find where they part. */
#ifndef SPRINGBACK_DIFF_AGAIN_H
#define SPRINGBACK_DIFF_AGAIN_H

#include "diff/diff.h"

/* Run both from their descriptions up to frame `last`, and narrow: frame, step, stage, element. What stands in the way
 * (a device that is not there, bodies of other sizes, a kernel that does not compile) ends up in diff->stopped. Errors:
 * backends that were named and are not there. */
int run_again(struct diff *diff, const char *const *backends, int last);

#endif
