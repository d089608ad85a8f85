/* Amounts as a person reads them. */
#ifndef SPRINGBACK_BASE_AMOUNT_H
#define SPRINGBACK_BASE_AMOUNT_H

enum { AMOUNT_SIZE = 32 };

/* "4 ms", "0.3 s", "42 s", "3 min 20 s", "2 h 05 min", "4 d 10 h"; out is returned. Negative and unknown (NaN) give
 * "?". */
const char *amount_seconds(double seconds, char out[AMOUNT_SIZE]);

/* "812 bytes", "1.2 MiB"; out is returned. */
const char *amount_bytes(double bytes, char out[AMOUNT_SIZE]);

#endif
