/* The word X:all of --backend: a verb's work on all devices of a host that are like the best one of X, by a process
 * each. */
#ifndef SPRINGBACK_CLI_SPREAD_H
#define SPRINGBACK_CLI_SPREAD_H

#include "cli/verb.h"

/* If --backend is X:all, let one process for each device run its shard of the verb's work, wait for all, and leave X as
 * the backend. The verb then does what shards leave to it: timed runs, manifests and tables. A verb without shards, or
 * one device, only gets X. A shard is itself shared out among the devices, and the verb then has nothing left to do.
 * `words` are the verb's name and its arguments, [count]; `selection` begins the verb's struct. Errors: more than one
 * backend, X has no devices. A process that fails has printed why, and its work is left to the verb; a shard fails with
 * it. */
int spread_over_devices(const struct verb *verb, void *selection, int count, char **words);

#endif
