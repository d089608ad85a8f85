/* The manifest: the rows of runs, and rows that are refused. */
#include "shell.h"
#include "support.h"

#include "run/manifest.h"

#include <jansson.h>

TestSuite(manifest, .init = shell_begin, .fini = shell_end);

static void read_manifest(const char *folder, struct manifest *manifest) {
    failure_clear();
    cr_assert_eq(manifest_read(folder, manifest), STATUS_OK, "%s", failure_text());
}

Test(manifest, it_has_the_parameters_and_the_status_of_each_run) {
    struct manifest manifest;
    shell("mkdir paper");
    text_write("paper/two.yaml", "springback: 1\npaper: test\n"
                                 "body: {cloth: {nodes: [5, 4], pins: corners}, node_mass: 1 kg}\n"
                                 "method: {name: mass_spring, stiffness: [50 N/m, 1000000 N/m], damping: 0.1 N s/m}\n"
                                 "time: {step: 5 ms, steps_per_frame: 2, frames: 9}\nbackend: serial\n");
    shell("\"$S\" run -q --out out paper/two.yaml");
    expect_code(0);
    read_manifest("out/paper/two", &manifest);
    cr_assert_eq(manifest.count, 2);
    cr_expect_eq(manifest.rows[0].status, RUN_WHOLE);
    cr_expect_eq(manifest.rows[1].status, RUN_DIVERGED);
    static const char *const stiffness[] = {"50 N/m", "1e+06 N/m"};
    for (int r = 0; r < 2; ++r) {
        struct trace_data trace;
        json_t *parameters = json_loads(manifest.rows[r].parameters, 0, NULL);
        cr_assert_not_null(parameters, "%s", manifest.rows[r].parameters);
        cr_assert_eq(manifest_open("out/paper/two", NULL, &manifest.rows[r], &trace), STATUS_OK, "%s", failure_text());
        cr_expect_eq((int)json_object_size(parameters), trace.parameter_count);
        for (int p = 0; p < trace.parameter_count; ++p) {
            const char *text = json_string_value(json_object_get(parameters, trace.parameters[p].path));
            cr_assert_not_null(text, "%s is missing", trace.parameters[p].path);
            cr_expect_str_eq(text, trace.parameters[p].value);
        }
        cr_expect_str_eq(json_string_value(json_object_get(parameters, "method.stiffness")), stiffness[r]);
        trace_close(&trace);
        json_decref(parameters);
    }
    manifest_free(&manifest);
}

Test(manifest, a_row_that_is_none_is_refused) {
    static const struct {
        const char *row, *said;
    } rows[] = {
        {"a\twhole\ta.h5\tk\tp\t-\n", "runs.tsv:2:1: this row does not have 7 cells"},
        {"a\tinterrupted\t-\t-\tp\t-\t-\n",
         "runs.tsv:2:1: this row has a status that is not whole, diverged, failed or missing"},
        {"a\twhole\t../a.h5\tk\tp\t-\t{}\n", "runs.tsv:2:1: this row has an id or a trace with a character"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; ++r) {
        struct manifest manifest;
        char *text = text_format("id\tstatus\ttrace\tkey\tplan\treason\tparameters\n%s", rows[r].row);
        text_write("runs.tsv", text);
        free(text);
        failure_clear();
        cr_expect_eq(manifest_read(".", &manifest), STATUS_BAD);
        cr_expect(strstr(failure_text(), rows[r].said), "%s", failure_text());
        manifest_free(&manifest);
    }
}
