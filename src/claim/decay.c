#include "claim/decay.h"

#include <math.h>

double decay_time(const double *times, const double *values, int count, double share) {
    int top = 0, last = 0;
    for (int i = 0; i < count; i++) {
        if (isnan(values[i]))
            return NAN;
        top = values[i] > values[top] ? i : top;
    }
    const double level = share * values[top];
    if (!(level > 0))
        return 0;
    for (int i = top; i < count; i++)
        last = values[i] > level ? i : last;
    if (last == count - 1)
        return INFINITY;
    const double part = (values[last] - level) / (values[last] - values[last + 1]);
    return times[last] + part * (times[last + 1] - times[last]) - times[top];
}
