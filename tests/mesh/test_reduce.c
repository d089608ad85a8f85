#include "mesh/reduce.h"

#include "mesh/repair.h"
#include "mesh/survey.h"
#include "mesh_fixture.h"
#include "shapes.h"

static const double sphere_volume = 4.18879;

/* A bumpy asymmetric body. */
static void body(struct mesh *mesh) {
    shape_find("bunny_like")->make((const double[SHAPE_PARAMETERS]){4}, mesh);
}

static void expect_failure(int status, const char *message) {
    cr_expect_eq(status, STATUS_BAD);
    cr_expect(strstr(failure_text(), message), "\"%s\" is not in: %s", message, failure_text());
    failure_clear();
}

Test(reduce, gts_hits_exact_counts_and_keeps_the_volume) {
    static const struct {
        struct mesh_target target;
        int vertices;
    } table[] = {{{.vertices = 1001}, 1001}, {{.edges = 1500}, 502}, {{.triangles = 1002}, 503}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct mesh mesh;
        shape_icosphere(4, &mesh);
        cr_assert_eq(mesh_reduce(&mesh, &table[k].target, REDUCER_GTS, "m"), STATUS_OK, "%s", failure_text());
        const int v = table[k].vertices;
        expect_counts(&mesh, v, 3 * v - 6, 2 * v - 4, 2, 0, 0);
        cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "m"), STATUS_OK, "%s", failure_text());
        const double ratio = volume_of(&mesh) / sphere_volume;
        cr_expect(ratio > 0.99 && ratio < 1.01, "%g", ratio);
        mesh_free(&mesh);
    }
}

/* Many edges of an icosphere have equal costs. Their order must not depend on addresses, so mesh_reduce orders them by
 * a hash of positions. The test makes and reduces the same mesh four times. Memory that is allocated in between makes
 * the addresses differ. */
Test(reduce, the_bytes_do_not_follow_addresses) {
    char first[CHECKSUM_SIZE], sum[CHECKSUM_SIZE];
    void *between[64] = {NULL};
    for (int round = 0; round < 4; ++round) {
        struct mesh mesh;
        shape_icosphere(3, &mesh);
        cr_assert_eq(mesh_reduce(&mesh, &(struct mesh_target){.vertices = 200}, REDUCER_GTS, "m"), STATUS_OK);
        mesh_checksum(&mesh, sum);
        if (round == 0)
            memcpy(first, sum, sizeof sum);
        cr_expect_str_eq(sum, first);
        mesh_free(&mesh);
        for (int k = 0; k < 16; ++k)
            between[16 * round + k] = memory_new(100 + 37 * (size_t)k * ((size_t)round + 1), 8);
    }
    for (int k = 0; k < 64; ++k)
        free(between[k]);
}

Test(reduce, an_open_surface_gets_the_border_that_its_counts_need) {
    struct mesh mesh;
    body(&mesh);
    const double at[3] = {0.5, 0, 0.5};
    cr_assert_eq(hole_cut(&mesh, at, 40, "m"), STATUS_OK, "%s", failure_text());
    cr_assert_eq(mesh_reduce(&mesh, &(struct mesh_target){.vertices = 800, .triangles = 1580}, REDUCER_GTS, "m"),
                 STATUS_OK, "%s", failure_text());
    expect_counts(&mesh, 800, 2379, 1580, 1, 1, 0); /* 18 border edges */
    mesh_free(&mesh);
}

Test(reduce, meshoptimizer_comes_near_and_keeps_vertices) {
    struct mesh mesh;
    body(&mesh);
    cr_assert_eq(mesh_reduce(&mesh, &(struct mesh_target){.triangles = 1000}, REDUCER_MESHOPTIMIZER, "m"), STATUS_OK);
    cr_expect(mesh.triangles <= 1000 && mesh.triangles > 900, "%d", mesh.triangles);
    cr_expect_eq(mesh_check(&mesh, MESH_ALL_USED | MESH_NO_DEGENERATE, "m"), STATUS_OK, "%s", failure_text());
    mesh_free(&mesh);
}

