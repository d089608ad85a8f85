#include "mesh/check.h"
#include "mesh/edges.h"
#include "mesh/mesh.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"
#include "shapes.h"
#include "support.h"

#include <math.h>
#include <stdint.h>

/* Make polygons from the text of an OFF file. mesh_from makes a mesh from such a text. */
static void polygons_from(const char *off, struct polygons *polygons) {
    failure_clear();
    cr_assert_eq(mesh_parse("test.off", off, strlen(off), polygons), STATUS_OK, "%s", failure_text());
}

static void mesh_from(const char *off, struct mesh *mesh) {
    struct polygons polygons;
    polygons_from(off, &polygons);
    cr_assert_eq(polygons_triangulate(&polygons, "test", mesh), STATUS_OK);
    polygons_free(&polygons);
}

static void mesh_of(const double (*position)[3], int vertices, const int (*corner)[3], int triangles,
                    struct mesh *mesh) {
    mesh_create(mesh, vertices, triangles);
    memcpy(mesh->position, position, (size_t)vertices * sizeof *position);
    memcpy(mesh->corner, corner, (size_t)triangles * sizeof *corner);
}

#define CUBE_VERTICES "0 0 0\n0 1 0\n1 1 0\n1 0 0\n0 0 1\n1 0 1\n1 1 1\n0 1 1\n"
#define CUBE_FACES    "4 0 1 2 3\n4 4 5 6 7\n4 0 3 5 4\n4 3 2 6 5\n4 2 1 7 6\n4 1 0 4 7\n"
static const char cube_off[] = "OFF\n8 6 0\n" CUBE_VERTICES CUBE_FACES;
static const char tetrahedron_off[] = "OFF\n4 4 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n";

static double volume_of(const struct mesh *mesh) {
    double six = 0;
    for (int t = 0; t < mesh->triangles; ++t)
        six += triangle_volume_six(mesh, t, (double[3]){0, 0, 0});
    return six / 6;
}

static void expect_corner(const struct mesh *mesh, int triangle, int a, int b, int c) {
    const int *corner = mesh->corner[triangle];
    cr_expect(corner[0] == a && corner[1] == b && corner[2] == c, "triangle %d is %d %d %d, not %d %d %d", triangle,
              corner[0], corner[1], corner[2], a, b, c);
}

static void expect_said(const char *expected) {
    cr_expect_str_eq(failure_text(), expected);
    failure_clear();
}

/* The next pseudorandom number, at least 0 and below 1. The numbers are the same on every machine. */
static double number_next(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 40) / (1 << 24);
}

Test(repair, equal_vertices_become_one) {
    static const double position[][3] = {{1, 2, 3}, {0, 0, 0}, {5, 5, 5}, {-0.0, 0, -0.0}, {1, 2, 3}, {0, 0, 1e-320}};
    static const int corner[][3] = {{0, 1, 2}, {4, 3, 5}, {1, 3, 5}};
    struct mesh mesh;
    mesh_of(position, 6, corner, 3, &mesh);
    cr_expect_eq(mesh_weld(&mesh, 0), 2);
    cr_expect_eq(mesh.vertices, 4);
    cr_expect(mesh.position[3][2] == 1e-320);
    expect_corner(&mesh, 0, 0, 1, 2);
    expect_corner(&mesh, 1, 0, 1, 3);
    expect_corner(&mesh, 2, 1, 1, 3);
    cr_expect_eq(mesh_weld(&mesh, 0), 0);
    mesh_free(&mesh);
}

Test(repair, near_vertices_join_the_lowest_one_that_stands_for_itself) {
    static const double position[][3] = {{-0.1, 0, 0}, {0.5, 0, 0}, {1.1, 0, 0}, {1.9, 0, 0}, {2.1, 0, 0}};
    int one_with[5];
    cr_expect_eq(weld_find(5, position, 1, one_with), 3);
    static const int expected[5] = {0, 0, 2, 2, 2};
    cr_expect_arr_eq(one_with, expected, sizeof expected);
}

