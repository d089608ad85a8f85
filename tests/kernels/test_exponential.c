/* Tests of kernels/exponential.h: errors compared with the C library in higher precision, arguments outside the range,
 * and bit-identical results for all vector widths. */
#include "number_bits.h"

#include <float.h>
#include <math.h>
#include <stdint.h>

enum { BATCH = 1 << 16, DIGITS_FLOAT = 24, DIGITS_DOUBLE = 53 };

static double draw(void) {
    return 2.0 * rand() / RAND_MAX - 1;
}

/* The error in units in the last place; a unit is 2^-digits if the exact result is in [1/2, 1). */
static double units(long double exact, double got, int digits) {
    int exponent;
    frexpl(exact, &exponent);
    return (double)(fabsl(exact - (long double)got) / ldexpl(1, exponent - digits));
}

static double larger(double a, double b) {
    return a > b || isnan(a) ? a : b;
}

static const struct function {
    const char *name;
    long double (*exact)(long double x);
} functions[NUMBER_FIELDS];

static long double exact_lag(long double f) {
    /* Near 0, f and log1pl(f) are nearly equal, so their difference has few correct digits. There a series is used. */
    if (fabsl(f) > 0.01L)
        return f - log1pl(f);
    long double sum = 0;
    for (int k = 12; k >= 2; --k)
        sum = sum * -f + 1 / (long double)k;
    return sum * f * f;
}

static const struct function functions[NUMBER_FIELDS] = {{"exp", expl}, {"log", logl}, {"lag", exact_lag}};

/* Find the largest error of each function f in a batch of arguments, in units in the last place. Store this error in
 * worst[f] if it is larger than worst[f]. */
static void measure_float(const float in[NUMBER_FIELDS][BATCH], double worst[NUMBER_FIELDS]) {
    static float out[NUMBER_FIELDS][BATCH];
    numbers_float_1(BATCH, in, out);
    for (int f = 0; f < NUMBER_FIELDS; ++f)
        for (int i = 0; i < BATCH; ++i)
            worst[f] =
                larger(units(functions[f].exact((long double)in[f][i]), (double)out[f][i], DIGITS_FLOAT), worst[f]);
}

static void measure_double(const double in[NUMBER_FIELDS][BATCH], double worst[NUMBER_FIELDS]) {
    static double out[NUMBER_FIELDS][BATCH];
    numbers_double_1(BATCH, in, out);
    for (int f = 0; f < NUMBER_FIELDS; ++f)
        for (int i = 0; i < BATCH; ++i)
            worst[f] = larger(units(functions[f].exact((long double)in[f][i]), out[f][i], DIGITS_DOUBLE), worst[f]);
}

static void expect_bounds(const double worst[NUMBER_FIELDS]) {
    static const double bound[NUMBER_FIELDS] = {1, 1, 3};
    for (int f = 0; f < NUMBER_FIELDS; ++f) {
        cr_expect_lt(worst[f], bound[f], "%s: the largest error is %g units", functions[f].name, worst[f]);
        cr_expect_gt(
            worst[f], 0.5,
            "%s: the largest error is %g units; without correct rounding it must exceed 0.5, so the test is wrong",
            functions[f].name, worst[f]);
    }
}

/* Draw an argument for each function: from the whole range, or from a medium or a small range around 0. The ranges of
 * the logarithm are around 1 instead of 0. Another test checks the logarithm of 1, which is 0. */
static void draw_arguments(double exp_range, double log_range, double out[NUMBER_FIELDS]) {
    static const double shares[] = {1, 0.03, 1e-3};
    const double share = shares[rand() % 3];
    out[0] = draw() * exp_range * share;
    out[1] = exp(draw() * log_range * share);
    out[2] = rand() % 2 ? 0.06 + draw() * 0.35 : draw() * share;
    out[2] = out[2] < -0.29 || out[2] > 0.41 ? 0.3 : out[2];
}

Test(exponential, is_within_a_unit_in_float) {
    static float in[NUMBER_FIELDS][BATCH];
    double worst[NUMBER_FIELDS] = {0}, x[NUMBER_FIELDS];
    srand(1);
    for (int batch = 0; batch < 12; ++batch) {
        for (int i = 0; i < BATCH; ++i) {
            draw_arguments(41.5888, 87.3, x);
            for (int f = 0; f < NUMBER_FIELDS; ++f)
                in[f][i] = (float)x[f];
            in[1][i] = in[1][i] == 1 ? 2 : in[1][i];
        }
        measure_float((const float(*)[BATCH])in, worst);
    }
    expect_bounds(worst);
}

