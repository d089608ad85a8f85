/* The least that a run's work must move and compute, and the time that a machine's floors allow for it: Williams,
 * Waterman and Patterson, "Roofline", CACM 52, 2009. */
#ifndef SPRINGBACK_REPORT_ROOFLINE_H
#define SPRINGBACK_REPORT_ROOFLINE_H

#include "report/machine.h"

/* Of one frame. What is moved is what no cache can spare a body that fits none: positions and velocities, of four reals
 * each, read and written once a step. What is computed is each formula once, as kernels/ has it, a multiplication, an
 * addition or a division being one operation; NaN for methods that are not counted. */
struct work {
    double bytes, operations;
};

/* False where the run does not say its nodes. */
bool work_of(const struct machine_run *run, struct work *out);

/* The least seconds in which a machine's floor allows a work; NaN where no floor is known. `by_memory`, which may be
 * NULL, says what bounds it. */
double work_limit(const struct work *work, const struct machine_floor *floor, bool *by_memory);

#endif
