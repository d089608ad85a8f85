#include "report/roofline.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* ---- Operations, counted in kernels/ ----
 *
 * inverse_root is 13 in single precision, reciprocal one more, a vec3's sum or multiple 3, an inner product 5. */

enum { ROOT = 13, VECTOR = 3, INNER = 5 };

/* mass_spring.h, spring_force: p1 - p2, v1 - v2, |d|^2, its root, kd u.d / |d| (7), the bracket (4), times d; the sum
 * at either end. */
static double spring_operations(double root) {
    return 2 * VECTOR + INNER + root + 7 + 4 + VECTOR + 2 * VECTOR;
}

/* (4) and (3): three terms of the acceleration, two of them scaled, times dt, and added; then the way. */
enum { EULER = 2 * VECTOR + 2 * VECTOR + 2 * VECTOR + 2 * VECTOR };

/* xpbd.h, spring_changed: d, |d|^2, its root, the length, C and its slope, the gradient (4), w |grad C|^2 (3),
 * xpbd_change (7 and a reciprocal and its factor), the way, lambda, and both ends moved (12). */
static double projection_operations(const struct machine_run *run, double root) {
    static const struct {
        const char *spring;
        double operations; /* of C and its slope; the exponential is 23 */
    } springs[] = {{"stretching", 2}, {"hookean", 4}, {"stvk", 9}, {"morse", 30}};
    const char *spring = attributes_text(&run->parameter, "method.spring");
    const bool is_damped = attributes_number(&run->parameter, "method.damping", 0) != 0;
    for (size_t s = 0; spring && s < sizeof springs / sizeof *springs; ++s)
        if (!strcmp(springs[s].spring, spring))
            return VECTOR + INNER + root + 1 + springs[s].operations + 4 + 3 + 7 + (root + 2) + VECTOR + 1 + 12 +
                   (is_damped ? 2 * VECTOR + INNER : 0);
    return NAN;
}

/* xpbd.h: forces, the predicted way, and the velocity that the way gives. */
enum { PREDICTION = 3 * VECTOR + 2 * VECTOR + 2 * VECTOR };

static double mass_spring_step(const struct machine_run *run, double nodes, double root) {
    return attributes_number(&run->facts, "springs", NAN) * spring_operations(root) + nodes * EULER;
}

static double xpbd_step(const struct machine_run *run, double nodes, double root) {
    const char *volume = attributes_text(&run->parameter, "method.volume");
    if (volume && strcmp(volume, "none") != 0)
        return NAN; /* the volume's constraint is not counted */
    return attributes_number(&run->parameter, "method.iterations", NAN) *
               attributes_number(&run->facts, "springs", NAN) * projection_operations(run, root) +
           nodes * PREDICTION;
}

static const struct {
    const char *method;
    double (*step)(const struct machine_run *run, double nodes, double root);
} counted[] = {{"mass_spring", mass_spring_step}, {"xpbd", xpbd_step}};

bool work_of(const struct machine_run *run, struct work *out) {
    const double nodes = attributes_number(&run->facts, "nodes", NAN);
    const double steps = attributes_number(&run->facts, "steps_per_frame", NAN);
    const char *precision = attributes_text(&run->parameter, "method.precision");
    const char *method = attributes_text(&run->facts, "method");
    const bool is_double = precision && !strcmp(precision, "double");
    *out = (struct work){4 * 4 * (is_double ? 8 : 4) * nodes * steps, NAN};
    /* The arithmetic that is measured is that of single precision. */
    for (size_t c = 0; method && !is_double && c < sizeof counted / sizeof *counted; ++c)
        if (!strcmp(counted[c].method, method))
            out->operations = counted[c].step(run, nodes, ROOT) * steps;
    return isfinite(out->bytes) && out->bytes > 0;
}

double work_limit(const struct work *work, const struct machine_floor *floor, bool *by_memory) {
    const double memory = floor ? work->bytes / floor->best[FLOOR_COPY] : (double)NAN;
    const double arithmetic = floor ? work->operations / floor->best[FLOOR_OPERATIONS] : (double)NAN;
    const bool bound = !(arithmetic > memory);
    if (by_memory)
        *by_memory = bound;
    return bound ? memory : arithmetic;
}
