/* Names of a method's loops in the precision that is being compiled. */
#ifndef SPRINGBACK_METHOD_LOOPS_H
#define SPRINGBACK_METHOD_LOOPS_H

#ifdef REAL_IS_double
#define LOOP(name) name##_double
#else
#define LOOP(name) name##_float
#endif

#endif
