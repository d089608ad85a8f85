/* Tests of mesh_survey with meshes whose counts and sizes are known. */
#include "mesh/survey.h"
#include "support.h"

#include <math.h>

static struct mesh mesh;
static struct mesh_survey survey;

static void tear_down(void) {
    mesh_survey_free(&survey);
    mesh_free(&mesh);
}

TestSuite(survey, .fini = tear_down);

/* ---- Meshes by formula ---- */

static void mesh_of(int vertices, const double (*position)[3], int triangles, const int (*corner)[3]) {
    tear_down();
    mesh_create(&mesh, vertices, triangles);
    memcpy(mesh.position, position, (size_t)vertices * sizeof *position);
    memcpy(mesh.corner, corner, (size_t)triangles * sizeof *corner);
    mesh_survey(&mesh, &survey);
}

#define MESH_OF(position, corner)                                                                                      \
    mesh_of(sizeof(position) / sizeof *(position), position, sizeof(corner) / sizeof *(corner), corner)

/* Append another mesh, moved by `move`, to the current mesh, and survey the result. */
static void add_mesh(int vertices, const double (*position)[3], int triangles, const int (*corner)[3],
                     const double move[3]) {
    struct mesh sum;
    mesh_create(&sum, mesh.vertices + vertices, mesh.triangles + triangles);
    memcpy(sum.position, mesh.position, (size_t)mesh.vertices * sizeof *sum.position);
    memcpy(sum.corner, mesh.corner, (size_t)mesh.triangles * sizeof *sum.corner);
    for (int v = 0; v < vertices; ++v)
        for (int k = 0; k < 3; ++k)
            sum.position[mesh.vertices + v][k] = position[v][k] + move[k];
    for (int t = 0; t < triangles; ++t)
        for (int k = 0; k < 3; ++k)
            sum.corner[mesh.triangles + t][k] = corner[t][k] + mesh.vertices;
    tear_down();
    mesh = sum;
    mesh_survey(&mesh, &survey);
}

static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int tetrahedron_faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static const double cube[8][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {1, 1, 1}};
static const int cube_faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                      {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};

/* Make and survey a sheet of columns x rows squares. `ring` joins the ends of each row, `tube` joins the ends of each
 * column. `turned` makes a Moebius strip: the last column is joined to the first in reversed order. `place` computes a
 * position from the column and the row, each as a fraction from 0 to 1. */
static void sheet(int columns, int rows, bool ring, bool tube, bool turned, void (*place)(double, double, double *)) {
    const int across = ring ? columns : columns + 1, down = tube ? rows : rows + 1;
    tear_down();
    mesh_create(&mesh, across * down, 2 * columns * rows);
    for (int v = 0; v < mesh.vertices; ++v) {
        const int column = v % across, row = v / across;
        place((double)column / columns, (double)row / rows, mesh.position[v]);
    }
    for (int s = 0; s < columns * rows; ++s) {
        int corner[4];
        for (int c = 0; c < 4; ++c) {
            const int column = s % columns + c % 2, row = (s / columns + c / 2) % down;
            const bool over = turned && column == columns;
            corner[c] = (over ? rows - row : row) * across + column % across;
        }
        memcpy(mesh.corner[2 * s], (int[3]){corner[0], corner[1], corner[3]}, sizeof *mesh.corner);
        memcpy(mesh.corner[2 * s + 1], (int[3]){corner[0], corner[3], corner[2]}, sizeof *mesh.corner);
    }
    mesh_survey(&mesh, &survey);
}

static void on_plane(double s, double t, double *out) {
    memcpy(out, (double[3]){s, t, 0}, 3 * sizeof *out);
}

static void on_torus(double s, double t, double *out) {
    const double u = 2 * M_PI * s, v = 2 * M_PI * t, r = 2 + cos(v);
    memcpy(out, (double[3]){r * cos(u), r * sin(u), sin(v)}, 3 * sizeof *out);
}

static void on_moebius_strip(double s, double t, double *out) {
    const double u = 2 * M_PI * s, r = 2 + (t - 0.5) * cos(u / 2);
    memcpy(out, (double[3]){r * cos(u), r * sin(u), (t - 0.5) * sin(u / 2)}, 3 * sizeof *out);
}

static void on_cylinder(double s, double t, double *out) {
    memcpy(out, (double[3]){cos(2 * M_PI * s), sin(2 * M_PI * s), t}, 3 * sizeof *out);
}

