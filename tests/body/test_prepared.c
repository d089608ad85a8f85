/* Tests of prepared bodies: making, storing and reading a body, and detecting a damaged file. */
#include "base/file.h"
#include "body/filling.h"
#include "body/groups.h"
#include "body/prepared.h"
#include "body/surface.h"
#include "mesh/mesh_file.h"
#include "mesh_write.h"
#include "shapes.h"
#include "support.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>

/* If a file is damaged, HDF5 does not free everything that it has read before it detects the damage. LeakSanitizer must
 * not report these leaks. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libhdf5";
}

static void prepare(struct prepared *prepared, const char *switches) {
    struct mesh mesh;
    shape_icosphere(2, &mesh);
    failure_clear();
    cr_assert_eq(prepared_create(&mesh, "ball", prepared), STATUS_OK, "%s", failure_text());
    const struct filling how = {.with_links = true, .with_paper_groups = true, .switches = switches};
    cr_assert_eq(filling_add(prepared, &how, "ball"), STATUS_OK, "%s", failure_text());
    mesh_free(&mesh);
}

static double number(const struct prepared *prepared, const char *name) {
    const char *text = prepared_fact(prepared, name);
    cr_assert_not_null(text, "%s", name);
    return strtod(text, NULL);
}

/* If TetGen cannot fill even a single tetrahedron, TetGen is broken. filling_add then reports an error, instead of
 * recording that this surface cannot be filled. */
Test(prepared, a_tetgen_that_fills_nothing_is_an_error) {
    static const char *const scripts[] = {"exit 3", "exit 0", "kill -SEGV $$",
                                          "echo x >body.1.node; echo y >body.1.ele"};
    char folder[] = "/tmp/springback-tetgen-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char *program = text_format("%s/tetgen", folder), *path = text_format("%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    for (size_t s = 0; s < sizeof scripts / sizeof *scripts; ++s) {
        FILE *file = fopen(program, "w");
        fprintf(file, "#!/bin/sh\n%s\n", scripts[s]);
        fchmod(fileno(file), 0755);
        fclose(file);
        struct mesh mesh;
        struct prepared prepared;
        shape_icosphere(2, &mesh);
        failure_clear();
        cr_assert_eq(prepared_create(&mesh, "ball", &prepared), STATUS_OK, "%s", failure_text());
        const struct filling how = {.switches = "-pqY"};
        cr_expect_eq(filling_add(&prepared, &how, "ball"), STATUS_BAD, "%s", scripts[s]);
        cr_expect(strstr(failure_text(), "does not fill even a single tetrahedron"), "%s", failure_text());
        mesh_free(&mesh);
        prepared_free(&prepared);
    }
    unlink(program);
    rmdir(folder);
    free(program);
    free(path);
}

Test(prepared, a_ball_has_what_a_ball_must_have) {
    struct prepared ball;
    prepare(&ball, "-pqY");
    cr_expect_null(prepared_flaw(&ball), "%s", prepared_flaw(&ball));
    cr_expect_eq(ball.surface_vertices, 162);
    cr_expect_eq(ball.parts[PART_EDGES].count, 480);
    cr_expect_eq(ball.parts[PART_TRIANGLES].count, 320);
    cr_expect_eq(ball.parts[PART_BENDS].count, 480); /* every edge has two triangles */
    cr_expect_eq(number(&ball, "euler"), 2);
    cr_expect_eq(number(&ball, "edges_groups_least"), 6);
    /* Links are nearly diameters. Most links are found twice, by the rays of both ends, so there are about half as many
     * links as vertices. */
    cr_expect_gt(ball.parts[PART_LINKS].count, 70);
    cr_expect_gt(ball.parts[PART_TETRAHEDRA].count, 300);
    cr_expect_eq(number(&ball, "tetgen_failed"), 0);
    cr_expect_eq(number(&ball, "particles"), ball.vertices);
    for (int k = 0; k < BODY_PARTS; ++k) {
        const struct part *part = &ball.parts[k];
        int *group = memory_new((size_t)part->count, sizeof *group);
        for (int g = 0; g < part->groups; ++g)
            for (int c = part->start[g]; c < part->start[g + 1]; ++c)
                group[c] = g;
        cr_expect_eq(groups_conflicts(ball.vertices, part->count, part_kinds[k].size, part->particle, group), 0, "%s",
                     part_kinds[k].name);
        free(group);
    }
    /* A bend consists of an edge and the third corner of each of its two triangles. These corners are near the edge. */
    for (int b = 0; b < ball.parts[PART_BENDS].count; ++b) {
        const int *p = ball.parts[PART_BENDS].particle + 4 * (size_t)b;
        double away[2] = {0, 0};
        for (int side = 0; side < 2; ++side)
            for (int k = 0; k < 3; ++k)
                away[side] += pow(ball.position[p[0]][k] - ball.position[p[2 + side]][k], 2);
        cr_expect(away[0] < 0.5 && away[1] < 0.5, "bend %d", b);
    }
    prepared_free(&ball);
}

