/* The Slurm job of this process, if there is one. */
#ifndef SPRINGBACK_RUN_SLURM_H
#define SPRINGBACK_RUN_SLURM_H

#include <stdbool.h>

/* Whether other jobs may use the node together with this process's job, which makes timings invalid. False if there is
 * no job. `scontrol` gives the answer. If scontrol fails, as in a container, the answer is whether the job lacks some
 * processors of the node. The first call finds the answer, and later calls return it. Call this from the main thread
 * only. */
bool slurm_shares_node(void);

#endif
