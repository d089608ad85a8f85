/* Tests of colourings of constraints (body/groups.h), of the paper's groups (body/paper_groups.h), and of orders of
 * vertices for locality (body/order.h). */
#include "base/digest.h"
#include "base/memory.h"
#include "body/groups.h"
#include "body/order.h"
#include "body/paper_groups.h"
#include "mesh/edges.h"
#include "sphere.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list of constraints, each of `size` particles. A particle -1 means that there is no particle. */
struct list {
    int particles, constraints, size;
    int *particle;
};

static void list_add(struct list *list, const int *particle) {
    const size_t size = (size_t)list->size, count = (size_t)list->constraints++;
    if ((count & (count - 1)) == 0)
        list->particle = memory_grow(list->particle, 2 * (count + 1) * size, sizeof *particle);
    memcpy(list->particle + count * size, particle, size * sizeof *particle);
}

static void list_add_edge(struct list *list, int a, int b) {
    list_add(list, (int[4]){a, b, -1, -1});
}

static int compare_edges(const void *a, const void *b) {
    return memcmp(a, b, 2 * sizeof(int)) == 0           ? 0
           : ((const int *)a)[0] != ((const int *)b)[0] ? ((const int *)a)[0] - ((const int *)b)[0]
                                                        : ((const int *)a)[1] - ((const int *)b)[1];
}

enum { STRUCTURAL = 1, SHEAR = 2, BEND = 4, ONE_DIAGONAL = 8 };

/* The springs of a cloth; `types` is a sum of STRUCTURAL, SHEAR, BEND and ONE_DIAGONAL. */
static struct list cloth(int columns, int rows, int types) {
    static const int springs[][3] = {{1, 0, STRUCTURAL}, {0, 1, STRUCTURAL}, {1, 1, SHEAR},        {-1, 1, SHEAR},
                                     {2, 0, BEND},       {0, 2, BEND},       {-1, 1, ONE_DIAGONAL}};
    struct list list = {columns * rows, .size = 2};
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            for (size_t k = 0; k < sizeof springs / sizeof *springs; ++k) {
                const int to_x = x + springs[k][0], to_y = y + springs[k][1];
                if ((types & springs[k][2]) && to_x >= 0 && to_x < columns && to_y < rows)
                    list_add_edge(&list, y * columns + x, to_y * columns + to_x);
            }
    return list;
}

/* Tetrahedra that fill a grid of cubes x cubes x cubes cubes. If `cut` is 5, each cube is cut into 5 tetrahedra, and
 * neighbouring cubes are mirror images. If `cut` is 6, each cube is cut into 6 tetrahedra around its diagonal. */
static struct list tetrahedra(int cubes, int cut) {
    static const int five[2][5][4] = {{{0, 1, 2, 4}, {3, 1, 2, 7}, {5, 1, 4, 7}, {6, 2, 4, 7}, {1, 2, 4, 7}},
                                      {{1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}, {0, 3, 5, 6}}};
    static const int six[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};
    const int n = cubes + 1;
    struct list list = {n * n * n, .size = 4};
    for (int z = 0; z < cubes; ++z)
        for (int y = 0; y < cubes; ++y)
            for (int x = 0; x < cubes; ++x)
                for (int t = 0; t < cut; ++t) {
                    const int *corner = cut == 5 ? five[(x + y + z) & 1][t] : six[t];
                    int particle[4];
                    for (int k = 0; k < 4; ++k)
                        particle[k] = ((z + (corner[k] >> 2)) * n + y + (corner[k] >> 1 & 1)) * n + x + (corner[k] & 1);
                    list_add(&list, particle);
                }
    return list;
}

/* Each edge of the tetrahedra once, as a constraint of `size` particles: the two ends, then -1. */
static struct list edges_of(const struct list *tetrahedra, int size) {
    struct list all = {tetrahedra->particles, .size = 2}, once = {tetrahedra->particles, .size = size};
    cr_assert(tetrahedra->constraints > 0);
    for (int t = 0; t < tetrahedra->constraints; ++t)
        for (int a = 0; a < 4; ++a)
            for (int b = 0; b < 4; ++b)
                if (tetrahedra->particle[4 * t + a] < tetrahedra->particle[4 * t + b])
                    list_add_edge(&all, tetrahedra->particle[4 * t + a], tetrahedra->particle[4 * t + b]);
    qsort(all.particle, (size_t)all.constraints, 2 * sizeof(int), compare_edges);
    for (int e = 0; e < all.constraints; ++e)
        if (e == 0 || compare_edges(all.particle + 2 * e, all.particle + 2 * e - 2) != 0)
            list_add_edge(&once, all.particle[2 * e], all.particle[2 * e + 1]);
    free(all.particle);
    return once;
}

