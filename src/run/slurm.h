/* The job of Slurm that this process belongs to, if there is one. */
#ifndef SPRINGBACK_RUN_SLURM_H
#define SPRINGBACK_RUN_SLURM_H

#include <stdbool.h>

/* Whether other jobs may use the node beside this process's job, so that timings mean nothing there. By `scontrol`;
 * where that is not found, as in a container, by whether the job has all processors of the node. Asked once, by the
 * main thread. False without a job. */
bool slurm_shares_node(void);

#endif
