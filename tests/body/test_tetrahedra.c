/* Tests of boxes of tetrahedra, and of tetrahedra by TetGen. Some tests replace TetGen by a program that writes given
 * files. */
#include "ball.h"
#include "base/file.h"
#include "body/tetgen.h"
#include "mesh/edges.h"
#include "support.h"
#include "tetrahedra_box.h"

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <sys/stat.h>

static struct tetrahedra body;
static struct mesh surface;
static struct tetgen_outcome outcome;

static void begin(void) {
    failure_clear();
}

static void end(void) {
    tetrahedra_free(&body);
    mesh_free(&surface);
    tetgen_free(&outcome);
}

TestSuite(box, .init = begin, .fini = end, .timeout = 60);
TestSuite(tetgen, .init = begin, .fini = end, .timeout = 120);

static double smallest_volume(void) {
    double smallest = INFINITY;
    for (int t = 0; t < body.tetrahedra; ++t)
        smallest = fmin(smallest, tetrahedron_determinant((const double(*)[3])body.position, body.corner[t]) / 6);
    return smallest;
}

static void expect_said(const char *text) {
    cr_expect(strstr(failure_text(), text), "expected \"%s\" in the message:\n%s", text, failure_text());
}

/* The surface of a cube with edges of `size` m. */
static void cube(double size, struct mesh *mesh) {
    struct tetrahedra box;
    cr_assert_eq(tetrahedra_box((int[3]){1, 1, 1}, (double[3]){size, size, size}, BOX_SIX, &box), STATUS_OK);
    cr_assert_eq(tetrahedra_surface(&box, mesh, NULL), STATUS_OK);
    tetrahedra_free(&box);
}

static bool is_closed(const struct mesh *mesh) {
    struct edges edges;
    edges_create(mesh, &edges);
    bool closed = true;
    for (int e = 0; e < edges.count; ++e)
        closed = closed && edge_triangles(&edges, e) == 2;
    edges_free(&edges);
    return closed;
}

