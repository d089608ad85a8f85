#include "base/lines.h"

#include "base/memory.h"

#include <string.h>

int text_columns(const char *text, size_t bytes) {
    int columns = 0;
    for (size_t i = 0; i < bytes && text[i]; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

size_t text_line(const char **text, int width) {
    const char *start = *text;
    size_t end = 0, at = 0;
    for (int columns = 0; start[at]; columns++) {
        if (columns == width)
            break;
        for (at++; ((unsigned char)start[at] & 0xc0) == 0x80;)
            at++;
        if (start[at] == ' ' || !start[at])
            end = at;
    }
    end = end ? end : at;
    *text = start + end + strspn(start + end, " ");
    return end;
}

void text_print(FILE *out, const char *text, int indent, int width) {
    while (*text) {
        const char *line = text;
        size_t bytes = text_line(&text, width - indent);
        fprintf(out, "%*s%.*s\n", indent, "", (int)bytes, line);
    }
}

char *text_cut(const char *text, int width) {
    if (text_columns(text, strlen(text)) <= width)
        return text_copy(text);
    const char *rest = text;
    return text_format("%.*s...", (int)text_line(&rest, width - 3), text);
}
