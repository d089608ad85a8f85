/* How long what swings takes to come to rest. */
#ifndef SPRINGBACK_CLAIM_DECAY_H
#define SPRINGBACK_CLAIM_DECAY_H

/* From the first of the largest values to when the envelope has fallen to a share of it, in the times' unit; the
 * envelope at a time is the largest value from then on, and between two times a value goes straight. Times rise; values
 * are 0 or more; 0 < share < 1. INFINITY where the last value is over the share still, 0 where all are 0, NaN where one
 * is no number. */
double decay_time(const double *times, const double *values, int count, double share);

#endif
