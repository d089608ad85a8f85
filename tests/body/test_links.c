/* Tests of inner links (body/links.h). The tests compare with known links or with a search over all triangles. */
#include "ball.h"
#include "base/digest.h"
#include "body/links.h"
#include "mesh/edges.h"
#include "support.h"
#include "tetrahedra_box.h"

#include <math.h>

static struct mesh mesh;
static struct links links;

static void begin(void) {
    failure_clear();
}

static void end(void) {
    mesh_free(&mesh);
    links_free(&links);
}

TestSuite(links, .init = begin, .fini = end, .timeout = 60);

/* Find the links of the mesh, and check that they are valid, sorted and unique. */
static void link_up(enum links_end end) {
    links_free(&links);
    cr_assert_eq(links_create(&mesh, end, &links), STATUS_OK, "%s", failure_text());
    cr_expect_eq(links.count + links.missed + links.doubled, mesh.vertices);
    for (int l = 0; l < links.count; ++l) {
        const struct spring *link = &links.link[l], *last = l ? link - 1 : link;
        cr_assert(link->a >= 0 && link->a < link->b && link->b < mesh.vertices);
        cr_assert(l == 0 || last->a < link->a || (last->a == link->a && last->b < link->b),
                  "the links are not sorted, or one is stored twice");
        double square = 0;
        for (int k = 0; k < 3; ++k)
            square += pow(mesh.position[link->a][k] - mesh.position[link->b][k], 2);
        cr_assert_float_eq(link->rest, sqrt(square), 1e-15 * link->rest);
    }
}

/* An asymmetric ball with hollows and bumps. It is computed with + - * / and sqrt only, so it is bit-identical on all
 * machines. */
static void lump_create(int n) {
    ball_create(n, &mesh);
    unsigned seed = 12345;
    for (int v = 0; v < mesh.vertices; ++v) {
        double *at = mesh.position[v];
        seed = seed * 1664525U + 1013904223U;
        const double r = 1 + 0.5 * at[0] * at[1] - 0.6 * at[2] * at[2] * at[2] + 0.3 * at[0] * at[0] * at[2] +
                         0.01 * (double)(seed >> 16) / 65536;
        for (int k = 0; k < 3; ++k)
            at[k] *= r * (1 + 0.3 * k);
    }
}

static void links_hash(char out[33]) {
    struct digest *digest = digest_create();
    for (int l = 0; l < links.count; ++l) {
        digest_add(digest, &links.link[l].a, sizeof links.link[l].a);
        digest_add(digest, &links.link[l].b, sizeof links.link[l].b);
        digest_add(digest, &links.link[l].rest, sizeof links.link[l].rest);
    }
    digest_finish(digest, out);
}

Test(links, of_a_ball_are_its_diameters) {
    ball_create(7, &mesh);
    for (enum links_end end = LINKS_END_HIT; end <= LINKS_END_START; ++end) {
        link_up(end);
        cr_expect_eq(links.missed, 0);
        cr_expect_eq(links.edges, 0);
        /* A link ends at a corner of the triangle that its ray hits. So the distance from this corner to the opposite
         * point is at most the size of a triangle, a third of the radius. */
        for (int l = 0; l < links.count; ++l)
            cr_expect(links.link[l].rest > 1.9 && links.link[l].rest < 2 + 1e-12, "%g", links.link[l].rest);
    }
}

/* The octahedral ball is symmetric about its centre. The ray of a vertex leaves the ball at the opposite vertex, up to
 * rounding. Therefore the ray can hit any of the triangles (at most six) that have the opposite vertex as a corner. */
Test(links, of_opposite_vertices_are_stored_once) {
    ball_create(6, &mesh);
    link_up(LINKS_END_HIT);
    int opposite = 0;
    for (int l = 0; l < links.count; ++l) {
        const double *a = mesh.position[links.link[l].a], *b = mesh.position[links.link[l].b];
        opposite += fabs(a[0] + b[0]) + fabs(a[1] + b[1]) + fabs(a[2] + b[2]) < 1e-12;
    }
    cr_expect_gt(opposite, 3, "the links along the three axes are missing");
    cr_expect_geq(links.doubled, 3);
    /* If the ray of vertex i gives a link to j, then the ray of j gives a link to i, because the ball is symmetric.
     * Therefore half of the links are stored. */
    cr_expect_eq(links.count, mesh.vertices / 2);
    cr_expect_eq(links.doubled, mesh.vertices / 2);
}

/* Make two plates of n x n vertices at a distance of 0.25 m. If `both_down`, both plates face downward. Otherwise they
 * face away from each other. */
