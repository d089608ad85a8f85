/* Pictures of surfaces, by ray tracing. */
#include "base/memory.h"
#include "body/paper_groups.h"
#include "mesh/edges.h"
#include "report/snapshot.h"
#include "support.h"
#include "trace/export.h"

#include <math.h>

enum { SIZE = 60 };

/* Two squares: one in the plane z = 0 with sides of 2 m, one in the plane z = -1 m with sides of 1 m. */
static const double squares[8][3] = {{-1, -1, 0},    {1, -1, 0},    {1, 1, 0},    {-1, 1, 0},
                                     {-.5, -.5, -1}, {.5, -.5, -1}, {.5, .5, -1}, {-.5, .5, -1}};
static const int large[2][3] = {{0, 1, 2}, {0, 2, 3}}, both[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};

static unsigned char pixels[SIZE][SIZE][3];

static const struct snapshot_view front = {.width = SIZE, .height = SIZE, .across = 4, .ground = NAN, .plate = NAN};

static struct snapshot_surface surface_of(const int (*corner)[3], int triangles, uint32_t colour) {
    return (struct snapshot_surface){8, triangles, squares, corner, colour};
}

static void draw(const struct snapshot_surface *surface, const struct snapshot_view *view) {
    const struct snapshot_subject subject = {.body = *surface};
    memset(pixels, 1, sizeof pixels);
    cr_assert_eq(snapshot_draw(&subject, view, &pixels[0][0][0]), STATUS_OK, "%s", failure_text());
}

/* The colour, 0xrrggbb, of the pixel that is `right` m to the right of the picture's centre and `up` m above this
 * centre. The picture is 4 m wide. */
