#include "experiment/sample.h"

#include "base/number.h"
#include "experiment/value.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <string.h>

enum { SOBOL_DIMENSIONS = 40, MAX_DIMENSIONS = 1229 }; /* maxima of GSL's Sobol and reverse Halton sequences */

/* Returns low * (high / low)^u for 0 <= u <= 1, computed from the binary digits of u with square roots and products.
 * Square roots and products are correctly rounded on every machine, but pow() gives different bits with different C
 * libraries. */
static double between_wide(double low, double high, double u) {
    double power = high / low, out = low;
    if (u >= 1)
        return high;
    for (int digit = 0; digit < 52 && u > 0; digit++) {
        power = sqrt(power);
        u *= 2;
        if (u >= 1) {
            out *= power;
            u -= 1;
        }
    }
    return out;
}

/* The number at the coordinate u of the interval from `low` (u = 0) to `high` (u = 1). */
static double place_in(const struct field *field, double low, double high, double u) {
    const bool whole = field->type == TYPE_INTEGER || field->type == TYPE_PAIR;
    double number;
    if (range_is_wide(low, high))
        number = between_wide(low, high, u);
    else if (whole) /* all whole numbers have the same frequency, including both ends */
        number = low - 0.5 + u * (high - low + 1);
    else
        number = low + u * (high - low);
    number = whole ? floor(number + 0.5) : number_rounded(number, 6);
    return number < low ? low : number > high ? high : number; /* rounding can give a number outside the range */
}

/* The value of one assumption at a point. The assumption's coordinates begin at *u. */
static struct value value_at(const struct assumption *assumption, enum range_kind kind, const double *u,
                             struct pool *pool) {
    const struct value_range *range = &assumption->ranges[kind], *possible = &assumption->ranges[RANGE_POSSIBLE];
    double numbers[3];
    if (!assumption_varies(assumption, kind))
        return kind == RANGE_LIKELY && range->count == 1 ? range->values[0] : assumption->value;
    if (!range->is_interval)
        return range->values[*u < 1 ? (int)(*u * range->count) : range->count - 1];
    const bool is_one = !possible->is_interval || range_is_uniform(possible);
    for (int k = 0; k < assumption->value.count; k++) {
        const bool has_own = !is_one && range_varies(possible, k); /* number k has its own coordinate */
        numbers[k] = place_in(assumption->field, range->values[0].number[k], range->values[1].number[k],
                              is_one || has_own ? *u : 0);
        u += has_own;
    }
    return value_make(assumption->field, numbers, pool);
}

int sample_dimensions(const struct experiment *experiment) {
    int dimensions = 0;
    for (int a = 0; a < experiment->assumption_count; a++) {
        const struct assumption *last = &experiment->assumptions[a];
        const int end = last->dimension + last->dimension_count;
        dimensions = end > dimensions ? end : dimensions;
    }
    return dimensions;
}

void sample_at(const struct experiment *experiment, enum range_kind kind, const double *point, struct pool *pool,
               struct value *out) {
    for (int a = 0; a < experiment->assumption_count; a++)
        out[a] = value_at(&experiment->assumptions[a], kind, &point[experiment->assumptions[a].dimension], pool);
}

void sample_draw(const struct experiment *experiment, enum range_kind kind, int count, struct pool *pool,
                 struct value *out) {
    const int dimensions = sample_dimensions(experiment);
    gsl_qrng *sequence = dimensions && dimensions <= MAX_DIMENSIONS
                             ? gsl_qrng_alloc(dimensions <= SOBOL_DIMENSIONS ? gsl_qrng_sobol : gsl_qrng_reversehalton,
                                              (unsigned)dimensions)
                             : NULL;
    for (int k = 0; k < count; k++) {
        double point[MAX_DIMENSIONS];
        if (sequence)
            gsl_qrng_get(sequence, point);
        if (sequence)
            sample_at(experiment, kind, point, pool, out + (ptrdiff_t)k * experiment->assumption_count);
        for (int a = 0; a < experiment->assumption_count && !sequence; a++)
            out[k * experiment->assumption_count + a] = experiment->assumptions[a].value;
    }
    if (sequence)
        gsl_qrng_free(sequence);
}

