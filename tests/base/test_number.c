/* Numbers in texts: number_read gives the same bits as strtod and ends at the same character, but reads only finite
 * decimal numbers. */
#include "support.h"

#include "base/number.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect_as_strtod(const char *text) {
    char *end;
    double found = 0;
    const double expected = strtod(text, &end);
    const char *found_end = number_read(text, &found);
    cr_assert(found_end == end, "number_read(\"%s\") returns '%s'", text, found_end ? found_end : "no number");
    cr_assert(!memcmp(&found, &expected, sizeof found), "%s is read as %a, expected %a", text, found, expected);
}

Test(number, is_the_nearest_double) {
    static const char *const texts[] = {"0",      "-0",      "+1",
                                        "-1.5",   "1.",      ".5",
                                        "1e22",   "1e-22",   "1e23",
                                        "9.5e-7", "1E+3",    "1.25 m",
                                        "1/s",    "1,2",     "2e",
                                        "2e+",    "2em",     "1m",
                                        "1.2.3",  "1_",      "5e-324",
                                        "0.1",    "0.3e1 s", "123456789012345",
                                        "1e0022", "00012",   "8.98846567e307"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t)
        expect_as_strtod(texts[t]);
    uint64_t seed = 1;
    for (int i = 0; i < 200000; ++i) {
        char text[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        const double number = ldexp((double)(int64_t)seed, (int)(seed >> 20) % 120 - 100);
        snprintf(text, sizeof text, "%.*g", 1 + (int)(seed >> 33) % 17, number);
        expect_as_strtod(text);
    }
}

Test(number, has_decimal_digits) {
    static const char *const texts[] = {"",    "-",   ".",       "+.", "e5",    "x",   "0x10", "0X1p3",
                                        "inf", "nan", "-nan(1)", " 1", "1e999", "--1", "m"};
    for (size_t t = 0; t < sizeof texts / sizeof *texts; ++t) {
        double number = 7;
        cr_expect_null(number_read(texts[t], &number), "%s", texts[t]);
        cr_expect_eq(number, 7, "%s", texts[t]);
    }
}
