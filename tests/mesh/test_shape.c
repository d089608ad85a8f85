#include "shapes.h"

#include "mesh_fixture.h"

#include <math.h>

Test(shape, counts_are_those_of_the_formulas_and_the_papers) {
    struct mesh mesh;
    shape_icosphere(0, &mesh);
    expect_counts(&mesh, 12, 30, 20, 2, 0, 0);
    mesh_free(&mesh);
    shape_icosphere(3, &mesh);
    expect_counts(&mesh, 642, 1920, 1280, 2, 0, 0);
    mesh_free(&mesh);
    shape_uv_sphere(16, 32, &mesh); /* va2023's sphere has 482 nodes */
    expect_counts(&mesh, 482, 1440, 960, 2, 0, 0);
    mesh_free(&mesh);
    shape_uv_sphere(2, 3, &mesh); /* the smallest UV sphere */
    expect_counts(&mesh, 5, 9, 6, 2, 0, 0);
    mesh_free(&mesh);
    shape_torus(1, 0.25, 48, 12, &mesh);
    expect_counts(&mesh, 576, 1728, 1152, 0, 0, 0);
    mesh_free(&mesh);
    shape_cube(8, &mesh); /* va2023's cube has 1,152 edges */
    expect_counts(&mesh, 386, 1152, 768, 2, 0, 0);
    mesh_free(&mesh);
    shape_cube(1, &mesh);
    expect_counts(&mesh, 8, 18, 12, 2, 0, 0);
    mesh_free(&mesh);
    shape_cloth(41, 41, 1, 1, &mesh); /* cetinaslan2019's cloth has 4,880 edges */
    expect_counts(&mesh, 1681, 4880, 3200, 1, 1, 0);
    mesh_free(&mesh);
}

Test(shape, closed_ones_are_solid_and_hold_their_volume) {
    const double pi = 3.141592653589793;
    static const struct {
        const char *name;
        /* volume: m^3, divided by pi; NaN: not checked. error: the largest relative error that flat facets cause. */
        double value[SHAPE_PARAMETERS], volume, error;
    } table[] = {{"icosphere", {4}, 4.0 / 3, 0.004},
                 {"uv_sphere", {64, 128}, 4.0 / 3, 0.002},
                 {"torus", {1, 0.25, 128, 64}, 0.125 * 3.141592653589793, 0.003},
                 {"cube", {5}, 1 / 3.141592653589793, 1e-14},
                 {"bunny_like", {4}, NAN, 0},
                 {"armadillo_like", {4}, NAN, 0},
                 {"dragon_like", {4, 0}, NAN, 0},
                 {"bob_like", {63, 49}, NAN, 0}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        const struct shape *shape = shape_find(table[k].name);
        struct mesh mesh;
        cr_assert_not_null(shape);
        cr_assert_eq(shape_check(shape, table[k].value, (struct place){NULL, 0, 0}), STATUS_OK);
        shape->make(table[k].value, &mesh);
        failure_clear();
        cr_expect_eq(mesh_check(&mesh, MESH_SOLID, table[k].name), STATUS_OK, "%s", failure_text());
        long count[MESH_COUNTS];
        mesh_count(&mesh, true, count);
        cr_expect_eq(count[MESH_CROSSINGS], 0, "%s", table[k].name);
        if (!isnan(table[k].volume)) {
            const double ratio = volume_of(&mesh) / (table[k].volume * pi);
            cr_expect(ratio > 1 - table[k].error && ratio < 1 + table[k].error, "%s: %g", table[k].name, ratio);
        }
        mesh_free(&mesh);
    }
}

/* Shapes compute the sines and cosines at the vertices of a circle by a series. The test compares these values with
 * those of the C library. */
Test(shape, angles_are_right_to_the_last_bits) {
    struct mesh mesh;
    const int n = 1000;
    double worst = 0;
    shape_uv_sphere(2, n, &mesh);
    for (int k = 0; k < n; ++k) {
        const double angle = 2 * 3.141592653589793 * k / n;
        worst =
            fmax(worst, fmax(fabs(mesh.position[1 + k][0] - cos(angle)), fabs(mesh.position[1 + k][2] + sin(angle))));
    }
    cr_expect(worst < 1e-15, "%g", worst);
    cr_expect(mesh.position[1 + n / 4][0] == 0 && mesh.position[1 + n / 4][2] == -1,
              "not exact at a quarter of the circle");
    cr_expect(mesh.position[1 + n / 2][0] == -1 && mesh.position[1 + n / 2][2] == 0, "not exact at half of the circle");
    mesh_free(&mesh);
}

/* The checksum of a shape must be the same on every machine and with every compiler. */
Test(shape, sums_are_those_that_were_seen_elsewhere) {
    static const struct {
        const char *name;
        double value[SHAPE_PARAMETERS];
        const char *sum;
    } table[] = {{"uv_sphere", {16, 32}, "111f7ba1bd3182897e263c202f1b82bf9faf37374dfe7f1aa31d95afb963cc72"},
                 {"torus", {1, 0.25, 48, 12}, "a035568cb167300d464c812f210c20ddec9b76d596bff9c110a190200b183678"},
                 {"cube", {8}, "1ebe965b01627d73235b699465ff4789738bae5d013ff3de513aadd7878ae19d"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct mesh mesh;
        char sum[CHECKSUM_SIZE];
        shape_find(table[k].name)->make(table[k].value, &mesh);
        mesh_checksum(&mesh, sum);
        cr_expect_str_eq(sum, table[k].sum);
        mesh_free(&mesh);
    }
}

Test(shape, parameters_that_cannot_be_are_refused) {
    static const struct {
        const char *name;
        double value[SHAPE_PARAMETERS];
        const char *message;
    } table[] = {{"icosphere", {9}, "`level` of icosphere is 9; use 0 to 8"},
                 {"icosphere", {1.5}, "must be a whole number"},
                 {"icosphere", {NAN}, "use 0 to 8"},
                 {"torus", {1, 1, 8, 8}, "`minor` must be less"},
                 {"cube", {0}, "use 1 to 400"},
                 {"cloth", {2, 1, 1, 1}, "`rows` of cloth is 1"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        failure_clear();
        cr_expect_eq(shape_check(shape_find(table[k].name), table[k].value, (struct place){"f", 3, 4}), STATUS_BAD);
        cr_expect(strstr(failure_text(), table[k].message), "%s", failure_text());
        cr_expect(strstr(failure_text(), "f:3:4: ") == failure_text());
    }
    cr_expect_null(shape_find("sphere"));
}
