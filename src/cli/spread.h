/* --backend X:all distributes the work of a verb (a command, cli/verb.h) over all devices of a host that have the same
 * name as the best device of X. Each device has its own process. */
#ifndef SPRINGBACK_CLI_SPREAD_H
#define SPRINGBACK_CLI_SPREAD_H

#include "cli/verb.h"

/* If --backend is X:all, start one process per device, each for a shard of the verb's work, wait for all processes, and
 * change the backend to X. The verb then does what shards do not do: timed runs, manifests and tables. If the verb has
 * no --shard, or if there is only one device, only the backend is changed. If the verb itself runs as a shard, its
 * shard is divided among the devices, and the verb then has nothing left to do.
 *
 * `words` are the verb's name and its arguments, [count]; `selection` is the start of the verb's struct. Errors: more
 * than one backend, X has no devices. A process that fails prints the reason itself; the verb then does the work
 * of the failed process. If the verb itself runs as a shard, the verb fails if one of its processes fails. */
int spread_over_devices(const struct verb *verb, void *selection, int count, char **words);

#endif
