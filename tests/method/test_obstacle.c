/* Tests of the two kinds of obstacle, which no node may enter: spheres and convex bodies. The tests compare new
 * positions with closed forms and with brute force over triangles. They also check that results are bit-identical, and
 * that bodies that are not convex are refused. */
#include "backend/opencl/device.h"
#include "backend/source.h"
#include "body/solids.h"
#include "mesh/mesh_file.h"
#include "mesh/repair.h"
#include "method/scene.h"
#include "scene_bits.h"
#include "subject.h"

static const char *const convex_bodies = SOURCE_DIR "/data/convex_bodies.obj";
static const struct place here = {"e.yaml", 3, 4};

static void expect_near(vec3 x, double a, double b, double c, double within, const char *what) {
    cr_expect(fabs(x.x - a) <= within && fabs(x.y - b) <= within && fabs(x.z - c) <= within,
              "%s: (%.17g, %.17g, %.17g), not (%.17g, %.17g, %.17g)", what, x.x, x.y, x.z, a, b, c);
}

/* ---- The sphere ---- */

static const struct obstacle_parameters ball = {1, 2, -3, 0.5};

Test(sphere, what_is_inside_goes_out_along_its_radius) {
    expect_near(sphere_kept_out(vec3_of(1.3, 2, -3), 1, ball), 1.5, 2, -3, 1e-15, "along x");
    expect_near(sphere_kept_out(vec3_of(1, 2 - 1e-3, -3), 1, ball), 1, 1.5, -3, 1e-12, "near the centre");
    expect_near(sphere_kept_out(vec3_of(1 + 0.06, 2 - 0.08, -3), 1, ball), 1.3, 1.6, -3, 1e-14, "along (3, -4, 0)");
    expect_near(sphere_nearest(vec3_of(1, 4, -3), ball).normal, 0, 1, 0, 1e-15, "the normal at a point outside");
    cr_expect_float_eq(sphere_nearest(vec3_of(1, 4, -3), ball).distance, 1.5, 1e-15);
}

Test(sphere, what_is_outside_or_does_not_move_stays) {
    static const double places[][3] = {{1.51, 2, -3}, {1, 2.5 + 1e-12, -3}, {-7, 9, 3}, {1, 2, -3.6}};
    for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
        const vec3 x = vec3_of(places[k][0], places[k][1], places[k][2]);
        expect_near(sphere_kept_out(x, 1, ball), x.x, x.y, x.z, 0, "outside");
    }
    expect_near(sphere_kept_out(vec3_of(1, 2, -2.9), 0, ball), 1, 2, -2.9, 0, "pinned");
}

Test(sphere, at_its_centre_up_is_out) {
    expect_near(sphere_kept_out(vec3_of(1, 2, -3), 1, ball), 1, 2.5, -3, 0, "the centre");
    cr_expect(isnan(sphere_kept_out(vec3_of(NAN, 2, -3), 1, ball).x), "NaN must stay NaN");
}

/* ---- Convex bodies ---- */

static void solids_of(const char *path, struct mesh *mesh, struct body *body) {
    *body = (struct body){.nodes = 0};
    failure_clear();
    cr_assert_eq(mesh_read(path, false, mesh), STATUS_OK, "%s", failure_text());
    cr_assert_eq(solids_of_mesh(mesh, "the file", here, body), STATUS_OK, "%s", failure_text());
}

static quad *planes_of(const struct body *body) {
    quad *planes = memory_large(scene_planes(body) * sizeof *planes);
    scene_fill_planes(body, sizeof(double), planes);
    return planes;
}

/* The position to which body b of the file moves a node at (x, y, z). */
static vec3 out_of(const struct body *body, const quad *planes, int b, double x, double y, double z) {
    return convex_kept_out(vec3_of(x, y, z), 1, planes, body->solid_start[b],
                           body->solid_start[b + 1] - body->solid_start[b]);
}

