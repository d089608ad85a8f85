#include "backend/opencl/member_source.h"

#include "base/memory.h"

#include <string.h>

_Static_assert(MEMBER_SUMS + 2 <= MEMBER_WORDS, "a row holds all");

enum { LARGEST_SUMMED = 256 }; /* items of a group that adds up */

size_t member_parameter_stride(const struct program *program) {
    const size_t unit = 16;
    return (program->parameter_size + unit - 1) / unit * unit;
}

void member_write_words(FILE *out, const struct program *program) {
    fprintf(out,
            "#line 1 \"member\"\n"
            "#define MEMBER_TAKE(index, type)                              \\\n"
            "    __global const uint *row = rows + %d * (index);           \\\n"
            "    const type p = *(__global const type *)(parameters + %zu * (ulong)row[%d])\n"
            "#define MEMBER_AT(arena, word) ((arena) + %d * (ulong)row[word])\n"
            "#define COUNT(stage)           (int)row[%d + (stage)]\n",
            MEMBER_WORDS, member_parameter_stride(program), MEMBER_NUMBER, MEMBER_UNIT, MEMBER_COUNTS);
}

void member_write_pointer(FILE *out, const struct program *program, int buffer, int at, const char *name) {
    const struct buffer *b = &program->buffers[buffer];
    const bool is_fixed = b->sharing == BUFFER_FIXED;
    if (!strcmp(name, "unused"))
        return;
    fprintf(out, "    __global %s%s *%s%s%d = (__global %s%s *)MEMBER_AT(%s, %d);\n", is_fixed ? "const " : "", b->type,
            is_fixed ? "restrict " : "", name, buffer, is_fixed ? "const " : "", b->type,
            is_fixed ? "fixed_arena" : "arena", MEMBER_BUFFERS + at);
}

static void write_kernel(FILE *out, const struct program *program, int k) {
    const struct kernel *kernel = &program->kernels[k];
    fprintf(out,
            "__kernel void springback_members_%d(" MEMBER_ARGUMENTS
            ",\n        const int ahead, const int begin, const int end",
            k);
    for (int b = 0; kernel->bindings[b].member; ++b)
        fprintf(out, ", const uint at%d", b);
    fprintf(out,
            ") {\n    MEMBER_TAKE(get_global_id(1), %s);\n"
            "    const int item = begin + (int)get_global_id(0), step = first[get_global_id(1)] + ahead;\n"
            "    if (item < end)\n        %s(",
            program->parameter_type, kernel->name);
    for (int b = 0; kernel->bindings[b].member; ++b) {
        const struct buffer *buffer = &program->buffers[kernel->bindings[b].buffer];
        const bool is_fixed = buffer->sharing == BUFFER_FIXED;
        fprintf(out, "(__global %s%s *)MEMBER_AT(%s, %d + at%d), ", is_fixed ? "const " : "", buffer->type,
                is_fixed ? "fixed_arena" : "arena", MEMBER_BUFFERS, b);
    }
    fprintf(out, "p, step, item);\n}\n");
}

char *member_launch_source(const struct program *program) {
    char *source = NULL;
    size_t size;
    FILE *out = open_memstream(&source, &size);
    member_write_words(out, program);
    for (int k = 0; k < program->kernel_count; ++k)
        write_kernel(out, program, k);
    if (program_most_summed(program))
        fprintf(out,
                "__kernel void springback_members_sum(" MEMBER_ARGUMENTS ",\n"
                "        const uint from_word, const uint to_word, const uint count, const uint take) {\n"
                "    __global const uint *row = rows + %d * get_global_id(1);\n"
                "    __global const quad *from = (__global const quad *)MEMBER_AT(arena, from_word);\n"
                "    __global quad *to = (__global quad *)MEMBER_AT(arena, to_word);\n"
                "    __local quad room[FOLD_ROOM(%d)];\n"
                "    fold_launch(from, count, take, to, room);\n"
                "}\n",
                MEMBER_WORDS, LARGEST_SUMMED);
    fclose(out);
    return source;
}
