/* Whether this build computes each operation as it is written and rounds it as IEEE 754 says. Compiler options can
 * change this. Found are contraction, reordered sums, excess precision, and denormal numbers that become 0, and so
 * -ffast-math and -ffp-contract=fast. Not found are, for example, -freciprocal-math and -ffinite-math-only alone. */
#ifndef SPRINGBACK_METHOD_ARITHMETIC_H
#define SPRINGBACK_METHOD_ARITHMETIC_H

/* What the loops do wrongly, and the option that causes it, for example "reorder operations (compiler option
 * -ffast-math)". NULL if there is no fault in both precisions at all levels that this processor has. */
const char *arithmetic_fault(void);

#endif