Test(convex, box_wedge_and_octahedron_by_hand) {
    struct mesh mesh;
    struct body body;
    solids_of(convex_bodies, &mesh, &body);
    cr_assert_eq(body.solids, 3);
    static const int starts[] = {0, 6, 11, 19};
    for (int s = 0; s < 4; ++s)
        cr_expect_eq(body.solid_start[s], starts[s], "%d: %d", s, body.solid_start[s]);
    quad *planes = planes_of(&body);
    expect_near(out_of(&body, planes, 0, -1.1, 0.45, 0.1), -1.1, 0.5, 0.1, 1e-15, "the box's lid");
    expect_near(out_of(&body, planes, 0, -1.45, 0.25, 0.1), -1.5, 0.25, 0.1, 1e-15, "the box's side");
    expect_near(out_of(&body, planes, 0, -1.1, 0.51, 0.1), -1.1, 0.51, 0.1, 0, "over the box");
    expect_near(out_of(&body, planes, 1, 0, 0.05, 0.2), 0, 0, 0.2, 1e-15, "the wedge's floor");
    /* The wedge's right side is 0.7 x + 0.4 y = 0.28. */
    const double gap = (0.28 - 0.7 * 0.1 - 0.4 * 0.3) / 0.65;
    expect_near(out_of(&body, planes, 1, 0.1, 0.3, 0), 0.1 + 0.7 * gap, 0.3 + 0.4 * gap, 0, 1e-15, "its right side");
    /* The octahedron's sides are |x - 1.1| + |y - 0.5| + |z| = 0.5. */
    expect_near(out_of(&body, planes, 2, 1.2, 0.6, 0.1), 1.1 + 0.5 / 3, 0.5 + 0.5 / 3, 0.5 / 3, 1e-15,
                "the octahedron");
    expect_near(out_of(&body, planes, 2, 1.4, 0.8, 0.1), 1.4, 0.8, 0.1, 0, "outside the body, inside its box");
    const vec3 pinned = convex_kept_out(vec3_of(-1.1, 0.45, 0.1), 0, planes, 0, 6);
    expect_near(pinned, -1.1, 0.45, 0.1, 0, "pinned");
    free(planes);
    mesh_free(&mesh);
    body_free(&body);
}

Test(convex, of_planes_that_are_equally_near_the_first_is_taken) {
    struct mesh mesh;
    struct body body;
    shape_cube(1, &mesh);
    body = (struct body){.nodes = 0};
    cr_assert_eq(solids_of_mesh(&mesh, "cube", here, &body), STATUS_OK, "%s", failure_text());
    cr_assert_eq(body.solid_start[1], 6);
    quad *planes = planes_of(&body);
    const struct nearest nearest = convex_nearest(vec3_of(0, 0, 0), planes, 0, 6);
    cr_expect_eq(nearest.distance, -0.5);
    expect_near(nearest.normal, planes[0].x, planes[0].y, planes[0].z, 0, "the first of six");
    free(planes);
    mesh_free(&mesh);
    body_free(&body);
}

static vec3 corner_of(const struct mesh *mesh, int triangle, int k) {
    const double *x = mesh->position[mesh->corner[triangle][k]];
    return vec3_of(x[0], x[1], x[2]);
}

/* The point of a segment that is nearest to x. */
static vec3 nearest_on_side(vec3 x, vec3 a, vec3 b) {
    const vec3 d = subtract(b, a);
    return add(a, scale(fmin(1, fmax(0, inner(subtract(x, a), d) / inner(d, d))), d));
}

/* The point of a triangle that is nearest to x: the projection of x if it is inside the triangle, else a point on a
 * side. */
static vec3 nearest_on_triangle(vec3 x, const struct mesh *mesh, int triangle) {
    vec3 best = vec3_of(INFINITY, 0, 0), n;
    bool is_over = true;
    const vec3 a = corner_of(mesh, triangle, 0);
    n = outer(subtract(corner_of(mesh, triangle, 1), a), subtract(corner_of(mesh, triangle, 2), a));
    for (int k = 0; k < 3; ++k) {
        const vec3 p = corner_of(mesh, triangle, k), q = corner_of(mesh, triangle, (k + 1) % 3);
        const vec3 on = nearest_on_side(x, p, q);
        if (inner(subtract(on, x), subtract(on, x)) < inner(subtract(best, x), subtract(best, x)))
            best = on;
        is_over = is_over && inner(outer(subtract(q, p), subtract(x, p)), n) >= 0;
    }
    return is_over ? subtract(x, scale(inner(subtract(x, a), n) / inner(n, n), n)) : best;
}