Test(prepared, what_tetgen_cannot_fill_is_a_fact) {
    struct mesh mesh;
    struct prepared open;
    shape_cloth(4, 4, 1, 1, &mesh);
    cr_assert_eq(prepared_create(&mesh, "cloth", &open), STATUS_OK);
    cr_assert_eq(filling_add(&open, &(struct filling){.switches = "-p"}, "cloth"), STATUS_OK, "%s", failure_text());
    cr_expect_eq(number(&open, "tetgen_failed"), 1);
    cr_expect_eq(open.parts[PART_TETRAHEDRA].count, 0);
    cr_expect_str_eq(failure_text(), "");
    prepared_free(&open);
    mesh_free(&mesh);
}

Test(prepared, is_read_as_it_was_written_and_written_the_same_twice) {
    char *folder = folder_temporary(), *a = text_format("%s/a.h5", folder), *b = text_format("%s/b.h5", folder);
    struct prepared ball, again, read;
    prepare(&ball, "-pqY");
    prepare(&again, "-pqY");
    cr_assert_eq(stored_write(&ball, a), STATUS_OK, "%s", failure_text());
    sleep(1); /* if the files contained the time, they would differ */
    cr_assert_eq(stored_write(&again, b), STATUS_OK, "%s", failure_text());
    char *compare = text_format("cmp '%s' '%s'", a, b);
    cr_expect_eq(system(compare), 0); /* NOLINT(cert-env33-c) */
    cr_assert_eq(stored_read(a, &read), STATUS_OK, "%s", failure_text());
    cr_expect_str_eq(read.hash, ball.hash);
    cr_assert_eq(read.facts.count, ball.facts.count);
    for (int f = 0; f < read.facts.count; ++f)
        cr_expect_str_eq(read.facts.items[f].value, prepared_fact(&ball, read.facts.items[f].name));
    free(compare);
    prepared_free(&ball);
    prepared_free(&again);
    prepared_free(&read);
    free(a);
    free(b);
    folder_remove(folder);
}

/* A changed byte is detected, or changes neither positions nor parts. The hash does not cover the facts. */
Test(prepared, a_damaged_file_is_never_another_body) {
    char *folder = folder_temporary(), *path = text_format("%s/a.h5", folder);
    struct prepared ball, read;
    prepare(&ball, NULL);
    cr_assert_eq(stored_write(&ball, path), STATUS_OK);
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    const off_t size = lseek(fd, 0, SEEK_END);
    int seen = 0;
    for (off_t at = 3; at < size; at += 211) {
        unsigned char byte, other;
        cr_assert_eq(pread(fd, &byte, 1, at), 1);
        other = byte ^ 0x40;
        cr_assert_eq(pwrite(fd, &other, 1, at), 1);
        failure_clear();
        if (stored_read(path, &read)) {
            ++seen;
            cr_expect(strstr(failure_text(), path), "%s", failure_text());
        } else {
            cr_expect_str_eq(read.hash, ball.hash);
            prepared_free(&read);
        }
        cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    }
    cr_expect_gt(seen, 10);
    close(fd);
    cr_assert_eq(truncate(path, size / 2), 0);
    cr_expect_eq(stored_read(path, &read), STATUS_BAD);
    text_write(path, "no HDF5");
    cr_expect_eq(stored_read(path, &read), STATUS_BAD);
    prepared_free(&ball);
    free(path);
    folder_remove(folder);
}

