/* The check for faults in one precision and at one processor level (arithmetic.h). The operands are volatile, so that
 * the compiler cannot evaluate the expressions itself. */
#include "dialect.h"
#include "method/loops.h"

#include <float.h>
#include <stddef.h>

#ifdef REAL_IS_double
#define EPSILON  DBL_EPSILON
#define SMALLEST DBL_MIN
#else
#define EPSILON  FLT_EPSILON
#define SMALLEST FLT_MIN
#endif

const char *ROWS(arithmetic_fault_rows)(void);

const char *ROWS(arithmetic_fault_rows)(void) {
    volatile scalar factor = 1 + EPSILON, square = -(1 + 2 * EPSILON), large = 2 / EPSILON, small = SMALLEST;
    const scalar f = factor, s = square, l = large, m = small;
    volatile scalar product = f * f + s, sum = l + 1 - l, half = m / 2;
    /* FLT_EVAL_METHOD 16: not even types of 16 bits have excess precision (ISO/IEC TS 18661-3) */
#if FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
    return "compute with excess precision (compiler option -mfpmath=387)";
#endif
    if (product != 0) /* the rounded square is 1 + 2 EPSILON */
        return "round a product and a sum once instead of twice (compiler option -ffp-contract=fast)";
    if (sum != 0) /* l + 1 rounds to l */
        return "reorder operations (compiler option -ffast-math)";
    if (half == 0)
        return "replace denormal numbers by 0 (compiler option -ffast-math)";
    return NULL;
}
