/* Tests of mesh bodies: position in the scene, rotation, pins, and the order of a node's springs. */
#include "body/filling.h"
#include "body/prepared.h"
#include "body/surface.h"
#include "subject.h"

#include <sys/stat.h>

#define METHOD "method: {name: volume_constraint, stiffness: 100 N/m}\n"
#define TIME   "time: {step: 1 ms, frames: 1}\n"

static char *bodies;

static void setup(void) {
    bodies = folder_temporary();
    cr_assert_eq(setenv("SPRINGBACK_BODIES", bodies, 1), 0);
}

static void teardown(void) {
    folder_remove(bodies);
}

TestSuite(surface, .init = setup, .fini = teardown);

/* Prepare the body `cube`, with tetrahedra and links. */
static void prepare_cube(void) {
    char *path = text_format("%s/cube.h5", bodies);
    struct mesh mesh;
    struct prepared cube;
    subject_cube(&mesh);
    failure_clear();
    cr_assert_eq(prepared_create(&mesh, "cube", &cube), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&cube, &(struct filling){.with_links = true, .switches = "-pY"}, "cube"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&cube, path), STATUS_OK, "%s", failure_text());
    prepared_free(&cube);
    mesh_free(&mesh);
    free(path);
}

static void extent(const struct body *body, int axis, double *low, double *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < body->nodes; ++i) {
        *low = fmin(*low, body->position[i][axis]);
        *high = fmax(*high, body->position[i][axis]);
    }
}

Test(surface, lies_where_the_scene_has_it) {
    static const struct {
        const char *body, *scene;
        double length, lowest; /* expected width and lowest point, m; the torus as made is 2.5 m wide and 0.5 m high,
                                  with its centre at the origin */
    } table[] = {
        {"surface: {length: 0 m}", "scene: {}\n", 2.5, -0.25},
        {"surface: {length: 5 m}", "scene: {}\n", 5, -0.5},
        {"surface: {length: 0 m}", "scene: {ground: {height: 0.75 m}}\n", 2.5, 0.75},
        {"surface: {length: 5 m}", "scene: {ground: {height: -1 m, drop: 0.25 m}}\n", 5, -0.75},
        {"surface: {length: 5 m}", "scene: {plate: {speed: 1 m/s, gap: 1 m}}\n", 5, -0.5},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char *body = text_format("node_mass: 1 kg, %s", table[t].body);
        subject_create(&s, subject_torus, body, METHOD "%s" TIME, table[t].scene);
        double low, high;
        extent(&s.model.body, 0, &low, &high);
        cr_expect_float_eq(low, -table[t].length / 2, 1e-15);
        cr_expect_float_eq(high, table[t].length / 2, 1e-15);
        extent(&s.model.body, 1, &low, &high);
        cr_expect_float_eq(low, table[t].lowest, 1e-15, "%zu: %g", t, low);
        cr_expect_float_eq(high - low, table[t].length / 5, 1e-15);
        cr_expect_float_eq(s.model.body.rest_volume / pow(table[t].length / 2.5, 3),
                           48 * sin(acos(-1) / 24) * 6 * sin(acos(-1) / 6) / 16, 1e-12);
        subject_free(&s);
        free(body);
    }
}

/* A prepared body is scaled and placed above the ground, as the body of a mesh file is. */
Test(surface, a_prepared_body_is_scaled_and_laid_too) {
    struct subject s;
    double low, high;
    prepare_cube();
    subject_of_file(&s, "cube", "node_mass: 1 kg, surface: {length: 2 m, inside: tetrahedra}",
                    METHOD "scene: {ground: {height: 3 m, drop: 0.5 m}}\n" TIME);
    extent(&s.model.body, 1, &low, &high);
    cr_expect_float_eq(low, 3.5, 1e-15);
    cr_expect_float_eq(high, 5.5, 1e-15);
    extent(&s.model.body, 2, &low, &high);
    cr_expect_float_eq(high - low, 2, 1e-15);
    cr_expect_float_eq(s.model.body.rest_volume, 8, 1e-12);
    subject_free(&s);
}

/* ---- Rotated and pinned bodies ---- */

static void sheet(struct mesh *mesh) {
    shape_cloth(5, 5, 1, 1, mesh);
}

/* A horizontal cloth of 4 by 3 nodes, 3 m along x and 1 m along z, 0.5 m above the origin. */
static void shelf(struct mesh *mesh) {
    shape_cloth(4, 3, 3, 1, mesh);
    for (int v = 0; v < mesh->vertices; ++v)
        mesh->position[v][1] = 0.5;
}

#define OPEN_METHOD "method: {name: mass_spring, stiffness: 1 N/m}\n" TIME

