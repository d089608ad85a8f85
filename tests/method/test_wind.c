/* Tests of wind: forces on triangles compared with closed forms, and forces on the nodes of a body. */
#include "method/network.h"
#include "method/scene.h"
#include "subject.h"

#define METHOD "method: {name: mass_spring, stiffness: 1 N/m}\ntime: {step: 1 ms, frames: 1}\n"

static const struct wind_parameters breeze = {.velocity_x = 3, .velocity_y = -1, .velocity_z = 0.5, .drag = 2};

static void expect_near(vec3 f, vec3 expected, double within, const char *what) {
    const vec3 d = subtract(f, expected);
    cr_expect_leq(sqrt(inner(d, d)), within, "%s: (%g, %g, %g), not (%g, %g, %g)", what, f.x, f.y, f.z, expected.x,
                  expected.y, expected.z);
}

/* The force on a triangle of 3 m^2 whose normal is along x. All corners have the velocity (vx, vy, vz). */
static vec3 force_on(double vx, double vy, double vz, struct wind_parameters p) {
    const vec3 v = vec3_of(vx, vy, vz);
    return wind_on_triangle(vec3_of(1, 0, 0), vec3_of(1, 2, 0), vec3_of(1, 0, 3), v, v, v, p);
}

Test(wind, pulls_a_triangle_at_rest_along_its_normal) {
    expect_near(force_on(0, 0, 0, breeze), vec3_of(2 * 3 * 3, 0, 0), 1e-14, "at rest");
    expect_near(force_on(1, 5, -7, breeze), vec3_of(2 * 3 * 2, 0, 0), 1e-14, "moving, also along the triangle");
    expect_near(force_on(4, 0, 0, breeze), vec3_of(-2 * 3, 0, 0), 1e-14, "faster than the wind");
    const struct wind_parameters along = {.velocity_y = 3, .velocity_z = 8, .drag = 2};
    expect_near(force_on(0, 0, 0, along), vec3_of(0, 0, 0), 0, "edgewise");
}

Test(wind, does_not_pull_what_moves_with_it) {
    expect_near(force_on(3, -1, 0.5, breeze), vec3_of(0, 0, 0), 1e-14, "at the wind's velocity");
    struct wind_parameters none = breeze;
    none.drag = 0;
    expect_near(force_on(0, 0, 0, none), vec3_of(0, 0, 0), 0, "without drag");
}

/* The force on a triangle does not depend on the order of its corners. It is along the normal, and never against the
 * relative wind. */
Test(wind, is_the_law_on_any_triangle) {
    unsigned seed = 11;
    for (int n = 0; n < 2000; ++n) {
        vec3 x[3], v[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = vec3_of(subject_random(&seed), subject_random(&seed), subject_random(&seed));
            v[k] = scale(4, vec3_of(subject_random(&seed), subject_random(&seed), subject_random(&seed)));
        }
        const vec3 f = wind_on_triangle(x[0], x[1], x[2], v[0], v[1], v[2], breeze);
        const vec3 back = wind_on_triangle(x[0], x[2], x[1], v[0], v[2], v[1], breeze);
        const vec3 cross = outer(subtract(x[1], x[0]), subtract(x[2], x[0]));
        const double length = sqrt(inner(cross, cross));
        const vec3 normal = scale(1 / length, cross);
        const vec3 felt = subtract(vec3_of(3, -1, 0.5), scale(1.0 / 3, add(add(v[0], v[1]), v[2])));
        expect_near(f, scale(2 * length / 2 * inner(felt, normal), normal), 1e-13, "the law");
        expect_near(back, f, 1e-13, "the opposite orientation");
        cr_assert_geq(inner(f, felt), 0);
    }
}

Test(wind, a_triangle_without_area_feels_none) {
    const vec3 a = vec3_of(1, 2, 3), b = vec3_of(2, 4, 6), v = vec3_of(0, 0, 0);
    expect_near(wind_on_triangle(a, a, a, v, v, v, breeze), vec3_of(0, 0, 0), 0, "a point");
    expect_near(wind_on_triangle(a, b, vec3_of(3, 6, 9), v, v, v, breeze), vec3_of(0, 0, 0), 0, "a line");
}

/* ---- At the nodes of a body ---- */

static void fill(const struct body *body, quad *position, quad *velocity, vec3 moving) {
    network_fill_positions(body, sizeof(double), position);
    for (int i = 0; i < body->nodes; ++i)
        velocity[i] = quad_of(moving, 0);
}

/* Over a sphere, the integral of n n^T is 4 pi R^2 / 3 times the unit matrix. Therefore the wind's force is the drag
 * times 4 pi R^2 / 3 times the wind's velocity. */
