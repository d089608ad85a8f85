/* Surfaces as pixels, by rays. */
#include "report/snapshot.h"
#include "support.h"
#include "trace/export.h"

#include <math.h>

enum { SIZE = 60 };

/* Two squares in planes z = 0, of sides 2, and z = -1, of sides 1. */
static const double squares[8][3] = {{-1, -1, 0},    {1, -1, 0},    {1, 1, 0},    {-1, 1, 0},
                                     {-.5, -.5, -1}, {.5, -.5, -1}, {.5, .5, -1}, {-.5, .5, -1}};
static const int large[2][3] = {{0, 1, 2}, {0, 2, 3}}, both[4][3] = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};

static unsigned char pixels[SIZE][SIZE][3];

static const struct snapshot_view front = {.width = SIZE, .height = SIZE, .across = 4, .ground = NAN, .plate = NAN};

static struct picture_surface surface_of(const int (*corner)[3], int triangles, uint32_t colour) {
    return (struct picture_surface){8, triangles, squares, corner, colour, false};
}

static void draw(const struct picture_surface *surface, const struct snapshot_view *view) {
    const struct snapshot_subject subject = {.body = *surface};
    memset(pixels, 1, sizeof pixels);
    cr_assert_eq(snapshot_draw(&subject, view, &pixels[0][0][0]), STATUS_OK, "%s", failure_text());
}

/* The colour at a place of the picture, in m from its middle when that is 4 m across. */
static uint32_t at(double right, double up) {
    const unsigned char *p = pixels[(int)floor(SIZE * (0.5 - up / 4))][(int)floor(SIZE * (0.5 + right / 4))];
    return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

Test(snapshot, a_square_has_its_shade_and_its_place) {
    const struct picture_surface square = surface_of(large, 2, 0xff8040);
    const struct export_view light = {{-0.35, 0.5, 0.8}, 0.4, 0xff8040};
    const uint32_t shade = export_shade(squares[0], squares[1], squares[2], &light);
    draw(&square, &front);
    cr_expect_eq(at(0, 0), shade, "%06x", at(0, 0));
    cr_expect_eq(at(0.9, 0.9), shade);
    cr_expect_eq(at(1.1, 0), 0xffffff);
    cr_expect_eq(at(0, -1.1), 0xffffff);
    struct snapshot_view view = front;
    view.at[0] = 1; /* the square is then left of the middle, and below */
    view.at[1] = 1;
    draw(&square, &view);
    cr_expect_eq(at(-1, -1), shade);
    cr_expect_eq(at(0.1, -1), 0xffffff);
    cr_expect_eq(at(-1, 0.1), 0xffffff);
    view = front;
    view.turn = 60; /* seen from the side it is half as wide, and as high */
    draw(&square, &view);
    cr_expect_neq(at(0.4, 0.9), 0xffffff);
    cr_expect_eq(at(0.6, 0.9), 0xffffff);
}

Test(snapshot, what_is_nearer_hides_what_is_behind) {
    const struct picture_surface square = surface_of(large, 2, 0xffffff), pair = surface_of(both, 4, 0x800000);
    struct snapshot_view view = front;
    view.at[2] = -0.5;
    draw(&pair, &view);
    const uint32_t large_only = at(0.7, 0);
    cr_expect_eq(at(0, 0), large_only, "the small square is behind");
    view.turn = 180;
    draw(&pair, &view);
    cr_expect_eq(at(0.7, 0), at(0, 0), "both sides and both squares are lit alike");
    view.turn = 90;
    draw(&square, &view);
    cr_expect_eq(at(0.1, 0.7), 0xffffff, "a square has no thickness");
}

Test(snapshot, a_floor_has_the_shadow_of_what_is_above_it) {
    static const double sheet[4][3] = {{-.5, 0, -.5}, {.5, 0, -.5}, {.5, 0, .5}, {-.5, 0, .5}};
    static const int corner[2][3] = {{0, 2, 1}, {0, 3, 2}};
    const struct picture_surface surface = {4, 2, sheet, corner, 0xff0000, false};
    struct snapshot_view view = front;
    view.tilt = 45;
    view.ground = -0.5;
    draw(&surface, &view); /* the sheet is at y = 0, and what is at y = -0.5 stands 0.35 m lower in the picture */
    const uint32_t sheet_shade = at(0, 0.2), shadow = at(0, -0.6), ground = at(1.5, -0.35);
    cr_expect_eq(sheet_shade & 0xffff, 0, "%06x", sheet_shade);
    cr_expect_eq(at(1.95, 0), 0xffffff, "the floor is round and ends");
    cr_expect_neq(ground, 0xffffff);
    cr_expect_lt(shadow & 0xff, ground & 0xff);
    cr_expect_gt(shadow & 0xff, 0u);
    cr_expect_eq(at(-0.8, -0.35), ground);
    view.ground = 0; /* what lies on it is not under it */
    draw(&surface, &view);
    cr_expect_eq(at(0, 0.2), sheet_shade);
    cr_expect_eq(at(0, -0.2), sheet_shade);
    view.ground = 0.5;
    draw(&surface, &view);
    cr_expect_eq(at(0, 0), ground, "what is under the floor is hidden by it");
}

Test(snapshot, one_sees_through_a_plate) {
    const struct picture_surface square = surface_of(large, 2, 0xff0000);
    struct snapshot_view view = front;
    view.tilt = 30;
    draw(&square, &view);
    const uint32_t bare = at(0, 0), above = at(0, 0.7);
    view.plate = 0;
    draw(&square, &view); /* before the square the plate stands lower in the picture, behind it higher */
    cr_expect_eq(at(0, 0.7), above);
    cr_expect_neq(at(0, -0.3), bare);
    cr_expect_gt(at(0, -0.3) >> 16, at(0, -0.3) & 0xff, "red is seen through it");
    cr_expect_neq(at(1.5, 0), 0xffffff);
    cr_expect_eq(at(1.5, 0.9), 0xffffff);
}

Test(snapshot, aim_shows_all_of_a_body) {
    const struct picture_surface square = surface_of(large, 2, 0);
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
    const struct picture_surface half = {4, 2, broken, large, 0xff0000, false};
    const struct picture_surface whole = {3, 1, far, one, 0xff0000, false};
    const struct picture_surface none = {1, 0, nothing, one, 0xff0000, false};
    struct snapshot_view view = front;
    draw(&half, &front);
    cr_expect_eq(at(-0.8, 0.8), 0xffffff);
    cr_expect_neq(at(0.8, -0.8), 0xffffff);
    draw(&whole, &front);
    draw(&none, &front);
    cr_expect_eq(at(0, 0), 0xffffff);
    failure_clear();
    cr_expect_eq(snapshot_aim(&none, &view), STATUS_BAD);
    cr_expect(strstr(failure_text(), "no vertex is finite"));
    failure_clear();
}
