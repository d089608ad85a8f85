/* A subject of a test: the first run of an experiment, its model and its simulation. The body is a mesh, which can come
 * from a function or a file. The test chooses the backend. */
#ifndef SPRINGBACK_TESTS_SUBJECT_H
#define SPRINGBACK_TESTS_SUBJECT_H

#include "mesh_write.h"
#include "shapes.h"
#include "support.h"

#include <math.h>
#include <stdarg.h>

struct subject {
    struct plan plan;
    struct model model;
    struct simulation *simulation; /* NULL until subject_open */
};

/* A regular tetrahedron about the origin, with edges of 1 m. */
static inline void subject_tetrahedron(struct mesh *mesh) {
    static const int corner[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};
    static const double sign[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    mesh_create(mesh, 4, 4);
    for (int k = 0; k < 12; ++k) {
        mesh->position[k / 3][k % 3] = sign[k / 3][k % 3] / sqrt(8);
        mesh->corner[k / 3][k % 3] = corner[k / 3][k % 3];
    }
}

static inline void subject_octahedron(struct mesh *mesh) {
    shape_uv_sphere(2, 4, mesh);
}

static inline void subject_sphere(struct mesh *mesh) {
    shape_uv_sphere(16, 32, mesh);
}

static inline void subject_torus(struct mesh *mesh) {
    shape_torus(1, 0.25, 48, 12, mesh);
}

static inline void subject_cube(struct mesh *mesh) {
    shape_cube(8, mesh);
}

/* Make a subject from a mesh file. `path` may also be a prepared body's name. `body` has further keys of the experiment
 * file inside `body: {...}`, such as "node_mass: 1 kg". `rest` has the lines after `body: {...}`. */
static inline void subject_of_file(struct subject *s, const char *path, const char *body, const char *rest) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\nbody: {mesh: %s, %s}\n%s", path, body, rest);
    plan_from_text(text, &s->plan);
    failure_clear();
    cr_assert_eq(model_describe(&s->plan.runs[0], &s->model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(&s->model), STATUS_OK, "%s", failure_text());
    s->simulation = NULL;
    free(text);
}

/* Make a subject from the mesh that `shape` makes. `body` and the formatted text have the meaning of `body` and `rest`
 * of subject_of_file. */
static inline void subject_create(struct subject *s, void (*shape)(struct mesh *mesh), const char *body,
                                  const char *format, ...) __attribute__((format(printf, 4, 5)));
static inline void subject_create(struct subject *s, void (*shape)(struct mesh *mesh), const char *body,
                                  const char *format, ...) {
    char *folder = folder_temporary(), *path = text_format("%s/body.off", folder), *rest = NULL;
    struct mesh mesh;
    va_list arguments;
    va_start(arguments, format);
    cr_assert_geq(vasprintf(&rest, format, arguments), 0);
    va_end(arguments);
    shape(&mesh);
    mesh_write(&mesh, path);
    mesh_free(&mesh);
    subject_of_file(s, path, body, rest);
    free(rest);
    free(path);
    folder_remove(folder);
}

static inline void subject_open(struct subject *s, const char *backend) {
    simulation_close(s->simulation);
    s->simulation = simulation_on(&s->model, backend);
}

static inline void subject_free(struct subject *s) {
    simulation_close(s->simulation);
    model_free(&s->model);
    plan_free(&s->plan);
}

/* Set the positions (m) and velocities (m/s) of all nodes in the open simulation, at step 0. If `velocity` is NULL, all
 * velocities are 0. */
static inline void subject_set(struct subject *s, const double (*position)[3], const double (*velocity)[3]) {
    const int size = s->model.program.real_size;
    const size_t reals = 3 * (size_t)s->model.body.nodes;
    void *x = memory_new(reals, sizeof(double)), *v = memory_new(reals, sizeof(double));
    for (size_t k = 0; k < reals; ++k) {
        real_store(x, k, position[k / 3][k % 3], size);
        if (velocity)
            real_store(v, k, velocity[k / 3][k % 3], size);
    }
    cr_assert_eq(simulation_restore(s->simulation, x, v, 0), STATUS_OK, "%s", failure_text());
    free(x);
    free(v);
}

/* The value of a quantity in an observed state. */
static inline double subject_value(const struct subject *s, const struct state *state, const char *name) {
    return state_value(&s->model, state, name);
}

/* Coordinate k (0, 1 or 2) of a node's position, in m. */
static inline double subject_position(const struct subject *s, const struct state *state, int node, int k) {
    return real_load(state->position, 3 * (size_t)node + (size_t)k, s->model.program.real_size);
}

/* Coordinate k (0, 1 or 2) of a node's velocity, in m/s. */
static inline double subject_velocity(const struct subject *s, const struct state *state, int node, int k) {
    return real_load(state->velocity, 3 * (size_t)node + (size_t)k, s->model.program.real_size);
}

/* The next pseudorandom number from -1 to 1. Equal seeds give equal sequences. */
static inline double subject_random(unsigned *seed) {
    return (double)(*seed = *seed * 1664525u + 1013904223u) / 2147483648.0 - 1;
}

#endif