static struct list edges_of_mesh(const struct mesh *mesh) {
    struct edges edges;
    edges_create(mesh, &edges);
    struct list list = {mesh->vertices, .size = 2};
    for (int e = 0; e < edges.count; ++e)
        list_add_edge(&list, edges.end[e][0], edges.end[e][1]);
    edges_free(&edges);
    return list;
}

static unsigned state;
static int random_below(int n) {
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (unsigned)n);
}

/* A list of `edges` different random edges, each of which joins two different particles. */
static struct list random_graph(int particles, int edges, unsigned seed) {
    struct list list = {particles, .size = 2};
    bool *is_there = memory_new((size_t)particles * (size_t)particles, sizeof *is_there);
    state = seed;
    while (list.constraints < edges) {
        const int a = random_below(particles), b = random_below(particles);
        if (a >= b || is_there[a * particles + b])
            continue;
        is_there[a * particles + b] = true;
        list_add_edge(&list, a, b);
    }
    free(is_there);
    return list;
}

static struct list complete(int particles) {
    struct list list = {particles, .size = 2};
    for (int a = 0; a < particles; ++a)
        for (int b = 0; b < a; ++b)
            list_add_edge(&list, a, b);
    return list;
}

static struct list star(int rays) {
    struct list list = {rays + 1, .size = 2};
    for (int i = 0; i < rays; ++i)
        list_add_edge(&list, i % 2 ? 0 : i + 1, i % 2 ? i + 1 : 0);
    return list;
}

static int bound_of(const struct list *list) {
    return groups_bound(list->particles, list->constraints, list->size, list->particle);
}

/* Colour a list twice, and check that both results are the same valid colouring, without empty colours. The largest
 * colour must have at most `spread_most` constraints more than the smallest. If `digits` is not NULL, the digest of the
 * colours is written there. Frees the list. Returns the number of colours. */
static int colours_of(const char *name, struct list list, int spread_most, char *digits) {
    const size_t bytes = (size_t)list.constraints * sizeof(int);
    int *colour = memory_new(1, bytes), *again = memory_new(1, bytes);
    memset(again, 1, bytes);
    failure_clear();
    const int colours = groups_colour(list.particles, list.constraints, list.size, list.particle, colour);
    cr_assert_geq(colours, 1, "%s: %s", name, failure_text());
    cr_expect_eq(groups_colour(list.particles, list.constraints, list.size, list.particle, again), colours);
    cr_expect_arr_eq(again, colour, bytes, "%s", name);
    cr_expect_eq(groups_conflicts(list.particles, list.constraints, list.size, list.particle, colour), 0, "%s", name);
    cr_expect_geq(colours, bound_of(&list), "%s", name);
    int *held = memory_new((size_t)colours, sizeof *held), most = 0, least = list.constraints;
    for (int t = 0; t < list.constraints; ++t) {
        cr_assert(colour[t] >= 0 && colour[t] < colours, "%s", name);
        ++held[colour[t]];
    }
    for (int k = 0; k < colours; ++k) {
        most = held[k] > most ? held[k] : most;
        least = held[k] < least ? held[k] : least;
    }
    cr_expect(least > 0 && most - least <= spread_most, "%s: %d to %d constraints a colour", name, least, most);
    if (digits) {
        struct digest *digest = digest_create();
        digest_add(digest, colour, bytes);
        digest_finish(digest, digits);
    }
    free(list.particle);
    free(colour);
    free(again);
    free(held);
    return colours;
}

