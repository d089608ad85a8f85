/* Tests of vertex block descent: the result to which a step converges, a hanging bar compared with its closed form,
 * refused input, and the block of one node. */
#include "body/prepared.h"
#include "body/tetrahedra_box.h"
#include "method/network.h"
#include "subject.h"

#define REAL_IS_double
#include "vbd.h"

#define FREE "scene: {gravity: [1 m/s^2, -3 m/s^2, 2 m/s^2]}\n"
#define H    0.01

/* Set random velocities, and positions whose coordinates differ by at most `by` m from those at rest. Returns the
 * positions in *x and the velocities in *v; both are [nodes], newly allocated. */
static void start_at_random(struct subject *s, double by, double (**x)[3], double (**v)[3]) {
    const size_t nodes = (size_t)s->model.body.nodes;
    unsigned seed = 3;
    *x = memory_new(nodes, sizeof **x);
    *v = memory_new(nodes, sizeof **v);
    for (size_t k = 0; k < 3 * nodes; ++k) {
        (*x)[k / 3][k % 3] = s->model.body.position[k / 3][k % 3] + by * subject_random(&seed);
        (*v)[k / 3][k % 3] = 0.5 * subject_random(&seed);
    }
    subject_set(s, (const double(*)[3]) * x, (const double(*)[3]) * v);
}

/* Coordinate k of the inertial position of node i, y = x + h v + h^2 g, with the time step h = H. */
static double inertial(const double (*x)[3], const double (*v)[3], int i, int k) {
    static const double gravity[3] = {1, -3, 2};
    return x[i][k] + H * v[i][k] + H * H * gravity[k];
}

/* After a step of implicit Euler, the forces of inertia, springs and dampers on each node add up to 0. */
Test(vbd, a_step_ends_where_all_forces_of_springs_balance) {
    const double stiffness = 300, damping = 2, mass = 0.1;
    struct subject s;
    double(*x)[3], (*v)[3], largest = 0;
    subject_create(
        &s, subject_torus, "node_mass: 0.1 kg",
        "method: {name: vbd, stiffness: 300 N/m, damping: 2 N s/m, iterations: 400, precision: double}\n" FREE
        "time: {step: 10 ms, frames: 1}\n");
    subject_open(&s, "serial");
    start_at_random(&s, 0.01, &x, &v);
    const struct state *state = state_after(s.simulation, 1);
    for (int i = 0; i < s.model.body.nodes; ++i) {
        double force[3], scale = 0;
        for (int k = 0; k < 3; ++k)
            force[k] =
                mass *
                (inertial((const double(*)[3])x, (const double(*)[3])v, i, k) - subject_position(&s, state, i, k)) /
                (H * H);
        for (int slot = 0; slot < body_slots(&s.model.body, i); ++slot) {
            int j;
            double rest, d[3], u[3], length = 0, along = 0;
            body_spring(&s.model.body, i, slot, &j, &rest);
            for (int k = 0; k < 3; ++k) {
                d[k] = subject_position(&s, state, i, k) - subject_position(&s, state, j, k);
                u[k] = d[k] - (x[i][k] - x[j][k]);
                length += d[k] * d[k];
            }
            length = sqrt(length);
            for (int k = 0; k < 3; ++k)
                along += d[k] / length * u[k];
            const double pull = stiffness * (length - rest) + damping * along / H;
            for (int k = 0; k < 3; ++k)
                force[k] -= pull * d[k] / length;
            scale = fmax(scale, fabs(pull));
        }
        for (int k = 0; k < 3; ++k)
            largest = fmax(largest, fabs(force[k]) / scale);
    }
    cr_expect_lt(largest, 1e-9, "%g of the largest force is left", largest);
    free(x);
    free(v);
    subject_free(&s);
}

/* ---- Elements ---- */

