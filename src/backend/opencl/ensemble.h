/* An ensemble consists of programs that differ only in parameters and loop counts, and that run together on an OpenCL
 * device. Each member of an ensemble is one program, that is, one run. All members advance by one frame at a time. Each
 * member is bit-identical to its separate run, and no member depends on another.
 *
 * A member of a sweep (run/sweep.h) is something else: it has several runs, which are members of different ensembles.
 *
 * A frame is one launch. In this launch each work group runs the frame of one member, or of several members one after
 * the other (ensemble.c). A GPU runs a program separately if the program is too large for one group: if its largest
 * colour, or its largest stage if there are no colours, has more than 16,384 items.
 *
 * A different engine could use one launch for each stage, over the items of all members. For 256 x 256 nodes on an H200
 * this would be twice as fast as separate runs. */
#ifndef SPRINGBACK_BACKEND_ENSEMBLE_H
#define SPRINGBACK_BACKEND_ENSEMBLE_H

#include "backend/backend.h"

struct ensemble;

/* Whether a program can be a member of an ensemble. The conditions: the backend has ensembles, one work group can run
 * the program's frame (frame_shape.h), no stage is on the host, and the sums do not depend on the order of threads. */
bool ensemble_supports(const struct backend_choice *choice, const struct program *program);

/* How many members to run at a time, at least 1: several for each compute unit, unless the device has too little
 * memory. */
int ensemble_capacity(const struct backend_choice *choice, const struct program *program);

/* Allocate the buffers of all programs, and compile their kernels once. The programs must be compatible
 * (program_is_compatible) and outlive the ensemble. The caller closes the ensemble. On failure nothing is allocated,
 * and *out does not change. */
int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out);
void ensemble_close(struct ensemble *ensemble); /* NULL does nothing */

/* A member's engine. The caller may write and read buffers and set the step, but not advance the engine. The ensemble
 * owns the engine, and engine_close does nothing to it. engine_read reads from the device, unless ensemble_fetch has
 * read the buffer since the last frame. */
struct engine *ensemble_engine(struct ensemble *ensemble, int member);

/* ensemble_start starts a frame of each member m for which live[m] is true. ensemble_wait waits until these frames have
 * ended. */
int ensemble_start(struct ensemble *ensemble, const bool *live);
int ensemble_wait(struct ensemble *ensemble);

/* Read positions, velocities and records (program.method_record) of all members from the device. Each of these buffers
 * needs one transfer, or several if its slot differs between members. After that, engine_read returns a member's part
 * from main memory, until the next ensemble_wait or write. Any thread may call engine_read then, also while the device
 * computes the next frame. */
int ensemble_fetch(struct ensemble *ensemble);

#endif