Test(exponential, is_within_a_unit_in_double) {
    static double in[NUMBER_FIELDS][BATCH];
    double worst[NUMBER_FIELDS] = {0}, x[NUMBER_FIELDS];
    cr_assert_geq(LDBL_MANT_DIG, 64, "long double is not more precise than double on this machine");
    srand(2);
    for (int batch = 0; batch < 12; ++batch) {
        for (int i = 0; i < BATCH; ++i) {
            draw_arguments(346.57, 708, x);
            for (int f = 0; f < NUMBER_FIELDS; ++f)
                in[f][i] = x[f];
            in[1][i] = in[1][i] == 1 ? 2 : in[1][i];
        }
        measure_double((const double(*)[BATCH])in, worst);
    }
    expect_bounds(worst);
}

/* The logarithm gets every third float from sqrt(1/2) to sqrt(2), and so every third mantissa. The exponential gets as
 * many arguments, every third float from ln 2 / 2 on, with alternating signs. */
Test(exponential, is_within_a_unit_for_every_third_mantissa_in_float) {
    static float in[NUMBER_FIELDS][BATCH];
    double worst[NUMBER_FIELDS] = {0};
    uint32_t log_bits = 0x3f3504f3, exp_bits = 0x3eb17218; /* sqrt(1/2), ln 2 / 2 */
    while (log_bits < 0x3fb504f3) {                        /* sqrt(2) */
        for (int i = 0; i < BATCH; ++i, log_bits += 3, exp_bits += 3) {
            memcpy(&in[1][i], &log_bits, sizeof log_bits);
            memcpy(&in[0][i], &exp_bits, sizeof exp_bits);
            in[0][i] = i % 2 ? -in[0][i] : in[0][i];
            in[1][i] = in[1][i] == 1 ? 2 : in[1][i];
            in[2][i] = 0.25F;
        }
        measure_float((const float(*)[BATCH])in, worst);
    }
    cr_expect_lt(worst[0], 1, "exp: the largest error is %g units", worst[0]);
    cr_expect_lt(worst[1], 1, "log: the largest error is %g units", worst[1]);
}

/* Pairs of an argument and the expected result. */
struct point {
    double x, y;
};

static void expect_points(int field, const struct point *points, int count, bool is_double) {
    enum { N = 16 };
    float in_float[NUMBER_FIELDS][N] = {0}, out_float[NUMBER_FIELDS][N];
    double in[NUMBER_FIELDS][N] = {0}, out[NUMBER_FIELDS][N];
    for (int p = 0; p < count; ++p) {
        in[field][p] = points[p].x;
        in_float[field][p] = (float)points[p].x;
    }
    numbers_double_1(N, in, out);
    numbers_float_1(N, in_float, out_float);
    for (int p = 0; p < count; ++p) {
        const double got = is_double ? out[field][p] : (double)out_float[field][p], y = points[p].y;
        const bool same = isnan(y) ? isnan(got) : y == 0 ? got == 0 : fabs(got / y - 1) < (is_double ? 5e-14 : 3e-6);
        cr_expect(same, "%s of %a is %a, expected %a", functions[field].name, points[p].x, got, y);
    }
}

Test(exponential, of_0_is_1_and_the_logarithm_of_1_is_0) {
    float in_float[NUMBER_FIELDS][16] = {0}, out_float[NUMBER_FIELDS][16];
    double in[NUMBER_FIELDS][16] = {0}, out[NUMBER_FIELDS][16];
    for (int i = 0; i < 16; ++i) {
        in[0][i] = i % 2 ? -0.0 : 0.0;
        in_float[0][i] = (float)in[0][i];
        in[1][i] = in_float[1][i] = 1;
    }
    numbers_double_1(16, in, out);
    numbers_float_1(16, in_float, out_float);
    for (int i = 0; i < 16; ++i) {
        cr_expect_eq(out[0][i], 1);
        cr_expect_eq(out_float[0][i], 1);
        for (int f = 1; f < NUMBER_FIELDS; ++f) {
            cr_expect_eq(out[f][i], 0);
            cr_expect_eq(out_float[f][i], 0);
            cr_expect_not(signbit(out[f][i]) || signbit(out_float[f][i]));
        }
    }
}