static uint32_t at(double right, double up) {
    const unsigned char *p = pixels[(int)floor(SIZE * (0.5 - up / 4))][(int)floor(SIZE * (0.5 + right / 4))];
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

Test(snapshot, a_square_has_its_shade_and_its_place) {
    const struct snapshot_surface square = surface_of(large, 2, 0xff8040);
    const struct export_view light = {{-0.35, 0.5, 0.8}, 0.4, 0xff8040};
    const uint32_t shade = export_shade(squares[0], squares[1], squares[2], &light);
    draw(&square, &front);
    cr_expect_eq(at(0, 0), shade, "%06x", at(0, 0));
    cr_expect_eq(at(0.9, 0.9), shade);
    cr_expect_eq(at(1.1, 0), 0xffffff);
    cr_expect_eq(at(0, -1.1), 0xffffff);
    struct snapshot_view view = front;
    view.at[0] = 1; /* then the square is left of the centre, and below it */
    view.at[1] = 1;
    draw(&square, &view);
    cr_expect_eq(at(-1, -1), shade);
    cr_expect_eq(at(0.1, -1), 0xffffff);
    cr_expect_eq(at(-1, 0.1), 0xffffff);
    view = front;
    view.turn = 60; /* seen at 60 degrees, the square has half the width and the same height */
    draw(&square, &view);
    cr_expect_neq(at(0.4, 0.9), 0xffffff);
    cr_expect_eq(at(0.6, 0.9), 0xffffff);
}

Test(snapshot, what_is_nearer_hides_what_is_behind) {
    const struct snapshot_surface square = surface_of(large, 2, 0xffffff), pair = surface_of(both, 4, 0x800000);
    struct snapshot_view view = front;
    view.at[2] = -0.5;
    draw(&pair, &view);
    const uint32_t large_only = at(0.7, 0);
    cr_expect_eq(at(0, 0), large_only, "the small square is not hidden");
    view.turn = 180;
    draw(&pair, &view);
    cr_expect_eq(at(0.7, 0.8), at(0, 0), "the squares have different shades");
    cr_expect_lt(at(0.7, -0.5) >> 16, at(0, 0) >> 16, "the small square casts no shadow");
    view.turn = 90;
    draw(&square, &view);
    cr_expect_eq(at(0.1, 0.7), 0xffffff, "the square has a thickness");
}

/* Two squares share the edge x = 0. The right square is bent back by an angle. If the angle is small, the shade changes
 * smoothly over the edge, so a square has several shades. */
Test(snapshot, a_slight_bend_is_smooth_and_a_crease_is_not) {
    static const double degrees[] = {20, 120};
    static const int corner[4][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};
    for (int d = 0; d < 2; ++d) {
        const double x = cos(degrees[d] * M_PI / 180), z = -sin(degrees[d] * M_PI / 180);
        const double bent[6][3] = {{-1, -1, 0}, {0, -1, 0}, {x, -1, z}, {-1, 1, 0}, {0, 1, 0}, {x, 1, z}};
        const struct snapshot_surface surface = {6, 4, bent, corner, 0xff0000};
        draw(&surface, &front);
        cr_expect_eq(at(-0.1, 0) == at(-0.9, 0), d == 1, "%g degrees: %06x, %06x", degrees[d], at(-0.1, 0),
                     at(-0.9, 0));
    }
}

Test(snapshot, the_ground_has_the_shadow_of_what_is_above_it) {
    static const double sheet[4][3] = {{-.5, 0, -.5}, {.5, 0, -.5}, {.5, 0, .5}, {-.5, 0, .5}};
    static const int corner[2][3] = {{0, 2, 1}, {0, 3, 2}};
    const struct snapshot_surface surface = {4, 2, sheet, corner, 0xff0000};
    struct snapshot_view view = front;
    view.tilt = 45;
    view.ground = -0.5;
    draw(&surface, &view); /* the sheet is at y = 0; a point at y = -0.5 is 0.35 m lower in the picture */
    const uint32_t sheet_shade = at(0, 0.2), shadow = at(0, -0.6), ground = at(1.5, -0.35);
    cr_expect_eq(sheet_shade & 0xffff, 0, "%06x", sheet_shade);
    cr_expect_eq(at(1.95, 0), 0xffffff, "the ground does not end at its edge");
    cr_expect_neq(ground, 0xffffff);
    cr_expect_lt(shadow & 0xff, ground & 0xff);
    cr_expect_gt(shadow & 0xff, 0u);
    cr_expect_eq(at(-0.8, -0.35), ground);
    view.ground = 0; /* a ground at the height of the sheet does not hide the sheet */
    draw(&surface, &view);
    cr_expect_eq(at(0, 0.2), sheet_shade);
    cr_expect_eq(at(0, -0.2), sheet_shade);
    view.ground = 0.5;
    draw(&surface, &view);
    cr_expect_eq(at(0, 0), ground, "the body below the ground is not hidden");
}

Test(snapshot, one_sees_through_a_plate) {
    const struct snapshot_surface square = surface_of(large, 2, 0xff0000);
    struct snapshot_view view = front;
    view.tilt = 30;
    draw(&square, &view);
    const uint32_t bare = at(0, 0), above = at(0, 0.7);
    view.plate = 0;
    draw(&square, &view); /* the part of the plate in front of the square is lower in the picture, the part behind the
                             square is higher */
    cr_expect_eq(at(0, 0.7), above);
    cr_expect_neq(at(0, -0.3), bare);
    cr_expect_gt(at(0, -0.3) >> 16, at(0, -0.3) & 0xff, "the red square is not visible through the plate");
    cr_expect_neq(at(1.5, 0), 0xffffff);
    cr_expect_eq(at(1.5, 0.9), 0xffffff);
}

Test(snapshot, aim_shows_all_of_a_body) {
    const struct snapshot_surface square = surface_of(large, 2, 0);
    struct snapshot_view view = front;
    for (int turn = 0; turn < 360; turn += 45) {
        view.turn = turn;
        view.tilt = turn / 10.0;
        view.across = 0;
        cr_assert_eq(snapshot_aim(&square, &view), STATUS_OK);
        draw(&square, &view);
        int drawn = 0, border = 0, rows = 0;
        for (int row = 0; row < SIZE; ++row) {
            bool any = false;
            for (int column = 0; column < SIZE; ++column) {
                const bool is = pixels[row][column][0] < 255;
                drawn += is;
                any = any || is;
                border += is && (row < 1 || column < 1 || row >= SIZE - 1 || column >= SIZE - 1);
            }
            rows += any;
        }
        cr_expect_eq(border, 0, "turn %d", turn);
        cr_expect(turn % 180 == 90 || rows > SIZE * 3 / 4, "turn %d: %d rows", turn, rows);
        cr_expect(turn % 180 == 90 || drawn > 0, "turn %d", turn);
    }
}

Test(snapshot, what_is_not_finite_is_left_out) {
    const double broken[4][3] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {NAN, INFINITY, 0}};
    static const double far[3][3] = {{-1e30, -1e30, 0}, {1e30, -1e30, 0}, {0, 1e30, 0}};
    static const double nothing[1][3] = {{INFINITY, 0, 0}};
    static const int one[1][3] = {{0, 1, 2}};
    const struct snapshot_surface half = {4, 2, broken, large, 0xff0000};
    const struct snapshot_surface whole = {3, 1, far, one, 0xff0000};
    const struct snapshot_surface none = {1, 0, nothing, one, 0xff0000};
    struct snapshot_view view = front;
    draw(&half, &front);
    cr_expect_eq(at(-0.8, 0.8), 0xffffff);
    cr_expect_neq(at(0.8, -0.8), 0xffffff);
    draw(&whole, &front);
    draw(&none, &front);
    cr_expect_eq(at(0, 0), 0xffffff);
    failure_clear();
    cr_expect_eq(snapshot_aim(&none, &view), STATUS_BAD);
    cr_expect(strstr(failure_text(), "no vertex has a finite position"));
    failure_clear();
}

