/* Locations of the buffers, parameters and loop counts of a member of an ensemble (ensemble.h). kernels/frame.h reads
 * them.
 *
 * A member has a row of 32-bit words: its number; the count of each loop, by the stage's index; and the offset of each
 * buffer in units of 64 bytes, by the buffer's index. Fixed buffers are in a separate memory, so their offsets are
 * relative to it. */
#ifndef SPRINGBACK_BACKEND_MEMBER_H
#define SPRINGBACK_BACKEND_MEMBER_H

#include "backend/opencl/launch_size.h"
#include "method/program.h"

enum {
    MEMBER_NUMBER,
    MEMBER_COUNTS,
    MEMBER_BUFFERS = MEMBER_COUNTS + PROGRAM_STAGES,
    MEMBER_WORDS = 64,
    MEMBER_UNIT = 64 /* in bytes */
};

_Static_assert(MEMBER_BUFFERS + PROGRAM_BUFFERS <= MEMBER_WORDS, "a row has a word for each buffer");

/* Bytes from one member's parameters to the next one's. */
static inline size_t member_parameter_stride(const struct program *program) {
    return round_up(program->parameter_size, 16);
}

#endif
