/* A cloth with a method, on a backend that the test chooses. */
#ifndef SPRINGBACK_TESTS_CLOTH_H
#define SPRINGBACK_TESTS_CLOTH_H

#include "support.h"

#include <stdarg.h>

struct cloth {
    struct plan plan;
    struct model model;
    struct simulation *simulation; /* NULL until cloth_open */
};

/* Make a cloth from the formatted text, which is an experiment file without the keys springback, paper and title. */
static inline void cloth_create(struct cloth *cloth, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void cloth_create(struct cloth *cloth, const char *format, ...) {
    char *rest = NULL;
    va_list arguments;
    va_start(arguments, format);
    cr_assert_geq(vasprintf(&rest, format, arguments), 0);
    va_end(arguments);
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n%s", rest);
    plan_from_text(text, &cloth->plan);
    failure_clear();
    cr_assert_eq(model_describe(&cloth->plan.runs[0], &cloth->model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(&cloth->model), STATUS_OK, "%s", failure_text());
    cloth->simulation = NULL;
    free(text);
    free(rest);
}

static inline void cloth_open(struct cloth *cloth, const char *backend) {
    simulation_close(cloth->simulation);
    cloth->simulation = simulation_on(&cloth->model, backend);
}

static inline void cloth_free(struct cloth *cloth) {
    simulation_close(cloth->simulation);
    model_free(&cloth->model);
    plan_free(&cloth->plan);
}

static inline double quantity(const struct cloth *cloth, const struct state *state, const char *name) {
    return state_value(&cloth->model, state, name);
}

#endif