/* weld_find, which searches in a grid, joins the same vertices as a comparison of all pairs. */
Test(repair, welding_by_distance_is_as_defined) {
    enum { POINTS = 400 };
    static double position[POINTS][3];
    uint64_t seed = 1;
    for (int v = 0; v < POINTS; ++v)
        for (int k = 0; k < 3; ++k)
            position[v][k] = 2 * number_next(&seed) - 1;
    static const double distances[] = {1e-9, 0.01, 0.1, 0.5, 3, 1e200};
    int least = POINTS, most = 0;
    for (size_t d = 0; d < sizeof distances / sizeof *distances; ++d) {
        int one_with[POINTS], expected[POINTS], joined = 0;
        for (int v = 0; v < POINTS; ++v) {
            expected[v] = v;
            for (int other = v - 1; other >= 0; --other) {
                double square = 0;
                for (int k = 0; k < 3; ++k)
                    square += (position[other][k] - position[v][k]) * (position[other][k] - position[v][k]);
                if (expected[other] == other && square <= distances[d] * distances[d])
                    expected[v] = other;
            }
            joined += expected[v] != v;
        }
        cr_expect_eq(weld_find(POINTS, (const double(*)[3])position, distances[d], one_with), joined);
        cr_expect_arr_eq(one_with, expected, sizeof expected, "distance %g", distances[d]);
        least = joined < least ? joined : least;
        most = joined > most ? joined : most;
    }
    cr_expect_eq(least, 0);
    cr_expect_eq(most, POINTS - 1);
}

Test(repair, triangles_without_area_go_only_where_asked) {
    static const double position[][3] = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {1e-200, 0, 0}, {0, 1e-200, 0}};
    static const int corner[][3] = {{0, 1, 1}, {0, 1, 2}, {0, 3, 4}, {2, 0, 2}};
    struct mesh mesh;
    mesh_of(position, 5, corner, 4, &mesh);
    cr_expect_eq(mesh_drop_degenerate(&mesh, false), 2);
    expect_corner(&mesh, 0, 0, 1, 2);
    expect_corner(&mesh, 1, 0, 3, 4);
    cr_expect_eq(mesh_drop_degenerate(&mesh, true), 1);
    cr_expect_eq(mesh.triangles, 1);
    expect_corner(&mesh, 0, 0, 3, 4); /* small, but not flat */
    mesh_free(&mesh);
}

Test(repair, of_duplicates_the_first_stays) {
    static const double position[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int corner[][3] = {{2, 0, 1}, {0, 1, 3}, {0, 1, 2}, {1, 0, 3}, {1, 2, 3}, {2, 1, 0}};
    struct mesh mesh;
    mesh_of(position, 4, corner, 6, &mesh);
    cr_expect_eq(mesh_check(&mesh, MESH_NO_DUPLICATES, "m"), STATUS_BAD);
    expect_said("m: 3 triangles with the same corners as an earlier one, the first is triangle 2; for a body, "
                "`body.surface.clean: [drop_duplicates]` removes them");
    cr_expect_eq(mesh_drop_duplicates(&mesh), 3);
    expect_corner(&mesh, 0, 2, 0, 1);
    expect_corner(&mesh, 1, 0, 1, 3);
    expect_corner(&mesh, 2, 1, 2, 3);
    mesh_free(&mesh);
}

Test(repair, loose_vertices_are_added_and_dropped) {
    struct mesh mesh;
    char before[33], after[33];
    shape_cube(1, &mesh);
    mesh_hash(&mesh, before);
    mesh_add_loose(&mesh, 19);
    cr_assert_eq(mesh.vertices, 8 + 19);
    for (int v = 8; v < mesh.vertices; ++v)
        cr_expect_arr_eq(mesh.position[v], mesh.position[v - 8], sizeof *mesh.position);
    cr_expect_eq(mesh_check(&mesh, MESH_ALL_USED, "m"), STATUS_BAD);
    cr_expect_eq(mesh_drop_unused(&mesh), 19);
    mesh_hash(&mesh, after);
    cr_expect_str_eq(after, before);
    mesh_free(&mesh);
}

Test(repair, the_largest_part_stays) {
    /* Three parts have 1, 2 and 2 triangles. The two triangles of a part share only one vertex. The two largest parts
     * are equally large. The part with vertex 3 is kept, because its lowest vertex is below 7, the lowest vertex of the
     * other part. Vertex 5 has no triangle. */
    static const double position[14][3] = {{0}};
    static const int corner[][3] = {{0, 1, 2}, {9, 8, 7}, {3, 4, 6}, {7, 10, 11}, {6, 12, 13}};
    struct mesh mesh;
    mesh_of(position, 14, corner, 5, &mesh);
    for (int v = 0; v < 14; ++v)
        mesh.position[v][0] = v;
    cr_expect_eq(mesh_keep_largest(&mesh), 3);
    cr_expect_eq(mesh.vertices, 6);
    cr_expect_eq(mesh.triangles, 2);
    expect_corner(&mesh, 0, 0, 1, 3);
    expect_corner(&mesh, 1, 3, 4, 5);
    cr_expect(mesh.position[2][0] == 5 && mesh.position[5][0] == 13);
    cr_expect_eq(mesh_drop_unused(&mesh), 1);
    cr_expect_eq(mesh_drop_unused(&mesh), 0);
    expect_corner(&mesh, 0, 0, 1, 2);
    cr_expect(mesh.position[2][0] == 6);
    mesh_free(&mesh);
}

Test(repair, closed_parts_are_oriented_outward) {
    for (unsigned turned = 0; turned < 1 << 12; turned += 7) {
        struct mesh mesh;
        int count;
        mesh_from(cube_off, &mesh);
        cr_assert_eq(mesh.triangles, 12);
        for (int t = 0; t < 12; ++t)
            if (turned >> t & 1) {
                const int held = mesh.corner[t][0];
                mesh.corner[t][0] = mesh.corner[t][1];
                mesh.corner[t][1] = held;
            }
        failure_clear();
        cr_assert_eq(mesh_orient(&mesh, "cube", &count), STATUS_OK, "%s", failure_text());
        cr_expect_eq(count, __builtin_popcount(turned));
        cr_expect_float_eq(volume_of(&mesh), 1, 1e-12);
        cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "cube"), STATUS_OK, "%s", failure_text());
        cr_expect_eq(mesh_orient(&mesh, "cube", &count), STATUS_OK);
        cr_expect_eq(count, 0);
        mesh_free(&mesh);
    }
}