Test(box, cells_fill_it_and_share_faces) {
    static const int shapes[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {2, 3, 4}, {5, 2, 3}, {19, 19, 19}};
    static const double size[3] = {0.5, 2, 3};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; ++s)
        for (enum box_cut cut = BOX_FIVE; cut <= BOX_SIX; ++cut) {
            const int *n = shapes[s];
            cr_assert_eq(tetrahedra_box(n, size, cut, &body), STATUS_OK, "%s", failure_text());
            cr_expect_eq(body.vertices, (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
            cr_expect_eq(body.tetrahedra, (cut == BOX_FIVE ? 5 : 6) * n[0] * n[1] * n[2]);
            int *vertex;
            /* If the diagonals of neighbouring cells did not match, triangles between the cells would count as surface.
             */
            cr_assert_eq(tetrahedra_surface(&body, &surface, &vertex), STATUS_OK, "%s", failure_text());
            cr_expect_eq(surface.triangles, 4 * (n[0] * n[1] + n[1] * n[2] + n[2] * n[0]));
            cr_expect_eq(surface.vertices, surface.triangles / 2 + 2);
            cr_expect(is_closed(&surface));
            struct tetrahedra_survey survey;
            tetrahedra_survey(&body, &survey);
            cr_expect_float_eq(survey.volume, 3, 1e-12);
            cr_expect_float_eq(mesh_volume(&surface, surface.position[0]), 3, 1e-12);
            cr_expect_float_eq(smallest_volume(), 3.0 / n[0] / n[1] / n[2] / 6, 1e-12);
            for (int v = 0; v < surface.vertices; ++v)
                cr_expect_arr_eq(surface.position[v], body.position[vertex[v]], sizeof(double[3]));
            for (int v = 1; v < surface.vertices; ++v)
                cr_expect_gt(vertex[v], vertex[v - 1]);
            for (int k = 0; k < 3; ++k)
                cr_expect(body.position[0][k] == 0 && body.position[body.vertices - 1][k] == size[k]);
            free(vertex);
            tetrahedra_free(&body);
            mesh_free(&surface);
        }
}

Test(box, angles_of_known_tetrahedra) {
    struct tetrahedra_survey survey;
    cr_assert_eq(tetrahedra_box((int[3]){1, 1, 1}, (double[3]){1, 1, 1}, BOX_FIVE, &body), STATUS_OK);
    tetrahedra_survey(&body, &survey);
    cr_expect_float_eq(survey.smallest_angle, acos(1 / sqrt(3)) * 180 / acos(-1), 1e-12, "%.15g",
                       survey.smallest_angle);
    tetrahedra_free(&body);
    cr_assert_eq(tetrahedra_box((int[3]){1, 1, 1}, (double[3]){1, 1, 1}, BOX_SIX, &body), STATUS_OK);
    tetrahedra_survey(&body, &survey);
    cr_expect_float_eq(survey.smallest_angle, 45, 1e-12);
}

Test(box, inverted_and_flat_are_seen) {
    struct tetrahedra_survey survey;
    cr_assert_eq(tetrahedra_box((int[3]){2, 1, 1}, (double[3]){2, 1, 1}, BOX_SIX, &body), STATUS_OK);
    const int held = body.corner[3][0];
    body.corner[3][0] = body.corner[3][1];
    body.corner[3][1] = held;
    tetrahedra_survey(&body, &survey);
    cr_expect_float_eq(survey.volume, 2 - 2.0 / 6, 1e-12);
    cr_expect_float_eq(smallest_volume(), -1.0 / 6, 1e-12);
    cr_expect_float_eq(survey.smallest_angle, 45, 1e-12);
    body.corner[5][3] = body.corner[5][2];
    tetrahedra_survey(&body, &survey);
    cr_expect_eq(survey.smallest_angle, 0);
    body.tetrahedra = 0;
    tetrahedra_survey(&body, &survey);
    cr_expect(survey.volume == 0 && isnan(survey.smallest_angle));
}

Test(box, what_cannot_be_cut_is_refused) {
    static const struct {
        int cubes[3];
        double size[3];
        const char *said;
    } table[] = {
        {{0, 1, 1}, {1, 1, 1}, "a box of 0 x 1 x 1 cubes; each count must be 1 or more"},
        {{1, 1, -3}, {1, 1, 1}, "each count must be 1 or more"},
        {{1, 1, 1}, {1, 0, 1}, "a box of 1 x 0 x 1 m; each side must be above 0"},
        {{1, 1, 1}, {1, 1, NAN}, "each side must be above 0"},
        {{1, 1, 1}, {INFINITY, 1, 1}, "each side must be above 0"},
        {{INT_MAX, 1, 1}, {1, 1, 1}, "at most 2147483647 of each are possible"},
        {{1000, 1000, 1000}, {1, 1, 1}, "has 1003003001 vertices and 6000000000 tetrahedra"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        failure_clear();
        cr_expect_eq(tetrahedra_box(table[k].cubes, table[k].size, BOX_SIX, &body), STATUS_BAD);
        expect_said(table[k].said);
        cr_expect(!body.position && !body.corner);
    }
}

Test(box, overlapping_tetrahedra_have_no_surface) {
    const double position[5][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 2}};
    static const struct {
        int tetrahedra, corner[3][4];
        const char *said;
    } table[] = {
        {2, {{0, 1, 2, 3}, {0, 1, 2, 4}}, "0, 1 and 2 is a side of 2 tetrahedra on the same side"},
        {3, {{0, 1, 2, 3}, {0, 2, 1, 4}, {1, 2, 0, 4}}, "0, 1 and 2 is a side of 3 tetrahedra"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        tetrahedra_create(&body, 5, table[k].tetrahedra);
        memcpy(body.position, position, sizeof position);
        memcpy(body.corner, table[k].corner, (size_t)table[k].tetrahedra * sizeof *body.corner);
        failure_clear();
        int *vertex;
        cr_expect_eq(tetrahedra_surface(&body, &surface, &vertex), STATUS_BAD);
        expect_said(table[k].said);
        cr_expect(!vertex && !surface.corner);
        tetrahedra_free(&body);
    }
}

/* Rotate the three corners of a triangle cyclically until the smallest index is first. This keeps the orientation. */
static void normalise(int corner[3]) {
    while (corner[0] > corner[1] || corner[0] > corner[2]) {
        const int held = corner[0];
        corner[0] = corner[1];
        corner[1] = corner[2];
        corner[2] = held;
    }
}

static int compare(const void *a, const void *b) {
    return memcmp(a, b, sizeof(int[3]));
}

Test(tetgen, a_sphere_is_filled_and_its_surface_kept) {
    struct mesh ball;
    ball_create(8, &ball);
    const struct tetgen_options options = {.switches = "-pqY"};
    cr_assert_eq(tetgen_fill(&ball, &options, &body, &outcome), STATUS_OK, "%s", failure_text());
    cr_expect_eq(outcome.result, TETGEN_WHOLE);
    cr_expect_eq(outcome.run.code, 0);
    cr_expect_eq(body.kept, ball.vertices);
    cr_expect_gt(body.vertices, ball.vertices, "TetGen has added no vertex inside");
    struct tetrahedra_survey survey;
    tetrahedra_survey(&body, &survey);
    cr_expect_gt(smallest_volume(), 0);
    cr_expect_float_eq(survey.volume, mesh_volume(&ball, ball.position[0]), 1e-12);
    cr_expect_float_eq(survey.volume, 4.0 / 3 * acos(-1), 0.1);
    cr_expect(survey.smallest_angle > 0.1 && survey.smallest_angle < 60);
    /* TetGen reports as many tetrahedra as its files have. */
    char *said = text_format("Mesh tetrahedra: %d\n", body.tetrahedra);
    cr_expect(strstr(outcome.run.output, said), "%s", outcome.run.output);
    free(said);
    /* With -Y the outer surface of the body is the surface from which it was made, triangle by triangle. */
    int *vertex;
    cr_assert_eq(tetrahedra_surface(&body, &surface, &vertex), STATUS_OK, "%s", failure_text());
    cr_assert_eq(surface.triangles, ball.triangles);
    for (int t = 0; t < ball.triangles; ++t) {
        normalise(surface.corner[t]);
        normalise(ball.corner[t]);
    }
    for (int v = 0; v < surface.vertices; ++v)
        cr_expect_eq(vertex[v], v);
    qsort(surface.corner, (size_t)surface.triangles, sizeof *surface.corner, compare);
    qsort(ball.corner, (size_t)ball.triangles, sizeof *ball.corner, compare);
    cr_expect_arr_eq(surface.corner, ball.corner, (size_t)ball.triangles * sizeof *ball.corner);
    free(vertex);
    mesh_free(&ball);
}

Test(tetgen, twice_the_same_bytes_and_no_folder_is_left) {
    struct mesh ball;
    char *parent = folder_temporary(), hash[2][33];
    cr_assert_eq(setenv("TMPDIR", parent, 1), 0);
    ball_create(5, &ball);
    for (int k = 0; k < 2; ++k) {
        const struct tetgen_options options = {.switches = "-pq1.3a0.01"};
        cr_assert_eq(tetgen_fill(&ball, &options, &body, &outcome), STATUS_OK, "%s", failure_text());
        tetrahedra_hash(&body, hash[k]);
        cr_expect_eq(body.kept, ball.vertices, "the surface's vertices must come first, also without -Y");
        tetrahedra_free(&body);
        tetgen_free(&outcome);
    }
    cr_expect_str_eq(hash[0], hash[1]);
    cr_expect_eq(rmdir(parent), 0, "the parent of the temporary folder is not empty");
    failure_clear();
    cr_expect_eq(tetgen_fill(&ball, &(struct tetgen_options){.switches = "-p"}, &body, &outcome), STATUS_BAD);
    expect_said("cannot create a temporary folder: No such file or directory; TMPDIR sets its parent folder");
    free(parent);
    mesh_free(&ball);
}

Test(tetgen, a_hole_makes_nothing_and_is_a_failure) {
    struct mesh ball;
    ball_create(4, &ball);
    --ball.triangles;
    cr_expect_eq(tetgen_fill(&ball, &(struct tetgen_options){.switches = "-p"}, &body, &outcome), STATUS_BAD);
    cr_expect_eq(outcome.result, TETGEN_EMPTY, "%d: %s", outcome.result, outcome.run.output);
    cr_expect_eq(outcome.run.code, 0, "TetGen must end with code 0 although it made no tetrahedra");
    expect_said("tetgen -p made no tetrahedra; the surface must be closed");
    cr_expect(!body.position && !body.corner && body.vertices == 0);
    tetgen_free(&outcome);
    cr_expect_eq(tetgen_fill(&ball, &(struct tetgen_options){.switches = "-pJ"}, &body, &outcome), STATUS_BAD);
    cr_expect_eq(outcome.result, TETGEN_EMPTY, "%d: %s", outcome.result, outcome.run.output);
    mesh_free(&ball);
}

Test(tetgen, its_word_on_a_surface_that_cuts_itself_is_kept) {
    struct mesh box, twice;
    cube(1, &box);
    mesh_create(&twice, 2 * box.vertices, 2 * box.triangles);
    for (int v = 0; v < 2 * box.vertices; ++v)
        for (int k = 0; k < 3; ++k)
            twice.position[v][k] = box.position[v % box.vertices][k] + (v < box.vertices ? 0 : 0.3 + 0.1 * k);
    for (int t = 0; t < 2 * box.triangles; ++t)
        for (int c = 0; c < 3; ++c)
            twice.corner[t][c] = box.corner[t % box.triangles][c] + (t < box.triangles ? 0 : box.vertices);
    cr_expect_eq(tetgen_fill(&twice, &(struct tetgen_options){.switches = "-pY"}, &body, &outcome), STATUS_BAD);
    cr_expect_eq(outcome.result, TETGEN_FAILED);
    cr_expect(strstr(outcome.run.output, "Opening body.smesh.\n"));
    cr_expect(strstr(outcome.run.output, "intersect"), "%s", outcome.run.output);
    cr_expect(strstr(failure_text(), "intersect") || strstr(failure_text(), "1st"), "%s", failure_text());
    cr_expect_not(strstr(failure_text(), "seconds"),
                  "the message must not have times, which differ from run to run:\n%s", failure_text());
    cr_expect(outcome.run.signal || outcome.run.code > 0);
    mesh_free(&twice);
    mesh_free(&box);
}

Test(tetgen, limits_end_it) {
    struct mesh box;
    cube(1, &box);
    const struct tetgen_options late = {.switches = "-pq1.1a0.000001", .seconds = 0.3};
    cr_expect_eq(tetgen_fill(&box, &late, &body, &outcome), STATUS_BAD);
    cr_expect_eq(outcome.run.end, PROCESS_TIMED_OUT);
    expect_said("tetgen -pq1.1a0.000001 did not end within 0.3 s");
    cr_expect_lt(outcome.run.seconds, 30);
    tetgen_free(&outcome);
    failure_clear();
    const struct tetgen_options large = {.switches = "-pq1.1a0.000001", .memory = (size_t)64 << 20};
    cr_expect_eq(tetgen_fill(&box, &large, &body, &outcome), STATUS_BAD);
    cr_expect_eq(outcome.run.end, PROCESS_OUT_OF_MEMORY, "%d, %d, %d: %s", outcome.run.end, outcome.run.code,
                 outcome.run.signal, outcome.run.output);
    expect_said("needed more memory than its limit of 64.0 MiB");
    mesh_free(&box);
}

Test(tetgen, bad_input_is_not_passed_on) {
    static const struct {
        const char *switches, *said;
        int vertices;
        double coordinate;
        int corner;
    } table[] = {
        {"", "switches are \"\"; they must begin with -p", 8, 0, 0},
        {NULL, "switches are \"\"; they must begin with -p", 8, 0, 0},
        {"-q", "they must begin with -p", 8, 0, 0},
        {"-p body", "after the dash use only letters, digits and . / ,", 8, 0, 0},
        {"-p;", "after the dash use only", 8, 0, 0},
        {"-p", "a surface of 3 vertices and 12 triangles encloses nothing", 3, 0, 0},
        {"-p", "vertex 0 of the surface is at nan, 0, 0; positions must be finite", 8, NAN, 0},
        {"-p", "triangle 0 of the surface has vertex 8; vertices are 0 to 7", 8, 0, 8},
        {"-p", "triangle 0 of the surface has vertex -1", 8, 0, -1},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct mesh box;
        cube(1, &box);
        box.vertices = table[k].vertices;
        box.position[0][0] = table[k].coordinate;
        box.corner[0][0] = table[k].corner;
        failure_clear();
        const struct tetgen_options options = {.switches = table[k].switches};
        cr_expect_eq(tetgen_fill(&box, &options, &body, &outcome), STATUS_BAD);
        expect_said(table[k].said);
        cr_expect_eq(outcome.result, TETGEN_NOT_RUN);
        cr_expect_str_eq(outcome.run.output, "");
        tetgen_free(&outcome);
        mesh_free(&box);
    }
}

/* Replace TetGen by a program that writes body.1.node and body.1.ele with these texts. A file whose text is NULL is not
 * written. Returns the status of tetgen_fill. */
static int fill_by(const char *node, const char *ele) {
    char *home = folder_temporary(), *path = text_format("%s/tetgen", home), *list;
    char *script = text_format("#!/bin/sh\necho begun\n%s%s%s\n%s%s%s\n", node ? "cat >body.1.node <<'END'\n" : "",
                               node ? node : "", node ? "END" : "", ele ? "cat >body.1.ele <<'END'\n" : "",
                               ele ? ele : "", ele ? "END" : "");
    text_write(path, script);
    cr_assert_eq(chmod(path, 0700), 0);
    list = text_format("%s:/usr/bin:/bin", home);
    cr_assert_eq(setenv("PATH", list, 1), 0);
    struct mesh box;
    cube(1, &box);
    failure_clear();
    const int status = tetgen_fill(&box, &(struct tetgen_options){.switches = "-p"}, &body, &outcome);
    mesh_free(&box);
    free(list);
    free(script);
    free(path);
    folder_remove(home);
    return status;
}

#define FOUR "4  3  0  0\n 0 0 0 0\n 1 1 0 0\n 2 0 1 0\n 3 0 0 1\n"

Test(tetgen, what_it_leaves_is_read_with_care) {
    static const struct {
        const char *node, *ele, *said;
    } table[] = {
        {NULL, NULL, "TetGen wrote no body.1.node"},
        {FOUR, NULL, "TetGen wrote no body.1.ele"},
        {"", "1 4 0\n0 0 1 2 3\n", "TetGen's body.1.node:1:1: the file ends before the number of vertices"},
        {"# nothing\n", "1 4 0\n0 0 1 2 3\n", "TetGen's body.1.node:2:1: the file ends before the number of vertices"},
        {"many 3 0 0\n", "",
         "TetGen's body.1.node:1:1: the number of vertices is 'many', which is not a whole number of at most 18 "
         "digits"},
        {"-4 3 0 0\n", "", "the number of vertices is -4, not from 0 to 2147483647"},
        {"4\n", "", "TetGen's body.1.node:1:2: the line ends before the dimension"},
        {"4 2 0 0\n", "", "the dimension is 2, not 3"},
        {"4\n3 0 0\n", "", "TetGen's body.1.node:1:2: the line ends before the dimension"},
        {"2 3 0 0\n 0 0 0 \r\n 1 1 0 0\n", "", ":2:9: the line ends before the coordinate z"},
        {"2 3 0 0\n 0 0 0 0x1\n 1 1 0 0\n", "", ":2:8: the coordinate z is '0x1', which is not a number"},
        {"2000000000 3 0 0\n0 0 0 0\n", "", "the file states more vertices than it has"},
        {"99999999999 3 0 0\n", "", "the number of vertices is 99999999999, not from 0 to 2147483647"},
        {"2 3 0 0\n 0 0.000000 0.000000 0\n", "", "TetGen's body.1.node:3:1: the file ends before the vertex's index"},
        {"2 3 0 0\n 0 0 0 0\n 2 1 0 0\n", "", ":3:2: the vertex's index is 2, not 1"},
        {"2 3 0 0\n 2 0 0 0\n 3 1 0 0\n", "", ":2:2: the vertex's index is 2, not from 0 to 1"},
        {"2 3 0 0\n 0 0 0\n 1 1 0 0\n", "", ":2:7: the line ends before the coordinate z"},
        {"2 3 0 0\n 0 0 0 nan\n 1 1 0 0\n", "", ":2:8: the coordinate z is 'nan', which is not finite"},
        {"2 3 0 0\n 0 0 0 1e999\n 1 1 0 0\n", "", ":2:8: the coordinate z is '1e999', which is not finite"},
        {"2 3 0 0\n 0 0 0 1x\n 1 1 0 0\n", "", ":2:8: the coordinate z is '1x', which is not a number"},
        {FOUR, "", "TetGen's body.1.ele:1:1: the file ends before the number of tetrahedra"},
        {FOUR, "1 10 0\n", ":1:3: the number of corners is 10, not 4"},
        {FOUR, "2000000 4 0\n", "the file states more tetrahedra than it has"},
        {FOUR, "1 4 0\n0 0 1 2 4\n", "TetGen's body.1.ele:2:9: the corner is 4, not from 0 to 3"},
        {FOUR, "1 4 0\n0 0 1 2 -1\n", ":2:9: the corner is -1, not from 0 to 3"},
        {FOUR, "1 4 0\n0 0 1 2\n# no more\n", ":2:8: the line ends before the corner"},
        {FOUR, "1 4 0\n1 0 1 2 3\n", ":2:1: the tetrahedron's index is 1, not 0"},
        {FOUR, "1 4 0\n0 0 1 2 2\n", ":2:9: this tetrahedron is flat"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        cr_expect_eq(fill_by(table[k].node, table[k].ele), STATUS_BAD, "%zu", k);
        expect_said(table[k].said);
        cr_expect_eq(outcome.result, TETGEN_BROKEN);
        cr_expect_str_eq(outcome.run.output, "begun\n");
        cr_expect(!body.position && !body.corner && body.vertices == 0);
        tetgen_free(&outcome);
    }
}

Test(tetgen, indices_from_0_and_from_1_give_one_body) {
    static const struct {
        const char *node, *ele;
    } table[] = {
        {FOUR, "1  4  0\n    0       0     1     2     3\n# Generated by tetgen\n"},
        {"# from 1\n4 3 1 1\n1 0 0 0 7 1\n2 1 0 0 7 1\n\n3 0 1 0 7 1\n4 0 0 1 7 1\n", "1 4 1\n1 1 2 3 4 9\n"},
        {FOUR, "1  4  0\n  0  0  1  3  2\n"}, /* inverted: two corners are exchanged */
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        cr_assert_eq(fill_by(table[k].node, table[k].ele), STATUS_OK, "%s", failure_text());
        cr_expect_eq(body.vertices, 4);
        cr_assert_eq(body.tetrahedra, 1);
        cr_expect_arr_eq(body.corner, ((int[4]){0, 1, 2, 3}), sizeof(int[4]));
        cr_expect_eq(tetrahedron_determinant(body.position, body.corner[0]), 1);
        cr_expect_eq(body.kept, 3, "only the first three vertices are those of the cube");
        tetrahedra_free(&body);
        tetgen_free(&outcome);
    }
}

Test(tetgen, where_it_is_missing_its_package_is_named) {
    struct mesh box;
    cube(1, &box);
    cr_assert_eq(setenv("PATH", "/nowhere", 1), 0);
    cr_expect_eq(tetgen_fill(&box, &(struct tetgen_options){.switches = "-p"}, &body, &outcome), STATUS_BAD);
    expect_said("tetgen is missing; apt-get install tetgen installs it");
    mesh_free(&box);
}

Test(tetgen, a_scratch_folder_goes_with_all_in_it) {
    char *path, *inside;
    cr_assert_eq(temporary_make(&path), STATUS_OK, "%s", failure_text());
    inside = text_format("%s/a/b", path);
    char *command = text_format("mkdir -p '%s' && echo x >'%s/file'", inside, inside);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    char *kept = text_copy(path);
    temporary_end(path);
    cr_expect_neq(access(kept, F_OK), 0);
    temporary_end(NULL);
    free(command);
    free(inside);
    free(kept);
}