Test(convex, the_nearest_point_is_that_of_brute_force_over_triangles) {
    struct mesh mesh;
    struct body body;
    unsigned seed = 7;
    int inside = 0;
    solids_of(convex_bodies, &mesh, &body);
    quad *planes = planes_of(&body);
    static const int triangles[] = {0, 12, 20, 28};
    for (int k = 0; k < 20000; ++k) {
        const vec3 x =
            vec3_of(1.7 * subject_random(&seed), 0.5 + 0.6 * subject_random(&seed), 0.6 * subject_random(&seed));
        for (int b = 0; b < 3; ++b) {
            const int first = body.solid_start[b], count = body.solid_start[b + 1] - first;
            const struct nearest nearest = convex_nearest(x, planes, first, count);
            const vec3 out = convex_kept_out(x, 1, planes, first, count);
            double least = INFINITY, behind = 0;
            for (int t = triangles[b]; t < triangles[b + 1]; ++t) {
                const vec3 d = subtract(nearest_on_triangle(x, &mesh, t), x);
                least = fmin(least, sqrt(inner(d, d)));
                const vec3 e = subtract(nearest_on_triangle(out, &mesh, t), out);
                behind = t == triangles[b] ? sqrt(inner(e, e)) : fmin(behind, sqrt(inner(e, e)));
            }
            if (nearest.distance < 0) {
                ++inside;
                cr_assert_float_eq(-nearest.distance, least, 1e-14, "%d: %g, %g", b, nearest.distance, least);
                cr_assert_lt(behind, 1e-14, "a node was moved out, but not onto the surface: %g m", behind);
            } else {
                cr_assert_leq(nearest.distance, least + 1e-14);
                cr_assert(out.x == x.x && out.y == x.y && out.z == x.z);
            }
        }
    }
    cr_expect_gt(inside, 1000, "%d", inside);
    free(planes);
    mesh_free(&mesh);
    body_free(&body);
}

/* ---- Bodies that are refused or accepted as convex ---- */

/* Append the mesh `more`, moved by `right` m along x, to the mesh `all`. */
static void join(struct mesh *all, const struct mesh *more, double right) {
    struct mesh both;
    mesh_create(&both, all->vertices + more->vertices, all->triangles + more->triangles);
    for (int v = 0; v < both.vertices; ++v)
        for (int k = 0; k < 3; ++k)
            both.position[v][k] =
                v < all->vertices ? all->position[v][k] : more->position[v - all->vertices][k] + (k == 0 ? right : 0);
    for (int t = 0; t < both.triangles; ++t)
        for (int k = 0; k < 3; ++k)
            both.corner[t][k] =
                t < all->triangles ? all->corner[t][k] : more->corner[t - all->triangles][k] + all->vertices;
    mesh_free(all);
    *all = both;
}

static void refused(struct mesh *mesh, const char *says) {
    struct body body = {.nodes = 0};
    failure_clear();
    cr_expect_eq(solids_of_mesh(mesh, "some.obj", here, &body), STATUS_BAD, "%s", says);
    cr_expect(strstr(failure_text(), says), "%s: %s", says, failure_text());
    cr_expect(strstr(failure_text(), "e.yaml:3:4: scene.convex.mesh"), "%s", failure_text());
    cr_expect(!body.solids && !body.solid_start && !body.plane);
    mesh_free(mesh);
}

/* A cube of 1 m with the centre of its top lowered by `depth` m. */
static void dented(double depth, struct mesh *mesh) {
    shape_cube(2, mesh);
    for (int v = 0; v < mesh->vertices; ++v)
        if (mesh->position[v][1] == 0.5 && mesh->position[v][0] == 0 && mesh->position[v][2] == 0)
            mesh->position[v][1] -= depth;
}

Test(solids, sides_in_one_plane_are_one) {
    struct mesh mesh;
    struct body body = {.nodes = 0};
    shape_cube(8, &mesh);
    cr_assert_eq(solids_of_mesh(&mesh, "cube", here, &body), STATUS_OK, "%s", failure_text());
    cr_expect_eq(body.solids, 1);
    cr_expect_eq(body.solid_start[1], 6, "%d", body.solid_start[1]);
    body_free(&body);
    mesh_free(&mesh);
    shape_uv_sphere(16, 32, &mesh); /* its quadrilaterals are flat */
    cr_assert_eq(solids_of_mesh(&mesh, "sphere", here, &body), STATUS_OK, "%s", failure_text());
    cr_expect_eq(body.solid_start[1], 512, "%d", body.solid_start[1]);
    for (int p = 0; p < 512; ++p)
        for (int v = 0; v < mesh.vertices; ++v) {
            const double *n = body.plane[p], *x = mesh.position[v];
            cr_assert_leq(n[0] * x[0] + n[1] * x[1] + n[2] * x[2], n[3], "a vertex is beyond a plane");
        }
    body_free(&body);
    mesh_free(&mesh);
}