static bool is_same_place(const double a[3], const double b[3]) {
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* Store a box of cubes[0] x cubes[1] x cubes[2] cells as the prepared body "box" in a temporary folder. `size` is in m.
 * All vertices must be on the surface of the box. Returns the folder's path, newly allocated. */
static char *keep_box(const int cubes[3], const double size[3]) {
    char *folder = folder_temporary(), *path = text_format("%s/box.h5", folder);
    struct tetrahedra box;
    struct mesh surface;
    struct prepared prepared;
    cr_assert_eq(tetrahedra_box(cubes, size, BOX_FIVE, &box), STATUS_OK);
    cr_assert_eq(tetrahedra_surface(&box, &surface, NULL), STATUS_OK);
    cr_assert_eq(surface.vertices, box.vertices);
    cr_assert_eq(prepared_create(&surface, "box", &prepared), STATUS_OK, "%s", failure_text());
    int *corner = memory_new(4 * (size_t)box.tetrahedra, sizeof *corner);
    for (int c = 0; c < 4 * box.tetrahedra; ++c)
        while (!is_same_place(prepared.position[corner[c]], box.position[box.corner[c / 4][c % 4]]))
            cr_assert_lt(++corner[c], prepared.vertices);
    cr_assert_eq(prepared_add_part(&prepared, PART_TETRAHEDRA, box.tetrahedra, corner), STATUS_OK, "%s",
                 failure_text());
    prepared_seal(&prepared);
    cr_assert_eq(stored_write(&prepared, path), STATUS_OK, "%s", failure_text());
    prepared_free(&prepared);
    mesh_free(&surface);
    tetrahedra_free(&box);
    free(corner);
    free(path);
    cr_assert_eq(setenv("SPRINGBACK_BODIES", folder, 1), 0);
    return folder;
}

#define ELEMENTS "node_mass: 0.1 kg, surface: {inside: tetrahedra}"

/* The energy of a Saint Venant-Kirchhoff element, V (mu E : E + lambda tr(E)^2 / 2). Its corners are at x, and in the
 * rest shape at `rest`. */
static double element_energy(double x[4][3], double rest[4][3], double mu, double lambda) {
    double d[3][3], r[3][3], inverse[3][3], determinant = 0, energy = 0, trace = 0;
    for (int k = 0; k < 9; ++k) { /* columns are edges */
        d[k % 3][k / 3] = x[k / 3 + 1][k % 3] - x[0][k % 3];
        r[k % 3][k / 3] = rest[k / 3 + 1][k % 3] - rest[0][k % 3];
    }
    for (int k = 0; k < 3; ++k)
        determinant += r[0][k] * (r[1][(k + 1) % 3] * r[2][(k + 2) % 3] - r[1][(k + 2) % 3] * r[2][(k + 1) % 3]);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            inverse[j][i] = (r[(i + 1) % 3][(j + 1) % 3] * r[(i + 2) % 3][(j + 2) % 3] -
                             r[(i + 1) % 3][(j + 2) % 3] * r[(i + 2) % 3][(j + 1) % 3]) /
                            determinant;
    double f[3][3] = {{0}};
    for (int k = 0; k < 27; ++k)
        f[k / 9][k / 3 % 3] += d[k / 9][k % 3] * inverse[k % 3][k / 3 % 3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            double e = i == j ? -0.5 : 0;
            for (int k = 0; k < 3; ++k)
                e += 0.5 * f[k][i] * f[k][j];
            energy += mu * e * e;
            trace += i == j ? e : 0;
        }
    return fabs(determinant) / 6 * (energy + lambda * trace * trace / 2);
}

/* The terms of G (kernels/vbd.h) that depend on node i, at positions x but with node i moved by `by` along axis k. y
 * are the inertial positions. */
static double objective(const struct subject *s, const double (*x)[3], const double (*y)[3], int i, int k, double by) {
    const double young = 2000, nu = 0.3, mu = young / (2 * (1 + nu)), lambda = young * nu / ((1 + nu) * (1 - 2 * nu));
    const struct part *elements = &s->model.body.prepared.parts[PART_TETRAHEDRA];
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        const double away = x[i][a] + (a == k ? by : 0) - y[i][a];
        sum += 0.1 * away * away / (2 * H * H);
    }
    for (int e = 0; e < elements->count; ++e) {
        double at[4][3], rest[4][3];
        bool is_there = false;
        for (int c = 0; c < 4; ++c) {
            const int node = elements->particle[4 * e + c];
            memcpy(at[c], x[node], sizeof at[c]);
            memcpy(rest[c], s->model.body.position[node], sizeof rest[c]);
            at[c][k] += node == i ? by : 0;
            is_there |= node == i;
        }
        sum += is_there ? element_energy(at, rest, mu, lambda) : 0;
    }
    return sum;
}