Test(repair, parts_that_share_an_edge_are_oriented_separately) {
    /* Two tetrahedra share the edge from 0 to 1. The second tetrahedron is inside out. */
    struct mesh mesh;
    int count;
    mesh_from("OFF\n6 8 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n-1 0 0\n0 0 -1\n"
              "3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n3 0 4 1\n3 0 5 4\n3 0 1 5\n3 1 4 5\n",
              &mesh);
    cr_expect_float_eq(volume_of(&mesh), 0, 1e-12);
    cr_expect_eq(mesh_orient(&mesh, "two", &count), STATUS_OK);
    cr_expect_eq(count, 4);
    cr_expect_float_eq(volume_of(&mesh), 1.0 / 3, 1e-12);
    expect_corner(&mesh, 0, 0, 1, 2);
    expect_corner(&mesh, 4, 0, 1, 4);
    mesh_free(&mesh);
}

Test(repair, an_edge_of_three_does_not_close_a_part) {
    /* Three cones share one rim, whose edges have three triangles and therefore join no parts. The second cone has the
     * opposite orientation. Each cone is consistent, so no triangle is flipped. */
    struct mesh mesh;
    int count;
    mesh_from("OFF\n6 9 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 0 2\n0 0 3\n"
              "3 0 1 3\n3 1 2 3\n3 2 0 3\n3 1 0 4\n3 2 1 4\n3 0 2 4\n3 0 1 5\n3 1 2 5\n3 2 0 5\n",
              &mesh);
    cr_expect_eq(mesh_orient(&mesh, "cones", &count), STATUS_OK);
    cr_expect_eq(count, 0);
    mesh_free(&mesh);
}

Test(repair, open_parts_go_as_most_of_them_do) {
    struct mesh mesh;
    int count;
    mesh_from("OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n3 0 2 1\n3 1 3 2\n3 2 3 4\n", &mesh);
    cr_expect_eq(mesh_check(&mesh, MESH_ORIENTED, "strip"), STATUS_BAD);
    expect_said("strip: the triangles of 1 edge have opposite orientations, the first two are triangles 0 and 1; "
                "for a body, `body.surface.clean: [orient]` orients them consistently");
    cr_expect_eq(mesh_orient(&mesh, "strip", &count), STATUS_OK);
    cr_expect_eq(count, 1);
    expect_corner(&mesh, 0, 0, 1, 2);
    expect_corner(&mesh, 1, 1, 3, 2);
    mesh_free(&mesh);
    mesh_from("OFF\n4 2 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 2 1\n3 1 3 2\n", &mesh);
    cr_expect_eq(mesh_orient(&mesh, "pair", &count), STATUS_OK);
    expect_corner(&mesh, 0, 0, 2, 1);
    expect_corner(&mesh, 1, 1, 2, 3);
    mesh_free(&mesh);
}