static void plates_create(int n, bool both_down) {
    mesh_create(&mesh, 2 * n * n, 4 * (n - 1) * (n - 1));
    int t = 0;
    for (int v = 0; v < mesh.vertices; ++v) {
        const int plate = v / (n * n), i = v % n, j = v / n % n;
        mesh.position[v][0] = i * 0.1;
        mesh.position[v][1] = j * 0.1;
        mesh.position[v][2] = plate * 0.25;
        if (i + 1 == n || j + 1 == n)
            continue;
        const bool is_up = plate && !both_down;
        memcpy(mesh.corner[t++], (int[3]){v, is_up ? v + 1 : v + n, is_up ? v + n : v + 1}, sizeof(int[3]));
        memcpy(mesh.corner[t++], (int[3]){v + n + 1, is_up ? v + n : v + 1, is_up ? v + 1 : v + n}, sizeof(int[3]));
    }
    cr_assert_eq(t, mesh.triangles);
}

Test(links, of_plates_lead_straight_across) {
    enum { N = 9 };
    plates_create(N, false);
    for (enum links_end end = LINKS_END_HIT; end <= LINKS_END_START; ++end) {
        link_up(end);
        cr_assert_eq(links.count, N * N);
        for (int l = 0; l < links.count; ++l) {
            cr_expect_eq(links.link[l].a, l);
            cr_expect_eq(links.link[l].b, l + N * N);
            cr_expect_eq(links.link[l].rest, 0.25);
        }
        cr_expect_eq(links.doubled, N * N);
    }
}

Test(links, a_triangle_is_hit_from_inside_alone) {
    enum { N = 4 };
    plates_create(N, true); /* all rays go upward; the rays of the lower plate reach the outside of the upper one */
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.count, 0);
    cr_expect_eq(links.missed, 2 * N * N);
}

Test(links, of_a_cube) {
    struct tetrahedra box;
    cr_assert_eq(tetrahedra_box((int[3]){4, 4, 4}, (double[3]){1, 1, 1}, BOX_FIVE, &box), STATUS_OK);
    cr_assert_eq(tetrahedra_surface(&box, &mesh, NULL), STATUS_OK);
    link_up(LINKS_END_HIT);
    int across = 0, diagonal = 0, corner = 0;
    for (int l = 0; l < links.count; ++l) {
        const double *a = mesh.position[links.link[l].a], *b = mesh.position[links.link[l].b];
        int same = 0, opposite = 0;
        for (int k = 0; k < 3; ++k) {
            same += a[k] == b[k];
            opposite += a[k] == 1 - b[k] && (a[k] == 0 || b[k] == 0);
        }
        across += same == 2 && opposite == 1;
        diagonal += same == 1 && opposite == 2;
        corner += opposite == 3;
    }
    /* Normals are weighted by area. Therefore, on this cube, the link of a vertex inside a side goes straight across.
     * The link of a vertex on an edge goes along the diagonal of a square, and that of a corner along the diagonal of
     * the cube. */
    cr_expect_eq(across, 3 * 9, "%d", across);
    cr_expect_eq(diagonal, 6 * 3, "%d", diagonal);
    cr_expect_eq(corner, 4, "%d", corner);
    cr_expect_eq(links.count, across + diagonal + corner);
    tetrahedra_free(&box);
}

Test(links, the_corner_is_near_the_hit_or_near_the_start) {
    /* The ray of vertex 0 goes up the z axis and hits an inclined triangle with the corners 3, 4 and 5. Vertex 3, the
     * highest corner, is nearest to the hit point. After the inclined triangle is changed, vertex 3 is still nearest to
     * the hit point, but vertex 4 is nearest to the start of the ray. */
    static const double position[6][3] = {{0, 0, 0}, {1, 0.1, 0}, {-0.5, 1, 0}, {-1, 0.3, 4}, {6, -7, 1}, {6, 6, 1.5}};
    mesh_create(&mesh, 6, 2);
    memcpy(mesh.position, position, sizeof position);
    memcpy(mesh.corner, ((int[2][3]){{0, 2, 1}, {3, 4, 5}}), sizeof(int[2][3]));
    mesh.position[4][2] = 1;
    link_up(LINKS_END_HIT);
    cr_assert_geq(links.count, 1);
    cr_expect(links.link[0].a == 0 && links.link[0].b == 3);
    mesh.position[3][2] = 12;
    mesh.position[4][0] = mesh.position[5][0] = 2;
    mesh.position[4][1] = -2;
    mesh.position[5][1] = 2;
    link_up(LINKS_END_HIT);
    cr_assert_geq(links.count, 1);
    cr_expect(links.link[0].a == 0 && links.link[0].b == 3, "%d", links.link[0].b);
    link_up(LINKS_END_START);
    cr_assert_geq(links.count, 1);
    cr_expect(links.link[0].a == 0 && links.link[0].b == 4, "%d", links.link[0].b);
}