Test(reduce, what_cannot_be_is_said) {
    struct mesh mesh;
    shape_icosphere(2, &mesh); /* 162 vertices */
    char before[CHECKSUM_SIZE], after[CHECKSUM_SIZE];
    mesh_checksum(&mesh, before);
    static const struct {
        struct mesh_target target;
        enum reducer by;
        const char *message;
    } table[] = {
        {{.vertices = 0}, REDUCER_GTS, "the target of the reduction is missing"},
        {{.vertices = 163}, REDUCER_GTS, "the target must not have more"},
        {{.edges = 100}, REDUCER_GTS, "other counts are impossible"},
        {{.triangles = 101}, REDUCER_GTS, "other counts are impossible"},
        {{.vertices = 100, .triangles = 200}, REDUCER_GTS, "100 vertices need 294 edges and 196 triangles"},
        {{.vertices = 100}, REDUCER_MESHOPTIMIZER, "for meshoptimizer the target can only be a number of triangles"}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
        expect_failure(mesh_reduce(&mesh, &table[k].target, table[k].by, "m"), table[k].message);
    cr_expect_eq(mesh_reduce(&mesh, &(struct mesh_target){.vertices = 162}, REDUCER_GTS, "m"), STATUS_OK);
    mesh_checksum(&mesh, after);
    cr_expect_str_eq(before, after, "the mesh was changed");
    const int held = mesh.corner[0][0];
    mesh.corner[0][0] = mesh.corner[0][1];
    mesh.corner[0][1] = held;
    expect_failure(mesh_reduce(&mesh, &(struct mesh_target){.vertices = 100}, REDUCER_GTS, "m"),
                   "add the step `orient` before `reduce`");
    mesh_free(&mesh);
    struct mesh empty = {.vertices = 0};
    expect_failure(mesh_reduce(&empty, &(struct mesh_target){.vertices = 4}, REDUCER_GTS, "m"), "no triangles");
    expect_failure(hole_cut(&empty, (const double[3]){0, 0, 0}, 3, "m"), "no triangles");
    expect_failure(holes_close(&empty, "m"), "no consistently oriented surface is left");
}

/* ---- Holes ---- */

Test(hole, has_the_sides_that_were_asked_and_closes_again) {
    for (int sides = 3; sides < 40; sides += 4) {
        struct mesh mesh;
        shape_icosphere(3, &mesh);
        const double at[3] = {0.3, 0, 0.5};
        cr_assert_eq(hole_cut(&mesh, at, sides, "m"), STATUS_OK, "%s", failure_text());
        long count[MESH_COUNTS];
        mesh_count(&mesh, false, count);
        cr_expect_eq(count[MESH_LOOPS], 1);
        cr_expect_eq(count[MESH_EULER], 1);
        cr_expect_eq(2 * count[MESH_EDGES] - 3 * count[MESH_TRIANGLES], sides);
        cr_expect_eq(mesh_check(&mesh, MESH_MANIFOLD | MESH_ORIENTED | MESH_ALL_USED, "m"), STATUS_OK, "%s",
                     failure_text());
        const int vertices = mesh.vertices;
        cr_assert_eq(holes_close(&mesh, "m"), STATUS_OK, "%s", failure_text());
        expect_counts(&mesh, vertices, 3 * vertices - 6, 2 * vertices - 4, 2, 0, 0);
        cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "m"), STATUS_OK, "%s", failure_text());
        mesh_free(&mesh);
    }
}

Test(hole, does_not_touch_another) {
    struct mesh mesh;
    shape_icosphere(1, &mesh);
    const double at[3] = {0.5, 0, 0.5};
    cr_assert_eq(hole_cut(&mesh, at, 6, "m"), STATUS_OK);
    char before[CHECKSUM_SIZE], after[CHECKSUM_SIZE];
    mesh_checksum(&mesh, before);
    expect_failure(hole_cut(&mesh, at, 30, "m"),
                   "a hole of 30 sides does not fit at the fractions (0.5, 0, 0.5) of the bounding");
    mesh_checksum(&mesh, after);
    cr_expect_str_eq(before, after, "the mesh was changed");
    cr_assert_eq(hole_cut(&mesh, at, 3, "m"), STATUS_OK);
    long count[MESH_COUNTS];
    mesh_count(&mesh, false, count);
    cr_expect_eq(count[MESH_LOOPS], 2);
    expect_failure(hole_cut(&mesh, at, 2, "m"), "at least 3");
    mesh_free(&mesh);
}

/* The first triangles of two spheres have the same corners, so each of three edges has four triangles. Without the
 * triangles at these edges, two parts remain. holes_close removes the smaller part. */