Test(groups, edges_need_as_many_colours_as_a_particle_has_edges) {
    struct mesh ball = sphere(4), small = sphere(0);
    struct list cube = tetrahedra(8, 5), cube6 = tetrahedra(8, 6);
    const struct {
        const char *name;
        struct list list;
        int bound, more; /* `more`: 1 if the graph needs one colour more than `bound` (bound_of) */
        int border;      /* the sizes of two colours may differ by 1 + `border`. `border` is 0, or the number of
                            columns plus the number of rows of a cloth */
    } table[] = {
        {"one edge", star(1), 1, 0, 0},
        {"star", star(5000), 5000, 0, 0},
        {"cloth, structural", cloth(52, 52, STRUCTURAL), 4, 0, 104},
        {"cloth of va2022", cloth(52, 52, STRUCTURAL | SHEAR), 8, 0, 104},
        {"cloth with all springs", cloth(128, 128, STRUCTURAL | SHEAR | BEND), 12, 0, 256},
        {"cloth of cetinaslan2019", cloth(41, 41, STRUCTURAL | ONE_DIAGONAL), 6, 0, 82},
        {"ladder", cloth(2, 100, STRUCTURAL), 3, 0, 0},
        {"icosahedron", edges_of_mesh(&small), 5, 0, 0},
        {"sphere", edges_of_mesh(&ball), 6, 0, 0},
        {"cube of 5", edges_of(&cube, 2), 18, 0, 0},
        {"cube of 6", edges_of(&cube6, 2), 14, 0, 0},
        {"triangle", complete(3), 2, 1, 0},
        {"even complete graph", complete(40), 39, 0, 0},
        {"odd complete graph", complete(41), 40, 1, 0},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        cr_expect_eq(bound_of(&table[k].list), table[k].bound, "%s", table[k].name);
        const int colours = colours_of(table[k].name, table[k].list, 1 + table[k].border, NULL);
        cr_expect_eq(colours, table[k].bound + table[k].more, "%s: %d", table[k].name, colours);
    }
    free(cube.particle);
    free(cube6.particle);
    mesh_free(&ball);
    mesh_free(&small);
}

/* A colour of a lattice consists of long sequences of edges. In a sequence, the indices of both ends increase by the
 * same number, 1 or 2, from one edge to the next. After the vertices are shuffled, the edges are no longer a
 * lattice. */
Test(groups, colours_of_a_lattice_are_long_stretches) {
    struct list list = cloth(64, 40, STRUCTURAL | ONE_DIAGONAL);
    struct groups groups;
    cr_assert(lattice_is(list.constraints, (const int(*)[2])list.particle));
    cr_assert_eq(groups_create(list.particles, list.constraints, 2, list.particle, &groups), STATUS_OK);
    int stretches = 0;
    for (int g = 0; g < groups.count; ++g)
        for (int i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            const int *here = list.particle + 2 * groups.constraint[i],
                      *before = i > groups.start[g] ? list.particle + 2 * groups.constraint[i - 1] : NULL;
            const int step = before ? here[0] - before[0] : 0;
            stretches += !before || here[1] - before[1] != step || step > 2;
        }
    cr_expect_lt(stretches, 3 * 40 * 2, "%d", stretches);
    groups_free(&groups);
    int place[64 * 40];
    for (int i = 0; i < 64 * 40; ++i)
        place[i] = i;
    state = 7;
    for (int i = 64 * 40 - 1; i > 0; --i) {
        const int other = random_below(i + 1), moved = place[i];
        place[i] = place[other];
        place[other] = moved;
    }
    for (int i = 0; i < 2 * list.constraints; ++i)
        list.particle[i] = place[list.particle[i]];
    cr_expect_not(lattice_is(list.constraints, (const int(*)[2])list.particle));
    cr_expect_not(lattice_is(0, NULL));
    free(list.particle);
}

Test(groups, lattices_take_no_more_colours_than_asked) {
    struct list list = cloth(20, 20, STRUCTURAL);
    int *colour = memory_new((size_t)list.constraints, sizeof *colour);
    cr_expect_eq(lattice_colour(list.particles, list.constraints, (const int(*)[2])list.particle, 4, colour), 4);
    cr_expect_eq(lattice_colour(list.particles, list.constraints, (const int(*)[2])list.particle, 3, colour), -1);
    struct list many = star(100);
    int *rays = memory_new((size_t)many.constraints, sizeof *rays);
    cr_expect_eq(lattice_colour(many.particles, many.constraints, (const int(*)[2])many.particle, 100, rays), -1);
    free(rays);
    free(colour);
    free(many.particle);
    free(list.particle);
}

Test(groups, edges_of_a_simple_graph_take_one_colour_more_at_most) {
    for (unsigned seed = 0; seed < 200; ++seed) {
        const int particles = 2 + (int)seed % 40, all = particles * (particles - 1) / 2;
        struct list list = random_graph(particles, 1 + (int)(seed * 7919u % (unsigned)all), seed);
        const int bound = bound_of(&list), colours = colours_of("random graph", list, 1, NULL);
        cr_expect_leq(colours, bound + 1, "seed %u: %d colours, bound %d", seed, colours, bound);
    }
    /* Each of these graphs needs one colour more than its bound. groups.c colours them by Misra and Gries's fans. */
    for (int particles = 3; particles < 30; particles += 2)
        cr_expect_eq(colours_of("odd complete graph", complete(particles), 1, NULL), particles);
}

