/* Checks whether this build computes each operation as it is written and rounds it as IEEE 754 says. Compiler options
 * can change this. The check finds contraction (a product and a sum that are rounded once), reordered sums, excess
 * precision, and denormal numbers that become 0. So it finds -ffast-math and -ffp-contract=fast. It does not find every
 * option: for example, it does not find -freciprocal-math or -ffinite-math-only alone. */
#ifndef SPRINGBACK_METHOD_ARITHMETIC_H
#define SPRINGBACK_METHOD_ARITHMETIC_H

/* What this build does wrongly, and the option that causes the fault, for example "reorder operations (compiler option
 * -ffast-math)". NULL if no fault is found in either precision, at any level of this processor (base/processor.h). */
const char *arithmetic_fault(void);

#endif
