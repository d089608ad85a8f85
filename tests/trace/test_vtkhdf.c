/* The geometry in the traces of runs, as the independent reader of vtkhdf.h reads it: ground, plate, obstacles,
 * tetrahedra, and runs that diverged. */
#include "base/vector.h"
#include "body/filling.h"
#include "body/prepared.h"
#include "mesh/edges.h"
#include "mesh/shape.h"
#include "mesh_write.h"
#include "shell.h"
#include "vtkhdf.h"

TestSuite(vtkhdf, .init = shell_begin, .fini = shell_end);

enum { SURFACE, INSIDE, GROUND, PLATE, OBSTACLES };

/* Run an experiment that has one run, and open the geometry of its trace. */
static hid_t run_and_open(const char *scene, hid_t *file, int *steps) {
    char *text = text_format("springback: 1\npaper: test\ntitle: A scene\n%s", scene);
    shell("mkdir -p paper");
    text_write("paper/scene.yaml", text);
    free(text);
    shell("\"$S\" run -q paper/scene.yaml --out out");
    expect_code(0);
    return vtkhdf_open("out/paper/scene/serial.trace-1.vtkhdf", file, steps);
}

/* The lowest and highest y of an object's points, and the largest distance of such a point from the object's first
 * point. */
static void extent_of(const struct vtkhdf_grid *grid, int object, double *low, double *high, double *widest) {
    *low = (double)INFINITY;
    *high = -(double)INFINITY;
    *widest = 0;
    const double *start = NULL;
    for (int64_t c = 0; c < grid->cells; c++)
        for (int64_t k = grid->offset[c]; grid->object[c] == object && k < grid->offset[c + 1]; k++) {
            const double *at = grid->point[grid->corner[k]];
            start = start ? start : at;
            *low = fmin(*low, at[1]);
            *high = fmax(*high, at[1]);
            *widest = fmax(*widest, hypot(hypot(at[0] - start[0], at[1] - start[1]), at[2] - start[2]));
        }
}

/* A ball is on the ground, under a plate. The plate moves down at 4 m/s for 10 ms. */
Test(vtkhdf, ground_and_plate) {
    struct mesh mesh;
    shape_icosphere(2, &mesh);
    mesh_write(&mesh, "ball.off");
    hid_t file;
    int steps;
    hid_t root = run_and_open("body: {mesh: ./ball.off, node_mass: 1 kg}\n"
                              "method: {name: volume_constraint, stiffness: 5000 N/m, damping: 20 N s/m}\n"
                              "scene: {ground: {height: 0.5 m}, plate: {speed: 4 m/s, gap: 0.1 m, until: 10 ms}}\n"
                              "time: {step: 0.1 ms, steps_per_frame: 10, frames: 12}\n"
                              "record: {every: 2, mesh_every: 4}\n",
                              &file, &steps);
    cr_assert_eq(steps, 4);
    for (int k = 0; k < steps; k++) {
        struct vtkhdf_grid grid;
        double low, high, widest, body_low, body_high;
        vtkhdf_read(root, k, &grid);
        cr_expect_float_eq(grid.time, 0.004 * k, 1e-12);
        cr_assert_eq(grid.points, mesh.vertices + 8);
        cr_expect_eq(vtkhdf_count(&grid, SURFACE, VTKHDF_TRIANGLE), mesh.triangles);
        cr_expect_eq(vtkhdf_count(&grid, GROUND, VTKHDF_TRIANGLE), 2);
        cr_expect_eq(vtkhdf_count(&grid, PLATE, VTKHDF_TRIANGLE), 2);
        cr_expect_eq(vtkhdf_count(&grid, OBSTACLES, VTKHDF_TRIANGLE), 0);
        extent_of(&grid, SURFACE, &body_low, &body_high, &widest);
        extent_of(&grid, GROUND, &low, &high, &widest);
        cr_expect(low == 0.5 && high == 0.5 && widest > 4 && body_low > 0.49, "%g %g %g %g", low, high, widest,
                  body_low);
        extent_of(&grid, PLATE, &low, &high, &widest);
        if (k < 3) {
            cr_expect_float_eq(low, 2.6 - 4 * grid.time, 1e-6, "%g at %g s", low, grid.time);
            cr_expect(low == high && widest > 2 && grid.velocity[grid.points - 1][1] == -4);
        } else { /* the plate has been removed */
            cr_expect(widest == 0 && grid.velocity[grid.points - 1][1] == 0);
        }
        vtkhdf_grid_free(&grid);
    }
    vtkhdf_close(file, root);
    mesh_free(&mesh);
}