Test(groups, edges_drawn_twice) {
    struct list list = {3, .size = 2}; /* Shannon's triangle: any two of its edges share a node */
    for (int i = 0; i < 30; ++i)
        list_add_edge(&list, i % 3, (i + 1) % 3);
    cr_expect_eq(bound_of(&list), 20);
    cr_expect_eq(colours_of("triangle of tenfold edges", list, 0, NULL), 30);
}

/* First fit, as in the library PositionBasedDynamics, needs 40 colours for the tetrahedra, and 57 with their edges. */
Test(groups, tetrahedra_and_mixed_constraints) {
    struct list cube = tetrahedra(19, 5), both = edges_of(&cube, 4);
    cr_assert_eq(cube.constraints, 34295);
    for (int t = 0; t < cube.constraints; ++t)
        list_add(&both, cube.particle + 4 * (size_t)t);
    cr_expect_eq(bound_of(&cube), 32);
    cr_expect_eq(bound_of(&both), 50);
    const int of_cube = colours_of("cube", cube, 34295 / 32 / 50, NULL);
    const int of_both = colours_of("cube with edges", both, both.constraints / 50 / 50, NULL);
    cr_expect_leq(of_cube, 36, "%d", of_cube);
    cr_expect_leq(of_both, 52, "%d", of_both);
}

Test(groups, triangles_and_odd_lists) {
    struct mesh ball = sphere(3);
    struct list triangles = {ball.vertices, .size = 3}, alone = {3, .size = 1}, none = {2, .size = 4};
    for (int t = 0; t < ball.triangles; ++t)
        list_add(&triangles, ball.corner[t]);
    cr_expect_eq(bound_of(&triangles), 6);
    cr_expect_leq(colours_of("triangles of a sphere", triangles, 1, NULL), 7);
    for (int i = 0; i < 7; ++i)
        list_add(&alone, (int[1]){i % 3});
    cr_expect_eq(colours_of("one particle each", alone, 1, NULL), 3);
    for (int i = 0; i < 5; ++i)
        list_add(&none, (int[4]){-1, -1, -1, -1});
    cr_expect_eq(bound_of(&none), 0);
    cr_expect_eq(colours_of("no particles", none, 5, NULL), 1);
    cr_expect_eq(groups_colour(0, 0, 2, NULL, NULL), 0);
    cr_expect_eq(groups_conflicts(0, 0, 2, NULL, NULL), 0);
    mesh_free(&ball);
}

/* Golden digests of colours. Colours decide the order in which constraints are projected, so other colours give other
 * results. */
Test(groups, colours_are_these) {
    struct list cube = tetrahedra(6, 6);
    char digits[DIGEST_SIZE];
    colours_of("cloth", cloth(60, 50, STRUCTURAL | SHEAR | BEND), 110, digits);
    cr_expect_str_eq(digits, "755b0f7b7cba667ded76136973352a32");
    colours_of("odd complete graph", complete(25), 1, digits);
    cr_expect_str_eq(digits, "0a6305074268a80cf0a2e3277c85415d");
    colours_of("cube", cube, 10, digits);
    cr_expect_str_eq(digits, "283b644f93e7567a6ba0b5dc152c2173");
}

static bool is_sharing(const struct list *list, int s, int t) {
    for (int a = 0; a < list->size; ++a)
        for (int b = 0; b < list->size; ++b) {
            const int p = list->particle[s * list->size + a];
            if (p >= 0 && p == list->particle[t * list->size + b])
                return true;
        }
    return false;
}

Test(groups, conflicts_are_those_of_all_pairs) {
    for (unsigned seed = 1; seed <= 50; ++seed) {
        state = seed;
        struct list list = {12, .size = 1 + random_below(4)};
        const int constraints = random_below(60);
        for (int t = 0; t < constraints; ++t) {
            int particle[4], first = random_below(12), step = 1 + random_below(3);
            for (int k = 0; k < 4; ++k)
                particle[k] = random_below(5) == 0 ? -1 : (first + k * step) % 12;
            list_add(&list, particle);
        }
        int *colour = memory_new((size_t)constraints, sizeof *colour);
        long expected = 0;
        for (int t = 0; t < constraints; ++t) {
            colour[t] = random_below(constraints < 6 ? constraints : 6);
            for (int s = 0; s < t; ++s)
                expected += colour[s] == colour[t] && is_sharing(&list, s, t);
        }
        failure_clear();
        cr_expect_eq(groups_conflicts(12, constraints, list.size, list.particle, colour), expected, "seed %u %s", seed,
                     failure_text());
        free(list.particle);
        free(colour);
    }
}