static void draw_subject(const struct snapshot_subject *subject) {
    memset(pixels, 1, sizeof pixels);
    cr_assert_eq(snapshot_draw(subject, &front, &pixels[0][0][0]), STATUS_OK, "%s", failure_text());
}

/* An obstacle of the small square's size is drawn at four depths: behind the large square, in the plane of the large
 * square, and in front of this plane by 0.5 and by 1.5 times SNAPSHOT_YIELD picture widths. Only at the last depth must
 * the obstacle be visible. Then the obstacle is drawn next to the large square. The picture is 4 m wide. */
Test(snapshot, an_obstacle_hides_and_is_hidden_and_yields_to_what_lies_on_it) {
    double moved[8][3];
    memcpy(moved, squares, sizeof moved);
    struct snapshot_surface obstacle = {8, 2, (const double(*)[3])moved, both + 2, 0x0000ff};
    const struct snapshot_subject subject = {
        .body = surface_of(large, 2, 0xff0000), .obstacles = &obstacle, .obstacle_count = 1};
    const double depths[] = {-1, 0, 0.5 * SNAPSHOT_YIELD * 4, 1.5 * SNAPSHOT_YIELD * 4};
    for (int d = 0; d < 4; ++d) {
        for (int v = 4; v < 8; ++v)
            moved[v][2] = depths[d];
        draw_subject(&subject);
        cr_expect_eq((at(0, 0) & 0xff) > 0, d == 3, "an obstacle %g m in front of the square: %06x", depths[d],
                     at(0, 0));
        cr_expect_eq(at(0.8, 0) & 0xff, 0, "%06x", at(0.8, 0));
    }
    for (int v = 4; v < 8; ++v)
        moved[v][0] += 1.2; /* next to the large square */
    draw_subject(&subject);
    cr_expect_eq(at(1.4, 0) >> 16, 0, "%06x", at(1.4, 0));
    cr_expect_gt(at(1.4, 0), 0u);
    struct snapshot_subject too_many = subject;
    too_many.obstacle_count = SNAPSHOT_OBSTACLES + 1;
    failure_clear();
    cr_expect_eq(snapshot_draw(&too_many, &front, &pixels[0][0][0]), STATUS_BAD);
    cr_expect(strstr(failure_text(), "obstacles; expected at most"));
    failure_clear();
}

Test(snapshot, edges_have_their_colour_and_their_width) {
    static const uint32_t edge[2][3] = {{0x00ff00, SNAPSHOT_BARE, 0x0000ff}, {0x0000ff, 0x00ffff, SNAPSHOT_BARE}};
    const struct snapshot_subject subject = {.body = surface_of(large, 2, 0xff0000), .edge = edge, .edge_width = 0.4};
    draw_subject(&subject);
    cr_expect_eq(at(0, -0.9), 0x00ff00u, "%06x", at(0, -0.9));
    cr_expect_eq(at(0.9, 0), at(0.5, -0.5), "an edge without a colour is drawn");
    cr_expect_eq(at(0.5, -0.5) & 0xffff, 0);
    cr_expect_eq(at(0, 0.9), 0x00ffffu, "%06x", at(0, 0.9));
    cr_expect_eq(at(-0.1, 0.0), 0x0000ffu, "%06x", at(-0.1, 0.0));
    cr_expect_eq(at(0.1, 0.0), 0x0000ffu, "%06x", at(0.1, 0.0));
    cr_expect_eq(at(0, -0.7) & 0xffff, 0, "the edge is wider than edge_width");
}

