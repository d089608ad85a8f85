#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER, COLOURS };

static enum colour colour;

int terminal_colour(const char *when) {
    static const char *const words[COLOURS] = {"auto", "always", "never"};
    for (int c = 0; c < COLOURS; ++c)
        if (!strcmp(words[c], when)) {
            colour = (enum colour)c;
            return STATUS_OK;
        }
    return STATUS_BAD;
}

bool terminal_redraws(FILE *out) {
    const char *kind = getenv("TERM");
    const int descriptor = fileno(out); /* -1 for a stream in memory */
    return descriptor >= 0 && isatty(descriptor) && kind && *kind && strcmp(kind, "dumb") != 0;
}

static bool is_coloured(FILE *out) {
    const char *unwanted = getenv("NO_COLOR");
    return colour == COLOUR_ALWAYS || (colour == COLOUR_AUTO && !(unwanted && *unwanted) && terminal_redraws(out));
}

const char *terminal_begin(FILE *out, enum terminal_style style) {
    static const char *const codes[TERMINAL_STYLES] = {"", "\033[32m", "\033[33m", "\033[31m", "\033[2m", "\033[1;31m"};
    return is_coloured(out) ? codes[style] : "";
}

const char *terminal_end(FILE *out, enum terminal_style style) {
    return style != TERMINAL_PLAIN && is_coloured(out) ? "\033[0m" : "";
}

int terminal_columns(FILE *out, int otherwise) {
    struct winsize size;
    const int descriptor = fileno(out);
    return descriptor >= 0 && !ioctl(descriptor, TIOCGWINSZ, &size) && size.ws_col > 0 ? size.ws_col : otherwise;
}

/* The number of bytes of the control character at `at`: 1 in ASCII, 2 for U+0080 to U+009F. 0 for a newline, a tab, and
 * a character that is not a control character. */
static int control_length(const char *at) {
    const unsigned char *byte = (const unsigned char *)at;
    if ((byte[0] < ' ' && byte[0] && byte[0] != '\n' && byte[0] != '\t') || byte[0] == 0x7f)
        return 1;
    return byte[0] == 0xc2 && byte[1] >= 0x80 && byte[1] < 0xa0 ? 2 : 0;
}

bool terminal_is_plain(const char *text) {
    while (*text && !control_length(text))
        ++text;
    return !*text;
}

void terminal_clean(char *text) {
    for (char *at = text; *at; ++at)
        for (int k = control_length(at); k > 0; --k)
            at[k - 1] = '?';
}