Test(groups, are_sorted_for_locality) {
    struct list list = cloth(30, 20, STRUCTURAL | SHEAR);
    struct groups groups;
    cr_assert_eq(groups_create(list.particles, list.constraints, 2, list.particle, &groups), STATUS_OK);
    int *colour = memory_new((size_t)list.constraints, sizeof *colour);
    cr_expect_eq(groups_colour(list.particles, list.constraints, 2, list.particle, colour), groups.count);
    int(*laid)[2] = memory_new((size_t)list.constraints, sizeof *laid);
    groups_lay(&groups, sizeof *laid, list.particle, laid);
    cr_expect_eq(groups.constraints, list.constraints);
    cr_expect_eq(groups.start[0], 0);
    cr_expect_eq(groups.start[groups.count], list.constraints);
    for (int g = 0; g < groups.count; ++g)
        for (int i = groups.start[g]; i < groups.start[g + 1]; ++i) {
            cr_expect_eq(colour[groups.constraint[i]], g);
            cr_expect_arr_eq(laid[i], list.particle + 2 * groups.constraint[i], sizeof *laid);
            if (i > groups.start[g]) {
                const int before = laid[i - 1][0] < laid[i - 1][1] ? laid[i - 1][0] : laid[i - 1][1];
                const int here = laid[i][0] < laid[i][1] ? laid[i][0] : laid[i][1];
                cr_expect_lt(before, here);
            }
        }
    int *place = memory_new((size_t)list.constraints, sizeof *place);
    cr_expect_eq(order_invert(list.constraints, groups.constraint, place), STATUS_OK);
    free(place);
    free(laid);
    free(colour);
    free(list.particle);
    groups_free(&groups);
}

static void expect_said(const char *what) {
    cr_expect(strstr(failure_text(), what), "expected '%s' in the message, which is '%s'", what, failure_text());
    failure_clear();
}

Test(groups, refuse_what_is_no_list) {
    static const struct {
        int particles, constraints, size, particle[8];
        const char *said;
    } table[] = {
        {3, 2, 2, {0, 1, 1, 3}, "constraint 1 has particle 3; particles are 0 to 2"},
        {3, 2, 2, {0, 1, -2, 1}, "constraint 1 has particle -2"},
        {3, 2, 2, {0, 0, 1, 2}, "constraint 0 has particle 0 twice"},
        {9, 2, 4, {0, 1, 2, 3, 4, 5, -1, 4}, "constraint 1 has particle 4 twice"},
        {3, 1, 0, {0}, "1 to 16 particles"},
        {3, 1, 17, {0}, "1 to 16 particles"},
        {3, -1, 2, {0}, "must not be negative"},
        {-1, 1, 2, {0}, "must not be negative"},
        {0, 1, 2, {0, 1}, "constraint 0 has particle 0"},
    };
    failure_clear();
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        const int particles = table[k].particles, constraints = table[k].constraints, size = table[k].size;
        int colour[2] = {0};
        struct groups groups;
        cr_expect_eq(groups_colour(particles, constraints, size, table[k].particle, colour), -1);
        expect_said(table[k].said);
        cr_expect_eq(groups_bound(particles, constraints, size, table[k].particle), -1);
        expect_said(table[k].said);
        cr_expect_eq(groups_conflicts(particles, constraints, size, table[k].particle, colour), -1);
        expect_said(table[k].said);
        cr_expect_eq(groups_create(particles, constraints, size, table[k].particle, &groups), STATUS_BAD);
        expect_said(table[k].said);
        groups_free(&groups);
    }
    cr_expect_eq(groups_conflicts(3, 2, 2, (int[]){0, 1, 1, 2}, (int[]){0, 2}), -1);
    expect_said("constraint 1 has colour 2; colours of 2 constraints are 0 to 1");
    cr_expect_eq(groups_conflicts(3, 2, 2, (int[]){0, 1, 1, 2}, (int[]){-1, 0}), -1);
    expect_said("constraint 0 has colour -1");
}

static const int (*ends(const struct list *list))[2] {
    return (const int(*)[2])list->particle;
}

/* The list has 33 edges: a grid of 4 x 4 particles with one diagonal in each square. For this list, algorithm 2 of
 * cetinaslan2019 as printed gives no valid grouping (body/paper_groups.h). */
