#include "backend/opencl/member.h"

#include "base/memory.h"

_Static_assert(MEMBER_BUFFERS + PROGRAM_BUFFERS <= MEMBER_WORDS, "a row holds all");

size_t member_parameter_stride(const struct program *program) {
    const size_t unit = 16;
    return (program->parameter_size + unit - 1) / unit * unit;
}

char *member_options(const struct program *program) {
    return text_format(" -DLIST_PROGRAM -DMEMBER_WORDS=%d -DMEMBER_UNIT=%d -DMEMBER_NUMBER=%d -DMEMBER_COUNTS=%d "
                       "-DMEMBER_PARAMETERS=%zu",
                       MEMBER_WORDS, MEMBER_UNIT, MEMBER_NUMBER, MEMBER_COUNTS, member_parameter_stride(program));
}

void member_write_pointer(struct source_writer *l, const struct buffer *buffer, const char *name, const char *word) {
    const bool is_fixed = buffer->sharing == BUFFER_FIXED;
    source_indent(l);
    source_pointer(l, buffer, name);
    fprintf(l->out, " = (__global %s%s *)MEMBER_AT(%s, %s);\n", is_fixed ? "const " : "", buffer->type,
            is_fixed ? "fixed_arena" : "arena", word);
}
