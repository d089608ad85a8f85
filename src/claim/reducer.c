#include "claim/reducer.h"

#include "claim/statistics.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double of_max(const double *values, int n) {
    double most = values[0];
    for (int i = 1; i < n; i++)
        most = isnan(values[i]) || values[i] > most ? values[i] : most;
    return most;
}

static double of_min(const double *values, int n) {
    double least = values[0];
    for (int i = 1; i < n; i++)
        least = isnan(values[i]) || values[i] < least ? values[i] : least;
    return least;
}

static double of_range(const double *values, int n) {
    return of_max(values, n) - of_min(values, n);
}

static double of_sum(const double *values, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += values[i];
    return sum;
}

static double of_mean(const double *values, int n) {
    return of_sum(values, n) / n;
}

static double of_geometric_mean(const double *values, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += log(values[i]);
    return exp(sum / n);
}

static double of_median(const double *values, int n) {
    for (int i = 0; i < n; i++)
        if (isnan(values[i]))
            return NAN;
    return median_of(values, n).value;
}

static double of_first(const double *values, int n) {
    (void)n;
    return values[0];
}

static double of_last(const double *values, int n) {
    return values[n - 1];
}

static const struct reducer reducers[] = {
    {"max", of_max, true, true, -INFINITY},
    {"min", of_min, true, true, INFINITY},
    {"mean", of_mean, true, true, NAN},
    {"median", of_median, true, true, NAN},
    {"first", of_first, true, false, NAN},
    {"last", of_last, true, false, NAN},
    {"range", of_range, true, false, NAN},
    {"sum", of_sum, false, true, 0},
    {"geometric_mean", of_geometric_mean, false, true, NAN},
};

const struct reducer *reducer_named(const char *name) {
    for (size_t i = 0; i < sizeof reducers / sizeof reducers[0]; i++)
        if (!strcmp(reducers[i].name, name))
            return &reducers[i];
    return NULL;
}

const char *reducer_names(bool frames) {
    return frames ? "max min mean median first last range" : "max min mean median sum geometric_mean";
}