Test(repair, what_cannot_be_oriented_stays_as_it_was) {
    static const char moebius[] = "OFF\n5 5 0\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 1\n"
                                  "3 0 1 2\n3 1 2 3\n3 2 3 4\n3 3 4 0\n3 4 0 1\n";
    struct mesh mesh;
    char before[33], after[33];
    int count = 0;
    mesh_from(moebius, &mesh);
    mesh_hash(&mesh, before);
    cr_expect_eq(mesh_orient(&mesh, "band", &count), STATUS_BAD);
    cr_expect(strstr(failure_text(), "band: the surface is not orientable: the orientations of triangles "));
    mesh_hash(&mesh, after);
    cr_expect_str_eq(before, after);
    mesh.corner[3][1] = mesh.corner[3][0];
    failure_clear();
    cr_expect_eq(mesh_orient(&mesh, "band", &count), STATUS_BAD);
    expect_said("band: triangle 3 has equal corners, so it cannot be oriented; first remove it by "
                "`body.surface.clean: [drop_degenerate]`, or by the step weld in data/meshes.yaml");
    mesh_free(&mesh);
}

Test(repair, meshes_are_scaled_moved_and_rotated) {
    static const double position[][3] = {{1, 2, 3}, {3, 3, 7}, {2, 2, 4}};
    static const int corner[][3] = {{0, 1, 2}};
    struct mesh mesh;
    double low[3], high[3];
    mesh_of(position, 3, corner, 1, &mesh);
    mesh_centre(&mesh);
    cr_expect(mesh.position[0][0] == -1 && mesh.position[0][1] == -0.5 && mesh.position[1][2] == 2);
    cr_expect_eq(mesh_scale(&mesh, 1, "m"), STATUS_OK);
    mesh_box(&mesh, low, high);
    cr_expect(high[0] - low[0] == 0.5 && high[1] - low[1] == 0.25 && high[2] - low[2] == 1);
    mesh_scale_by(&mesh, 4);
    mesh_move(&mesh, (const double[3]){2, 2.5, 5});
    for (int k = 0; k < 9; ++k)
        cr_expect(mesh.position[k / 3][k % 3] == position[k / 3][k % 3]);

    mesh_rotate(&mesh, 2, 1); /* by 90 degrees about z: the x axis becomes the y axis */
    cr_expect(mesh.position[0][0] == -2 && mesh.position[0][1] == 1 && mesh.position[0][2] == 3);
    mesh_rotate(&mesh, 2, -1);
    mesh_rotate(&mesh, 0, 5); /* by 5 * 90 degrees about x: the y axis becomes the z axis */
    cr_expect(mesh.position[0][0] == 1 && mesh.position[0][1] == -3 && mesh.position[0][2] == 2);
    mesh_rotate(&mesh, 0, 3);
    mesh_rotate(&mesh, 1, 2);
    cr_expect(mesh.position[0][0] == -1 && mesh.position[0][1] == 2 && mesh.position[0][2] == -3);

    static const double bad[] = {0, -1, (double)NAN, (double)INFINITY};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; ++k)
        cr_expect_eq(mesh_scale(&mesh, bad[k], "m"), STATUS_BAD);
    failure_clear();
    mesh_scale_by(&mesh, 0);
    cr_expect_eq(mesh_scale(&mesh, 1, "m"), STATUS_BAD);
    expect_said("m: the longest side is 0, which cannot be scaled to 1 m");
    mesh_free(&mesh);
}