/* A rotation exchanges coordinates. It keeps the order of the vertices and the orientation of the triangles. */
Test(surface, another_axis_points_up_without_rounding) {
    static const struct {
        const char *up;
        int from[3], sign[3]; /* coordinate k is sign[k] times coordinate from[k] of the unrotated body */
    } table[] = {{"y", {0, 1, 2}, {1, 1, 1}}, {"z", {0, 2, 1}, {1, 1, -1}}, {"x", {1, 0, 2}, {-1, 1, 1}}};
    struct subject as_it_is;
    subject_create(&as_it_is, subject_torus, "node_mass: 1 kg", METHOD TIME);
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char *body = text_format("node_mass: 1 kg, surface: {up: %s}", table[t].up);
        subject_create(&s, subject_torus, body, METHOD TIME);
        for (int i = 0; i < s.model.body.nodes; ++i)
            for (int k = 0; k < 3; ++k)
                cr_assert_eq(s.model.body.position[i][k],
                             table[t].sign[k] * as_it_is.model.body.position[i][table[t].from[k]], "%s %d %d",
                             table[t].up, i, k);
        cr_expect_float_eq(s.model.body.rest_volume, as_it_is.model.body.rest_volume, 1e-12);
        cr_expect_str_eq(s.model.body.sum, as_it_is.model.body.sum,
                         "body.sum must not depend on the axis, which is a parameter of the run");
        subject_free(&s);
        free(body);
    }
    subject_free(&as_it_is);
}

Test(surface, a_rotated_cloth_has_no_negative_zeros) {
    struct subject s;
    subject_create(&s, sheet, "node_mass: 1 kg, surface: {up: z, requires: [manifold]}", OPEN_METHOD);
    for (int i = 0; i < s.model.body.nodes; ++i)
        cr_expect(s.model.body.position[i][2] == 0 && !signbit(s.model.body.position[i][2]));
    subject_free(&s);
}

Test(surface, it_is_rotated_before_it_is_placed_on_the_ground) {
    struct subject s;
    double low, high;
    subject_create(&s, subject_torus, "node_mass: 1 kg, surface: {up: x}",
                   METHOD "scene: {ground: {height: 2 m}}\n" TIME);
    extent(&s.model.body, 1, &low, &high);
    cr_expect_float_eq(low, 2, 1e-15);
    cr_expect_float_eq(high, 4.5, 1e-15);
    subject_free(&s);
}

static int pinned_of(const struct body *body) {
    int count = 0;
    for (int i = 0; i < body->nodes; ++i)
        count += body->pinned[i];
    return count;
}

/* `count` is the expected number of pins. With up: z, the shelf is a vertical cloth in the plane z = -0.5, and its
 * highest row has 4 nodes. The sphere has a top node, and a circle of 32 nodes that is lower by 1.9 % of the radius. */
Test(surface, pins_are_a_layer_or_its_ends) {
    static const struct {
        void (*shape)(struct mesh *mesh);
        const char *surface;
        int count;
    } table[] = {
        {shelf, "up: z", 0},
        {shelf, "up: z, pins: highest", 4},
        {shelf, "up: z, pins: lowest, pins_depth: 0.4", 4},
        {shelf, "up: z, pins: lowest, pins_depth: 0.5", 8},
        {shelf, "up: z, pins: highest, pins_depth: 1", 12},
        {shelf, "up: z, pins: highest_ends", 2},
        {shelf, "up: z, pins: highest_ends, pins_depth: 1", 2},
        {shelf, "up: x, pins: highest_ends", 2},
        {shelf, "pins: highest_ends", 2},
        {subject_sphere, "pins: highest", 33},
        {subject_sphere, "pins: highest, pins_depth: 0", 1},
        {subject_sphere, "pins: highest, pins_depth: 0.009", 1},
        {subject_sphere, "pins: highest_ends", 2},
        {subject_sphere, "pins: highest_ends, pins_depth: 0", 1},
    };
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char *body = text_format("node_mass: 1 kg, surface: {%s}", table[t].surface);
        subject_create(&s, table[t].shape, body, OPEN_METHOD);
        cr_expect_eq(pinned_of(&s.model.body), table[t].count, "%s: %d", table[t].surface, pinned_of(&s.model.body));
        subject_free(&s);
        free(body);
    }
}

/* The ends are the outermost nodes of the highest layer. If several nodes are equally far outside, the one with the
 * lowest index is pinned. */
