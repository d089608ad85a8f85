/* Ensembles: many programs that differ in parameters, and in how often their tables' brackets turn, run side by side on
 * an OpenCL device, a frame of all of them at a time. Each member ends in the bits that it would end in alone, and what
 * becomes of one is nothing to the others.
 *
 * A frame is one launch, in which each work group runs the frame of a member. A body of more than 16,384 items is too
 * large for that and runs alone: launches over members and items would take half as long for 256 x 256 nodes on an
 * H200, and need an engine of their own. */
#ifndef SPRINGBACK_BACKEND_ENSEMBLE_H
#define SPRINGBACK_BACKEND_ENSEMBLE_H

#include "backend/backend.h"

struct ensemble;

/* Whether a program can be a member of an ensemble on a backend: on an OpenCL device, if one work group's frame suits
 * it (frame_shape.h), it leaves nothing to the host, and its bits hang on nothing but itself. */
bool ensemble_takes(const struct backend_choice *choice, const struct program *program);

/* How many members like this are worth running at a time, and fit the device: all that its compute units can have, a
 * few times over. */
int ensemble_most(const struct backend_choice *choice, const struct program *program);

/* Allocate all programs' buffers and compile their kernels once. The programs are alike (program.h: program_is_alike)
 * and must outlive the ensemble. */
int ensemble_open(const struct backend_choice *choice, const struct program *const *programs, int count,
                  struct ensemble **out);
void ensemble_close(struct ensemble *ensemble); /* NULL does nothing */

/* A member's engine: to write, read, rewind and seek; it advances with the others. It is the ensemble's: engine_close
 * does nothing to it. What is read of the state that a frame ends in is what ensemble_fetch brought last. */
struct engine *ensemble_engine(struct ensemble *ensemble, int member);

/* Begin a frame of the members that are `live`, and wait for its end. */
int ensemble_start(struct ensemble *ensemble, const bool *live);
int ensemble_wait(struct ensemble *ensemble);

/* Fetch positions, velocities and what the method notes, of all members at once. Until the next call, or until it is
 * written, engine_read gives a member's part of that, also while the next frame is computed, and from any thread. */
int ensemble_fetch(struct ensemble *ensemble);

#endif