Test(solids, a_dent_within_a_ten_thousandth_is_filled) {
    struct mesh mesh;
    struct body body = {.nodes = 0};
    dented(0.3e-4, &mesh); /* a corner of the top is up to 0.9e-4 m above the plane of a triangle of the dent */
    cr_assert_eq(solids_of_mesh(&mesh, "cube", here, &body), STATUS_OK, "%s", failure_text());
    for (int p = 0; p < body.solid_start[1]; ++p)
        cr_expect_geq(body.plane[p][3], 0.5 - 1e-8);
    body_free(&body);
    mesh_free(&mesh);
    dented(0.6e-4, &mesh);
    refused(&mesh, "body 1 of 1 in some.obj, which has vertex 0, is not convex");
}

Test(solids, what_is_none_is_refused_and_named) {
    struct mesh mesh, more;
    subject_torus(&mesh);
    refused(&mesh, "body 1 of 1 in some.obj, which has vertex 0, is not convex");
    shape_cube(1, &mesh);
    subject_torus(&more);
    join(&mesh, &more, 5);
    mesh_free(&more);
    shape_cube(1, &more);
    join(&mesh, &more, 10);
    refused(&mesh, "body 2 of 3 in some.obj, which has vertex 8, is not convex");
    mesh_free(&more);
    shape_cube(2, &mesh); /* the top slopes down to x = 0 and then is level: a concave edge */
    for (int v = 0; v < mesh.vertices; ++v)
        if (mesh.position[v][1] == 0.5 && mesh.position[v][0] >= 0)
            mesh.position[v][1] = 0.2;
    refused(&mesh, "is not convex");
    shape_cube(1, &mesh);
    for (int t = 0; t < mesh.triangles; ++t) {
        const int a = mesh.corner[t][0];
        mesh.corner[t][0] = mesh.corner[t][1];
        mesh.corner[t][1] = a;
    }
    refused(&mesh, "is oriented inward or has no volume");
    shape_cloth(4, 4, 1, 1, &mesh);
    refused(&mesh, "cannot be used, for the reason above");
    shape_cube(1, &mesh);
    mesh.triangles = 0;
    refused(&mesh, "has no triangles");
    shape_icosphere(4, &mesh);
    refused(&mesh, "more than 4096 sides");
    shape_cube(1, &mesh);
    for (int v = 0; v < mesh.vertices; ++v)
        for (int k = 0; k < 3; ++k)
            mesh.position[v][k] *= 1e-7;
    refused(&mesh, "at least 1e-6 m");
    shape_cube(1, &mesh);
    for (int v = 0; v < mesh.vertices; ++v)
        mesh.position[v][0] += 1e7;
    refused(&mesh, "at most 1e6 m");
}

/* ---- In a scene ---- */

static int describe(const char *scene, struct plan *plan, struct body *body) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {cloth: {nodes: [3, 3]}, node_mass: 1 kg}\n"
                             "method: {name: mass_spring, stiffness: 1 N/m}\ntime: {step: 1 ms, frames: 1}\n"
                             "scene: {%s}\n",
                             scene);
    plan_from_text(text, plan);
    free(text);
    failure_clear();
    return body_describe(&plan->runs[0], body);
}