Test(paper_groups, as_printed_are_not_independent) {
    struct list list = cloth(4, 4, STRUCTURAL | ONE_DIAGONAL);
    qsort(list.particle, (size_t)list.constraints, 2 * sizeof(int), compare_edges);
    struct groups groups;
    struct paper_groups_verdict verdict;
    cr_assert_eq(list.constraints, 33);
    cr_assert_eq(paper_groups_as_printed(16, 33, ends(&list), 33, &groups), STATUS_OK);
    paper_groups_judge(&groups, 33, ends(&list), &verdict);
    cr_expect_eq(groups.count, 33);
    cr_expect_eq(verdict.conflicts, 251);
    cr_expect_eq(verdict.missing, 17);
    cr_expect_eq(verdict.repeated, 16);
    groups_free(&groups);
    cr_assert_eq(paper_groups_as_printed(16, 33, ends(&list), 6, &groups), STATUS_OK);
    paper_groups_judge(&groups, 33, ends(&list), &verdict);
    cr_expect_eq(groups.count, 6);
    cr_expect_eq(verdict.conflicts, 16);
    cr_expect_eq(verdict.missing, 23);
    cr_expect_eq(verdict.repeated, 10);
    groups_free(&groups);
    free(list.particle);
}

/* Check that the repaired algorithm gives the groups of first fit, and that their number is `expected`. In first fit,
 * each edge, in the order of the list, joins the first group without an adjacent edge. Frees the list. */
static void expect_first_fit(const char *name, struct list list, int expected) {
    struct groups groups;
    struct paper_groups_verdict verdict;
    cr_assert_eq(paper_groups_repaired(list.particles, list.constraints, ends(&list), &groups), STATUS_OK);
    paper_groups_judge(&groups, list.constraints, ends(&list), &verdict);
    cr_expect(verdict.conflicts == 0 && verdict.missing == 0 && verdict.repeated == 0, "%s", name);
    cr_expect_eq(groups.count, expected, "%s: %d groups", name, groups.count);
    cr_expect_geq(groups.count, bound_of(&list), "%s", name);
    int *group = memory_new((size_t)list.constraints, sizeof *group);
    for (int g = 0; g < groups.count; ++g)
        for (int i = groups.start[g]; i < groups.start[g + 1]; ++i)
            group[groups.constraint[i]] = g;
    cr_expect_eq(groups_conflicts(list.particles, list.constraints, 2, list.particle, group), 0, "%s", name);
    for (int e = 0; e < list.constraints; ++e) {
        int fit = 0;
        for (int other = 0; other < e; ++other)
            if (group[other] == fit && is_sharing(&list, e, other)) {
                ++fit;
                other = -1;
            }
        cr_expect_eq(group[e], fit, "%s: edge %d is in group %d; first fit gives %d", name, e, group[e], fit);
    }
    free(group);
    groups_free(&groups);
    free(list.particle);
}

Test(paper_groups, repaired_are_those_of_first_fit) {
    struct mesh ball = sphere(2);
    struct list grid = cloth(4, 4, STRUCTURAL | ONE_DIAGONAL);
    qsort(grid.particle, (size_t)grid.constraints, 2 * sizeof(int), compare_edges);
    expect_first_fit("33 edges", grid, 6);
    expect_first_fit("sphere", edges_of_mesh(&ball), 9);
    expect_first_fit("star", star(30), 30);
    expect_first_fit("random graph", random_graph(40, 200, 3), 16);
    expect_first_fit("nothing", (struct list){.size = 2}, 0);
    mesh_free(&ball);
}

/* The edges of a prepared body, sorted by their ends. */
static struct list edges_of_part(const struct prepared *body) {
    const struct part *edges = &body->parts[PART_EDGES];
    struct list list = {.particles = body->vertices, .constraints = edges->count, .size = 2};
    list.particle = memory_new(2 * (size_t)edges->count, sizeof *list.particle);
    memcpy(list.particle, edges->particle, 2 * (size_t)edges->count * sizeof *list.particle);
    qsort(list.particle, (size_t)list.constraints, 2 * sizeof(int), compare_edges);
    return list;
}

/* paper_groups_lay keeps the same edges and sorts them by the groups of first fit. The body stays valid
 * (prepared_flaw). */
Test(paper_groups, a_body_is_laid_by_them) {
    struct mesh ball = sphere(2);
    struct prepared body;
    cr_assert_eq(prepared_create(&ball, "ball", &body), STATUS_OK);
    struct list before = edges_of_part(&body);
    const int tuned = body.parts[PART_EDGES].groups;
    cr_assert_eq(paper_groups_lay(&body), STATUS_OK);
    struct list after = edges_of_part(&body);
    cr_expect_eq(memcmp(before.particle, after.particle, 2 * (size_t)before.constraints * sizeof(int)), 0);
    cr_expect_null(prepared_flaw(&body), "%s", prepared_flaw(&body));
    cr_expect_eq(body.parts[PART_EDGES].start[body.parts[PART_EDGES].groups], after.constraints);
    cr_expect_gt(body.parts[PART_EDGES].groups, tuned);
    const int groups = body.parts[PART_EDGES].groups;
    free(after.particle);
    expect_first_fit("body", before, groups);
    prepared_free(&body);
    mesh_free(&ball);
}

