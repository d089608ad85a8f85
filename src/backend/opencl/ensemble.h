/* Ensembles: programs that differ only in parameters and loop counts, run together on an OpenCL device. All members
 * advance by one frame at a time. Each member is bit-identical to its separate run, and no member depends on another. A
 * member of an ensemble is one program, that is, one run. A member of a sweep (run/sweep.h) is something else: it has
 * several runs, and these are members of different ensembles.
 *
 * A frame is one launch, in which each work group runs the frame of one member, or of several members one after the
 * other (ensemble.c). On a GPU, a program is too large for one group if its largest colour, or its largest stage if
 * there are no colours, has more than 16,384 items. Such a program runs separately. (For 256 x 256 nodes on an H200,
 * one launch for each stage, over the items of all members, would be twice as fast. But this would need another
 * engine.) */
#ifndef SPRINGBACK_BACKEND_ENSEMBLE_H
#define SPRINGBACK_BACKEND_ENSEMBLE_H

#include "backend/backend.h"

struct ensemble;

/* Whether a program can be a member of an ensemble: the backend has ensembles, one work group can run its frame
 * (frame_shape.h), no stage is on the host, and its sums do not depend on the order of threads. */
bool ensemble_supports(const struct backend_choice *choice, const struct program *program);

/* How many members to run at a time: several for each compute unit, limited by device memory; at least 1. */
int ensemble_capacity(const struct backend_choice *choice, const struct program *program);

/* Allocate the buffers of all programs, and compile their kernels once. The programs must be compatible
 * (program_is_compatible) and outlive the ensemble. The caller closes the ensemble. On failure nothing is allocated,
 * and *out does not change. */
int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out);
void ensemble_close(struct ensemble *ensemble); /* NULL does nothing */

/* A member's engine, for writing, reading and setting its step, but not for advancing. The ensemble owns the engine,
 * and engine_close does nothing to it. engine_read reads from the device, unless ensemble_fetch has read the buffer
 * since the last frame. */
struct engine *ensemble_engine(struct ensemble *ensemble, int member);

/* ensemble_start starts a frame of each member m for which live[m] is true. ensemble_wait waits until these frames have
 * ended. */
int ensemble_start(struct ensemble *ensemble, const bool *live);
int ensemble_wait(struct ensemble *ensemble);

/* Read positions, velocities and records (program.method_record) of all members from the device: one transfer for each
 * of these buffers, or several if the buffer is in different slots for different members. Until the next ensemble_wait
 * or write, engine_read then returns a member's part from main memory, in any thread and also while the device computes
 * the next frame. */
int ensemble_fetch(struct ensemble *ensemble);

#endif
