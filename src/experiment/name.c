#include "experiment/name.h"

#include "base/memory.h"

#include <ctype.h>
#include <string.h>

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-"

/* The first character of a name that breaks the rule of name.h; NULL if the name follows the rule. `characters`: the
 * characters that a part of the name may have. */
static const char *fault_of(const char *name, const char *characters) {
    for (const char *part = name;; ++part) {
        const size_t length = strspn(part, characters);
        if (!length || *part == '.' || *part == '-')
            return part;
        part += length;
        if (*part != '/')
            return *part ? part : NULL;
    }
}

bool name_is_plain(const char *name) {
    return !strchr(name, '/') && !fault_of(name, PLAIN);
}

bool name_is_run(const char *name) {
    return !strchr(name, '/') && !fault_of(name, PLAIN "=,+");
}

/* A text for a message, with control characters written as \n or \x1b. Newly allocated. */
static char *shown(const char *text, size_t length) {
    char *out = text_copy("");
    for (const char *c = text; c < text + length; ++c) {
        if (*c == '\n')
            text_append(&out, "\\n");
        else
            text_append(&out, iscntrl((unsigned char)*c) ? "\\x%02x" : "%c", (unsigned char)*c);
    }
    return out;
}

int name_check(struct place place, const char *what, const char *name) {
    const char *fault = fault_of(name, PLAIN);
    if (!fault)
        return STATUS_OK;
    size_t length = *fault != 0; /* bytes of the character in UTF-8; 0 at the end of the name */
    while (length && ((unsigned char)fault[length] & 0xc0) == 0x80)
        ++length;
    AUTO_FREE char *file = place.file ? shown(place.file, strlen(place.file)) : NULL;
    AUTO_FREE char *all = shown(name, strlen(name)), *character = shown(fault, length),
                   *flaw =
                       length ? text_format("has '%s'", character) : text_copy(*name ? "ends with '/'" : "is empty");
    return fail_at((struct place){file, place.line, place.column},
                   "%s '%s' %s; write it with letters (A to Z, a to z), digits, '.', '_' and '-', and begin none of "
                   "its parts with '.' or '-'",
                   what, all, flaw);
}
