/* --backend X:all distributes the work of a verb (a command, cli/verb.h) over several devices of a host: all devices
 * with the same name as the best device of X. Each device has its own process. */
#ifndef SPRINGBACK_CLI_SPREAD_H
#define SPRINGBACK_CLI_SPREAD_H

#include "cli/verb.h"

/* If --backend is X:all, change the backend to X, start one process per device, each for a shard of the verb's work,
 * and wait for all processes. The verb then does what shards do not do: timed runs, manifests and tables. If the verb
 * has no --shard, or if there is only one device, only the backend is changed. If the verb itself runs as a shard, its
 * shard is divided among the devices, and the verb then has nothing left to do.
 *
 * `words` are the verb's name and its arguments, [count]; `selection` is the start of the verb's struct.
 *
 * Errors: more than one backend; X has no devices. A process that fails prints the reason itself. The verb then does
 * the work of the failed process; but a verb that runs as a shard fails. */
int spread_over_devices(const struct verb *verb, void *selection, int count, char **words);

#endif