Test(vtkhdf, obstacles) {
    struct mesh mesh;
    shape_icosphere(1, &mesh);
    mesh_write(&mesh, "ball.off");
    hid_t file;
    int steps;
    hid_t root = run_and_open("body: {mesh: ./ball.off, node_mass: 1 g}\n"
                              "method: {name: xpbd, spring: stretching, stiffness: 1, iterations: 1}\n"
                              "scene:\n  sphere: {radius: 0.5 m, centre: [0, -5 m, 1 m]}\n"
                              "  convex: {mesh: ./ball.off, centre: [0, -5 m, 0]}\n"
                              "time: {step: 1 ms, frames: 2}\nrecord: {mesh_every: 1}\n",
                              &file, &steps);
    cr_assert_eq(steps, 3);
    for (int k = 0; k < steps; k++) {
        struct vtkhdf_grid grid;
        vtkhdf_read(root, k, &grid);
        const int64_t of_sphere = grid.points - 2 * mesh.vertices;
        cr_expect_eq(vtkhdf_count(&grid, OBSTACLES, VTKHDF_TRIANGLE), 2 * (of_sphere - 2) + mesh.triangles);
        for (int64_t p = mesh.vertices; p < mesh.vertices + of_sphere; p++) {
            const double *at = grid.point[p];
            cr_assert_float_eq(hypot(hypot(at[0], at[1] + 5), at[2] - 1), 0.5, 1e-6);
        }
        vtkhdf_grid_free(&grid);
    }
    vtkhdf_close(file, root);
    mesh_free(&mesh);
}

Test(vtkhdf, tetrahedra) {
    struct mesh mesh;
    struct prepared prepared;
    shape_icosphere(2, &mesh);
    cr_assert_eq(prepared_create(&mesh, "filled", &prepared), STATUS_OK, "%s", failure_text());
    cr_assert_eq(filling_add(&prepared, &(struct filling){true, true, "-pYQ"}, "filled"), STATUS_OK, "%s",
                 failure_text());
    cr_assert_eq(stored_write(&prepared, "filled.h5"), STATUS_OK, "%s", failure_text());
    cr_assert_eq(setenv("SPRINGBACK_BODIES", home, 1), 0);
    const struct part *tetrahedra = &prepared.parts[PART_TETRAHEDRA];
    hid_t file;
    int steps;
    hid_t root = run_and_open("body: {mesh: filled, node_mass: 1 g, surface: {inside: tetrahedra}}\n"
                              "method: {name: vbd_hyperelastic, young: 1 kPa, iterations: 2}\n"
                              "time: {step: 1 ms, frames: 2}\nrecord: {mesh_every: 1}\n",
                              &file, &steps);
    cr_assert_eq(steps, 3);
    struct vtkhdf_grid grid;
    vtkhdf_read(root, 0, &grid);
    cr_assert_eq(grid.points, prepared.vertices);
    cr_expect_eq(vtkhdf_count(&grid, SURFACE, VTKHDF_TRIANGLE), mesh.triangles);
    cr_assert_eq(vtkhdf_count(&grid, INSIDE, VTKHDF_TETRAHEDRON), tetrahedra->count);
    double volume = 0;
    for (int64_t c = mesh.triangles; c < grid.cells; c++) {
        const double *at[4];
        double edge[3][3];
        for (int k = 0; k < 4; k++)
            at[k] = grid.point[grid.corner[grid.offset[c] + k]];
        for (int k = 0; k < 9; k++)
            edge[k / 3][k % 3] = at[k / 3 + 1][k % 3] - at[0][k % 3];
        const double each = vector_dot(edge[0], (const double[]){edge[1][1] * edge[2][2] - edge[1][2] * edge[2][1],
                                                                 edge[1][2] * edge[2][0] - edge[1][0] * edge[2][2],
                                                                 edge[1][0] * edge[2][1] - edge[1][1] * edge[2][0]}) /
                            6;
        cr_assert_gt(each, 0, "cell %d", (int)c);
        volume += each;
    }
    cr_expect_float_eq(volume, mesh_volume(&mesh, mesh.position[0]), 1e-5, "%g", volume);
    vtkhdf_grid_free(&grid);
    vtkhdf_close(file, root);
    prepared_free(&prepared);
    mesh_free(&mesh);
}

/* The time steps of a run that diverges end with the last recorded geometry. If a trace has a single geometry, it
 * appears as two time steps. */
Test(vtkhdf, runs_that_diverge) {
    static const int every[] = {1, 100};
    for (int e = 0; e < 2; e++) {
        char *scene = text_format("body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 g}\n"
                                  "method: {name: mass_spring, stiffness: 1e6 N/m, damping: 0 N s/m}\n"
                                  "time: {step: 10 ms, steps_per_frame: 1, frames: 100}\n"
                                  "record: {every: 1, mesh_every: %d}\n",
                                  every[e]);
        hid_t file;
        int steps;
        hid_t root = run_and_open(scene, &file, &steps);
        hid_t times = H5Dopen2(file, "/frames/time", H5P_DEFAULT), space = H5Dget_space(times);
        const int frames = (int)H5Sget_simple_extent_npoints(space);
        cr_assert(frames > 1 && frames < 100, "%d frames", frames);
        cr_assert_eq(steps, e ? 2 : frames);
        struct vtkhdf_grid grid;
        for (int k = 0; k < steps; k++) {
            vtkhdf_read(root, k, &grid);
            cr_expect_float_eq(grid.time, e ? 0 : 0.01 * k, 1e-12);
            cr_expect(e || grid.point[0][0] != 0 || grid.point[1][0] != 0, "step %d has no positions", k);
            vtkhdf_grid_free(&grid);
        }
        H5Sclose(space);
        H5Dclose(times);
        vtkhdf_close(file, root);
        free(scene);
        shell("rm -r out");
    }
}