Test(solids, lie_where_the_scene_has_them_and_are_in_the_sum) {
    struct plan plan;
    struct body body, moved;
    char *scene = text_format("convex: {mesh: %s, length: 6.2 m, centre: [10 m, 0, 1 m]}", convex_bodies);
    cr_assert_eq(describe(scene, &plan, &body), STATUS_OK, "%s", failure_text());
    cr_assert_eq(body.solids, 3);
    /* The file is scaled by 2 about the centre of its bounding box, (0.05, 0.5, 0), and moved to `centre`. Then the top
     * of body 0, a box, is at y = 0, and its right side is at x = 8.5. */
    double lid = NAN, right = NAN;
    for (int p = 0; p < 6; ++p) {
        lid = body.plane[p][1] == 1 ? body.plane[p][3] : lid;
        right = body.plane[p][0] == 1 ? body.plane[p][3] : right;
    }
    cr_expect_float_eq(lid, 0, 1e-15, "%g", lid);
    cr_expect_float_eq(right, 8.5, 1e-14, "%g", right);
    cr_expect_eq(scene_obstacles(&plan.runs[0]), OBSTACLE_CONVEX);
    cr_expect_eq(scene_obstacle_parameters(&plan.runs[0]).sphere_radius, 0);
    plan_free(&plan);
    free(scene);
    scene = text_format("convex: {mesh: %s, centre: [10 m, 0, 1 m]}", convex_bodies);
    cr_assert_eq(describe(scene, &plan, &moved), STATUS_OK, "%s", failure_text());
    cr_expect_str_neq(body.sum, moved.sum);
    cr_expect_eq(strlen(body.sum), DIGEST_SIZE - 1);
    body_free(&body);
    body_free(&moved);
    plan_free(&plan);
    free(scene);
    cr_assert_eq(describe("sphere: {radius: 2 m, centre: [0, -1 m, 3 m]}", &plan, &body), STATUS_OK);
    const struct obstacle_parameters p = scene_obstacle_parameters(&plan.runs[0]);
    cr_expect(p.sphere_x == 0 && p.sphere_y == -1 && p.sphere_z == 3 && p.sphere_radius == 2);
    cr_expect_eq(scene_obstacles(&plan.runs[0]), OBSTACLE_SPHERE);
    cr_expect_str_eq(body.sum, "");
    body_free(&body);
    plan_free(&plan);
}

Test(solids, what_cannot_be_read_is_told) {
    static const char *const names[][2] = {{"./none.obj", "none.obj"},
                                           {"no_such_body", "'no_such_body' is not prepared"},
                                           {SOURCE_DIR, "scene.convex.mesh"}};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        struct plan plan;
        struct body body;
        char *scene = text_format("convex: {mesh: %s, centre: [0, 0, 0]}", names[n][0]);
        cr_expect_eq(describe(scene, &plan, &body), STATUS_BAD, "%s", names[n][0]);
        cr_expect(strstr(failure_text(), names[n][1]), "%s", failure_text());
        cr_expect(strstr(failure_text(), "test.yaml:7:18: scene.convex.mesh"), "%s", failure_text());
        body_free(&body);
        plan_free(&plan);
        free(scene);
    }
}

Test(solids, a_method_says_whether_it_takes_them) {
    static const char *const scenes[] = {"sphere: {radius: 2 m, centre: [0, 0, 0]}",
                                         "wind: {kind: uniform, acceleration: [1 m/s^2, 0, 0]}"};
    static const unsigned takes[] = {TAKES_OBSTACLES, TAKES_WIND};
    for (int s = 0; s < 2; ++s) {
        struct plan plan;
        struct body body;
        cr_assert_eq(describe(scenes[s], &plan, &body), STATUS_OK, "%s", failure_text());
        for (unsigned t = 0; t < 4; ++t) {
            const struct method method = {.name = "some", .takes = t};
            failure_clear();
            cr_expect_eq(method_check_scene(&method, &plan.runs[0]), t & takes[s] ? STATUS_OK : STATUS_BAD);
            cr_expect_eq(failure_count(), t & takes[s] ? 0 : 1, "%s", failure_text());
        }
        body_free(&body);
        plan_free(&plan);
    }
}

/* ---- Equal bits ---- */