Test(wind, on_a_sphere_it_has_the_closed_form_and_the_nodes_get_it_all) {
    struct subject s;
    subject_create(&s, subject_sphere, "node_mass: 0.5 kg, surface: {pins: lowest, pins_depth: 0}", METHOD);
    struct body *body = &s.model.body;
    cr_assert_eq(body_lay_fans(body), STATUS_OK);
    quad *position = memory_large((size_t)body->nodes * sizeof *position),
         *velocity = memory_large((size_t)body->nodes * sizeof *velocity);
    fill(body, position, velocity, vec3_of(0, 0, 0));
    vec3 nodes = vec3_of(0, 0, 0), triangles = nodes, pulls = nodes;
    int pinned = 0;
    for (int i = 0; i < body->nodes; ++i) {
        const vec3 force =
            wind_on_node(i, body->fan_start, body->fan, &body->triangle[0][0], position, velocity, breeze);
        const vec3 pull =
            wind_pull(i, WIND_TRIANGLES, body->fan_start, body->fan, &body->triangle[0][0], position, velocity, breeze);
        nodes = add(nodes, force);
        expect_near(pull, scale(body->pinned[i] ? 0 : 2, force), 0, "force over mass");
        pulls = add(pulls, pull);
        pinned += body->pinned[i];
    }
    cr_expect_eq(pinned, 1);
    for (size_t t = 0; t < body->triangles; ++t) {
        const int32_t *c = body->triangle[t];
        triangles =
            add(triangles, wind_on_triangle(xyz(position[c[0]]), xyz(position[c[1]]), xyz(position[c[2]]),
                                            xyz(velocity[c[0]]), xyz(velocity[c[1]]), xyz(velocity[c[2]]), breeze));
    }
    expect_near(nodes, triangles, 1e-12, "the forces on all nodes and on all triangles");
    const double whole = breeze.drag * 4 * acos(-1) / 3;
    expect_near(scale(1 / whole, nodes), vec3_of(3, -1, 0.5), 0.05, "a sphere of 1 m");
    fill(body, position, velocity, vec3_of(3, -1, 0.5));
    for (int i = 0; i < body->nodes; ++i)
        expect_near(wind_on_node(i, body->fan_start, body->fan, &body->triangle[0][0], position, velocity, breeze),
                    vec3_of(0, 0, 0), 1e-15, "moving with the wind");
    free(position);
    free(velocity);
    subject_free(&s);
}

Test(wind, a_uniform_one_is_one_acceleration_of_what_moves) {
    const quad position[2] = {{1, 2, 3, 4}, {1, 2, 3, 0}};
    const struct wind_parameters p = {.acceleration_x = 5, .acceleration_y = -6, .acceleration_z = 7, .drag = 8};
    expect_near(wind_pull(0, WIND_UNIFORM, NULL, NULL, NULL, position, NULL, p), vec3_of(5, -6, 7), 0, "free");
    expect_near(wind_pull(1, WIND_UNIFORM, NULL, NULL, NULL, position, NULL, p), vec3_of(0, 0, 0), 0, "pinned");
    expect_near(wind_pull(0, 0, NULL, NULL, NULL, position, NULL, p), vec3_of(0, 0, 0), 0, "no wind");
}

/* ---- In a scene ---- */

static void describe(const char *body_text, const char *scene, struct plan *plan, struct body *body) {
    char *text = text_format(
        "springback: 1\npaper: test\ntitle: t\nbody: {%s, node_mass: 1 kg}\n" METHOD "scene: {%s}\n", body_text, scene);
    plan_from_text(text, plan);
    free(text);
    failure_clear();
    cr_assert_eq(body_describe(&plan->runs[0], body), STATUS_OK, "%s", failure_text());
    cr_assert_eq(body_build(&plan->runs[0], body), STATUS_OK, "%s", failure_text());
}

#define ON_TRIANGLES "wind: {kind: triangles, velocity: [1 m/s, 2 m/s, 3 m/s], drag: 4 kg/m^2/s}"

Test(fans, each_triangle_is_at_its_three_corners_in_rising_order) {
    static const char *const bodies[] = {"cloth: {nodes: [7, 4]}",
                                         "mesh: '" SOURCE_DIR "/data/convex_bodies.obj', surface: {inside: none}"};
    for (int b = 0; b < 2; ++b) {
        struct plan plan;
        struct body body;
        describe(bodies[b], ON_TRIANGLES, &plan, &body);
        cr_assert_not_null(body.fan);
        cr_expect_eq(body.fan_start[0], 0);
        cr_expect_eq(body.fan_start[body.nodes], 3 * (int)body.triangles);
        for (int i = 0; i < body.nodes; ++i)
            for (int k = body.fan_start[i]; k < body.fan_start[i + 1]; ++k) {
                const int32_t *corner = body.triangle[body.fan[k]];
                cr_expect(corner[0] == i || corner[1] == i || corner[2] == i);
                cr_expect(k == body.fan_start[i] || body.fan[k] > body.fan[k - 1]);
            }
        const struct wind_parameters p = scene_wind_parameters(&plan.runs[0]);
        cr_expect_eq(scene_wind(&plan.runs[0]), WIND_TRIANGLES);
        cr_expect(p.velocity_x == 1 && p.velocity_y == 2 && p.velocity_z == 3 && p.drag == 4);
        body_free(&body);
        plan_free(&plan);
    }
}

Test(fans, are_made_only_where_a_wind_blows_on_triangles) {
    static const struct {
        const char *scene;
        int kind;
        double acceleration;
    } table[] = {{"gravity: [0, 0, 0]", 0, 0},
                 {"wind: {kind: uniform, acceleration: [0, 0, 2 m/s^2]}", WIND_UNIFORM, 2}};
    for (int t = 0; t < 2; ++t) {
        struct plan plan;
        struct body body;
        describe("cloth: {nodes: [7, 4]}", table[t].scene, &plan, &body);
        cr_expect(!body.fan && !body.fan_start && !body.is_blown);
        cr_expect_eq(scene_wind(&plan.runs[0]), table[t].kind);
        cr_expect_eq(scene_wind_parameters(&plan.runs[0]).acceleration_z, table[t].acceleration);
        body_free(&body);
        plan_free(&plan);
    }
}

Test(fans, more_corners_than_an_int_can_number_are_refused) {
    struct body body = {.nodes = 3, .triangles = 715827883};
    failure_clear();
    cr_expect_eq(body_lay_fans(&body), STATUS_BAD);
    cr_expect(strstr(failure_text(), "corners that are supported"));
}
