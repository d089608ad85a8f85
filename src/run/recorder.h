/* The recorder: one run's frames into its trace. */
#ifndef SPRINGBACK_RUN_RECORDER_H
#define SPRINGBACK_RUN_RECORDER_H

#include "run/provenance.h"
#include "run/simulation.h"

struct recorder;

/* Open the trace at PATH for a run on a backend. `key` says what the trace is made from; `tier` may be NULL. */
int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const char *key, const char *tier,
                  struct recorder **out);

/* Whether a frame is to be observed. */
bool recorder_wants(const struct recorder *recorder, int frame);

/* Observe the simulation after a frame and record it. *diverged tells whether it has blown up. */
int recorder_take(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged);

int recorder_time(struct recorder *recorder, int repeat, const double *seconds);

/* Close the trace. `frames` is how far the run got, `diverged_frame` -1 unless it blew up. */
int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds);
void recorder_discard(struct recorder *recorder); /* NULL does nothing */

/* Hash of the last frame that was taken. */
const char *recorder_hash(const struct recorder *recorder);

#endif
