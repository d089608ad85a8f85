/* The row of a member of an ensemble (ensemble.h), which kernels/frame.h reads. A row has 32-bit words: the member's
 * number; the count of each loop, at MEMBER_COUNTS + index of the loop's stage; and the offset of each buffer in units
 * of 64 bytes, at MEMBER_BUFFERS + index of the buffer. The offset of a fixed buffer is from the start of the memory
 * object of the fixed buffers. All other offsets are from the start of the arena, the memory object of all other
 * buffers. */
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

/* Bytes from one member's parameters to the next one's. */
static inline size_t member_parameter_stride(const struct program *program) {
    return round_up(program->parameter_size, 16);
}

#endif
