/* Lit triangles as text, seen by a camera. */
#include "report/picture.h"
#include "support.h"

#include <math.h>

/* A square in the plane z = 0, facing the viewer, and its back, one behind. */
static const double square[8][3] = {{-1, -1, 0},  {1, -1, 0},  {1, 1, 0},  {-1, 1, 0},
                                    {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1}};
static const int front[2][3] = {{0, 1, 2}, {0, 2, 3}}, back[2][3] = {{4, 6, 5}, {4, 7, 6}};

struct seen {
    double at[3]; /* right, up, away */
    unsigned colour;
};

/* The points of a written scene; how many triangles these are. */
static int written(const struct picture_surface *surfaces, int count, double turn, double tilt, int most,
                   struct seen *out, int room) {
    struct picture_camera camera;
    cr_assert_eq(picture_aim(surfaces, count, turn, tilt, &camera), STATUS_OK, "%s", failure_text());
    char *text, *rest, *line;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    picture_write(surfaces, count, &camera, most, file);
    fclose(file);
    int points = 0;
    rest = text;
    while ((line = strsep(&rest, "\n")))
        if (*line) {
            struct seen point;
            static const int places[3] = {0, 2, 1};
            char *end = line;
            for (int k = 0; k < 3; ++k)
                point.at[places[k]] = strtod(end, &end);
            cr_assert_eq(strncmp(end, " 0x", 3), 0, "%s", line);
            point.colour = (unsigned)strtoul(end, &end, 16);
            cr_assert_eq(*end, 0);
            for (int k = 0; k < 2; ++k) /* within what the camera says is taken up */
                cr_expect(point.at[k] >= camera.low[k] - 1e-6 && point.at[k] <= camera.high[k] + 1e-6);
            if (points < room)
                out[points] = point;
            ++points;
        }
    free(text);
    cr_assert_eq(points % 4, 0);
    return points / 4;
}

Test(picture, what_is_nearer_is_larger_and_what_faces_away_is_left_out) {
    const struct picture_surface near = {4, 2, square, front, 0xffffff, true};
    const struct picture_surface both[2] = {{8, 2, square, front, 0x808080, false},
                                            {8, 2, square, back, 0xff0000, false}};
    struct seen seen[16];
    cr_expect_eq(written(&near, 1, 0, 0, 10, seen, 16), 2);
    cr_expect_eq(written(&near, 1, 180, 0, 10, seen, 16), 0);
    cr_assert_eq(written(both, 2, 0, 0, 10, seen, 16), 4);
    cr_expect_gt(seen[8].at[2], seen[0].at[2], "the second is farther away");
    cr_expect_lt(fabs(seen[8].at[0]), fabs(seen[0].at[0]), "and smaller");
    cr_expect_float_eq(seen[0].at[0], seen[0].at[1], 1e-6);
    cr_expect_eq(seen[0].colour & 0xff, seen[0].colour >> 16, "grey stays grey");
    cr_expect_eq(seen[8].colour & 0xffff, 0, "red stays red");
    cr_expect_gt(seen[8].colour >> 16, 0x80u, "both sides are lit alike");
}

Test(picture, up_is_up_and_right_is_right) {
    static const double axes[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const int corner[1][3] = {{0, 1, 2}};
    const struct picture_surface surface = {3, 1, axes, corner, 0xffffff, false};
    struct seen seen[4];
    for (int turn = -60; turn <= 60; turn += 30) {
        cr_assert_eq(written(&surface, 1, turn, 20, 10, seen, 4), 1);
        cr_expect_gt(seen[1].at[0], seen[0].at[0]);
        cr_expect_gt(seen[2].at[1], seen[0].at[1]);
    }
}

Test(picture, what_is_not_finite_is_left_out) {
    const double broken[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {NAN, 1, 0}};
    static const double nothing[1][3] = {{INFINITY, 0, 0}};
    const struct picture_surface surface = {4, 2, broken, front, 0xffffff, false};
    const struct picture_surface none = {1, 0, nothing, front, 0xffffff, false};
    struct picture_camera camera;
    cr_expect_eq(written(&surface, 1, 30, 20, 10, NULL, 0), 1);
    failure_clear();
    cr_expect_eq(picture_aim(&none, 1, 30, 20, &camera), STATUS_BAD);
    cr_expect(strstr(failure_text(), "no vertex is finite"));
    failure_clear();
}

/* A wavy sheet of 20,000 triangles, and the same as a soup, whose triangles have no neighbours. */
Test(picture, large_surfaces_are_thinned) {
    enum { SIDE = 100, TRIANGLES = 2 * SIDE * SIDE, MOST = 2000 };
    double(*position)[3] = memory_new((SIDE + 1) * (SIDE + 1), sizeof *position);
    double(*soup_position)[3] = memory_new(3 * (size_t)TRIANGLES, sizeof *position);
    int(*corner)[3] = memory_new(TRIANGLES, sizeof *corner), (*soup)[3] = memory_new(TRIANGLES, sizeof *corner);
    for (int v = 0; v < (SIDE + 1) * (SIDE + 1); ++v) {
        const int x = v % (SIDE + 1), y = v / (SIDE + 1);
        memcpy(position[v], (double[3]){x, y, 5 * sin(x / 9.0) * cos(y / 7.0)}, sizeof *position);
    }
    for (int t = 0; t < TRIANGLES; ++t) {
        const int low = t / 2 / SIDE * (SIDE + 1) + t / 2 % SIDE, high = low + SIDE + 2;
        memcpy(corner[t], t % 2 ? (int[3]){low, high, high - 1} : (int[3]){low, low + 1, high}, sizeof *corner);
        for (int c = 0; c < 3; ++c) {
            soup[t][c] = 3 * t + c;
            memcpy(soup_position[3 * t + c], position[corner[t][c]], sizeof *position);
        }
    }
    struct picture_surface surface = {(SIDE + 1) * (SIDE + 1), TRIANGLES, (const double(*)[3])position,
                                      (const int(*)[3])corner, 0xffffff,  false};
    cr_expect_eq(written(&surface, 1, 30, 20, TRIANGLES, NULL, 0), TRIANGLES);
    const int left = written(&surface, 1, 30, 20, MOST, NULL, 0);
    cr_expect(left > MOST / 2 && left <= MOST, "%d", left);
    surface.vertices = 3 * TRIANGLES;
    surface.position = (const double(*)[3])soup_position;
    surface.corner = (const int(*)[3])soup;
    const int pieces = written(&surface, 1, 30, 20, MOST, NULL, 0);
    cr_expect(pieces > 0 && pieces <= 2 * MOST, "%d", pieces);
    free(position);
    free(soup_position);
    free(corner);
    free(soup);
}
