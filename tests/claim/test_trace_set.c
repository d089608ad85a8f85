/* The traces that the manifests of a folder name. */
#include "claim_fixture.h"

TestSuite(trace_set, .init = setup, .fini = teardown);

Test(trace_set, set_of_a_folder) {
    struct trace_set read;
    char *paper = text_format("%s/p", folder), *experiment = text_format("%s/p/e", folder);
    char *manifest = text_format("%s/runs.tsv", experiment), *broken = text_format("%s/broken.h5", experiment);
    mkdir(paper, 0777);
    mkdir(experiment, 0777);
    FILE *out = fopen(manifest, "w");
    fputs("id\tstatus\ttrace\tkey\tplan\treason\tparameters\n"
          "a\tfailed\t-\t-\t1\tout of luck\t{}\n"
          "b\tmissing\t-\t-\t1\tno GPU\t{}\n"
          "c\twhole\tbroken.h5\t2\t1\t-\t{}\n",
          out);
    fclose(out);
    out = fopen(broken, "w");
    fputs("this is no HDF5", out);
    fclose(out);
    cr_assert_eq(trace_set_read(folder, NULL, NULL, &read), STATUS_OK, "%s", failure_text());
    cr_assert_eq(failure_count(), 0, "%s", failure_text());
    cr_assert_eq(read.run_count, 3);
    cr_assert_eq(read.count, 0);
    cr_assert_eq(read.experiment_count, 1);
    cr_assert_str_eq(read.experiments[0].name, "p/e");
    cr_assert_eq(read.runs[0].status, RUN_FAILED);
    cr_assert_str_eq(read.runs[0].reason, "out of luck");
    cr_assert_eq(read.runs[1].status, RUN_MISSING);
    cr_assert_eq(read.runs[2].status, RUN_FAILED, "its trace cannot be read");
    cr_assert_not_null(strstr(read.runs[2].reason, "broken.h5"), "%s", read.runs[2].reason);
    cr_assert_null(read.runs[2].trace);
    trace_set_free(&read);
    out = fopen(manifest, "w");
    fputs("no manifest\n", out);
    fclose(out);
    cr_assert_eq(trace_set_read(folder, NULL, NULL, &read), STATUS_BAD);
    unlink(manifest);
    unlink(broken);
    rmdir(experiment);
    rmdir(paper);
    free(manifest);
    free(broken);
    free(experiment);
    free(paper);
    cr_assert_eq(trace_set_read("/nowhere", NULL, NULL, &read), STATUS_BAD);
}