Test(exponential, stays_where_its_square_and_its_inverse_are_normal) {
    const double of_float = 0x1p60, of_double = 0x1p500;
    const struct point in_float[] = {{42, of_float},
                                     {1e30, of_float},
                                     {INFINITY, of_float},
                                     {-42, 1 / of_float},
                                     {-1e30, 1 / of_float},
                                     {-INFINITY, 1 / of_float},
                                     {41.588, exp(41.588)},
                                     {-41.588, exp(-41.588)},
                                     {NAN, NAN},
                                     {1e-40, 1},
                                     {-1e-30, 1},
                                     {3e38, of_float}};
    const struct point in_double[] = {{347, of_double},
                                      {1e300, of_double},
                                      {INFINITY, of_double},
                                      {-347, 1 / of_double},
                                      {-1e300, 1 / of_double},
                                      {-INFINITY, 1 / of_double},
                                      {346.57, exp(346.57)},
                                      {-346.57, exp(-346.57)},
                                      {NAN, NAN},
                                      {1e-310, 1},
                                      {-1e-30, 1},
                                      {1e308, of_double}};
    expect_points(0, in_float, sizeof in_float / sizeof *in_float, false);
    expect_points(0, in_double, sizeof in_double / sizeof *in_double, true);
}

Test(exponential, a_logarithm_of_what_has_none_is_that_of_the_nearest) {
    const double least_float = log(0x1p-126), least = log(0x1p-1022), most_float = log(0x1p128), most = 1024 * log(2);
    const struct point in_float[] = {{0x1p-126, least_float},
                                     {0, least_float},
                                     {-0.0, least_float},
                                     {-1, least_float},
                                     {-INFINITY, least_float},
                                     {1e-40, least_float},
                                     {3.4e38, log(3.4e38)},
                                     {INFINITY, most_float},
                                     {NAN, NAN},
                                     {0.5, log(0.5)},
                                     {2, log(2)},
                                     {10, log(10)}};
    const struct point in_double[] = {{0x1p-1022, least},
                                      {0, least},
                                      {-0.0, least},
                                      {-1, least},
                                      {-INFINITY, least},
                                      {1e-310, least},
                                      {0x1p1023, 1023 * log(2)},
                                      {INFINITY, most},
                                      {NAN, NAN},
                                      {0.5, log(0.5)},
                                      {2, log(2)}};
    expect_points(1, in_float, sizeof in_float / sizeof *in_float, false);
    expect_points(1, in_double, sizeof in_double / sizeof *in_double, true);
}

Test(exponential, lanes_and_a_device_give_the_bits_of_plain_c) {
    static number_loop *const in_float[] = {numbers_float_1, numbers_float_8, numbers_float_16};
    static number_loop *const in_double[] = {numbers_double_1, numbers_double_4, numbers_double_8};
    static const double odd[] = {0, -0.0, 1, -1, 1e-40, 1e-310, -1e30, 1e30, 1e300, INFINITY, -INFINITY, NAN};
    enum { ODD = sizeof odd / sizeof *odd };
    static float one[NUMBER_FIELDS][BATCH];
    static double two[NUMBER_FIELDS][BATCH];
    double x[NUMBER_FIELDS];
    srand(3);
    for (int i = 0; i < BATCH; ++i) {
        draw_arguments(50, 88, x);
        if (i < ODD)
            x[0] = x[1] = odd[i];
        for (int f = 0; f < NUMBER_FIELDS; ++f)
            one[f][i] = (float)x[f];
        if (i >= ODD)
            draw_arguments(400, 709, x);
        for (int f = 0; f < NUMBER_FIELDS; ++f)
            two[f][i] = x[f];
    }
    expect_same_bits("number", in_float, 3, sizeof(float), BATCH, one, NUMBER_FIELDS, NUMBER_FIELDS);
    expect_same_bits("number", in_double, 3, sizeof(double), BATCH, two, NUMBER_FIELDS, NUMBER_FIELDS);
}
