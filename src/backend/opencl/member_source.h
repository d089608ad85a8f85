/* What kernels of an ensemble begin with (ensemble.h): where a member's buffers, parameters and counts are.
 *
 * A member has a row of 32-bit words: its number; how often each bracket of the table turns, by the stage's index; and
 * where its buffers lie, in units of 64 bytes, by the buffer's index, of what no stage writes in a memory of its own.
 */
#ifndef SPRINGBACK_BACKEND_MEMBER_SOURCE_H
#define SPRINGBACK_BACKEND_MEMBER_SOURCE_H

#include "method/program.h"

#include <stdio.h>

enum {
    MEMBER_NUMBER,
    MEMBER_COUNTS,
    MEMBER_BUFFERS = MEMBER_COUNTS + PROGRAM_STAGES,
    MEMBER_SUMS = MEMBER_BUFFERS + PROGRAM_BUFFERS, /* twice: where launches add up */
    MEMBER_WORDS = 64,
    MEMBER_UNIT = 64 /* bytes */
};

/* The arguments of such a kernel, without the bracket behind them. `first`: the index of the frame's first step, of
 * each row. */
#define MEMBER_ARGUMENTS                                                                                               \
    "__global uchar *arena, __global const uchar *fixed_arena, __global const uchar *parameters,\n"                    \
    "        __global const uint *rows, __global const int *first"

/* The macros MEMBER_TAKE(row's index, type of the parameters), which declares `row` and `p`, MEMBER_AT(arena, word of
 * the row), and COUNT(stage). */
void member_write_words(FILE *out, const struct program *program);

/* Declare a pointer to a buffer of the member, NAME and the buffer's index, where the row's word `at` behind
 * MEMBER_BUFFERS says; nothing where the name is "unused". */
void member_write_pointer(FILE *out, const struct program *program, int buffer, int at, const char *name);

/* Bytes between two members' parameters. */
size_t member_parameter_stride(const struct program *program);

/* For launches over members and items: the source of a kernel `springback_members_K` for each of the program's, K its
 * index; behind the arguments the steps before it in the frame, of its items the first and the one behind the last, and
 * of each buffer where it lies by now, as a buffer's index. And of `springback_members_sum`, if there is a sum to be
 * made: the words of a row that say where from and where to, how many, and how many a work item takes. Newly allocated.
 */
char *member_launch_source(const struct program *program);

#endif