Test(check, what_is_missing_is_said_and_nothing_else) {
    static const struct {
        const char *off;
        unsigned requirements;
        const char *expected;
    } table[] = {
        {cube_off, MESH_SOLID, ""},
        {tetrahedron_off, MESH_SOLID, ""},
        {"OFF\n4 3 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n", MESH_SOLID,
         "m: open along 3 edges in 1 loop, the first at vertex 1; use a closed surface"},
        {"OFF\n4 3 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n", MESH_POSITIVE_VOLUME,
         "m: the surface is open, so it has no volume"},
        {"OFF\n8 4 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n-0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 3 1\n3 5 7 6\n",
         MESH_CLOSED,
         "m: open along 6 edges in 2 loops, the first at vertex 1; use a closed surface\nm: 4 vertices have the same "
         "position as another vertex; for a body, `body.surface.clean: [weld]` joins them, which may close the "
         "surface"},
        {"OFF\n4 4 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 2 1\n3 0 3 2\n3 0 1 3\n3 1 2 3\n", MESH_SOLID,
         "m: the volume is -0.166667 m^3; the surface is oriented inward; `body.surface.clean: [orient]` orients it "
         "outward"},
        {"OFF\n5 4 0\n0 0 0\n9 9 9\n0 1 0\n1 0 0\n0 0 1\n3 0 2 3\n3 0 3 4\n3 0 4 2\n3 2 4 3\n", MESH_SOLID,
         "m: 1 vertex belongs to no triangle, the first is vertex 1; for a body, `body.surface.clean: [drop_unused]` "
         "removes "
         "them"},
        {"OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 -1 0\n3 0 1 2\n3 0 1 3\n3 0 1 4\n", MESH_MANIFOLD,
         "m: not a manifold: 1 edge with more than two triangles, the first from vertex 0 to 1, with 3 triangles"},
        {"OFF\n7 8 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n0 -1 0\n-1 0 0\n0 0 -1\n"
         "3 0 1 2\n3 0 2 3\n3 0 3 1\n3 1 3 2\n3 0 5 4\n3 0 6 5\n3 0 4 6\n3 4 5 6\n",
         MESH_MANIFOLD | MESH_CLOSED,
         "m: not a manifold: parts of the surface touch only in a vertex, at 1 vertex; the first is vertex 0, with 2 "
         "fans "
         "of triangles"},
        {"OFF\n4 5 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 1 2 1\n3 0 3 1\n3 1 3 2\n", MESH_SOLID,
         "m: 1 triangle with equal corners and 0 without area, the first is triangle 2; for a body, "
         "`body.surface.clean: [drop_degenerate]` removes them"},
        {"OFF\n3 1 0\n0 0 0\n1 0 0\n2 0 0\n3 0 1 2\n", MESH_NO_DEGENERATE | MESH_ALL_USED,
         "m: 0 triangles with equal corners and 1 without area, the first is triangle 0; for a body, "
         "`body.surface.clean: [drop_degenerate]` removes them"},
        {"OFF\n4 4 0\n0 0 0\n0 1 0\n1 0 0\n0 0 1\n3 0 1 2\n3 0 2 3\n3 0 1 3\n3 1 3 2\n", MESH_ORIENTED,
         "m: the triangles of 3 edges have opposite orientations, the first two are triangles 0 and 2; for a body, "
         "`body.surface.clean: [orient]` orients them consistently"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct mesh mesh;
        mesh_from(table[k].off, &mesh);
        cr_expect_eq(mesh_check(&mesh, table[k].requirements, "m"), table[k].expected[0] ? STATUS_BAD : STATUS_OK);
        cr_expect_str_eq(failure_text(), table[k].expected, "for the file\n%s", table[k].off);
        cr_expect_eq(mesh_check(&mesh, 0, "m"), STATUS_OK);
        mesh_free(&mesh);
    }
    failure_clear();
}

Test(check, holes_that_touch_are_counted_each) {
    /* A square of 3 x 3 squares without the squares 0 and 4, which share only vertex 5. */
    struct mesh mesh;
    char *off = text_copy("OFF\n16 7 0\n");
    for (int stage = 0; stage < 2; ++stage)
        for (int k = 0; k < (stage ? 9 : 16); ++k) {
            const int corner = k / 3 * 4 + k % 3;
            char *more = NULL;
            if (stage == 0)
                more = text_format("%s%d %d 0\n", off, k % 4, k / 4);
            else if (k != 4 && k != 0)
                more = text_format("%s4 %d %d %d %d\n", off, corner, corner + 1, corner + 5, corner + 4);
            if (!more)
                continue;
            free(off);
            off = more;
        }
    mesh_from(off, &mesh);
    cr_expect_eq(mesh_check(&mesh, MESH_CLOSED, "m"), STATUS_BAD);
    expect_said("m: open along 16 edges in 2 loops, the first at vertex 1; use a closed surface");
    mesh_free(&mesh);
    free(off);
}

Test(subdivide, a_cube_becomes_round) {
    struct polygons cube, once, twice;
    struct mesh mesh;
    polygons_from(cube_off, &cube);
    cr_assert_eq(polygons_catmull_clark(&cube, "cube", &once), STATUS_OK);
    cr_expect_eq(once.vertices, 8 + 12 + 6);
    cr_expect_eq(once.faces, 24);
    /* Catmull-Clark's rule for a vertex P of n edges: (F + 2 R + (n - 3) P) / n, with the means F of the face points
     * and R of the edge midpoints. */
    for (int k = 0; k < 3; ++k) {
        cr_expect_float_eq(once.position[0][k], 2.0 / 9, 1e-15);              /* n = 3: (1/3 + 2/6 + 0) / 3 */
        cr_expect_float_eq(once.position[6][k], 7.0 / 9, 1e-15);              /* the corner opposite to vertex 0 */
        cr_expect_float_eq(once.position[8][k], k == 1 ? 0.5 : 0.125, 1e-15); /* the point of the edge from 0 to 1 */
        cr_expect_float_eq(once.position[20][k], k == 2 ? 0 : 0.5, 1e-15);    /* the point of the first face */
    }
    const int first[4] = {0, 8, 20, 9}; /* vertex 0, and the points of edge 0 1, of face 0 and of edge 0 3 */
    cr_expect_arr_eq(once.corner, first, sizeof first);
    cr_assert_eq(polygons_catmull_clark(&once, "cube", &twice), STATUS_OK);
    cr_expect_eq(twice.vertices, 98);
    cr_assert_eq(polygons_triangulate(&twice, "cube", &mesh), STATUS_OK);
    cr_expect_eq(mesh.triangles, 192);
    cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "cube"), STATUS_OK, "%s", failure_text());
    polygons_free(&cube);
    polygons_free(&once);
    polygons_free(&twice);
    mesh_free(&mesh);
}

