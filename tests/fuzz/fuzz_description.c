/* The input is an experiment file. The test reads the file into a plan, and restores the plan's runs from the
 * parameters that a trace would store. A first line `# --tier quick --set PATH=VALUE --only KEY=VALUE --backend NAME`
 * represents the command line. */
#include "backend/backend.h"
#include "base/memory.h"
#include "experiment/run.h"
#include "fuzz.h"
#include "method/method.h"
#include "run/simulation.h"

enum { WORDS = 8, RUNS = 12 /* runs of a plan that are checked */ };

/* The options of the command line, and the texts that they point to. */
struct words {
    char *line;
    const char *set[WORDS], *only[WORDS], *backends[WORDS];
};

static struct plan_options options_read(const char *text, struct words *words) {
    struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    struct {
        const char *name;
        const char **list;
        const char *const **option;
        int count;
    } lists[] = {{"--set", words->set, &options.set, 0},
                 {"--only", words->only, &options.only, 0},
                 {"--backend", words->backends, &options.backends, 0}};
    *words = (struct words){.line = text_format("%.*s", (int)strcspn(text, "\r\n"), text)};
    if (strncmp(words->line, "# --", 4) != 0)
        return options;
    char *rest = words->line + 2;
    for (char *name; (name = strsep(&rest, " "));) {
        const char *value = strsep(&rest, " ");
        if (value && strcmp(name, "--tier") == 0)
            options.tier = value;
        for (size_t l = 0; value && l < sizeof lists / sizeof *lists; l++)
            if (strcmp(name, lists[l].name) == 0 && lists[l].count < WORDS - 1) {
                lists[l].list[lists[l].count++] = value;
                *lists[l].option = lists[l].list;
            }
    }
    return options;
}

/* Restore the run from its parameters, as `springback diff` does with the parameters of a trace. */
static void restore(const struct run *run) {
    struct stated *stated = memory_new((size_t)run->parameter_count, sizeof *stated);
    struct run again;
    for (int p = 0; p < run->parameter_count; p++)
        stated[p] = (struct stated){run->parameters[p].field->path, run->parameters[p].value.text};
    MUST(run_restore("again", stated, run->parameter_count, method_table, backend_words, &again) == STATUS_OK);
    MUST(strcmp(again.canonical, run->canonical) == 0 && again.parameter_count == run->parameter_count);
    run_free(&again);
    free(stated);
}

/* Describe the model of the run, as `springback plan` does. A mesh is not read, because the input would choose its
 * file. */
static void describe(const struct run *run) {
    struct model model;
    if (!run_parameter(run, "body.cloth.nodes"))
        return;
    MUST(model_describe(run, &model) == STATUS_OK);
    MUST(model.body.nodes > 0 && model.body.springs >= 0 && model_bytes(&model) > 0);
    model_free(&model);
}

static void runs_check(const struct plan *plan) {
    const int most = plan->run_count < RUNS ? plan->run_count : RUNS;
    for (int r = 0; r < most; r++) {
        const struct run *run = &plan->runs[r];
        MUST(run->id[0] && strlen(run->id) < 200 && !strchr(run->id, '/') && run->id[0] != '.');
        MUST(run->group >= 0 && run->group <= r);
        for (int other = 0; other < r; other++)
            MUST(strcmp(run->id, plan->runs[other].id) != 0 &&
                 strcmp(run->canonical, plan->runs[other].canonical) != 0);
        restore(run);
        describe(run);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    const char *file = fuzz_file(bytes, size);
    char *text = memory_new(size + 1, 1);
    memcpy(text, bytes, size);
    struct words words;
    const struct plan_options options = options_read(text, &words);
    struct plan plan;
    failure_clear();
    const int status = plan_read(file, &options, &plan);
    MUST((status == STATUS_OK) == (failure_count() == 0));
    MUST((status == STATUS_OK) == (plan.run_count > 0));
    if (status == STATUS_OK) {
        MUST(strcmp(plan.experiment.text, text) == 0);
        runs_check(&plan);
        MUST(failure_count() == 0);
    }
    plan_free(&plan);
    failure_clear();
    free(words.line);
    free(text);
    return 0;
}
