/* Records the frames of one run into its trace. */
#ifndef SPRINGBACK_RUN_RECORDER_H
#define SPRINGBACK_RUN_RECORDER_H

#include "run/recipe.h"

struct recorder;

/* Approximate bytes that the trace of a run takes on the disk, given its described model; infinite on overflow. */
double recorder_bytes(const struct experiment *experiment, const struct model *model, const struct run *run);

/* Open the trace at `path` for a run on a backend. `tier` may be NULL. If `resume` is not NULL, an interrupted trace is
 * resumed. If that is impossible, *resume is the reason, newly allocated for the caller, and a new trace is created;
 * otherwise *resume is NULL. */
int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const struct recipe *recipe,
                  const char *tier, char **resume, struct recorder **out);

/* Set a simulation to the state from which the trace resumes. *frame and *seconds are the frames and seconds that were
 * run before, or 0. Measures load and clock of the machine for the trace. */
int recorder_restore(struct recorder *recorder, struct simulation *simulation, int *frame, double *seconds);

/* Whether a frame is to be recorded. */
bool recorder_records(const struct recorder *recorder, int frame);

/* Record the state that was fetched after a frame, and set *diverged to whether it diverged. States that are not
 * recorded do not set *diverged, but a diverged state is never stored as a checkpoint. */
int recorder_add_frame(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged);

/* Store the fetched state as a checkpoint. A checkpoint is due when its cost is a small part of the time since the last
 * one. `sharing`: number of runs that wait while it is stored, including this one. `seconds`: time of the run so far.
 * `fetched`: seconds for fetching the state, if only the checkpoint needs it. */
bool recorder_checkpoint_due(const struct recorder *recorder, int sharing);
int recorder_add_checkpoint(struct recorder *recorder, struct simulation *simulation, int frame, double seconds,
                            double fetched);

int recorder_time(struct recorder *recorder, int repeat, const double *seconds);

/* Finish the trace after `frames` frames, and free the recorder, also on failure. diverged_frame is -1 unless the run
 * blew up. */
int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds);

/* Free the recorder without finishing. PATH.part stays if it has a checkpoint, so that a later run can resume;
 * otherwise it is removed. Returns whether it stays. NULL is allowed. */
bool recorder_abandon(struct recorder *recorder);

/* State hash of the last recorded frame, borrowed from the recorder. */
const char *recorder_hash(const struct recorder *recorder);

#endif
