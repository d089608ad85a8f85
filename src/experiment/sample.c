#include "experiment/sample.h"

#include "base/number.h"
#include "experiment/value.h"

#include <gsl/gsl_qrng.h>
#include <math.h>

enum { SOBOL_DIMENSIONS = 40, MAX_DIMENSIONS = 1229 }; /* of GSL's sequences */

/* low (high / low)^u for 0 <= u < 1, by u's binary digits, so that roots and products alone decide its bits: no libm
 * does. */
static double between_wide(double low, double high, double u) {
    double power = high / low, out = low;
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

static double place_in(const struct field *field, double low, double high, double u) {
    const bool whole = field->type == TYPE_INTEGER || field->type == TYPE_PAIR;
    double number;
    if (range_is_wide(low, high))
        number = between_wide(low, high, u);
    else if (whole) /* the ends as often as the numbers between */
        number = low - 0.5 + u * (high - low + 1);
    else
        number = low + u * (high - low);
    number = whole ? floor(number + 0.5) : number_rounded(number, 6);
    return number < low ? low : number > high ? high : number; /* rounding may have left the range */
}

/* One assumption's value at a point, whose numbers begin at *u. */
static struct value value_at(const struct assumption *assumption, enum range_kind kind, const double *u,
                             struct pool *pool) {
    const struct value_range *range = &assumption->ranges[kind], *possible = &assumption->ranges[RANGE_POSSIBLE];
    double numbers[3];
    if (!assumption_varies(assumption, kind))
        return kind == RANGE_LIKELY && range->count == 1 ? range->values[0] : assumption->value;
    if (!range->is_interval)
        return range->values[(int)(*u * range->count)];
    const bool is_one = !possible->is_interval || range_is_uniform(possible);
    for (int k = 0; k < assumption->value.count; k++) {
        numbers[k] = place_in(assumption->field, range->values[0].number[k], range->values[1].number[k], *u);
        u += !is_one && range_varies(possible, k);
    }
    return value_make(assumption->field, numbers, pool);
}

void sample_draw(const struct experiment *experiment, enum range_kind kind, int count, struct pool *pool,
                 struct value *out) {
    int dimensions = 0;
    for (int a = 0; a < experiment->assumption_count; a++) {
        const struct assumption *last = &experiment->assumptions[a];
        const int end = last->dimension + assumption_dimensions(last);
        dimensions = end > dimensions ? end : dimensions;
    }
    gsl_qrng *sequence = dimensions && dimensions <= MAX_DIMENSIONS
                             ? gsl_qrng_alloc(dimensions <= SOBOL_DIMENSIONS ? gsl_qrng_sobol : gsl_qrng_reversehalton,
                                              (unsigned)dimensions)
                             : NULL;
    for (int k = 0; k < count; k++) {
        double point[MAX_DIMENSIONS];
        if (sequence)
            gsl_qrng_get(sequence, point);
        for (int a = 0; a < experiment->assumption_count; a++) {
            const struct assumption *assumption = &experiment->assumptions[a];
            out[k * experiment->assumption_count + a] =
                sequence ? value_at(assumption, kind, &point[assumption->dimension], pool) : assumption->value;
        }
    }
    if (sequence)
        gsl_qrng_free(sequence);
}