Test(subdivide, regular_vertices_and_boundaries_follow_the_spline) {
    /* 2 x 2 squares with sides of 8, the centre vertex raised by 64. In a bicubic spline the weight of the vertex
     * itself is 36/64 inside and 6/8 on a boundary. */
    struct polygons sheet, finer;
    polygons_from("OFF\n9 4 0\n0 0 0\n8 0 0\n16 0 0\n0 8 0\n8 8 64\n16 8 0\n0 16 0\n8 16 0\n16 16 0\n"
                  "4 0 1 4 3\n4 1 2 5 4\n4 3 4 7 6\n4 4 5 8 7\n",
                  &sheet);
    cr_assert_eq(polygons_catmull_clark(&sheet, "sheet", &finer), STATUS_OK);
    static const double expected[9][3] = {{1, 1, 0},  {8, 0, 0},  {15, 1, 0}, {0, 8, 0},  {8, 8, 36},
                                          {16, 8, 0}, {1, 15, 0}, {8, 16, 0}, {15, 15, 0}};
    for (int v = 0; v < 9; ++v)
        for (int k = 0; k < 3; ++k)
            cr_expect(finer.position[v][k] == expected[v][k], "vertex %d: %g", v, finer.position[v][k]);
    cr_expect(finer.position[9][0] == 4 && finer.position[9][1] == 0 && finer.position[9][2] == 0);
    cr_expect_eq(finer.vertices, 25);
    int inner = 0; /* the points of edges at the centre vertex, with the height (64 + 0 + 16 + 16) / 4 */
    for (int v = 9; v < 21; ++v)
        inner += finer.position[v][2] == 24;
    cr_expect_eq(inner, 4);
    polygons_free(&sheet);
    polygons_free(&finer);
}

Test(subdivide, what_cannot_be_subdivided_says_why) {
    static const struct {
        const char *off, *expected;
    } table[] = {
        {"OFF\n5 3 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 -1 0\n3 0 1 2\n3 0 1 3\n3 0 1 4\n",
         "m: 3 faces share the edge from vertex 0 to 1 (counted from 0); Catmull-Clark needs one or two"},
        {"OFF\n3 2 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n4 0 1 1 2\n",
         "m: face 1 (counted from 0) has the vertex 1 twice in a row; it cannot be subdivided"},
    };
    for (size_t k = 0; k < 2; ++k) {
        struct polygons polygons, finer;
        polygons_from(table[k].off, &polygons);
        cr_expect_eq(polygons_catmull_clark(&polygons, "m", &finer), STATUS_BAD);
        expect_said(table[k].expected);
        polygons_free(&polygons);
    }
}

Test(subdivide, refined_triangles_lie_where_the_old_did) {
    struct mesh mesh;
    mesh_from(cube_off, &mesh);
    cr_assert_eq(mesh_refine(&mesh, "cube"), STATUS_OK);
    cr_expect_eq(mesh.vertices, 8 + 18);
    cr_expect_eq(mesh.triangles, 48);
    expect_corner(&mesh, 0, 0, 8, 9); /* 8 and 9: the midpoints of the edges 0 1 and 0 2 */
    cr_expect(volume_of(&mesh) == 1);
    cr_expect_eq(mesh_check(&mesh, MESH_SOLID, "cube"), STATUS_OK, "%s", failure_text());
    mesh_free(&mesh);
}