/* After a step, the gradient of the objective G is 0. At the inertial positions y, the gradient is not 0. The test
 * computes the gradient by central differences of `objective`. */
Test(vbd, a_step_of_elements_ends_at_a_minimum) {
    char *folder = keep_box((const int[3]){2, 2, 1}, (const double[3]){1, 1, 0.5});
    struct subject s;
    double(*x)[3], (*v)[3], before = 0, after = 0;
    subject_of_file(&s, "box", ELEMENTS,
                    "method: {name: vbd_hyperelastic, young: 2 kPa, iterations: 300, precision: double}\n" FREE
                    "time: {step: 10 ms, frames: 1}\n");
    subject_open(&s, "serial");
    start_at_random(&s, 0.05, &x, &v);
    const size_t nodes = (size_t)s.model.body.nodes;
    double(*y)[3] = memory_new(nodes, sizeof *y), (*end)[3] = memory_new(nodes, sizeof *end);
    const struct state *state = state_after(s.simulation, 1);
    for (int c = 0; c < 3 * (int)nodes; ++c) {
        y[c / 3][c % 3] = inertial((const double(*)[3])x, (const double(*)[3])v, c / 3, c % 3);
        end[c / 3][c % 3] = subject_position(&s, state, c / 3, c % 3);
    }
    const double by = 1e-5;
    for (int c = 0; c < 3 * (int)nodes; ++c) {
        const double(*ends[2])[3] = {(const double(*)[3])y, (const double(*)[3])end};
        double slope[2];
        for (int e = 0; e < 2; ++e)
            slope[e] = (objective(&s, ends[e], (const double(*)[3])y, c / 3, c % 3, by) -
                        objective(&s, ends[e], (const double(*)[3])y, c / 3, c % 3, -by)) /
                       (2 * by);
        before = fmax(before, fabs(slope[0]));
        after = fmax(after, fabs(slope[1]));
    }
    cr_expect_gt(before, 1, "%g N", before);
    cr_expect_lt(after, 1e-6 * before, "the gradient is %g N after the step, %g N at the inertial positions", after,
                 before);
    free(x);
    free(v);
    free(y);
    free(end);
    subject_free(&s);
    folder_remove(folder);
}

/* A bar of 16 cells with a Poisson's ratio of 0 hangs from its upper end. The nodes have equal masses, four in each
 * layer. A cell with n layers of nodes below it carries the weight 4 n m g. Therefore the cell is longer by the factor
 * l, for which E A (l^3 - l) / 2 = 4 n m g. This is exact if the layers stay flat. The layers bend, because the
 * tetrahedra at a node have different volumes. The effect is about the square of 1/16, 0.4 %. */
Test(vbd, a_hanging_bar_has_the_length_of_its_closed_form) {
    enum { CELLS = 16 };
    const double side = 1.0 / CELLS, mass = 0.015, young = 10000, area = side * side;
    double expected = 0, lowest = 1;
    for (int n = 1; n <= CELLS; ++n) {
        double l = 1.2;
        for (int newton = 0; newton < 30; ++newton)
            l -= (young * area * (l * l * l - l) / 2 - 4 * n * mass * 10) / (young * area * (3 * l * l - 1) / 2);
        expected += l * side;
    }
    char *folder = keep_box((const int[3]){1, CELLS, 1}, (const double[3]){side, 1, side});
    struct subject s;
    subject_of_file(&s, "box", "node_mass: 15 g, surface: {inside: tetrahedra, pins: highest}",
                    "method: {name: vbd_hyperelastic, iterations: 60, young: 10 kPa, poisson: 0, precision: double}\n"
                    "scene: {gravity: [0, -10 m/s^2, 0]}\ntime: {step: 20 ms, frames: 600}\n");
    subject_open(&s, "serial");
    const struct state *state = state_after(s.simulation, 600);
    for (int i = 0; i < s.model.body.nodes; ++i)
        lowest = fmin(lowest, subject_position(&s, state, i, 1));
    cr_expect_float_eq(1 - lowest, expected, 0.004 * (expected - 1), "%g m, closed form %g m", 1 - lowest, expected);
    subject_free(&s);
    folder_remove(folder);
}