/* A fan of six triangles has twelve edges, six of which share its centre. */
Test(edge_groups, no_two_of_a_colour_share_a_node_except_red_ones) {
    double position[7][3] = {{0, 0, 0}};
    int corner[6][3];
    for (int t = 0; t < 6; ++t) {
        position[1 + t][0] = cos(M_PI / 3 * t);
        position[1 + t][1] = sin(M_PI / 3 * t);
        corner[t][0] = 0;
        corner[t][1] = 1 + t;
        corner[t][2] = 1 + (t + 1) % 6;
    }
    const struct snapshot_surface fan = {7, 6, (const double(*)[3])position, (const int(*)[3])corner, 0};
    for (int g = 0; g < 2; ++g) {
        double length = 0;
        uint32_t(*edge)[3] = edge_groups_colour(g ? "repaired" : "colouring", &fan, &length);
        cr_assert_not_null(edge, "%s", failure_text());
        cr_expect_float_eq(length, 1, 1e-12);
        for (int t = 0; t < 6; ++t) {
            cr_expect_eq(edge[t][2], edge[(t + 1) % 6][0], "an edge has another colour in each of its triangles");
            for (int k = 0; k < 3; ++k) {
                cr_expect_neq(edge[t][k], SNAPSHOT_BARE);
                cr_expect_neq(edge[t][k], EDGE_GROUPS_BAD);
                cr_expect_neq(edge[t][k], edge[t][(k + 1) % 3], "two edges of a triangle have the same colour");
            }
            for (int other = 0; other < t; ++other)
                cr_expect_neq(edge[t][0], edge[other][0], "two edges at the centre have the same colour");
        }
        free(edge);
    }
    double length = 0;
    uint32_t(*printed)[3] = edge_groups_colour("printed", &fan, &length);
    int bare = 0;
    for (int t = 0; t < 6; ++t)
        bare += (printed[t][0] == SNAPSHOT_BARE) + (printed[t][1] == SNAPSHOT_BARE);
    cr_expect_gt(bare, 0, "the algorithm as printed must leave edges out");
    free(printed);
    cr_expect(edge_groups_known("printed"));
    cr_expect_not(edge_groups_known("print"));
}

/* With the groups as the paper prints them, an edge must be red if and only if another edge of its group shares a node
 * with it. */
Test(edge_groups, red_are_those_that_conflict_as_printed) {
    enum { SIDE = 6, NODES = SIDE * SIDE, CELLS = (SIDE - 1) * (SIDE - 1) };
    double position[NODES][3] = {{0}};
    int corner[2 * CELLS][3];
    for (int i = 0; i < NODES; ++i) {
        const int row = i / SIDE;
        position[i][0] = i - row * SIDE;
        position[i][1] = row;
    }
    for (int c = 0; c < CELLS; ++c) {
        const int a = c / (SIDE - 1) * SIDE + c % (SIDE - 1);
        const int corners[6] = {a, a + 1, a + SIDE + 1, a, a + SIDE + 1, a + SIDE};
        memcpy(corner[2 * c], corners, sizeof corners);
    }
    const struct snapshot_surface grid = {NODES, 2 * CELLS, (const double(*)[3])position, (const int(*)[3])corner, 0};
    double length = 0;
    uint32_t(*colour)[3] = edge_groups_colour("printed", &grid, &length);
    struct mesh mesh = {NODES, 2 * CELLS, position, corner};
    struct edges edges;
    struct groups groups;
    edges_create(&mesh, &edges);
    const int(*end)[2] = (const int(*)[2])edges.end;
    cr_assert_eq(paper_groups_repaired(NODES, edges.count, end, &groups), STATUS_OK);
    const int arrays = groups.count;
    groups_free(&groups);
    cr_assert_eq(paper_groups_as_printed(NODES, edges.count, end, arrays, &groups), STATUS_OK);
    bool *conflicts = memory_new((size_t)edges.count, sizeof *conflicts);
    for (int g = 0; g < groups.count; ++g)
        for (int i = groups.start[g]; i < groups.start[g + 1]; ++i)
            for (int j = groups.start[g]; j < groups.start[g + 1]; ++j) {
                const int *a = end[groups.constraint[i]], *b = end[groups.constraint[j]];
                conflicts[groups.constraint[i]] |= groups.constraint[i] != groups.constraint[j] &&
                                                   (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]);
            }
    int red = 0;
    for (int t = 0; t < 2 * CELLS; ++t)
        for (int k = 0; k < 3; ++k) {
            const bool is_red = colour[t][k] == EDGE_GROUPS_BAD;
            cr_expect_eq(is_red, conflicts[edges.of_triangle[t][k]]);
            red += is_red;
        }
    cr_expect_gt(red, 0);
    free(conflicts);
    free(colour);
    groups_free(&groups);
    edges_free(&edges);
}
