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

/* Where the constraint acts on all nodes alike. */
static double volume_step(const struct machine_run *run, double nodes, double root) {
    if (attributes_number(&run->parameter, "method.weight_radius", 0) > 0)
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

/* pbd.h. share_of is a reciprocal and its factor. Of a distance its share, d, |d|^2, its root, the error (2), the
 * factor (3), d's multiple, and both ends moved. */
static double distance_operations(double root) {
    return 1 + (root + 2) + VECTOR + INNER + root + 2 + 3 + VECTOR + 4 * VECTOR;
}

/* Of a bend: five ways, both normals (9 each), |e|; the arctangent's arguments, and it, with a reciprocal and a
 * polynomial (12); normals over their squares, and from them the gradients of c and d (6), and of a and b; the weighted
 * squares; the angle's difference, wrapped, and the factor; four corners moved. */
static double bend_operations(double root) {
    return 5 * VECTOR + 2 * 9 + INNER + root + 1 + (9 + 2 * INNER + 1) + (9 + root + 12) +
           2 * (INNER + root + 2 + VECTOR) + 6 + 2 * (2 * INNER + 4 * VECTOR) + (4 * (INNER + 1) + 3) + 4 + (root + 2) +
           4 * (1 + 2 * VECTOR);
}

/* Of a tetrahedron the ways from its first corner, and a column of F from these; and the corners moved along a strain's
 * gradient. */
enum { WAYS = 3 * VECTOR, COLUMN = 3 * VECTOR + 2 * VECTOR };

static double strain_move_operations(double root) {
    return 3 * 3 * VECTOR + 2 * VECTOR + (4 * (INNER + 1) + 3) + 1 + (root + 2) + 4 * (1 + 2 * VECTOR);
}

/* Of a tetrahedron its three stretches and three shears, in the form of the print or with lengths divided by. */
static double strains_operations(const struct machine_run *run, double root) {
    const char *form = attributes_text(&run->parameter, "method.strain_form");
    const bool is_printed = form && !strcmp(form, "printed");
    const double stretch = WAYS + COLUMN + INNER + VECTOR + (is_printed ? 3 : root + 2),
                 shear = WAYS + 2 * COLUMN + INNER +
                         (is_printed ? 0 : 2 * (INNER + root + VECTOR) + 3 + 1 + 2 * (2 * VECTOR + VECTOR));
    return 3 * (stretch + shear) + 6 * strain_move_operations(root);
}

/* By Gauss-Seidel: edges, bends, where they are stiff, and what is inside. By Jacobi tetrahedra are gone through in
 * copies, and corrections added up by nodes: nobody counted that. */
static double pbd_step(const struct machine_run *run, double nodes, double root) {
    const char *solver = attributes_text(&run->parameter, "method.solver");
    const char *method = attributes_text(&run->facts, "method");
    if (solver && strcmp(solver, "gauss_seidel") != 0)
        return NAN;
    double iteration = attributes_number(&run->facts, "body_edges", NAN) * distance_operations(root);
    if (attributes_number(&run->parameter, "method.bending", NAN) != 0)
        iteration += attributes_number(&run->facts, "body_bends", NAN) * bend_operations(root);
    if (!strcmp(method, "pbd_inner_links"))
        iteration += attributes_number(&run->facts, "body_links", NAN) * distance_operations(root);
    if (!strcmp(method, "pbd_strain_tets"))
        iteration += attributes_number(&run->facts, "body_tetrahedra", NAN) * strains_operations(run, root);
    return attributes_number(&run->parameter, "method.iterations", NAN) * iteration + nodes * PREDICTION;
}

/* hyperelastic.h: F, E with its trace and square; the stresses and Psi of either material, the latter's logarithm (20
 * and a reciprocal) and its lag near rest (11 and a reciprocal); the gradients, their weighted squares; the bound, with
 * F's change; four corners moved; and the multiplier by xpbd_hyperelastic.h. */
static double element_operations(const struct machine_run *run, double root) {
    const char *material = attributes_text(&run->parameter, "method.material"),
               *energy = attributes_text(&run->parameter, "method.constraint");
    const double strain = WAYS + 3 * COLUMN + 6 * INNER + 3 * 2 + 3 + 2 + 12, reciprocal = root + 1,
                 stvk = 2 + 3 * 2 + 3 + 3 * 5 * VECTOR + 4,
                 neo_hookean = 3 * 9 + INNER + 11 + 14 + 3 + 2 + (11 + reciprocal) + (20 + reciprocal) + 2 +
                               (reciprocal + 3) + reciprocal + 6 + 3 * 4 * VECTOR + 3 + 8,
                 gradients = 1 + 3 * (3 * VECTOR + 2 * VECTOR + VECTOR) + 2 * VECTOR, squares = 4 * (INNER + 1) + 3,
                 bound = 4 * VECTOR + WAYS + 3 * (COLUMN + 2 * INNER + 2) + 2 + 2 * root + 2,
                 moved = 4 * (1 + 2 * VECTOR),
                 multiplier =
                     energy && !strcmp(energy, "root") ? 1 + root + 1 + 3 + 2 + (root + 2) + 2 : 3 + (root + 2) + 1;
    return strain + (material && !strcmp(material, "neo_hookean") ? neo_hookean : stvk) + gradients + squares + bound +
           moved + multiplier;
}

static double element_step(const struct machine_run *run, double nodes, double root) {
    return attributes_number(&run->parameter, "method.iterations", NAN) *
               attributes_number(&run->facts, "body_tetrahedra", NAN) * element_operations(run, root) +
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
               {"xpbd_hyperelastic", element_step},
               {"pbd_surface", pbd_step},
               {"pbd_inner_links", pbd_step},
               {"pbd_strain_tets", pbd_step},
               {"constraint_enforcement", enforcement_step}};

bool work_of(const struct machine_run *run, struct work *out) {
    const double nodes = attributes_number(&run->facts, "nodes", NAN);
    const double steps = attributes_number(&run->facts, "steps_per_frame", NAN);
    const char *precision = attributes_text(&run->parameter, "method.precision");
    const char *method = attributes_text(&run->facts, "method");
    const char *variant = attributes_text(&run->parameter, "method.variant");
    const bool is_double = precision && !strcmp(precision, "double"), is_own = !variant || !strcmp(variant, "tuned");
    *out = (struct work){4 * 4 * (is_double ? 8 : 4) * nodes * steps, NAN};
    /* The arithmetic that is measured is that of single precision; and a paper's own program computes other things. */
    for (size_t c = 0; method && !is_double && is_own && c < sizeof counted / sizeof *counted; ++c)
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