/* ---- Refused input ---- */

Test(vbd, what_it_cannot_simulate_is_refused) {
    static const struct {
        const char *body, *method, *scene, *said;
    } table[] = {
        {"cloth: {nodes: [3, 3]}", "vbd, stiffness: 1 N/m", "push: {acceleration: [0, 1 m/s^2, 0]}", "scene.push"},
        {"mesh: " SOURCE_DIR "/tests/small_cube.off", "vbd, stiffness: 1 N/m", "ground: {height: 0 m}",
         "vbd cannot simulate scene.ground.height; remove it"},
        {"mesh: " SOURCE_DIR "/tests/small_cube.off", "vbd_hyperelastic", "gravity: [0, 0, 0]",
         "body.surface.inside is none; use tetrahedra"},
        {"cloth: {nodes: [3, 3]}", "vbd_hyperelastic", "gravity: [0, 0, 0]", "use body.mesh"},
        {"cloth: {nodes: [2, 2], springs: [bend]}", "vbd, stiffness: 1 N/m", "gravity: [0, 0, 0]", "makes 0 springs"},
        {"mesh: " SOURCE_DIR "/tests/small_cube.off", "vbd, stiffness: 1 N/m",
         "sphere: {radius: 1 m, centre: [0, 0, 0]}", "sphere"},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {%s, node_mass: 1 kg}\n"
                                 "method: {name: %s}\nscene: {%s}\ntime: {step: 1 ms, frames: 1}\n",
                                 table[t].body, table[t].method, table[t].scene);
        expect_refused(text, table[t].said);
        free(text);
    }
}

/* ---- The block of one node ---- */

static vec3 random_vector(unsigned *seed, double by) {
    const double x = by * subject_random(seed), y = by * subject_random(seed), z = by * subject_random(seed);
    return vec3_of(x, y, z);
}

static double component(vec3 a, int k) {
    return k == 0 ? a.x : k == 1 ? a.y : a.z;
}

static vec3 moved(vec3 a, int k, double by) {
    return vec3_of(a.x + (k == 0 ? by : 0), a.y + (k == 1 ? by : 0), a.z + (k == 2 ? by : 0));
}

static double entry(const struct symmetric *h, int i, int j) {
    const double all[3][3] = {{h->xx, h->xy, h->zx}, {h->xy, h->yy, h->yz}, {h->zx, h->yz, h->zz}};
    return all[i][j];
}

Test(vbd, the_factors_solve_the_block) {
    unsigned seed = 1;
    for (int n = 0; n < 200; ++n) {
        struct symmetric h = {0.5, 0.5, 0.5, 0, 0, 0};
        for (int k = 0; k < 4; ++k)
            symmetric_add_square(&h, 1, random_vector(&seed, 3));
        const vec3 f = random_vector(&seed, 1), d = symmetric_solve(h, f, 0.5);
        for (int i = 0; i < 3; ++i) {
            const double found = entry(&h, i, 0) * d.x + entry(&h, i, 1) * d.y + entry(&h, i, 2) * d.z;
            cr_expect_float_eq(found, component(f, i), 1e-12);
        }
    }
}

/* If the spring is stretched, H is the derivative of -f, which the test computes by central differences. If the spring
 * is compressed, H has only the part of this derivative along the spring. A damper adds c / h along the spring. */