static const char device_kernels[] =
    "__kernel void kept(__global const quad *x, __global const quad *planes, __global const int *start, int solids,\n"
    "                   scalar a, scalar b, scalar c, scalar r, __global quad *out) {\n"
    "    const struct obstacle_parameters p = {a, b, c, r};\n"
    "    const int i = (int)get_global_id(0);\n"
    "    out[i] = quad_of(obstacles_kept_out(xyz(x[i]), x[i].w > 0, OBSTACLE_SPHERE | OBSTACLE_CONVEX, planes, start,\n"
    "                                        solids, p), 0);\n"
    "}\n"
    "__kernel void blown(__global const quad *x, __global const quad *v, scalar a, scalar b, scalar c, scalar drag,\n"
    "                    __global quad *out) {\n"
    "    const struct wind_parameters p = {a, b, c, drag, 0, 0, 0};\n"
    "    const int t = (int)get_global_id(0), k = 3 * t;\n"
    "    out[t] = quad_of(wind_on_triangle(xyz(x[k]), xyz(x[k + 1]), xyz(x[k + 2]), xyz(v[k]), xyz(v[k + 1]),\n"
    "                                      xyz(v[k + 2]), p), 0);\n"
    "}\n";

static cl_mem buffer(cl_context context, cl_command_queue queue, const void *from, size_t bytes) {
    cl_int error;
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    error |= clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, bytes, from, 0, NULL, NULL);
    cr_assert_eq(error, 0, "%s", device_error_name(error));
    return memory;
}

static void scalars(cl_kernel kernel, cl_uint first, const double values[4], size_t size) {
    for (cl_uint k = 0; k < 4; ++k) {
        double value;
        real_store(&value, 0, values[k], (int)size);
        cr_assert_eq(clSetKernelArg(kernel, first + k, size, &value), 0);
    }
}

/* Compute the same as scene_bits_* on an OpenCL device, with numbers of `size` bytes. */
static void bits_of_device(const struct device *device, size_t size, const struct scene_bits *bits) {
    static const char *const files[] = {"obstacle.h", "wind.h"};
    const size_t triangles = (size_t)bits->triangles, places = 3 * triangles,
                 planes = (size_t)bits->start[bits->solids], quads = 4 * size;
    char *source = source_read(files, 2, true);
    const char *text[] = {source, device_kernels};
    char *options = text_format("-cl-std=CL1.2 -DREAL_IS_%s", size == 8 ? "double" : "float");
    cl_int error;
    cl_context context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    cr_assert_eq(error, 0);
    cl_command_queue queue = clCreateCommandQueue(context, device->id, 0, &error);
    cr_assert_eq(error, 0);
    cl_program program = clCreateProgramWithSource(context, 2, text, NULL, &error);
    cr_assert_eq(error, 0);
    error = clBuildProgram(program, 1, &device->id, options, NULL, NULL);
    cr_assert_eq(error, 0, "%s", device_error_name(error));
    cl_kernel kept = clCreateKernel(program, "kept", &error), blown = clCreateKernel(program, "blown", &error);
    cl_mem memory[] = {buffer(context, queue, bits->position, places * quads),
                       buffer(context, queue, bits->velocity, places * quads),
                       buffer(context, queue, bits->planes, planes * quads),
                       buffer(context, queue, bits->start, ((size_t)bits->solids + 1) * sizeof(int)),
                       buffer(context, queue, bits->kept, places * quads),
                       buffer(context, queue, bits->force, triangles * quads)};
    error = clSetKernelArg(kept, 0, sizeof(cl_mem), &memory[0]) | clSetKernelArg(kept, 1, sizeof(cl_mem), &memory[2]) |
            clSetKernelArg(kept, 2, sizeof(cl_mem), &memory[3]) | clSetKernelArg(kept, 3, sizeof(int), &bits->solids) |
            clSetKernelArg(kept, 8, sizeof(cl_mem), &memory[4]) | clSetKernelArg(blown, 0, sizeof(cl_mem), &memory[0]) |
            clSetKernelArg(blown, 1, sizeof(cl_mem), &memory[1]) | clSetKernelArg(blown, 6, sizeof(cl_mem), &memory[5]);
    scalars(kept, 4, bits->sphere, size);
    scalars(blown, 2, bits->wind, size);
    error |= clEnqueueNDRangeKernel(queue, kept, 1, NULL, &places, NULL, 0, NULL, NULL) |
             clEnqueueNDRangeKernel(queue, blown, 1, NULL, &triangles, NULL, 0, NULL, NULL) |
             clEnqueueReadBuffer(queue, memory[4], CL_TRUE, 0, places * quads, bits->kept, 0, NULL, NULL) |
             clEnqueueReadBuffer(queue, memory[5], CL_TRUE, 0, triangles * quads, bits->force, 0, NULL, NULL);
    cr_assert_eq(error, 0);
    for (size_t m = 0; m < sizeof memory / sizeof *memory; ++m)
        clReleaseMemObject(memory[m]);
    clReleaseKernel(kept);
    clReleaseKernel(blown);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    free(options);
    free(source);
}