/* A hash detects damage, but not a file that was written wrong on purpose. Therefore a file with a correct hash is also
 * refused if its content is not a valid body. */
Test(prepared, what_is_no_body_is_not_read) {
    static const char *const wrong[] = {"a constraint has a particle that does not exist",
                                        "a constraint has a particle", "its groups", "a position is not finite",
                                        "more on its surface"};
    char *folder = folder_temporary(), *path = text_format("%s/a.h5", folder);
    for (size_t w = 0; w < sizeof wrong / sizeof *wrong; ++w) {
        struct prepared ball, read;
        prepare(&ball, "-pqY");
        const struct part *edges = &ball.parts[PART_EDGES];
        switch (w) {
        case 0: /* an edge to an inner vertex, which is not on the surface */
            cr_assert_gt(ball.vertices, ball.surface_vertices);
            edges->particle[1] = ball.surface_vertices;
            break;
        case 1:
            edges->particle[1] = edges->particle[0];
            break;
        case 2: /* the first edge of group 1 moves to group 0 */
            edges->start[1] += 1;
            break;
        case 3:
            ball.position[7][1] = NAN;
            break;
        default:
            ball.surface_vertices = ball.vertices + 1;
        }
        prepared_seal(&ball);
        failure_clear();
        cr_assert_eq(stored_write(&ball, path), STATUS_OK);
        cr_expect_eq(stored_read(path, &read), STATUS_BAD);
        cr_expect(strstr(failure_text(), wrong[w]) || strstr(failure_text(), "damaged"), "%zu: %s", w, failure_text());
        prepared_free(&ball);
    }
    free(path);
    folder_remove(folder);
}

Test(prepared, a_name_and_a_path_are_told_apart) {
    cr_expect(surface_is_file("a/b") && surface_is_file("b.obj") && surface_is_file("c.ply.gz"));
    cr_expect(surface_is_file("SCAN.STL"), "the ending of a file name may be in capitals");
    cr_expect_not(surface_is_file("bunny_open_3008"));
}

/* The test runs an experiment with a mesh file on every backend. */
Test(prepared, a_mesh_file_runs_to_the_same_bits_everywhere) {
    static const char *const backends[] = {"serial", "threads:1", "threads:3", "opencl"};
    char *folder = folder_temporary(), *path = text_format("%s/ball.off", folder), hash[4][DIGEST_SIZE];
    struct mesh mesh;
    shape_icosphere(3, &mesh);
    mesh_write(&mesh, path);
    mesh_free(&mesh);
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {mesh: %s, surface: {length: 1 m, requires: [manifold, closed, oriented], "
                             "pins: highest}, node_mass: 1 g}\n"
                             "method: {name: mass_spring, stiffness: 20 N/m, damping: 0.01 N s/m}\n"
                             "time: {step: 0.1 ms, steps_per_frame: 50, frames: 3}\n",
                             path);
    struct plan plan;
    plan_from_text(text, &plan);
    for (int b = 0; b < 4; ++b) {
        struct model model;
        cr_assert_eq(model_describe(&plan.runs[0], &model), STATUS_OK, "%s", failure_text());
        cr_assert_eq(model_build(&model), STATUS_OK);
        cr_expect_eq(model.body.nodes, 642);
        cr_expect_eq(model.body.springs, 1920);
        int pinned = 0;
        for (int i = 0; i < model.body.nodes; ++i) {
            cr_expect_eq(model.body.pinned[i], model.body.position[i][1] >= 0.49, "node %d", i);
            pinned += model.body.pinned[i];
        }
        cr_expect_gt(pinned, 0);
        struct simulation *s = simulation_on(&model, backends[b]);
        const struct state *state = state_after(s, 3);
        cr_expect_not(state->diverged);
        memcpy(hash[b], state->hash, DIGEST_SIZE);
        cr_expect_str_eq(hash[b], hash[0], "%s", backends[b]);
        simulation_close(s);
        model_free(&model);
    }
    plan_free(&plan);
    free(text);
    free(path);
    folder_remove(folder);
}
