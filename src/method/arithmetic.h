/* Whether this build computes each operation as it is written and rounds it as IEEE 754 says. Compiler options can
 * change this, for example -ffast-math and -ffp-contract=fast. */
#ifndef SPRINGBACK_METHOD_ARITHMETIC_H
#define SPRINGBACK_METHOD_ARITHMETIC_H

/* The fault of the loops of both precisions, at all levels that this processor has: what they do, and the option that
 * causes it. NULL if there is none. */
const char *arithmetic_fault(void);

#endif
