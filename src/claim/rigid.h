/* The rigid motion that brings one set of points nearest to another: Kabsch (Acta Cryst. A32, 1976; A34, 1978), after
 * Horn (J. Opt. Soc. Am. A 4, 1987) the best there is in the sense of least squares. */
#ifndef SPRINGBACK_CLAIM_RIGID_H
#define SPRINGBACK_CLAIM_RIGID_H

#include <stddef.h>

/* The root of the mean square distance, in the points' unit, of n >= 1 points from their places after the best
 * translation and rotation of either; never a reflection. Points on a plane, on a line or in one place are well. NaN
 * where a coordinate is not finite, or none of their products is. */
double rigid_distance(const double (*from)[3], const double (*to)[3], size_t n);

#endif