Test(paper_groups, refuse_too_many_edges_and_bad_ones) {
    const int edges = PAPER_GROUPS_EDGES_MOST + 1;
    struct list list = star(edges);
    struct groups groups;
    failure_clear();
    cr_expect_eq(paper_groups_repaired(list.particles, edges, ends(&list), &groups), STATUS_BAD);
    expect_said("65537 edges are too many");
    groups_free(&groups);
    cr_expect_eq(paper_groups_as_printed(list.particles, edges, ends(&list), 6, &groups), STATUS_BAD);
    expect_said("65537 edges are too many");
    groups_free(&groups);
    cr_expect_eq(paper_groups_as_printed(list.particles, 20000, ends(&list), 51, &groups), STATUS_BAD);
    expect_said("and at most 1000000 for the product of arrays and edges");
    cr_expect_eq(paper_groups_as_printed(list.particles, 5, ends(&list), 6, &groups), STATUS_BAD);
    expect_said("use at most one array for each edge");
    cr_expect_eq(paper_groups_repaired(2, 2, (const int[][2]){{0, 1}, {1, 2}}, &groups), STATUS_BAD);
    expect_said("constraint 1 has particle 2");
    cr_expect_eq(paper_groups_repaired(2, 1, (const int[][2]){{0, -1}}, &groups), STATUS_BAD);
    expect_said("edge 0 joins fewer than two particles");
    free(list.particle);
}

