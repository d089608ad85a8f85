/* Records the frames of one run into its trace. */
#ifndef SPRINGBACK_RUN_RECORDER_H
#define SPRINGBACK_RUN_RECORDER_H

#include "run/recipe.h"

struct recorder;

/* About how many bytes the trace of a run on a described model takes on the disk; infinite if they cannot be counted.
 */
double recorder_bytes(const struct experiment *experiment, const struct model *model, const struct run *run);

/* Open the trace at `path` for a run on a backend. `tier` may be NULL. If `resume` is not NULL, the trace of an
 * interrupted run is resumed; if that is impossible, *resume says why, newly allocated; otherwise it is NULL. */
int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const struct recipe *recipe,
                  const char *tier, char **resume, struct recorder **out);

/* Set a simulation to the state from which the trace resumes. *frame and *seconds are what was run before, or 0. Load
 * and clock of the machine are measured from here on. */
int recorder_restore(struct recorder *recorder, struct simulation *simulation, int *frame, double *seconds);

/* Whether a frame is to be recorded. */
bool recorder_records(const struct recorder *recorder, int frame);

/* Record the state that was fetched after a frame. *diverged tells whether it is bad. States that are not recorded do
 * not set it, but a bad one is not stored as a checkpoint. */
int recorder_add_frame(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged);

/* Store the fetched state as a checkpoint, from which a run can resume. A checkpoint is due when its cost is a small
 * part of the time since the last one. `sharing`: number of runs that stop while it is stored, this one included.
 * `seconds`: of the run so far. `fetched`: seconds for fetching the state, if only the checkpoint needs it. */
bool recorder_checkpoint_due(const struct recorder *recorder, int sharing);
int recorder_add_checkpoint(struct recorder *recorder, struct simulation *simulation, int frame, double seconds,
                            double fetched);

int recorder_time(struct recorder *recorder, int repeat, const double *seconds);

/* Finish the trace after `frames` frames, and free the recorder, also on failure. diverged_frame is -1 unless the run
 * blew up. */
int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds);

/* Free the recorder without finishing. PATH.part stays if a checkpoint is in it, from which a later run can resume;
 * otherwise it is removed. Returns whether it stays. NULL does nothing. */
bool recorder_abandon(struct recorder *recorder);

/* State hash of the last recorded frame. */
const char *recorder_hash(const struct recorder *recorder);

#endif