Test(hole, what_is_no_surface_leaves_and_the_largest_part_is_closed) {
    struct mesh a, b, both;
    shape_icosphere(2, &a);
    shape_icosphere(1, &b);
    mesh_create(&both, a.vertices + b.vertices, a.triangles + b.triangles);
    memcpy(both.position, a.position, (size_t)a.vertices * sizeof *a.position);
    memcpy(both.position + a.vertices, b.position, (size_t)b.vertices * sizeof *b.position);
    memcpy(both.corner, a.corner, (size_t)a.triangles * sizeof *a.corner);
    for (int t = 0; t < b.triangles; ++t)
        for (int k = 0; k < 3; ++k) {
            int v = a.vertices + b.corner[t][k];
            for (int m = 0; m < 3; ++m) /* the corners of b's first triangle become those of a's first triangle */
                v = b.corner[t][k] == b.corner[0][m] ? a.corner[0][m] : v;
            both.corner[a.triangles + t][k] = v;
        }
    cr_assert_eq(holes_close(&both, "m"), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh_check(&both, MESH_SOLID, "m"), STATUS_OK, "%s", failure_text());
    cr_expect(both.vertices <= a.vertices && both.vertices > a.vertices - 12, "%d", both.vertices);
    mesh_free(&a);
    mesh_free(&b);
    mesh_free(&both);
}

Test(hole, mending_leaves_nothing_that_crosses) {
    struct mesh mesh;
    shape_icosphere(3, &mesh);
    const int v = mesh.corner[200][0];
    for (int c = 0; c < 3; ++c) /* a spike through the opposite side */
        mesh.position[v][c] *= -1.2;
    cr_assert_gt(mesh_intersections(&mesh, NULL), 0);
    expect_failure(holes_mend(&mesh, 0, "m"), "pairs of triangles still intersect");
    cr_assert_eq(holes_mend(&mesh, 4, "m"), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh_intersections(&mesh, NULL), 0);
    cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "m"), STATUS_OK, "%s", failure_text());
    mesh_free(&mesh);
}

/* ---- Crossings ---- */

/* Each case has two triangles. The corners of the first triangle are (0,0,0), (1,0,0) and (0,1,0). */
Test(crossing, of_pairs) {
    static const struct {
        const char *what;
        double second[3][3];
        int shared; /* the first `shared` corners of the second triangle are vertices of the first triangle */
        int crossings;
    } table[] = {
        {"apart", {{0, 0, 1}, {1, 0, 1}, {0, 1, 1}}, 0, 0},
        {"through", {{0.2, 0.2, -1}, {0.2, 0.2, 1}, {0.3, 0.3, 1}}, 0, 1},
        {"through the plane, outside the face", {{0.8, 0.8, -1}, {0.8, 0.8, 1}, {0.9, 0.9, 1}}, 0, 0},
        {"a corner in the face", {{0.2, 0.2, 0}, {0.2, 0.2, 1}, {0.3, 0.3, 1}}, 0, 1},
        {"in the plane, apart", {{2, 0, 0}, {3, 0, 0}, {2, 1, 0}}, 0, 0},
        {"in the plane, across", {{0.2, 0.2, 0}, {3, 0, 0}, {3, 1, 0}}, 0, 1},
        {"in the plane, inside", {{0.2, 0.2, 0}, {0.3, 0.2, 0}, {0.2, 0.3, 0}}, 0, 1},
        {"in the plane, around", {{-1, -1, 0}, {5, -1, 0}, {-1, 5, 0}}, 0, 1},
        {"a corner shared, away", {{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}, 1, 0},
        {"a corner shared, through", {{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}, 1, 1},
        {"a corner shared, in the plane, away", {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}, 1, 0},
        {"a corner shared, in the plane, over", {{0, 0, 0}, {2, 0.5, 0}, {0.5, 2, 0}}, 1, 1},
        {"a side shared, upright", {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}}, 2, 0},
        {"a side shared, flat", {{0, 0, 0}, {1, 0, 0}, {0.5, -1, 0}}, 2, 0},
        {"a side shared, folded", {{0, 0, 0}, {1, 0, 0}, {0.5, 0.1, 0}}, 2, 1},
        {"the same", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 3, 1},
        {"the same place", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, 0, 1},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k)
        for (int turned = 0; turned < 6; ++turned) { /* each cyclic permutation of the axes, both orders of triangles */
            struct mesh mesh;
            mesh_create(&mesh, 6, 2);
            const double first[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
            for (int v = 0; v < 6; ++v)
                for (int c = 0; c < 3; ++c)
                    mesh.position[v][(c + turned) % 3] = v < 3 ? first[v][c] : table[k].second[v - 3][c];
            for (int m = 0; m < 3; ++m) {
                mesh.corner[turned / 3][m] = m;
                mesh.corner[1 - turned / 3][m] = m < table[k].shared ? m : 3 + m;
            }
            bool marked[2];
            cr_expect_eq(mesh_intersections(&mesh, marked), table[k].crossings, "%s", table[k].what);
            cr_expect(marked[0] == (table[k].crossings > 0) && marked[1] == marked[0], "%s", table[k].what);
            mesh_free(&mesh);
        }
}
