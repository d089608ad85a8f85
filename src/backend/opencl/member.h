/* Where a member of an ensemble (ensemble.h) has its buffers, parameters and counts; kernels/frame.h reads it.
 *
 * A member has a row of 32-bit words: its number; how often each bracket of the table turns, by the stage's index; and
 * where its buffers lie, in units of 64 bytes, by the buffer's index, of what no stage writes in a memory of its own.
 */
#ifndef SPRINGBACK_BACKEND_MEMBER_H
#define SPRINGBACK_BACKEND_MEMBER_H

#include "backend/opencl/listing.h"
#include "method/program.h"

enum {
    MEMBER_NUMBER,
    MEMBER_COUNTS,
    MEMBER_BUFFERS = MEMBER_COUNTS + PROGRAM_STAGES,
    MEMBER_WORDS = 64,
    MEMBER_UNIT = 64 /* bytes */
};

/* The macros by which kernels know the row, as a compiler's options, newly allocated. */
char *member_define(const struct program *program);

/* Declare NAME as the member's pointer to a buffer, which lies where the row's word `word` says. */
void member_write_pointer(struct listing *l, const struct buffer *buffer, const char *name, const char *word);

/* Bytes between two members' parameters. */
size_t member_parameter_stride(const struct program *program);

#endif