Test(links, of_a_tetrahedron_are_its_edges) {
    static const double position[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    mesh_create(&mesh, 4, 4);
    memcpy(mesh.position, position, sizeof position);
    memcpy(mesh.corner, ((int[4][3]){{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}), sizeof(int[4][3]));
    link_up(LINKS_END_HIT);
    cr_expect_gt(links.count, 0);
    cr_expect_eq(links.edges, links.count);
    cr_expect_eq(links.missed, 0, "a ray must ignore the three triangles at its start");
}

Test(links, a_vertex_that_stands_twice_does_not_hit_itself) {
    /* Each triangle of this ball has its own vertices. So each ray also starts on triangles of which the ray's vertex
     * is no corner. */
    struct mesh ball;
    ball_create(4, &ball);
    mesh_create(&mesh, 3 * ball.triangles, ball.triangles);
    for (int v = 0; v < mesh.vertices; ++v) {
        memcpy(mesh.position[v], ball.position[ball.corner[v / 3][v % 3]], sizeof(double[3]));
        mesh.corner[v / 3][v % 3] = v;
    }
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.missed, 0);
    for (int l = 0; l < links.count; ++l)
        cr_expect_gt(links.link[l].rest, 1.5);
    mesh_free(&ball);
}

/* The nearest triangle through which a ray leaves the surface, or -1; *distance is its distance from `start`. `d` is
 * the ray's unit vector. Triangles with the vertex `from` are ignored. All triangles are tested in long double (Moeller
 * and Trumbore, "Fast, Minimum Storage Ray/Triangle Intersection", 1997). */
static int hit_of_all(const double start[3], const long double d[3], int from, long double *distance) {
    int hit = -1;
    for (int t = 0; t < mesh.triangles; ++t) {
        const int *corner = mesh.corner[t];
        if (corner[0] == from || corner[1] == from || corner[2] == from)
            continue;
        long double e[2][3], s[3], p[3], q[3], determinant = 0, u = 0, v = 0, along = 0;
        for (int k = 0; k < 3; ++k) {
            e[0][k] = (long double)mesh.position[corner[1]][k] - mesh.position[corner[0]][k];
            e[1][k] = (long double)mesh.position[corner[2]][k] - mesh.position[corner[0]][k];
            s[k] = (long double)start[k] - mesh.position[corner[0]][k];
        }
        for (int k = 0; k < 3; ++k) {
            p[k] = d[(k + 1) % 3] * e[1][(k + 2) % 3] - d[(k + 2) % 3] * e[1][(k + 1) % 3];
            q[k] = s[(k + 1) % 3] * e[0][(k + 2) % 3] - s[(k + 2) % 3] * e[0][(k + 1) % 3];
        }
        for (int k = 0; k < 3; ++k) {
            determinant += e[0][k] * p[k];
            u += s[k] * p[k];
            v += d[k] * q[k];
            along += e[1][k] * q[k];
        }
        u /= determinant;
        v /= determinant;
        along /= determinant;
        /* The determinant is -d . (e0 x e1): negative if the ray leaves the surface there. */
        if (determinant < 0 && u >= 0 && v >= 0 && u + v <= 1 && along > 0 && (hit < 0 || along < *distance)) {
            hit = t;
            *distance = along;
        }
    }
    return hit;
}

Test(links, are_those_of_a_search_over_all_triangles) {
    lump_create(10);
    long double(*normal)[3] = memory_new((size_t)mesh.vertices, sizeof *normal);
    for (int t = 0; t < mesh.triangles; ++t)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k) {
                const double *at[3] = {mesh.position[mesh.corner[t][0]], mesh.position[mesh.corner[t][1]],
                                       mesh.position[mesh.corner[t][2]]};
                const int y = (k + 1) % 3, z = (k + 2) % 3;
                normal[mesh.corner[t][c]][k] +=
                    ((long double)at[1][y] - at[0][y]) * ((long double)at[2][z] - at[0][z]) -
                    ((long double)at[1][z] - at[0][z]) * ((long double)at[2][y] - at[0][y]);
            }
    for (enum links_end end = LINKS_END_HIT; end <= LINKS_END_START; ++end) {
        link_up(end);
        int missed = 0, found = 0;
        char *is_found = memory_new((size_t)links.count, 1);
        for (int v = 0; v < mesh.vertices; ++v) {
            long double length = 0, d[3], distance = 0;
            for (int k = 0; k < 3; ++k)
                length += normal[v][k] * normal[v][k];
            for (int k = 0; k < 3; ++k)
                d[k] = -normal[v][k] / sqrtl(length);
            const int hit = hit_of_all(mesh.position[v], d, v, &distance);
            if (hit < 0) {
                ++missed;
                continue;
            }
            int other = -1;
            long double nearest = 0;
            for (int c = 0; c < 3; ++c) {
                long double square = 0;
                for (int k = 0; k < 3; ++k) {
                    const long double to = mesh.position[v][k] + (end == LINKS_END_HIT ? distance * d[k] : 0);
                    const long double away = mesh.position[mesh.corner[hit][c]][k] - to;
                    square += away * away;
                }
                if (other < 0 || square < nearest) {
                    other = mesh.corner[hit][c];
                    nearest = square;
                }
            }
            int l = 0;
            while (l < links.count &&
                   !(links.link[l].a == (v < other ? v : other) && links.link[l].b == (v < other ? other : v)))
                ++l;
            cr_assert_lt(l, links.count, "the link from %d to %d is missing", v, other);
            found += !is_found[l];
            is_found[l] = 1;
        }
        cr_expect_eq(found, links.count, "the search finds %d of the %d links", found, links.count);
        cr_expect_eq(missed, links.missed);
        free(is_found);
    }
    free(normal);
}

