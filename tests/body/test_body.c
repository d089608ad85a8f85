#include "body/cloth.h"
#include "support.h"

static void cloth_of(const char *nodes, const char *springs, const char *neighbours, struct plan *plan) {
    char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                             "body: {cloth: {nodes: %s, springs: %s, neighbours: %s}, node_mass: 1 kg}\n"
                             "method: {name: mass_spring, stiffness: 1 N/m}\ntime: {step: 1 ms, frames: 1}\n",
                             nodes, springs, neighbours);
    plan_from_text(text, plan);
    free(text);
}

/* Count the springs one by one, from the neighbours that the nodes have. */
static long counted(const struct body *body) {
    long ends = 0;
    for (int i = 0; i < body->nodes; ++i)
        for (int slot = 0; slot < body_slots(body, i); ++slot) {
            int other;
            double rest;
            ends += body_spring(body, i, slot, &other, &rest);
        }
    return ends / 2;
}

Test(body, spring_counts_of_the_paper) {
    static const struct {
        const char *nodes, *springs;
        int count;
        long expected;
    } table[] = {
        {"[52, 52]", "[structural, shear]", 2704, 10506},
        {"[128, 128]", "[structural, shear, bend]", 16384, 97026},
        {"[2048, 2560]", "[structural, shear, bend]", 5242880, 31434242},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct plan plan;
        struct body body;
        cloth_of(table[k].nodes, table[k].springs, "index", &plan);
        body_describe(&plan.runs[0], &body);
        cr_expect_eq(body.nodes, table[k].count);
        cr_expect_eq(body.springs, table[k].expected, "%s: %ld", table[k].nodes, body.springs);
        cr_expect_eq(counted(&body), table[k].expected);
        body_free(&body);
        plan_free(&plan);
    }
}

Test(body, counts_by_type_equal_the_springs_that_are_there) {
    static const char *const types[] = {"[structural]", "[shear]", "[bend]"};
    static const char *const sizes[] = {"[2, 2]", "[2, 3]", "[3, 2]", "[3, 3]", "[7, 4]"};
    for (size_t t = 0; t < 3; ++t)
        for (size_t s = 0; s < 5; ++s) {
            struct plan plan;
            struct body body;
            cloth_of(sizes[s], types[t], "index", &plan);
            body_describe(&plan.runs[0], &body);
            cr_expect_eq(counted(&body), body.springs_of[t], "%s %s", types[t], sizes[s]);
            plan_free(&plan);
        }
}

Test(body, a_stored_cloth_is_the_same_network) {
    struct plan by_index, by_list;
    struct body a, b;
    cloth_of("[9, 6]", "[structural, shear, bend]", "index", &by_index);
    cloth_of("[9, 6]", "[structural, shear, bend]", "stored", &by_list);
    body_describe(&by_index.runs[0], &a);
    body_describe(&by_list.runs[0], &b);
    cr_assert_eq(body_build(&by_list.runs[0], &b), STATUS_OK);
    cr_expect(a.is_grid && !b.is_grid);
    cr_expect_eq(b.start[b.nodes], 2 * a.springs);
    for (int i = 0; i < a.nodes; ++i) {
        int slot_b = 0;
        for (int slot = 0; slot < body_slots(&a, i); ++slot) {
            int other_a, other_b;
            double rest_a, rest_b;
            if (!body_spring(&a, i, slot, &other_a, &rest_a))
                continue;
            cr_assert(body_spring(&b, i, slot_b++, &other_b, &rest_b));
            cr_expect_eq(other_a, other_b);
            cr_expect(rest_a == rest_b);
        }
        cr_expect_eq(slot_b, body_slots(&b, i));
    }
    body_free(&b);
    plan_free(&by_index);
    plan_free(&by_list);
}

Test(body, pins_and_surface) {
    static const struct {
        const char *pins;
        int count;
    } table[] = {{"none", 0}, {"corners", 4}, {"row", 5}, {"border", 14}};
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        char *text =
            text_format("springback: 1\npaper: test\ntitle: t\n"
                        "body: {cloth: {nodes: [5, 4], pins: %s, size: [2 m, 3 m], plane: vertical}, node_mass: 1 kg}\n"
                        "method: {name: mass_spring, stiffness: 1 N/m}\ntime: {step: 1 ms, frames: 1}\n",
                        table[k].pins);
        struct plan plan;
        struct body body;
        plan_from_text(text, &plan);
        body_describe(&plan.runs[0], &body);
        cr_assert_eq(body_build(&plan.runs[0], &body), STATUS_OK);
        int pinned = 0;
        for (int i = 0; i < body.nodes; ++i)
            pinned += body.pinned[i];
        cr_expect_eq(pinned, table[k].count, "%s: %d", table[k].pins, pinned);
        cr_expect_eq(body.triangles, 24);
        cr_expect_float_eq(body.position[body.nodes - 1][0], 2, 1e-12);
        cr_expect_float_eq(body.position[body.nodes - 1][1], -3, 1e-12);
        cr_expect_eq(body.position[body.nodes - 1][2], 0);
        body_free(&body);
        plan_free(&plan);
        free(text);
    }
}

Test(body, a_network_keeps_the_order_of_its_springs) {
    const double position[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const struct spring springs[] = {{1, 2, 1.5}, {0, 1, 1}, {0, 2, 1}};
    struct body body;
    body_of_springs(position, NULL, 3, springs, 3, 2, &body);
    cr_expect_eq(body.springs_at_node, 2);
    cr_expect_eq(body.neighbour[body.start[1]], 2);
    cr_expect_eq(body.neighbour[body.start[1] + 1], 0);
    cr_expect_eq(counted(&body), 3);
    body_free(&body);
}