enum { TRIANGLES = 4096 };

/* Expect bit-identical results of computing one element at a time, eight at a time, and on each device, with numbers of
 * `size` bytes. */
static void expect_equal_bits(size_t size, void (*one)(const struct scene_bits *),
                              void (*eight)(const struct scene_bits *)) {
    const size_t quads = 4 * size, places = 3 * (size_t)TRIANGLES;
    struct mesh mesh;
    struct body body;
    unsigned seed = 3;
    solids_of(convex_bodies, &mesh, &body);
    void *position = memory_new(places, quads), *velocity = memory_new(places, quads),
         *planes = memory_new(scene_planes(&body), quads);
    scene_fill_planes(&body, (int)size, planes);
    for (size_t i = 0; i < places; ++i) {
        for (size_t k = 0; k < 3; ++k) {
            real_store(position, 4 * i + k, (k == 0 ? 1.7 : 0.6) * subject_random(&seed) + (k == 1 ? 0.5 : 0),
                       (int)size);
            real_store(velocity, 4 * i + k, 3 * subject_random(&seed), (int)size);
        }
        real_store(position, 4 * i + 3, i % 5 ? 2 : 0, (int)size);
    }
    for (size_t k = 0; k < 3; ++k) { /* node 7 is at the sphere's centre; node 31 is at the position of node 30 */
        real_store(position, 4 * 7 + k, k == 1 ? 0.75 : 0.25, (int)size);
        real_store(position, 4 * 31 + k, real_load(position, 4 * 30 + k, (int)size), (int)size);
    }
    const struct scene_bits asked = {.triangles = TRIANGLES,
                                     .position = position,
                                     .velocity = velocity,
                                     .planes = planes,
                                     .start = body.solid_start,
                                     .solids = body.solids,
                                     .sphere = {0.25, 0.75, 0.25, 0.375},
                                     .wind = {3, -1, 0.5, 1.3}};
    struct scene_bits bits[2] = {asked, asked};
    for (int b = 0; b < 2; ++b) {
        bits[b].kept = memory_new(places, quads);
        bits[b].force = memory_new(TRIANGLES, quads);
    }
    one(&bits[0]);
    int moved = 0;
    for (size_t i = 0; i < places; ++i)
        moved += real_load(bits[0].kept, 4 * i, (int)size) != real_load(position, 4 * i, (int)size);
    cr_expect(moved > 1000 && moved < (int)places / 2, "%d of %zu nodes were moved", moved, places);
    cr_expect_eq(real_load(bits[0].kept, 4 * 7 + 1, (int)size), 1.125,
                 "a node at the centre of the sphere is not moved straight up");
    const struct device_list *devices = device_list();
    cr_assert_gt(devices->count, 0);
    for (int d = -1; d < devices->count; ++d) {
        if (d >= 0 && size == 8 && !devices->devices[d].has_double)
            continue;
        memset(bits[1].kept, 0, places * quads);
        memset(bits[1].force, 0, TRIANGLES * quads);
        if (d < 0)
            eight(&bits[1]);
        else
            bits_of_device(&devices->devices[d], size, &bits[1]);
        cr_expect_eq(memcmp(bits[0].kept, bits[1].kept, places * quads), 0,
                     "positions differ on device %d (-1: eight at a time)", d);
        cr_expect_eq(memcmp(bits[0].force, bits[1].force, TRIANGLES * quads), 0,
                     "forces differ on device %d (-1: eight at a time)", d);
    }
    for (int b = 0; b < 2; ++b) {
        free(bits[b].kept);
        free(bits[b].force);
    }
    free(position);
    free(velocity);
    free(planes);
    mesh_free(&mesh);
    body_free(&body);
}

Test(scene, lanes_and_devices_have_the_bits_of_one_element_in_float) {
    expect_equal_bits(sizeof(float), scene_bits_float_1, scene_bits_float_8);
}

Test(scene, lanes_and_devices_have_the_bits_of_one_element_in_double) {
    expect_equal_bits(sizeof(double), scene_bits_double_1, scene_bits_double_8);
}