Test(vbd, a_spring_s_block_is_the_derivative_of_its_force) {
    const struct vbd_parameters p = {.stiffness = 70, .damping_rate = 0};
    const double by = 1e-6, rest = 1;
    unsigned seed = 2;
    for (int n = 0; n < 200; ++n) {
        const vec3 d = random_vector(&seed, 2), u = random_vector(&seed, 1);
        const double length = sqrt(inner(d, d)), across = length > rest ? 0 : 70 * (1 - rest / length);
        struct block block = {{0, 0, 0}, {0, 0, 0, 0, 0, 0}}, damped = block;
        block_add_spring(&block, d, u, rest, &p);
        const struct vbd_parameters q = {.stiffness = 70, .damping_rate = 9};
        block_add_spring(&damped, d, u, rest, &q);
        for (int j = 0; j < 3 && length > 0.1; ++j) {
            struct block low = {{0, 0, 0}, {0, 0, 0, 0, 0, 0}}, high = low;
            block_add_spring(&low, moved(d, j, -by), u, rest, &p);
            block_add_spring(&high, moved(d, j, by), u, rest, &p);
            for (int i = 0; i < 3; ++i) {
                const double ni = component(d, i) / length, nj = component(d, j) / length;
                const double slope = (component(low.force, i) - component(high.force, i)) / (2 * by);
                cr_expect_float_eq(entry(&block.hessian, i, j), slope - across * ((i == j) - ni * nj), 1e-4);
                cr_expect_float_eq(entry(&damped.hessian, i, j) - entry(&block.hessian, i, j), 9 * ni * nj, 1e-9);
            }
        }
    }
}

/* The force of an element is minus the derivative of `element_energy`. The block H of the element is minus the
 * derivative of the force. If b . S b (kernels/vbd.h) is negative, H also has a multiple of the unit matrix. */
Test(vbd, an_element_s_block_is_the_derivative_of_its_force) {
    const double by = 1e-6, mu = 30, lambda = 50;
    const struct vbd_parameters p = {.shear = mu, .lame = lambda};
    unsigned seed = 3;
    int stretched = 0;
    for (int n = 0; n < 200; ++n) {
        double rest_place[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, x[4][3];
        struct tetrahedron t = {.q = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
        for (int c = 0; c < 4; ++c) {
            t.p[c] = add(scale(n % 2 ? 1.3 : 0.8, vec3_from(rest_place[c])), random_vector(&seed, 0.2));
            for (int k = 0; k < 3; ++k)
                x[c][k] = component(t.p[c], k);
        }
        const int corner = n % 4;
        const vec3 b = corner ? vec3_from(rest_place[corner]) : vec3_of(-1, -1, -1);
        struct block block = {{0, 0, 0}, {0, 0, 0, 0, 0, 0}};
        block_add_element(&block, &t, b, 1.0 / 6, &p);
        double off = 0;
        for (int j = 0; j < 3; ++j) {
            struct block ends[2] = {{{0, 0, 0}, {0, 0, 0, 0, 0, 0}}, {{0, 0, 0}, {0, 0, 0, 0, 0, 0}}};
            double energy[2];
            for (int e = 0; e < 2; ++e) {
                struct tetrahedron there = t;
                there.p[corner] = moved(t.p[corner], j, e ? by : -by);
                block_add_element(&ends[e], &there, b, 1.0 / 6, &p);
                x[corner][j] = component(there.p[corner], j);
                energy[e] = element_energy(x, rest_place, mu, lambda);
            }
            x[corner][j] = component(t.p[corner], j);
            cr_expect_float_eq(component(block.force, j), (energy[0] - energy[1]) / (2 * by), 1e-6);
            for (int i = 0; i < 3; ++i) {
                const double slope = (component(ends[0].force, i) - component(ends[1].force, i)) / (2 * by),
                             more = entry(&block.hessian, i, j) - slope;
                if (i == j && j == 0)
                    off = more;
                cr_expect_float_eq(more, i == j ? off : 0, 1e-5);
            }
        }
        cr_expect_gt(off, -1e-5);
        stretched += fabs(off) < 1e-5;
    }
    cr_expect(stretched > 50 && stretched < 150, "%d of 200", stretched);
}
