/* How long what swings takes to come to rest. */
#ifndef SPRINGBACK_CLAIM_DECAY_H
#define SPRINGBACK_CLAIM_DECAY_H

/* From the first of the largest values to when the envelope has fallen to a share of it, in the times' unit. The
 * envelope goes straight from peak to peak, of those that no later value reaches; where there is none but the first, it
 * is the series, and falls where no later value is over the share. Times rise; values are 0 or more; 0 < share < 1.
 * INFINITY where it has not fallen so far by the last peak (or the last value), 0 where all are 0, NaN where one is no
 * number. */
double decay_time(const double *times, const double *values, int count, double share);

#endif
