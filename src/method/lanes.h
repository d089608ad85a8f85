/* LANES, for kernels/dialect.h: the number of elements of a vector at the processor level for which a source is
 * compiled. This header must be included before all files of kernels/. */
#ifndef SPRINGBACK_METHOD_LANES_H
#define SPRINGBACK_METHOD_LANES_H

#define PASTE(a, b) a##b
#define BYTES_OF(l) PASTE(BYTES_, l)
#define BYTES_base  16
#define BYTES_v3    32
#define BYTES_v4    64
#ifdef REAL_IS_double
#define LANES (BYTES_OF(LEVEL) / 8)
#else
#define LANES (BYTES_OF(LEVEL) / 4)
#endif

#endif
