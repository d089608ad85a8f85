/* The recorder: one run's frames into its trace. */
#ifndef SPRINGBACK_RUN_RECORDER_H
#define SPRINGBACK_RUN_RECORDER_H

#include "run/recipe.h"

struct recorder;

/* Open the trace at PATH for a run on a backend. `recipe` says what the trace is made from; `tier` may be NULL. Where
 * `resume` is not NULL, the trace goes on with what an interrupted run left, if that can be: *resume is a sentence why
 * not, newly allocated, or NULL where it does or where nothing was left. */
int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const struct recipe *recipe,
                  const char *tier, char **resume, struct recorder **out);

/* Bring a simulation to the state from which the trace goes on. *frame is the last frame that was run, *seconds what it
 * took; 0 where the run begins. From here on the machine's load and clock are the run's. */
int recorder_restore(struct recorder *recorder, struct simulation *simulation, int *frame, double *seconds);

/* Whether a frame is to be observed. */
bool recorder_wants(const struct recorder *recorder, int frame);

/* Record the state that was fetched after a frame. *diverged tells whether it has blown up. */
int recorder_take(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged);

/* Keep the state that was fetched after a frame, to resume from. Keeping is due so seldom that it takes a small part of
 * the run, and of all runs that wait for it: `waiting` of them, this one included. `seconds`: what the run took so far;
 * `fetched`: what it took to fetch the state for this alone. */
bool recorder_is_due(const struct recorder *recorder, int waiting);
int recorder_keep(struct recorder *recorder, struct simulation *simulation, int frame, double seconds, double fetched);

int recorder_time(struct recorder *recorder, int repeat, const double *seconds);

/* Close the trace. `frames` is how far the run got, `diverged_frame` -1 unless it blew up. */
int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds);

/* End without a trace. What a later run can go on from is left; returns whether there is any. NULL does nothing. */
bool recorder_leave(struct recorder *recorder);

/* Hash of the last frame that was taken. */
const char *recorder_hash(const struct recorder *recorder);

#endif
