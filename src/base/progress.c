#include "base/progress.h"

#include "base/amount.h"
#include "base/clock.h"
#include "base/terminal.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* All in s. The bar appears after `worth_showing`, or after `guess_after` if the whole work is estimated to take
 * `worth_showing` or longer. The bar is redrawn after `pause` at the earliest. */
static const double worth_showing = 2, pause = 0.1, guess_after = 0.3;

static struct {
    bool begun, drawn;
    double total, started, last; /* total: units of work; started, last: times of the start and the last drawing, s */
    char label[256];
    double label_started; /* the time when the label was set, s */
    long label_at;        /* the number of the current item when the label was set */
} bar;

void progress_begin(double total) {
    progress_end();
    if (!terminal_redraws(stderr))
        return;
    memset(&bar, 0, sizeof bar);
    bar.begun = true;
    bar.total = total;
    bar.started = clock_now();
}

void progress_hide(void) {
    if (bar.drawn)
        fputs("\r\033[K", stderr);
    bar.drawn = false;
}

void progress_end(void) {
    progress_hide();
    bar.begun = false;
}

/* Cut a text to `columns` columns, between UTF-8 characters. */
static void cut(char *text, int columns) {
    int seen = 0;
    for (char *c = text; *c; ++c)
        if (((unsigned char)*c & 0xc0) != 0x80 && ++seen > columns) {
            *c = 0;
            return;
        }
}

/* Draw one line: percentage, bar, items, remaining time, label. In a narrow window, the items are omitted if they do
 * not fit, the bar if it would have under 4 columns, and the label if it would have under LABEL_LEAST columns. The last
 * column stays empty, because some terminals wrap there. */
static void draw(double part, double left, const char *items, long at, long of, double rate) {
    enum { WIDEST = 20, LABEL_LEAST = 20 };
    const int columns = terminal_columns(stderr, 80) - 1;
    char remaining[AMOUNT_SIZE], percent[16], counted[96] = "", time_left[AMOUNT_SIZE + 16] = "", line[1024];
    snprintf(percent, sizeof percent, "%3.0f %%", 100 * part);
    if (left >= 0)
        snprintf(time_left, sizeof time_left, "  %s left", amount_seconds(left, remaining));
    if (of > 0)
        snprintf(counted, sizeof counted, "  %ld of %ld %s, %.*f/s", at, of, items, rate < 10 ? 1 : 0, rate);
    int rest = columns - (int)(strlen(percent) + strlen(time_left));
    if ((int)strlen(counted) > rest)
        counted[0] = 0;
    rest -= (int)strlen(counted);
    char hashes[WIDEST + 4] = "";
    const int width = rest - LABEL_LEAST - 4 > WIDEST ? WIDEST : rest - LABEL_LEAST - 4;
    if (width >= 4) {
        hashes[0] = ' ';
        hashes[1] = '[';
        for (int k = 0; k < width; ++k)
            hashes[k + 2] = (k + 0.5) / width < part ? '#' : '.';
        hashes[width + 2] = ']';
        rest -= width + 3;
    }
    char label[sizeof bar.label + 2];
    snprintf(label, sizeof label, "  %s", bar.label);
    cut(label, rest < LABEL_LEAST ? 0 : rest);
    snprintf(line, sizeof line, "\r%s%s%s%s%s\033[K", percent, hashes, counted, time_left, label);
    fputs(line, stderr); /* in one call, so that the whole line appears at once */
    bar.drawn = true;
}

void progress_show(double done, const char *label, const char *items, long at, long of) {
    if (!bar.begun)
        return;
    const double time = clock_now();
    if (strncmp(bar.label, label, sizeof bar.label - 1) != 0 || at < bar.label_at) {
        snprintf(bar.label, sizeof bar.label, "%s", label);
        bar.label_started = time;
        bar.label_at = at;
    }
    if (time - bar.last < pause)
        return;
    const double elapsed = time - bar.started, since = time - bar.label_started;
    double part = bar.total > 0 ? done / bar.total : 0;
    part = part > 1 ? 1 : part;
    const double whole = part > 0 ? elapsed / part : 0;
    if (!bar.drawn && elapsed < worth_showing && (elapsed < guess_after || whole < worth_showing))
        return;
    bar.last = time;
    draw(part, part > 0 ? whole - elapsed : -1, items, at, of, since > 0 ? (double)(at - bar.label_at) / since : 0);
}
