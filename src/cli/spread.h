/* --backend X:all distributes the work of a verb over devices of a host, with one process per device. It uses all
 * devices that have the same name as the best device of X. */
#ifndef SPRINGBACK_CLI_SPREAD_H
#define SPRINGBACK_CLI_SPREAD_H

#include "cli/verb.h"

/* If --backend is X:all, start one process per device, each for a shard of the verb's work, wait for all, and leave X
 * as the backend. The verb then does what shards do not do: timed runs, manifests and tables. If the verb has no
 * shards, or there is only one device, the backend is only changed to X. If the verb itself runs as a shard, the shard
 * is distributed over the devices, and the verb then has nothing left to do. `words` are the verb's name and its
 * arguments, [count]; `selection` is the start of the verb's struct. Errors: more than one backend, X has no devices. A
 * process that fails has printed the reason, and the verb does its work; a shard fails if one of its processes fails.
 */
int spread_over_devices(const struct verb *verb, void *selection, int count, char **words);

#endif