static void shuffle(int count, int *order, unsigned seed) {
    state = seed;
    for (int i = 0; i < count; ++i) {
        order[i] = i;
        const int j = random_below(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

static struct mesh copy_of(const struct mesh *mesh) {
    struct mesh copy;
    mesh_create(&copy, mesh->vertices, mesh->triangles);
    memcpy(copy.position, mesh->position, (size_t)mesh->vertices * sizeof *copy.position);
    memcpy(copy.corner, mesh->corner, (size_t)mesh->triangles * sizeof *copy.corner);
    return copy;
}

static int lowest_of(const int corner[3]) {
    const int low = corner[0] < corner[1] ? corner[0] : corner[1];
    return low < corner[2] ? low : corner[2];
}

/* Reorder the mesh and check that it is the same mesh. Returns the mean difference between the indices of an edge's two
 * ends (order_mean_distance). */
static double distance_after(struct mesh *mesh, const int *order) {
    struct mesh before = copy_of(mesh);
    int *place = memory_new((size_t)mesh->vertices, sizeof *place);
    int *from = memory_new((size_t)mesh->triangles, sizeof *from),
        *to = memory_new((size_t)mesh->triangles, sizeof *to);
    cr_assert_eq(order_invert(mesh->vertices, order, place), STATUS_OK);
    cr_assert_eq(mesh_permute(mesh, order), STATUS_OK);
    for (int v = 0; v < mesh->vertices; ++v)
        cr_expect_arr_eq(mesh->position[v], before.position[order[v]], sizeof *before.position);
    order_renumber(3 * (size_t)mesh->triangles, place, before.corner[0]);
    order_constraints(mesh->vertices, mesh->triangles, 3, before.corner[0], from);
    cr_expect_eq(order_invert(mesh->triangles, from, to), STATUS_OK);
    for (int t = 0; t < mesh->triangles; ++t) {
        cr_expect_arr_eq(mesh->corner[t], before.corner[from[t]], sizeof *before.corner);
        cr_expect(t == 0 || lowest_of(mesh->corner[t - 1]) <= lowest_of(mesh->corner[t]));
    }
    struct list edges = edges_of_mesh(mesh);
    const double distance = order_mean_distance(edges.constraints, ends(&edges));
    free(edges.particle);
    free(place);
    free(from);
    free(to);
    mesh_free(&before);
    return distance;
}

Test(order, brings_together_what_is_near) {
    struct mesh mesh = sphere(5);
    int *order = memory_new((size_t)mesh.vertices, sizeof *order);
    shuffle(mesh.vertices, order, 7);
    const double random = distance_after(&mesh, order), n = mesh.vertices;
    cr_expect_float_eq(random, n / 3, n / 30, "%g", random);
    cr_assert_eq(order_morton(mesh.vertices, (const double(*)[3])mesh.position, order), STATUS_OK);
    const double morton = distance_after(&mesh, order);
    cr_expect_leq(morton, random / 8, "%g", morton);
    struct list edges = edges_of_mesh(&mesh);
    cr_assert_eq(order_graph(mesh.vertices, edges.constraints, ends(&edges), order), STATUS_OK);
    const double graph = distance_after(&mesh, order);
    cr_expect_leq(graph, random / 20, "%g", graph);
    free(edges.particle);
    free(order);
    mesh_free(&mesh);
}

/* The positions are the eight corners of a cube, each twice. They must be in the order of Morton's curve, and equal
 * positions in the order of their indices. */
Test(order, morton_is_the_curve) {
    double position[16][3];
    int order[16];
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 3; ++k)
            position[i][k] = ((15 - i) / 2 >> k & 1) * 1e308 - 0.5e308;
    cr_assert_eq(order_morton(16, (const double(*)[3])position, order), STATUS_OK);
    for (int i = 0; i < 16; ++i)
        cr_expect_eq(order[i], 14 - i / 2 * 2 + i % 2, "%d: %d", i, order[i]);
    for (int i = 0; i < 16; ++i)
        for (int k = 0; k < 3; ++k)
            position[i][k] = 1;
    cr_assert_eq(order_morton(16, (const double(*)[3])position, order), STATUS_OK);
    for (int i = 0; i < 16; ++i)
        cr_expect_eq(order[i], i);
    cr_expect_eq(order_morton(0, NULL, NULL), STATUS_OK);
}

/* The graph has two paths whose vertices are numbered at random, and two vertices without edges. In the order of
 * order_graph, the ends of each edge are consecutive. */
Test(order, graph_unrolls_paths) {
    enum { VERTICES = 1000, HALF = 499 };
    int name[VERTICES], order[VERTICES], place[VERTICES];
    struct list path = {VERTICES, .size = 2};
    shuffle(VERTICES, name, 5);
    for (int i = 0; i + 1 < 2 * HALF; ++i)
        if (i + 1 != HALF)
            list_add_edge(&path, name[i], name[i + 1]);
    cr_assert_eq(order_graph(VERTICES, path.constraints, ends(&path), order), STATUS_OK);
    cr_assert_eq(order_invert(VERTICES, order, place), STATUS_OK);
    order_renumber(2 * (size_t)path.constraints, place, path.particle);
    for (int e = 0; e < path.constraints; ++e)
        cr_expect_eq(abs(path.particle[2 * e] - path.particle[2 * e + 1]), 1);
    free(path.particle);
    struct list rays = star(5000);
    int *of_star = memory_new((size_t)rays.particles, sizeof *of_star), *again = memory_new((size_t)rays.particles, 4);
    cr_assert_eq(order_graph(rays.particles, rays.constraints, ends(&rays), of_star), STATUS_OK);
    cr_expect_eq(order_invert(rays.particles, of_star, again), STATUS_OK);
    /* order_graph reverses the order that it finds: one ray, the centre, the other rays. So the centre is the last but
     * one. */
    cr_expect_eq(again[0], rays.particles - 2);
    free(of_star);
    free(again);
    free(rays.particle);
    cr_expect_eq(order_graph(0, 0, NULL, NULL), STATUS_OK);
}

Test(order, refuses_what_is_none) {
    struct mesh mesh = sphere(0);
    const int *corner = mesh.corner[0], before = corner[5];
    int order[12], place[12];
    failure_clear();
    for (int i = 0; i < 12; ++i)
        order[i] = i;
    order[3] = 7;
    cr_expect_eq(mesh_permute(&mesh, order), STATUS_BAD);
    expect_said("places 3 and 7 of the order have 7");
    cr_expect(corner == mesh.corner[0] && corner[5] == before);
    order[3] = 12;
    cr_expect_eq(order_invert(12, order, place), STATUS_BAD);
    expect_said("place 3 of the order has 12; the order must have each of 0 to 11 once");
    order[3] = -1;
    cr_expect_eq(order_invert(12, order, place), STATUS_BAD);
    expect_said("of the order has -1");
    mesh.position[4][1] = NAN;
    cr_expect_eq(order_morton(12, (const double(*)[3])mesh.position, order), STATUS_BAD);
    expect_said("vertex 4 is at");
    cr_expect_eq(order_graph(2, 2, (const int[][2]){{0, 1}, {1, 2}}, order), STATUS_BAD);
    expect_said("edge 1 has the end 2; vertices are 0 to 1");
    mesh_free(&mesh);
}
