/* The Slurm job of this process, if there is one. */
#ifndef SPRINGBACK_RUN_SLURM_H
#define SPRINGBACK_RUN_SLURM_H

#include <stdbool.h>

/* Whether other jobs may use the node together with this process's job, which makes timings invalid. The answer is from
 * `scontrol`. If that is not found, as in a container, it is whether the job lacks some processors of the node. Found
 * once, by the main thread. False without a job. */
bool slurm_shares_node(void);

#endif
