/* In the experiments of the papers, every value that needs a source has one (parameter_source). No entry of `stated:`
 * is marked as a choice of this project. A sweep has at most the 40 dimensions of Sobol's sequence. */
#include "experiment/plan.h"
#include "experiment/sample.h"
#include "support.h"

#include <ctype.h>
#include <glob.h>

static int dimensions_of(const struct experiment *experiment) {
    int dimensions = 0;
    for (int a = 0; a < experiment->assumption_count; ++a)
        dimensions += assumption_dimensions(&experiment->assumptions[a]);
    return dimensions;
}

/* Check that each value of a plan that needs a source has one. The message names each value without a source once. */
static void expect_sources(const struct plan *plan) {
    char *told = text_copy(" ");
    for (int r = 0; r < plan->run_count; ++r)
        for (int p = 0; p < plan->runs[r].parameter_count; ++p) {
            const struct parameter *parameter = &plan->runs[r].parameters[p];
            char *source = parameter_source(&plan->experiment, &plan->runs[r], parameter),
                 *word = text_format(" %s ", parameter->field->path);
            if (!source && !strstr(told, word))
                text_append(&told, "%s ", parameter->field->path);
            free(source);
            free(word);
        }
    cr_expect_str_eq(told, " ", "%s: no source is given for%s; cite it under `stated:`, or assume it",
                     plan->experiment.file, told);
    free(told);
}

/* Whether a text has a phrase as whole words, in lower or upper case. */
static bool has_phrase(const char *text, const char *phrase) {
    for (const char *at = text; (at = strcasestr(at, phrase)); ++at)
        if ((at == text || !isalpha((unsigned char)at[-1])) && !isalpha((unsigned char)at[strlen(phrase)]))
            return true;
    return false;
}

/* Whether a text says that this project chose the value. The word "ours" always says so. The other phrases do not, if
 * the experiment compares several values ("swept: ..."), or if the value has no effect on the claims. */
static bool has_choice(const char *text) {
    static const char *const phrases[] = {"an assumption", "nothing is stated", "not given", "gives none",
                                          "has no count"};
    bool is_found = false;
    for (size_t p = 0; p < sizeof phrases / sizeof *phrases; ++p)
        is_found = is_found || has_phrase(text, phrases[p]);
    return has_phrase(text, "ours") || (is_found && strncmp(text, "swept: ", strlen("swept: ")) != 0 &&
                                        strncmp(text, "no effect on ", strlen("no effect on ")) != 0);
}

/* Check that has_choice finds no choice of this project in the entries of `stated:`. Such a choice must be an
 * assumption. */
static void expect_stated_by_papers(const struct experiment *experiment) {
    for (int c = 0; c < experiment->citation_count; ++c)
        cr_expect_not(has_choice(experiment->citations[c].where),
                      "%s: `stated:` has a choice of this project for %s (\"%s\"); make it an assumption",
                      experiment->file, experiment->citations[c].field->path, experiment->citations[c].where);
}

static void expect_papers(const char *paper) {
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    char *pattern = text_format(SOURCE_DIR "/experiments/%s/*.yaml", paper);
    glob_t found = {0};
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0, "%s", pattern);
    for (size_t f = 0; f < found.gl_pathc; ++f) {
        struct plan plan;
        failure_clear();
        if (plan_read(found.gl_pathv[f], &options, &plan)) {
            cr_expect(false, "%s", failure_text());
            continue;
        }
        expect_sources(&plan);
        expect_stated_by_papers(&plan.experiment);
        cr_expect_leq(dimensions_of(&plan.experiment), 40, "%s varies %d numbers; Sobol's sequence has 40 dimensions",
                      found.gl_pathv[f], dimensions_of(&plan.experiment));
        plan_free(&plan);
    }
    globfree(&found);
    free(pattern);
    failure_clear();
}

#define PAPER(name)                                                                                                    \
    Test(sources, each_value_has_one_in_##name) {                                                                      \
        expect_papers(#name);                                                                                          \
    }

PAPER(va2022)
PAPER(va2023)
PAPER(lee2022)
PAPER(cetinaslan2019)

Test(sources, a_choice_of_this_project_is_found) {
    cr_expect(has_choice("ours: 400 frames"));
    cr_expect(has_choice("Tab. 2. Ours: the Dragon"));
    cr_expect(has_choice("Sec. 5; 32 x 32 is ours"));
    cr_expect(has_choice("swept: Sec. 5; 32 x 32 is ours"));
    cr_expect(has_choice("Fig. 8; Fig. 7 has no count"));
    cr_expect_not(has_choice("swept: from 1 to 50; the number is not given"));
    cr_expect_not(has_choice("Sec. 5: two hours, and our colours"));
}

/* parameter_source returns NULL for a value without a source, here for method.stiffness and scene.gravity. */
Test(sources, a_value_without_a_source_is_found) {
    static const char text[] = "springback: 1\nbody: {cloth: {nodes: [4, 4], size: [1 m, 2 m]}, node_mass: 1 kg}\n"
                               "method: {name: mass_spring, stiffness: 5 N/m}\ntime: {step: 1 ms, frames: 1}\n"
                               "stated: {body.cloth.size: Fig. 1, body.node_mass: Sec. 5}\n"
                               "assumptions: {method.damping: {value: 0 N s/m, likely: [0 N s/m, 1 N s/m], why: x}}\n";
    static const char *const expected[][2] = {{"body.cloth.size", "stated (Fig. 1)"},
                                              {"body.node_mass", "stated (Sec. 5)"},
                                              {"method.damping", "assumed"},
                                              {"method.stiffness", NULL},
                                              {"scene.gravity", NULL},
                                              {"body.noise", "default"},
                                              {"record.every", "default"}};
    struct plan plan;
    plan_from_text(text, &plan);
    for (size_t e = 0; e < sizeof expected / sizeof *expected; ++e) {
        char *source = parameter_source(&plan.experiment, &plan.runs[0], run_parameter(&plan.runs[0], expected[e][0]));
        cr_expect(source && expected[e][1] ? !strcmp(source, expected[e][1]) : !source && !expected[e][1], "%s: %s",
                  expected[e][0], source ? source : "none");
        free(source);
    }
    plan_free(&plan);
}
