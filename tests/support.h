/* Common functions of the tests: plans from text, models with bodies that the test makes, temporary folders. */
#ifndef SPRINGBACK_TESTS_SUPPORT_H
#define SPRINGBACK_TESTS_SUPPORT_H

#include "base/memory.h"
#include "method/method.h"
#include "run/simulation.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Make an empty temporary folder. Its path is newly allocated. */
static inline char *folder_temporary(void) {
    char *path = text_copy("/tmp/springback-test-XXXXXX");
    cr_assert_not_null(mkdtemp(path));
    return path;
}

/* Remove a temporary folder with all its files, and free its path. */
static inline void folder_remove(char *path) {
    char *command = text_format("rm -rf '%s'", path);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    free(command);
    free(path);
}

static inline void text_write(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    fputs(text, file);
    cr_assert_eq(fclose(file), 0);
}

/* Make a plan from the text of an experiment file. The plan's runs are valid until the plan is freed. */
static inline void plan_from_text(const char *text, struct plan *plan) {
    char *folder = folder_temporary(), *path = text_format("%s/test.yaml", folder);
    text_write(path, text);
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    failure_clear();
    int status = plan_read(path, &options, plan);
    cr_assert_eq(status, STATUS_OK, "%s", failure_text());
    free(path);
    folder_remove(folder);
}

/* Make a plan from the text of an experiment file. Expect model_describe to refuse the plan's first run, with a message
 * that contains `said`. */
static inline void expect_refused(const char *text, const char *said) {
    struct plan plan;
    struct model model;
    plan_from_text(text, &plan);
    failure_clear();
    cr_expect_eq(model_describe(&plan.runs[0], &model), STATUS_BAD, "%s", said);
    cr_expect(strstr(failure_text(), said), "%s", failure_text());
    model_free(&model);
    plan_free(&plan);
}

/* Make a model with the parameters of a run, but with a body that the test has made, for example by body_of_springs.
 * The model then owns the body. */
static inline void model_of_body(const struct run *run, const struct body *body, struct model *model) {
    *model = (struct model){.run = run, .method = method_find(run_text(run, "method.name")), .body = *body};
    model->method->build(run, &model->body, &model->program);
}

/* The value of a quantity in an observed state. */
static inline double state_value(const struct model *model, const struct state *state, const char *name) {
    const struct method *method = model->method;
    for (int q = 0; q < method->quantity_count(&model->body); ++q)
        if (!strcmp(method->quantities[q].name, name))
            return state->values[q];
    cr_assert_fail("the method has no quantity %s", name);
    return NAN;
}

/* Open a simulation on the backend with this name. */
static inline struct simulation *simulation_on(const struct model *model, const char *backend) {
    struct backend_choice choice;
    struct simulation *simulation = NULL;
    failure_clear();
    cr_assert_eq(backend_choose(backend, &choice), STATUS_OK, "%s", failure_text());
    cr_assert_eq(backend_check(&choice, &model->program, false), STATUS_OK, "%s", failure_text());
    cr_assert_eq(simulation_open(model, &choice, &simulation), STATUS_OK, "%s", failure_text());
    return simulation;
}

/* The state after this number of further frames. The simulation owns the state. */
static inline const struct state *state_after(struct simulation *simulation, int frames) {
    const struct state *state;
    for (int f = 0; f < frames; ++f)
        cr_assert_eq(simulation_advance(simulation), STATUS_OK, "%s", failure_text());
    cr_assert_eq(simulation_observe(simulation, true, &state), STATUS_OK, "%s", failure_text());
    return state;
}

/* Make a body of nodes at `position`, in m, and springs. All springs are structural, and each node has the mass
 * `node_mass`, in kg. If `pinned` is NULL, no node is pinned. The arrays are copied. */
static inline void body_of_springs(const double (*position)[3], const bool *pinned, int nodes,
                                   const struct spring *springs, int spring_count, double node_mass,
                                   struct body *body) {
    const size_t n = (size_t)nodes;
    *body = (struct body){.nodes = nodes, .columns = nodes, .rows = 1, .springs = spring_count, .mass = node_mass};
    body->shortest_rest = (double)INFINITY;
    for (int s = 0; s < spring_count; ++s)
        body->shortest_rest = fmin(body->shortest_rest, springs[s].rest);
    body->divergence_radius = 1e6 * body->shortest_rest;
    body->springs_of[SPRING_STRUCTURAL] = spring_count;
    body->position = pool_add(&body->pool, memory_new(n, sizeof *body->position));
    body->pinned = pool_add(&body->pool, memory_new(n, sizeof *body->pinned));
    body->start = pool_add(&body->pool, memory_new(n + 1, sizeof *body->start));
    body->neighbour = pool_add(&body->pool, memory_new(2 * (size_t)spring_count, sizeof *body->neighbour));
    body->rest = pool_add(&body->pool, memory_new(2 * (size_t)spring_count, sizeof *body->rest));
    memcpy(body->position, position, n * sizeof *position);
    if (pinned)
        memcpy(body->pinned, pinned, n * sizeof *pinned);
    body_lay_springs(body, springs, spring_count);
}

#endif