Test(surface, ends_are_the_corners_of_a_hanging_cloth) {
    static const struct {
        const char *surface;
        double end[3]; /* the corner with the largest coordinate `along` (0: x, 2: z), which is one end. The other
                        * end is its mirror image along this axis. */
        int along;
    } table[] = {{"up: z", {1.5, 0.5, -0.5}, 0}, {"up: x", {-0.5, 1.5, 0.5}, 2}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject s;
        char *body = text_format("node_mass: 1 kg, surface: {%s, pins: highest_ends}", table[t].surface);
        subject_create(&s, shelf, body, OPEN_METHOD);
        for (int i = 0; i < s.model.body.nodes; ++i) {
            const double *x = s.model.body.position[i];
            bool is_end = true;
            for (int k = 0; k < 3; ++k)
                is_end = is_end && (k == table[t].along ? fabs(x[k]) : x[k]) == table[t].end[k];
            cr_expect_eq(s.model.body.pinned[i], is_end, "%s: %d", table[t].surface, i);
        }
        subject_free(&s);
        free(body);
    }
    struct subject level; /* its first column and its last column have 3 nodes each */
    subject_create(&level, shelf, "node_mass: 1 kg, surface: {pins: highest_ends}", OPEN_METHOD);
    for (int side = -1; side <= 1; side += 2) {
        int first = -1;
        for (int i = 0; i < level.model.body.nodes; ++i)
            if (level.model.body.position[i][0] == side * 1.5) {
                cr_expect_eq(level.model.body.pinned[i], first < 0);
                first = i;
            }
    }
    subject_free(&level);
}

/* Check the springs of each node: first those to the neighbours of its ring (struct rings), then inner springs by the
 * neighbour's index. The rest length must be the distance, and both ends must have the spring. */
static void expect_order(const struct body *body) {
    const struct part *triangles = &body->prepared.parts[PART_TRIANGLES];
    struct rings rings;
    cr_assert(rings_create(body->prepared.surface_vertices, triangles->count, triangles->particle, &rings));
    for (int i = 0; i < body->nodes; ++i) {
        const int begin = body->start[i], middle = body->ring_end[i], end = body->start[i + 1];
        const int ring = i < body->prepared.surface_vertices ? rings.start[i + 1] - rings.start[i] : 0;
        cr_assert_eq(middle - begin, ring);
        for (int k = begin; k < end; ++k) {
            const int j = body->neighbour[k];
            double square = 0;
            int back = 0;
            for (int c = 0; c < 3; ++c)
                square += pow(body->position[i][c] - body->position[j][c], 2);
            cr_expect_float_eq(body->rest[k], sqrt(square), 1e-15);
            for (int b = body->start[j]; b < body->start[j + 1]; ++b)
                back += body->neighbour[b] == i && body->rest[b] == body->rest[k];
            cr_expect_eq(back, 1);
            if (k < middle)
                cr_expect_eq(j, rings.neighbour[rings.start[i] + k - begin]);
            else if (k > middle)
                cr_expect_gt(j, body->neighbour[k - 1]);
        }
    }
    rings_free(&rings);
}

/* The number E of springs follows from Euler's formula for a filled ball, V - E + (4 T + F) / 2 - T = 1, with V = 386
 * vertices, all on the surface, F = 768 surface triangles, and T tetrahedra. */
Test(surface, tetrahedra_give_the_springs_that_euler_counts) {
    struct subject s;
    prepare_cube();
    subject_of_file(&s, "cube", "node_mass: 1 kg, surface: {inside: tetrahedra}", METHOD TIME);
    const struct body *body = &s.model.body;
    const int tetrahedra = body->prepared.parts[PART_TETRAHEDRA].count;
    cr_expect_eq(body->nodes, 386, "TetGen must add no vertex to the cube: %d nodes", body->nodes);
    cr_expect_eq(body->springs, tetrahedra + 769, "%ld springs, %d tetrahedra", body->springs, tetrahedra);
    cr_expect_eq(body->springs_of[SPRING_STRUCTURAL], 1152);
    cr_expect_eq(body->springs_inside, tetrahedra - 383);
    cr_expect_eq(body->start[body->nodes], 2 * body->springs);
    expect_order(body);
    subject_free(&s);
}

Test(surface, links_are_springs_inside_and_none_is_there_twice) {
    struct subject s;
    prepare_cube();
    subject_of_file(&s, "cube", "node_mass: 1 kg, surface: {inside: links}", METHOD TIME);
    const struct body *body = &s.model.body;
    cr_expect_eq(body->nodes, 386);
    cr_expect_gt(body->springs_inside, 150);
    cr_expect_leq(body->springs_inside, body->prepared.parts[PART_LINKS].count);
    cr_expect_eq(body->springs, 1152 + body->springs_inside);
    expect_order(body);
    subject_free(&s);
}

Test(surface, without_springs_inside_there_are_the_edges) {
    struct subject s;
    prepare_cube();
    subject_of_file(&s, "cube", "node_mass: 1 kg", METHOD TIME);
    cr_expect_eq(s.model.body.springs, 1152);
    cr_expect_eq(s.model.body.springs_inside, 0);
    expect_order(&s.model.body);
    subject_free(&s);
}
