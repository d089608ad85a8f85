/* Durations and sizes as readable text. */
#ifndef SPRINGBACK_BASE_AMOUNT_H
#define SPRINGBACK_BASE_AMOUNT_H

enum { AMOUNT_SIZE = 32 };

/* Format a duration: "4 ms", "0.3 s", "42 s", "3 min 20 s", "2 h 05 min", "4 d 10 h". Negative values and NaN give "?",
 * values above 1e9 s give "over 30 years". Returns out. */
const char *amount_seconds(double seconds, char out[AMOUNT_SIZE]);

/* Format a size: "812 bytes", "1.2 MiB". Returns out. */
const char *amount_bytes(double bytes, char out[AMOUNT_SIZE]);

#endif
