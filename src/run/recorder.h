/* Records the frames of one run into its trace. */
#ifndef SPRINGBACK_RUN_RECORDER_H
#define SPRINGBACK_RUN_RECORDER_H

#include "run/recipe.h"

struct recorder;

/* Approximate size on the disk of a run's trace, in bytes; infinite on overflow. `model` must be described. */
double recorder_bytes(const struct experiment *experiment, const struct model *model, const struct run *run);

/* Open the trace at `path` for a run on a backend. A `tier` of NULL means "full". If `resume` is not NULL, an
 * interrupted trace is resumed. If that is impossible, a new trace is created, and *resume is the reason, which the
 * caller frees; otherwise *resume is NULL. */
int recorder_open(const char *path, const struct experiment *experiment, const struct model *model,
                  const struct run *run, const struct backend_choice *choice, const struct recipe *recipe,
                  const char *tier, char **resume, struct recorder **out);

/* If the trace resumes, set the simulation to the state of the checkpoint. *frame and *seconds are the number of frames
 * and the seconds that were run before the interruption; 0 if the trace does not resume. Also measures load and clock
 * of the machine for the trace. */
int recorder_restore(struct recorder *recorder, struct simulation *simulation, int *frame, double *seconds);

/* Whether the trace of a run has geometry. */
bool recorder_has_geometry(const struct run *run);

/* Whether frame `frame` of the run must be recorded. */
bool recorder_records(const struct recorder *recorder, int frame);

/* Record the state that was fetched after a frame, and set *diverged to whether this state diverged. A diverged state
 * ends the run only if the state is recorded. A diverged state is never stored as a checkpoint. */
int recorder_add_frame(struct recorder *recorder, struct simulation *simulation, int frame, bool *diverged);

/* recorder_checkpoint_due: whether a checkpoint should be stored, because storing it takes only a small part of the
 * time since the last checkpoint. `sharing` is the number of runs, including this one, that wait while it is stored.
 *
 * recorder_add_checkpoint stores the fetched state as a checkpoint. `seconds` is the time of the run so far. `fetched`
 * is the time of fetching the state in seconds, or 0 if the state was also fetched for recording. */
bool recorder_checkpoint_due(const struct recorder *recorder, int sharing);
int recorder_add_checkpoint(struct recorder *recorder, struct simulation *simulation, int frame, double seconds,
                            double fetched);

/* Store the timings of one repeat: the seconds of each frame. */
int recorder_time(struct recorder *recorder, int repeat, const double *seconds);

/* Finish the trace after `frames` frames, and free the recorder, also on failure. diverged_frame is the frame at which
 * the run blew up, or -1. `seconds` is the wall-clock time of the frames (job.seconds). */
int recorder_finish(struct recorder *recorder, int frames, int diverged_frame, double seconds);

/* Free the recorder without finishing the trace. The file PATH.part stays if it has a checkpoint, so that a later run
 * can resume; otherwise it is removed. Returns whether it stays. NULL is allowed. */
bool recorder_abandon(struct recorder *recorder);

/* State hash of the last recorded frame, borrowed from the recorder. */
const char *recorder_hash(const struct recorder *recorder);

#endif
