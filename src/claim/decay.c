#include "claim/decay.h"

#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* When the way from one place to another comes to a level, from the first time. */
static double crossing(const double *times, const double *values, int from, int to, double level) {
    const double part = (values[from] - level) / (values[from] - values[to]);
    return times[from] + part * (times[to] - times[from]);
}

/* Whether a value is no less than its neighbours, and larger than all that come: `later` has the largest of these. */
static bool is_peak(const double *values, const double *later, int i) {
    return values[i] >= values[i - 1] && values[i] >= values[i + 1] && values[i] > later[i + 1];
}

/* Of what does not swing: where it goes below the level for good. */
static double fall(const double *times, const double *values, const double *later, int top, int count, double level) {
    int last = top;
    while (last < count - 1 && later[last + 1] > level)
        last++;
    return last < count - 1 ? crossing(times, values, last, last + 1, level) - times[top] : (double)INFINITY;
}

double decay_time(const double *times, const double *values, int count, double share) {
    AUTO_FREE double *later = memory_new((size_t)count, sizeof *later); /* the largest value from each on */
    double found = INFINITY;
    int top = count - 1, peak;
    bool is_number = true, swings = false;
    for (int i = count - 1; i >= 0; i--) {
        is_number = is_number && !isnan(values[i]);
        top = values[i] >= values[top] ? i : top;
        later[i] = values[top];
    }
    const double level = share * values[top];
    peak = top;
    for (int i = top + 1; i < count - 1 && isinf(found); i++) {
        if (!is_peak(values, later, i))
            continue;
        swings = true;
        if (values[i] <= level)
            found = crossing(times, values, peak, i, level) - times[top];
        peak = i;
    }
    if (!swings)
        found = fall(times, values, later, top, count, level);
    return !is_number ? (double)NAN : level > 0 ? found : 0;
}
