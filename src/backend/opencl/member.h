/* A row describes a member of an ensemble (ensemble.h); kernels/frame.h reads the rows. A row consists of 32-bit words:
 *
 * - at MEMBER_NUMBER: the member's number;
 *
 * - at MEMBER_COUNTS + index of a loop's stage: the count of the loop;
 *
 * - at MEMBER_BUFFERS + index of a buffer: the offset of the buffer, in units of 64 bytes. Fixed buffers are in a
 * memory object of their own. All other buffers are in another memory object, the arena. An offset is from the start of
 * the memory object. */
#ifndef SPRINGBACK_BACKEND_MEMBER_H
#define SPRINGBACK_BACKEND_MEMBER_H

#include "backend/opencl/launch_size.h"
#include "method/program.h"

enum {
    MEMBER_NUMBER,
    MEMBER_COUNTS,
    MEMBER_BUFFERS = MEMBER_COUNTS + PROGRAM_STAGES,
    MEMBER_WORDS = 64, /* 32-bit words of a row */
    MEMBER_UNIT = 64   /* unit of offsets, bytes */
};

_Static_assert(MEMBER_BUFFERS + PROGRAM_BUFFERS <= MEMBER_WORDS, "a row has a word for each buffer");

/* Bytes from the parameters of one member to the parameters of the next member. */
static inline size_t member_parameter_stride(const struct program *program) {
    return round_up(program->parameter_size, 16);
}

#endif
