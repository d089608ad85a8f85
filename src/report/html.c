#include "report/html.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; /* U+FFFD */

/* The number of bytes of the character at the start of a UTF-8 text. 0 if the text begins with invalid UTF-8, a
 * noncharacter of Unicode, or a control character other than tab and line feed. */
static size_t character(const char *text) {
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *c = (const unsigned char *)text;
    const size_t bytes = c[0] < 0x80 ? 1 : c[0] >> 5 == 6 ? 2 : c[0] >> 4 == 14 ? 3 : c[0] >> 3 == 30 ? 4 : 0;
    if (bytes == 1)
        return *c >= ' ' ? *c != 0x7f : *c == '\n' || *c == '\t';
    uint32_t code = bytes ? c[0] & (0xffu >> (bytes + 1)) : 0;
    for (size_t b = 1; b < bytes; ++b) {
        if (c[b] >> 6 != 2)
            return 0;
        code = code << 6 | (c[b] & 0x3fu);
    }
    const bool is_bad = code < least[bytes] || code < 0xa0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ||
                        (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code < 0xfdf0);
    return is_bad ? 0 : bytes;
}

void html_text(FILE *out, const char *text) {
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\''] = "&#39;"};
    while (*text) {
        const size_t bytes = character(text), code = (unsigned char)*text;
        const char *entity = code < sizeof entities / sizeof *entities ? entities[code] : NULL;
        if (!bytes || entity)
            fputs(bytes ? entity : replacement, out);
        else
            fwrite(text, 1, bytes, out);
        text += bytes ? bytes : 1;
    }
}

/* Write letters, digits and the characters in `plain` unchanged. Each other byte becomes `escape` and two hexadecimal
 * digits. */
static void put_escaped(FILE *out, const char *text, const char *plain, char escape) {
    for (const unsigned char *c = (const unsigned char *)text; *c; ++c)
        if (*c < 0x80 && (isalnum(*c) || strchr(plain, *c)))
            fputc(*c, out);
        else
            fprintf(out, "%c%02X", escape, *c);
}

/* A colon is escaped, because the first part of the path could otherwise be read as a scheme. */
void html_path(FILE *out, const char *path) {
    put_escaped(out, path, "-._~/=,@", '%');
}

void html_id(FILE *out, const char *text) {
    put_escaped(out, text, "-._", '~');
}

/* White space becomes a blank, because URLs have no line ends. */
void html_svg(FILE *out, const char *svg) {
    const char *start = strstr(svg, "<svg");
    fputs("data:image/svg+xml,", out);
    for (const char *text = start ? start : svg; *text;) {
        const size_t bytes = character(text);
        if (strchr(" \t\r\n", *text))
            fputc(' ', out);
        else if (!bytes)
            fputs(replacement, out);
        else if (strchr("\"%#<&", *text))
            fprintf(out, "%%%02X", (unsigned char)*text);
        else
            fwrite(text, 1, bytes, out);
        text += bytes ? bytes : 1;
    }
}

static void put_markup(FILE *out, const char *markup) {
    fputs(markup, out);
}

static const struct {
    const char *slot;
    void (*put)(FILE *out, const char *text); /* NULL: the argument is an int */
} slots[] = {{"{text}", html_text}, {"{path}", html_path},    {"{id}", html_id},
             {"{svg}", html_svg},   {"{markup}", put_markup}, {"{int}", NULL}};

enum { SLOTS = sizeof slots / sizeof *slots };

void html_put_list(FILE *out, const char *markup, va_list arguments) {
    while (*markup) {
        size_t s = 0;
        while (s < SLOTS && strncmp(markup, slots[s].slot, strlen(slots[s].slot)) != 0)
            ++s;
        if (s == SLOTS) {
            fputc(*markup++, out);
            continue;
        }
        if (slots[s].put)
            slots[s].put(out, va_arg(arguments, const char *));
        else
            fprintf(out, "%d", va_arg(arguments, int));
        markup += strlen(slots[s].slot);
    }
}

void html_put(FILE *out, const char *markup, ...) {
    va_list arguments;
    va_start(arguments, markup);
    html_put_list(out, markup, arguments);
    va_end(arguments);
}
