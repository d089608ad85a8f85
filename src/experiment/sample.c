#include "experiment/sample.h"

#include "base/number.h"
#include "experiment/value.h"

#include <gsl/gsl_qrng.h>
#include <math.h>

enum { SOBOL_DIMENSIONS = 40, MOST_DIMENSIONS = 1229 };

static bool component_varies(const struct assumption *assumption, int k) {
    return assumption->low.number[k] < assumption->high.number[k];
}

/* Numbers of the assumption that vary; 1 for words to choose from. */
static int dimensions_of(const struct assumption *assumption) {
    int count = 0;
    if (!type_numbers(assumption->field->type))
        return assumption->sample_count > 0;
    for (int k = 0; k < assumption->value.count; k++)
        count += component_varies(assumption, k);
    return count;
}

bool assumption_varies(const struct assumption *assumption) {
    return dimensions_of(assumption) > 0;
}

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

/* One assumption's value at a point; *u moves on by its dimensions. */
static struct value value_at(const struct assumption *assumption, const double **u, struct pool *pool) {
    const struct value *taken = &assumption->value;
    double numbers[3];
    if (!assumption_varies(assumption))
        return *taken;
    if (!type_numbers(assumption->field->type)) {
        const int choice = (int)(*(*u)++ * (assumption->sample_count + 1));
        return choice ? assumption->samples[choice - 1] : *taken;
    }
    for (int k = 0; k < taken->count; k++)
        numbers[k] = component_varies(assumption, k)
                         ? place_in(assumption->field, assumption->low.number[k], assumption->high.number[k], *(*u)++)
                         : taken->number[k];
    return value_make(assumption->field, numbers, pool);
}

void sample_draw(const struct assumption *assumptions, int assumption_count, int count, struct pool *pool,
                 struct value *out) {
    unsigned dimensions = 0;
    for (int a = 0; a < assumption_count; a++)
        dimensions += (unsigned)dimensions_of(&assumptions[a]);
    gsl_qrng *sequence =
        dimensions && dimensions <= MOST_DIMENSIONS
            ? gsl_qrng_alloc(dimensions <= SOBOL_DIMENSIONS ? gsl_qrng_sobol : gsl_qrng_reversehalton, dimensions)
            : NULL;
    for (int k = 0; k < count; k++) {
        double point[MOST_DIMENSIONS];
        const double *u = point;
        if (k && sequence)
            gsl_qrng_get(sequence, point);
        for (int a = 0; a < assumption_count; a++)
            out[k * assumption_count + a] = k && sequence ? value_at(&assumptions[a], &u, pool) : assumptions[a].value;
    }
    if (sequence)
        gsl_qrng_free(sequence);
}
