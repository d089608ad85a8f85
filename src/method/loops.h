/* Names of a method's loops in the precision, and for the processor level, that are being compiled. */
#ifndef SPRINGBACK_METHOD_LOOPS_H
#define SPRINGBACK_METHOD_LOOPS_H

#include "base/processor.h"

#ifdef REAL_IS_double
#define LOOP(name) name##_double
#else
#define LOOP(name) name##_float
#endif

#define LOOP_PASTE(name, level) name##_##level
#define LOOP_AT(name, level)    LOOP_PASTE(name, level)
#define ROWS(name)              LOOP_AT(LOOP(name), LEVEL)

/* Before a loop whose turns touch nothing of each other's: what is written is not read by any. */
#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

/* A sweep in all its levels, and the table of them. Processors other than x86-64 have the first alone. */
#ifdef __x86_64__
#define ROWS_DECLARE(name) extern const struct sweep name##_base, name##_v3, name##_v4
#define ROWS_TABLE(name)                                                                                               \
    { &name##_base, &name##_v3, &name##_v4 }
#else
#define ROWS_DECLARE(name) extern const struct sweep name##_base
#define ROWS_TABLE(name)                                                                                               \
    { &name##_base, &name##_base, &name##_base }
#endif

#endif