#define expect(name, value) cr_expect_eq(survey.name, value, #name " is %g", (double)survey.name)
#define expect_near(name, value)                                                                                       \
    cr_expect(fabs(survey.name - (value)) <= 1e-12 * fabs((double)(value)), #name " is %.17g", survey.name)

static void expect_no_faults(void) {
    expect(unused, 0);
    expect(degenerate, 0);
    expect(duplicates, 0);
    expect(non_manifold_edges, 0);
    expect(non_manifold_vertices, 0);
    expect(intersections, 0);
}

/* ---- Whole meshes ---- */

Test(survey, a_tetrahedron) {
    MESH_OF(tetrahedron, tetrahedron_faces);
    expect_no_faults();
    expect(vertices, 4);
    expect(edges, 6);
    expect(triangles, 4);
    expect(euler_characteristic, 2);
    expect(genus, 0);
    expect(components, 1);
    expect(boundary_loops, 0);
    expect(closed, true);
    expect(oriented, true);
    expect_near(volume, 1.0 / 6);
    expect_near(area, 1.5 + sqrt(3) / 2);
    expect_near(shortest_edge, 1);
    expect_near(longest_edge, sqrt(2));
    expect_near(mean_edge, (1 + sqrt(2)) / 2);
    expect_near(smallest_angle, 45);
    expect(largest_valence, 3);
    expect(valence[3], 4);
    for (int k = 0; k < 3; ++k) {
        expect(low[k], 0);
        expect(high[k], 1);
    }
}

Test(survey, what_is_inside_out_has_a_volume_below_0) {
    int turned[4][3];
    for (int t = 0; t < 4; ++t)
        for (int k = 0; k < 3; ++k)
            turned[t][k] = tetrahedron_faces[t][2 - k];
    MESH_OF(tetrahedron, turned);
    expect_near(volume, -1.0 / 6);
    expect(oriented, true);
    turned[2][0] = tetrahedron_faces[2][0]; /* only triangle 2 has the outward orientation again */
    turned[2][2] = tetrahedron_faces[2][2];
    MESH_OF(tetrahedron, turned);
    expect(oriented, false);
    expect(orientable, true);
    expect(closed, true);
    expect(genus, 0);
    cr_expect(isnan(survey.volume));
}

Test(survey, a_cube) {
    MESH_OF(cube, cube_faces);
    expect_no_faults();
    expect(edges, 18);
    expect(euler_characteristic, 2);
    expect(genus, 0);
    expect_near(volume, 1);
    expect_near(area, 6);
    expect_near(mean_edge, (12 + 6 * sqrt(2)) / 18);
    int vertices = 0, ends = 0;
    for (int n = 0; n <= survey.largest_valence; ++n) {
        vertices += survey.valence[n];
        ends += n * survey.valence[n];
    }
    cr_expect_eq(vertices, 8);
    cr_expect_eq(ends, 36);
}

Test(survey, far_from_the_origin_the_volume_stays) {
    mesh_create(&mesh, 0, 0);
    add_mesh(8, cube, 12, cube_faces, (const double[3]){1 << 20, -(1 << 21), 3 << 20});
    expect(volume, 1);
    expect_no_faults();
}

Test(survey, a_torus) {
    sheet(24, 12, true, true, false, on_torus);
    expect_no_faults();
    expect(vertices, 288);
    expect(edges, 864);
    expect(triangles, 576);
    expect(euler_characteristic, 0);
    expect(genus, 1);
    expect(closed, true);
    expect(oriented, true);
    expect(largest_valence, 6);
    expect(valence[6], 288);
    /* The volume of a torus is 2 pi R times pi r^2; here R = 2 and r = 1. */
    cr_expect_gt(survey.volume, 0.9 * 4 * M_PI * M_PI, "%g", survey.volume);
    cr_expect_lt(survey.volume, 4 * M_PI * M_PI, "%g", survey.volume);
}

Test(survey, two_parts) {
    MESH_OF(tetrahedron, tetrahedron_faces);
    add_mesh(8, cube, 12, cube_faces, (const double[3]){5, 0, 0});
    expect_no_faults();
    expect(components, 2);
    expect(euler_characteristic, 4);
    expect(genus, 0);
    expect_near(volume, 1 + 1.0 / 6);
    sheet(24, 12, true, true, false, on_torus);
    add_mesh(8, cube, 12, cube_faces, (const double[3]){5, 0, 0});
    expect(components, 2);
    expect(euler_characteristic, 2);
    expect(genus, 1);
}

/* ---- Borders ---- */

Test(survey, an_open_strip) {
    sheet(7, 2, false, false, false, on_plane);
    expect_no_faults();
    expect(euler_characteristic, 1);
    expect(boundary_loops, 1);
    expect(boundary_edges, 18);
    expect(genus, 0);
    expect(closed, false);
    expect(oriented, true);
    cr_expect(isnan(survey.volume));
    expect_near(area, 1);
}

Test(survey, a_tube_has_two_loops) {
    sheet(9, 3, true, false, false, on_cylinder);
    expect_no_faults();
    expect(euler_characteristic, 0);
    expect(boundary_loops, 2);
    expect(boundary_edges, 18);
    expect(genus, 0);
    expect(orientable, true);
}

Test(survey, a_moebius_strip_has_one_and_no_outside) {
    sheet(24, 3, true, false, true, on_moebius_strip);
    expect_no_faults();
    expect(euler_characteristic, 0);
    expect(boundary_loops, 1);
    expect(boundary_edges, 48);
    expect(oriented, false);
    expect(orientable, false);
    expect(genus, -1);
}

Test(survey, holes_that_share_a_vertex_have_one_border) {
    sheet(5, 4, false, false, false, on_plane);
    const int squares[2] = {1 * 5 + 1, 2 * 5 + 2}; /* the two squares share only vertex (2, 2) */
    int kept = 0;
    for (int t = 0; t < mesh.triangles; ++t)
        if (t / 2 != squares[0] && t / 2 != squares[1])
            memcpy(mesh.corner[kept++], mesh.corner[t], sizeof *mesh.corner);
    mesh.triangles = kept;
    mesh_survey_free(&survey);
    mesh_survey(&mesh, &survey);
    expect(non_manifold_vertices, 1);
    expect(non_manifold_edges, 0);
    expect(components, 1);
    expect(boundary_edges, 18 + 8);
    /* The first loop is the outer border, the second loop is the border of both holes. At the shared vertex, the second
     * loop continues along the triangles of one fan, from one hole to the other hole. */
    expect(boundary_loops, 2);
    expect(genus, -1);
}

/* ---- Faults ---- */

Test(survey, a_book_has_a_spine) {
    static const double position[5][3] = {{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {-1, -1, 0}};
    static const int pages[3][3] = {{0, 1, 2}, {1, 0, 3}, {0, 1, 4}};
    MESH_OF(position, pages);
    expect(non_manifold_edges, 1);
    expect(non_manifold_vertices, 0);
    expect(boundary_edges, 6);
    expect(euler_characteristic, 1);
    expect(genus, -1);
    expect(closed, false);
    expect(oriented, true);
    expect(intersections, 0);
    expect(largest_valence, 4);
}

Test(survey, two_tetrahedra_that_share_a_vertex) {
    static const double position[7][3] = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                          {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
    static const int corner[8][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3},
                                     {0, 4, 5}, {0, 6, 4}, {0, 5, 6}, {4, 6, 5}};
    MESH_OF(position, corner);
    expect(components, 1);
    expect(non_manifold_vertices, 1);
    expect(non_manifold_edges, 0);
    expect(closed, true);
    expect(genus, -1);
    expect(intersections, 0);
    expect_near(volume, 1.0 / 3);
}

Test(survey, triangles_without_area_and_triangles_twice) {
    static const double position[7][3] = {{0, 0, 0}, {1, 0, 0},       {0, 1, 0}, {0.5, 0, 0},
                                          {9, 9, 9}, {1e-9, 1e-9, 0}, {1, 1, 0}};
    static const int corner[6][3] = {{0, 1, 2}, {2, 0, 1}, {0, 2, 1}, {0, 3, 1}, {1, 1, 2}, {0, 5, 6}};
    MESH_OF(position, corner);
    expect(duplicates, 2);
    expect(degenerate, 3); /* triangle 3: on the x axis; 4: has a corner twice; 5: on a line parallel to no axis */
    expect(unused, 1);
    expect(triangles, 6);
    expect(edges, 8);
    expect(non_manifold_edges, 1 + 2);
    expect(euler_characteristic, 6 - 8 + 5);
    expect(intersections, 3); /* three equal triangles are three pairs */
    expect(shortest_edge, survey.shortest_edge);
    expect(high[0], 9);
}

Test(survey, a_mesh_of_nothing) {
    mesh_create(&mesh, 0, 0);
    mesh_survey(&mesh, &survey);
    expect_no_faults();
    expect(edges, 0);
    expect(components, 0);
    expect(closed, false);
    expect(genus, -1);
    expect(smallest_angle, 0);
    tear_down();
    mesh_create(&mesh, 3, 1); /* one triangle whose corners all are vertex 0 */
    mesh_survey(&mesh, &survey);
    expect(unused, 3);
    expect(degenerate, 1);
    expect(euler_characteristic, 0);
    expect(largest_valence, 0);
}

/* ---- Intersections ---- */

/* 1 if a triangle in the plane z = 0 intersects the triangle with these corners, otherwise 0. */
static long with_triangle(double corners[3][3]) {
    double position[6][3] = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    static const int corner[2][3] = {{0, 1, 2}, {3, 4, 5}};
    memcpy(position + 3, corners, 3 * sizeof *position);
    MESH_OF(position, corner);
    long pairs = survey.intersections;
    for (int turn = 1; turn < 6; ++turn) { /* order, orientation and scale have no effect */
        const int other[2][3] = {{3 + turn % 3, 3 + (turn + 1) % 3, 3 + (turn + 2) % 3},
                                 {turn > 2 ? 2 : 0, 1, turn > 2 ? 0 : 2}};
        for (int v = 0; v < 6; ++v)
            for (int k = 0; k < 3; ++k)
                position[v][k] *= turn == 1 ? 0x1p900 : turn == 2 ? 0x1p-1000 : 0x1p100;
        MESH_OF(position, other);
        cr_expect_eq(survey.intersections, pairs);
    }
    return pairs;
}

Test(survey, two_triangles_intersect_or_do_not) {
    static struct {
        long pairs;
        double corner[3][3]; /* of the second triangle; with_triangle has the first one */
    } cases[] = {
        {1, {{1, 1, -1}, {1, 1, 1}, {9, 9, 1}}},            /* an edge of the second pierces the first */
        {1, {{-1, 1, 0.5}, {5, 1, 0.5}, {1, 1, -1}}},       /* edges of the first pierce the second */
        {0, {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}},             /* the second is above the first */
        {0, {{1, 1, 0x1p-52}, {2, 1, 0x1p-52}, {1, 2, 1}}}, /* the second is above the first, by a tiny distance */
        {1, {{1, 1, 0}, {2, 1, 1}, {1, 2, 1}}},             /* a corner touches the inside of the first */
        {1, {{2, 0, 0}, {2, -1, 1}, {3, -1, 1}}},           /* a corner touches an edge of the first */
        {1, {{2, -1, -1}, {2, 1, 1}, {2, -4, 4}}},          /* an edge crosses an edge of the first */
        {1, {{1, 1, 0}, {1.5, 1, 0}, {1, 1.5, 0}}},         /* inside the first, in its plane */
        {1, {{-9, -9, 0}, {30, -9, 0}, {-9, 30, 0}}},       /* around the first, in its plane */
        {1, {{2, -1, 0}, {2, 5, 0}, {3, 5, 0}}},            /* across the first, in its plane */
        {1, {{1, 0, 0}, {3, 0, 0}, {2, -1, 0}}},            /* along a part of an edge of the first, outside */
        {0, {{5, 0, 0}, {7, 0, 0}, {6, -1, 0}}},            /* on the line of an edge of the first, beyond its end */
        {0, {{2.5, 2.5, 0}, {3, 2, 0}, {3, 3, 0}}},         /* in the plane of the first; the bounding boxes overlap */
        {0, {{0, 0, 0}, {-1, 0, 1}, {0, -1, 1}}},           /* they share a corner */
        {1, {{0, 0, 0}, {1, 1, 1}, {1, 1, -1}}},            /* a shared corner, and an intersection */
        {1, {{0, 0, 0}, {1, 1, 0}, {1, 1, -1}}},    /* a shared corner; an edge at this corner is in the first */
        {1, {{0, 0, 0}, {2, 0, 0}, {1, -1, 0}}},    /* a shared corner and half an edge */
        {0, {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}}},   /* a shared corner, in the plane of the first */
        {1, {{0, 0, 0}, {1, 0.5, 0}, {0.5, 1, 0}}}, /* a shared corner, in the plane of the first, inside it */
        {1, {{0, 0, 0}, {9, 1, 0}, {1, 9, 0}}},     /* a shared corner, in the plane of the first, through it */
        {0, {{0, 0, 0}, {4, 0, 0}, {1, 1, 1}}},     /* they share an edge */
        {0, {{0, 0, 0}, {4, 0, 0}, {1, -1, 0}}},    /* a shared edge, in one plane */
        {1, {{0, 0, 0}, {4, 0, 0}, {1, 1, 0}}},     /* a shared edge, folded onto each other */
        {1, {{4, 0, 0}, {0, 0, 0}, {0, 4, 0}}},     /* both triangles have the same corners */
        {0, {{1, 1, -1}, {1, 1, 1}, {1, 1, 3}}},    /* the second has no area, so it is ignored */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c)
        cr_expect_eq(with_triangle(cases[c].corner), cases[c].pairs, "case %zu: %ld", c, survey.intersections);
}

/* The second of two equal tetrahedra is moved along x = y = z. If the coordinates change by 0.25, a corner of the
 * second tetrahedron is inside the first one. The slanted face of the first tetrahedron then intersects the three faces
 * at this corner. If the coordinates change by 0.5, the corner is outside. */
Test(survey, tetrahedra_that_pass_through_each_other) {
    MESH_OF(tetrahedron, tetrahedron_faces);
    add_mesh(4, tetrahedron, 4, tetrahedron_faces, (const double[3]){0.25, 0.25, 0.25});
    expect(intersections, 3);
    expect(components, 2);
    MESH_OF(tetrahedron, tetrahedron_faces);
    add_mesh(4, tetrahedron, 4, tetrahedron_faces, (const double[3]){0.5, 0.5, 0.5});
    expect(intersections, 0);
    MESH_OF(tetrahedron, tetrahedron_faces);
    add_mesh(4, tetrahedron, 4, tetrahedron_faces, (const double[3]){0, 0, 0});
    expect(intersections, 4); /* each face and its copy; in other pairs, only edges or corners are at the same place */
    expect(duplicates, 0);    /* duplicates have the same vertices, but each copy has its own vertices */
}

/* A torus whose triangles share no vertices. Triangles whose edges are at the same place do not intersect. */
Test(survey, seams_that_are_not_welded_are_no_intersections) {
    sheet(24, 12, true, true, false, on_torus);
    struct mesh soup;
    mesh_create(&soup, 3 * mesh.triangles, mesh.triangles);
    for (int c = 0; c < soup.vertices; ++c) {
        memcpy(soup.position[c], mesh.position[mesh.corner[c / 3][c % 3]], sizeof *soup.position);
        soup.corner[c / 3][c % 3] = c;
    }
    tear_down();
    mesh = soup;
    mesh_survey(&mesh, &survey);
    expect(intersections, 0);
    expect(components, 576);
    expect(boundary_loops, 576);
}

/* Six times the signed volume of the tetrahedron a, b, c, d. */
static double turn(const double *a, const double *b, const double *c, const double *d) {
    double u[3], v[3], w[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = b[k] - a[k];
        v[k] = c[k] - a[k];
        w[k] = d[k] - a[k];
    }
    return u[0] * (v[1] * w[2] - v[2] * w[1]) - u[1] * (v[0] * w[2] - v[2] * w[0]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
}

/* Whether an edge of triangle a intersects triangle b. The triangles must share no corner and not lie in one plane. */
static bool edge_pierces(int a, int b) {
    const int *s = mesh.corner[a], *t = mesh.corner[b];
    for (int k = 0; k < 3; ++k) {
        const double *p = mesh.position[s[k]], *q = mesh.position[s[(k + 1) % 3]];
        const double *c[3] = {mesh.position[t[0]], mesh.position[t[1]], mesh.position[t[2]]};
        if ((turn(c[0], c[1], c[2], p) > 0) == (turn(c[0], c[1], c[2], q) > 0))
            continue;
        const bool hands[3] = {turn(p, q, c[0], c[1]) > 0, turn(p, q, c[1], c[2]) > 0, turn(p, q, c[2], c[0]) > 0};
        if (hands[0] == hands[1] && hands[1] == hands[2])
            return true;
    }
    return false;
}

Test(survey, a_soup_has_the_pairs_that_looking_at_all_of_them_finds) {
    enum { TRIANGLES = 700 };
    mesh_create(&mesh, 3 * TRIANGLES, TRIANGLES);
    unsigned seed = 7;
    for (int v = 0; v < mesh.vertices; ++v)
        for (int k = 0; k < 3; ++k) {
            seed = seed * 1664525 + 1013904223;
            mesh.position[v][k] =
                (double)(seed >> 8) * 0x1p-24 * (v % 3 ? 0.3 : 1) + (v % 3 ? mesh.position[v - v % 3][k] : 0);
            mesh.corner[v / 3][v % 3] = v;
        }
    long pairs = 0;
    for (int a = 0; a < TRIANGLES; ++a)
        for (int b = a + 1; b < TRIANGLES; ++b)
            pairs += edge_pierces(a, b) || edge_pierces(b, a);
    cr_assert_gt(pairs, 1000);
    cr_expect_eq(mesh_intersections(&mesh, NULL), pairs, "%ld pairs, expected %ld", mesh_intersections(&mesh, NULL),
                 pairs);
}
