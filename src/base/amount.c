#include "base/amount.h"

#include <stdio.h>

const char *amount_seconds(double seconds, char out[AMOUNT_SIZE]) {
    /* `least` is the shortest duration that a row formats. `small` and `large` are the units in `format`. All three
     * numbers are in s. */
    static const struct {
        double least, small;
        double large;
        const char *format;
    } rows[] = {
        {99.5, 1, 60, "%d min %02d s"}, {99.5 * 60, 60, 3600, "%d h %02d min"}, {172800, 3600, 86400, "%d d %02d h"}};
    if (!(seconds >= 0) || seconds > 1e9) {
        snprintf(out, AMOUNT_SIZE, seconds > 1e9 ? "over 30 years" : "?");
        return out;
    }
    if (seconds > 0 && seconds < 0.0995)
        snprintf(out, AMOUNT_SIZE, "%.0f ms", seconds < 1e-3 ? 1 : 1e3 * seconds);
    else
        snprintf(out, AMOUNT_SIZE, seconds > 0 && seconds < 9.95 ? "%.1f s" : "%.0f s", seconds);
    for (unsigned r = 0; r < sizeof rows / sizeof *rows; ++r)
        if (seconds >= rows[r].least) {
            const long units = (long)(seconds / rows[r].small + 0.5), each = (long)(rows[r].large / rows[r].small);
            snprintf(out, AMOUNT_SIZE, rows[r].format, (int)(units / each), (int)(units % each));
        }
    return out;
}

const char *amount_bytes(double bytes, char out[AMOUNT_SIZE]) {
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (bytes < 1024) {
        snprintf(out, AMOUNT_SIZE, "%.0f byte%s", bytes, bytes == 1 ? "" : "s");
        return out;
    }
    int u = 0;
    for (bytes /= 1024; bytes >= 1023.95 && u < 5; ++u)
        bytes /= 1024;
    snprintf(out, AMOUNT_SIZE, "%.1f %s", bytes, units[u]);
    return out;
}