/* ---- From values to points ---- */

enum sample_axis sample_axis(const struct experiment *experiment, int dimension) {
    for (int a = 0; a < experiment->assumption_count; a++) {
        const struct assumption *assumption = &experiment->assumptions[a];
        const int k = dimension - assumption->dimension;
        if (assumption_varies(assumption, RANGE_POSSIBLE) && k >= 0 && k < assumption_dimensions(assumption))
            return assumption->ranges[RANGE_POSSIBLE].is_interval ? SAMPLE_INTERVAL : SAMPLE_CHOICE;
    }
    return SAMPLE_FIXED;
}

/* The coordinate u of a number: the inverse of place_in. */
static double place_of(const struct field *field, double low, double high, double number) {
    double u;
    if (range_is_wide(low, high))
        u = log(number / low) / log(high / low);
    else if (field->type == TYPE_INTEGER || field->type == TYPE_PAIR)
        u = (number - low + 0.5) / (high - low + 1);
    else
        u = (number - low) / (high - low);
    return u > 0 ? fmin(u, 1) : 0;
}

/* The index of the value with this text in a list, or -1. */
static int index_in(const struct value_range *range, const char *text) {
    for (int v = 0; v < range->count; v++)
        if (!strcmp(range->values[v].text, text))
            return v;
    return -1;
}

void sample_place(const struct experiment *experiment, const struct value *values, double *point) {
    const int dimensions = sample_dimensions(experiment);
    for (int d = 0; d < dimensions; d++)
        point[d] = 0.5;
    for (int a = 0; a < experiment->assumption_count; a++) {
        const struct assumption *assumption = &experiment->assumptions[a];
        const struct value_range *range = &assumption->ranges[RANGE_POSSIBLE];
        double *u = &point[assumption->dimension];
        if (!assumption_varies(assumption, RANGE_POSSIBLE))
            continue;
        if (!range->is_interval) {
            *u = (index_in(range, values[a].text) + 0.5) / range->count;
            continue;
        }
        for (int k = 0, count = 0; k < values[a].count && count < assumption_dimensions(assumption); k++)
            if (range_varies(range, k))
                u[count++] = place_of(assumption->field, range->values[0].number[k], range->values[1].number[k],
                                      values[a].number[k]);
    }
}

/* Read a value from its canonical text. Returns false if the text is not canonical or the value is not in the possible
 * range. */
static bool read_value(const struct assumption *assumption, const char *text, struct pool *pool, struct value *out) {
    const struct value_range *range = &assumption->ranges[RANGE_POSSIBLE];
    const int v = range->is_interval ? -1 : index_in(range, text), count = type_numbers(assumption->field->type);
    double numbers[3];
    const char *rest = text;
    if (!range->is_interval) {
        *out = v < 0 ? assumption->value : range->values[v];
        return v >= 0;
    }
    for (int k = 0; k < count; k++) {
        const char *end = number_read(rest, &numbers[k]);
        if (!end || numbers[k] < range->values[0].number[k] || numbers[k] > range->values[1].number[k])
            return false;
        rest = end + (*end == ' ');
    }
    *out = value_make(assumption->field, numbers, pool);
    return !strcmp(out->text, text);
}

bool sample_read(const struct experiment *experiment, const char *const *texts, struct pool *pool, struct value *out) {
    for (int a = 0; a < experiment->assumption_count; a++) {
        const struct assumption *assumption = &experiment->assumptions[a];
        out[a] = assumption->value;
        if (assumption_varies(assumption, RANGE_POSSIBLE) && !read_value(assumption, *texts++, pool, &out[a]))
            return false;
    }
    return true;
}