Test(links, have_the_same_bits_everywhere) {
    lump_create(24);
    char hash[2][33];
    for (int k = 0; k < 2; ++k) {
        link_up(LINKS_END_HIT);
        links_hash(hash[k]);
    }
    cr_expect_str_eq(hash[0], hash[1]);
    cr_expect_str_eq(hash[0], "c6e65aaa9ae709e8e38d2a498b3148e7");
}

Test(links, do_not_hang_on_size_and_place) {
    lump_create(8);
    link_up(LINKS_END_HIT);
    struct links first = links;
    links = (struct links){.count = 0};
    static const double scales[] = {0x1p20, 0x1p-30, 0x1p-60};
    for (size_t s = 0; s < sizeof scales / sizeof *scales; ++s) {
        double(*held)[3] = mesh.position;
        mesh.position = memory_new((size_t)mesh.vertices, sizeof *mesh.position);
        for (int v = 0; v < mesh.vertices; ++v)
            for (int k = 0; k < 3; ++k)
                mesh.position[v][k] = held[v][k] * scales[s];
        link_up(LINKS_END_HIT);
        cr_assert_eq(links.count, first.count);
        for (int l = 0; l < links.count; ++l)
            cr_expect(links.link[l].a == first.link[l].a && links.link[l].b == first.link[l].b &&
                      links.link[l].rest == first.link[l].rest * scales[s]);
        free(mesh.position);
        mesh.position = held;
    }
    links_free(&first);
    /* This far from the origin, all vertices would have the same x in single precision. */
    for (int v = 0; v < mesh.vertices; ++v)
        mesh.position[v][0] += 1e9;
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.missed, 0);
    cr_expect_gt(links.count, mesh.vertices / 2);
}

Test(links, what_has_no_inside_has_none) {
    link_up(LINKS_END_HIT); /* no vertices at all */
    mesh_create(&mesh, 5, 0);
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.missed, 5);
    mesh_free(&mesh);
    mesh_create(&mesh, 3, 2); /* two triangles whose corners are all at the origin */
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.missed, 3);
    for (int k = 0; k < 3; ++k) {
        mesh.corner[0][k] = mesh.corner[1][2 - k] = k;
        mesh.position[k][k] = 1;
    }
    link_up(LINKS_END_HIT);
    cr_expect_eq(links.missed, 3, "the normals of two opposite triangles must cancel out, so that no vertex has a ray");
}

Test(links, bad_input_is_refused) {
    static const double coordinates[] = {NAN, INFINITY, 0, 0};
    static const int corners[] = {0, 0, 99, -1};
    static const char *const words[] = {"vertex 2 of the surface is at nan, 1, 0; positions must be finite",
                                        "vertex 2 of the surface is at inf, 1, 0; positions must be finite",
                                        "triangle 0 of the surface has vertex 99; vertices are 0 to 3",
                                        "triangle 0 of the surface has vertex -1; vertices are 0 to 3"};
    for (int k = 0; k < 4; ++k) {
        mesh_create(&mesh, 4, 1);
        mesh.position[2][0] = coordinates[k];
        mesh.position[2][1] = 1;
        memcpy(mesh.corner[0], (int[3]){corners[k], 1, 2}, sizeof(int[3]));
        failure_clear();
        cr_expect_eq(links_create(&mesh, LINKS_END_HIT, &links), STATUS_BAD);
        cr_expect(strstr(failure_text(), words[k]), "%s", failure_text());
        cr_expect(!links.link && links.count == 0);
        mesh_free(&mesh);
    }
}
