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

/* xpbd.h, volume_changed: the ways from the centre, (13)'s gradients (12 each), w |grad C|^2, C, xpbd_change, the ways'
 * steps, lambda, and three corners moved. */
static double ghost_operations(const struct machine_run *run, double root) {
    const bool is_damped = attributes_number(&run->parameter, "method.damping", 0) != 0;
    return 3 * VECTOR + 3 * 12 + 3 * (INNER + 2) + (INNER + 1) + 7 + (root + 2) + 3 * VECTOR + 1 + 3 * 2 * VECTOR +
           (is_damped ? 3 * VECTOR + 3 * (INNER + 1) : 0);
}

static double mass_spring_step(const struct machine_run *run, double nodes, double root) {
    return attributes_number(&run->facts, "springs", NAN) * spring_operations(root) + nodes * EULER;
}

/* volume_constraint.h: beside springs and motion, of a triangle at each corner its part of dV/dx (9) and the sum; of a
 * node (10)'s sixth, c, its three shares with their weights (3), their sum, and both corrections. */
enum {
    VOLUME_TRIANGLE = 3 * (9 + VECTOR),
    VOLUME_NODE = VECTOR + 2 + VECTOR + (VECTOR + INNER) + 2 * (1 + INNER) + 3 + VECTOR + 4 * VECTOR + 1
};

/* Of the project's own variant, where the constraint acts on all nodes alike. */
static double volume_step(const struct machine_run *run, double nodes, double root) {
    const char *variant = attributes_text(&run->parameter, "method.variant");
    if ((variant && strcmp(variant, "tuned") != 0) || attributes_number(&run->parameter, "method.weight_radius", 0) > 0)
        return NAN;
    return mass_spring_step(run, nodes, root) +
           attributes_number(&run->facts, "body_triangles", NAN) * VOLUME_TRIANGLE + nodes * VOLUME_NODE;
}

/* With the volume's constraint the nodes are added up in each iteration. */
static double xpbd_step(const struct machine_run *run, double nodes, double root) {
    const char *volume = attributes_text(&run->parameter, "method.volume");
    const bool has_volume = volume && strcmp(volume, "none") != 0;
    const double ghosts = has_volume ? attributes_number(&run->facts, "body_triangles", NAN) : 0;
    return attributes_number(&run->parameter, "method.iterations", NAN) *
               (attributes_number(&run->facts, "springs", NAN) * projection_operations(run, root) +
                ghosts * ghost_operations(run, root) + (has_volume ? nodes * VECTOR : 0)) +
           nodes * PREDICTION;
}

/* constraint_enforcement.h, of a constraint: b of (12), which is Phi (3), two differences, their scaled sum (2 VECTOR)
 * and two inner products, and its square; in each iteration the direction and lambda (2 each), the way, its multiple at
 * both ends, the pulls' difference, an inner product and its double, the residual and its square (2 each); at the end
 * the way and its multiple at both ends. Of a node in an iteration its pull, and the share of p . A p. */
enum {
    CONSTRAINT_BEGIN = 2 * VECTOR + INNER + 3 + 2 * VECTOR + INNER + 4 + 2,
    CONSTRAINT_ENDS = VECTOR + VECTOR + 2 * VECTOR,
    CONSTRAINT_TURN = 4 + CONSTRAINT_ENDS + VECTOR + INNER + 1 + 4,
    CONSTRAINT_NODE = 2 * VECTOR + INNER + 2
};

/* Where each step makes all its iterations. */
static double enforcement_step(const struct machine_run *run, double nodes, double root) {
    (void)root;
    const double iterations = attributes_number(&run->parameter, "method.iterations", NAN);
    if (attributes_number(&run->parameter, "method.tolerance", 0) > 0)
        return NAN;
    return attributes_number(&run->facts, "springs", NAN) *
               (CONSTRAINT_BEGIN + iterations * CONSTRAINT_TURN + CONSTRAINT_ENDS) +
           nodes * (iterations * CONSTRAINT_NODE + EULER);
}

static const struct {
    const char *method;
    double (*step)(const struct machine_run *run, double nodes, double root);
} counted[] = {{"mass_spring", mass_spring_step},
               {"volume_constraint", volume_step},
               {"xpbd", xpbd_step},
               {"constraint_enforcement", enforcement_step}};

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
