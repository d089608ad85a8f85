/* The ranges of assumptions are committed before the tables of the sweeps that use them.
 *
 * A table has only the assumptions that its sweep varies, so only the ranges of these assumptions are compared. An
 * assumption with a single value may be added later.
 *
 * The test needs the history of the project. It is skipped without git, in a shallow clone, and in sources from an
 * archive. */
#include "base/file.h"
#include "base/process.h"
#include "experiment/document.h"
#include "run/sweep.h"
#include "support.h"

#include <glob.h>
#include <sys/stat.h>

static char *folder; /* temporary folder for versions of files */

static void begin(void) {
    failure_clear();
    folder = folder_temporary();
}

static void end(void) {
    folder_remove(folder);
}

TestSuite(ranges_first, .init = begin, .fini = end);

/* Run git in the project's folder. Returns the exit code, or -1 if there is no git. If `into` is not NULL, standard
 * output is written to the file `into` below the temporary folder. If `out` is not NULL, *out is the output, newly
 * allocated. */
static int git(const char *into, char **out, const char *const *arguments) {
    const char *argv[16] = {"git", "-c", "safe.directory=*", "-C", SOURCE_DIR};
    AUTO_FREE char *path = into ? text_format("%s/%s", folder, into) : NULL;
    for (int a = 0; arguments[a]; a++)
        argv[5 + a] = arguments[a];
    struct process_outcome outcome;
    const struct process process = {.argv = argv, .package = "git", .into = path, .seconds = 60};
    const int code = process_run(&process, &outcome) ? -1 : outcome.code;
    if (out)
        *out = text_copy(code ? "" : outcome.output);
    process_free(&outcome);
    return code;
}

#define GIT(into, out, ...) git(into, out, (const char *const[]){__VA_ARGS__, NULL})

/* Why the history is not available; NULL if it is available. */
static const char *history_missing(void) {
    AUTO_FREE char *shallow = NULL, *top = NULL;
    AUTO_FREE char *real = realpath(SOURCE_DIR, NULL);
    if (GIT(NULL, &shallow, "rev-parse", "--is-shallow-repository"))
        return "there is no git, or the sources are no repository";
    if (strncmp(shallow, "false", 5) != 0)
        return "the repository is shallow; git fetch --unshallow gets its history";
    GIT(NULL, &top, "rev-parse", "--show-toplevel");
    top[strcspn(top, "\n")] = '\0';
    return real && !strcmp(top, real) ? NULL : "the sources are in another project's repository";
}

/* Write a version of a file below the temporary folder. Returns whether the version exists. */
static bool version_write(const char *commit, const char *path, const char *into) {
    AUTO_FREE char *object = text_format("%s:%s", commit, path);
    return !GIT(into, NULL, "cat-file", "blob", object);
}

static bool is_same_ranges(const struct sweep_table *a, const struct sweep_table *b) {
    bool is_same = a->assumption_count == b->assumption_count;
    for (int k = 0; k < a->assumption_count && is_same; k++)
        is_same = !strcmp(a->assumptions[k].path, b->assumptions[k].path) &&
                  !strcmp(a->assumptions[k].likely, b->assumptions[k].likely) &&
                  !strcmp(a->assumptions[k].possible, b->assumptions[k].possible);
    return is_same;
}

/* The first commit in which a table has its current ranges, newly allocated. "" if the current table is not committed.
 */
static char *first_commit(const char *table_path, const struct sweep_table *table) {
    AUTO_FREE char *commits = NULL, *read = text_format("%s/table.tsv.xz", folder);
    char *first = text_copy("");
    if (GIT(NULL, NULL, "diff", "--quiet", "HEAD", "--", table_path))
        return first;
    GIT(NULL, &commits, "log", "--format=%H", "--", table_path);
    for (char *rest = commits, *commit; (commit = strsep(&rest, "\n")) && *commit;) {
        struct sweep_table earlier;
        const bool is_there = version_write(commit, table_path, "table.tsv.xz");
        failure_clear();
        if (!is_there || sweep_read(read, false, &earlier))
            break;
        const bool is_same = is_same_ranges(table, &earlier);
        sweep_free(&earlier);
        if (!is_same)
            break;
        free(first);
        first = text_copy(commit);
    }
    return first;
}

/* The assumption of a plan for the parameter `path`, or NULL. */
static const struct assumption *assumption_at(const struct plan *plan, const char *path) {
    for (int a = 0; a < plan->experiment.assumption_count; a++)
        if (!strcmp(plan->experiment.assumptions[a].field->path, path))
            return &plan->experiment.assumptions[a];
    return NULL;
}

/* A text that lists which ranges differ between the table and the experiment file, newly allocated. "" if no range
 * differs. NULL if the file cannot be read. */
static char *missing_range(const char *file, const struct sweep_table *table) {
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    struct plan plan;
    failure_clear();
    if (plan_read(file, &options, &plan))
        return NULL;
    char *missing = text_copy("");
    for (int a = 0; a < table->assumption_count; a++) {
        const struct sweep_assumption *asked = &table->assumptions[a];
        const struct assumption *there = assumption_at(&plan, asked->path);
        AUTO_FREE char *likely = there ? range_text(&there->ranges[RANGE_LIKELY]) : text_copy("none");
        AUTO_FREE char *possible = there ? range_text(&there->ranges[RANGE_POSSIBLE]) : text_copy("none");
        if (strcmp(likely, asked->likely) != 0 || strcmp(possible, asked->possible) != 0)
            text_append(&missing, "%s is %s (possible: %s) in the file, and %s (possible: %s) in the table. ",
                        asked->path, likely, possible, asked->likely, asked->possible);
    }
    plan_free(&plan);
    return missing;
}

static bool is_same_node(const struct node *a, const struct node *b) {
    bool is_same = !a == !b && (!a || (a->kind == b->kind && a->count == b->count));
    if (is_same && a && a->kind == NODE_SCALAR)
        return !strcmp(a->text, b->text);
    for (int k = 0; a && is_same && k < a->count; k++)
        is_same = is_same_node(&a->items[k], &b->items[k]);
    return is_same;
}

/* An experiment file and its paper's file, as trees. */
struct pair_of_files {
    char *texts[2];
    struct node roots[2];
};

static void pair_read(const char *in, const char *experiment, struct pair_of_files *out) {
    AUTO_FREE char *own = text_format("%s/%s.yaml", in, experiment);
    AUTO_FREE char *shared = text_format("%s/%.*s.yaml", in, (int)strcspn(experiment, "/"), experiment);
    const char *const paths[] = {own, shared};
    *out = (struct pair_of_files){.texts = {NULL, NULL}};
    for (int k = 0; k < 2; k++)
        if (document_load(paths[k], &out->texts[k]) || document_parse(out->texts[k], "a file", true, &out->roots[k]))
            out->roots[k] = (struct node){.kind = NODE_MAP};
}

static void pair_free(struct pair_of_files *pair) {
    for (int k = 0; k < 2; k++) {
        document_free(&pair->roots[k]);
        free(pair->texts[k]);
    }
}

/* The node of an assumption from the experiment's own file or, if this file lacks the assumption, from the paper's
 * file. NULL if both files lack the assumption. */
static const struct node *pair_assumption(const struct pair_of_files *pair, const char *path) {
    for (int k = 0; k < 2; k++) {
        const struct node *all = document_item(&pair->roots[k], "assumptions"),
                          *found = all ? document_item(all, path) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* A text that lists which ranges of the table's assumptions differ between the experiment files in the folders `before`
 * and `now`, newly allocated. "" if no range differs. This function also reads old files that plan_read refuses. */
static char *changed_range(const char *before, const char *now, const char *experiment,
                           const struct sweep_table *table) {
    static const char *const keys[] = {"likely", "possible"};
    struct pair_of_files old, new;
    char *changed = text_copy("");
    pair_read(before, experiment, &old);
    pair_read(now, experiment, &new);
    for (int a = 0; a < table->assumption_count; a++) {
        const char *path = table->assumptions[a].path;
        const struct node *x = pair_assumption(&old, path), *y = pair_assumption(&new, path);
        for (int k = 0; k < 2; k++)
            if (!x || !y || !is_same_node(document_item(x, keys[k]), document_item(y, keys[k])))
                text_append(&changed, "%s of %s has changed. ", keys[k], path);
    }
    pair_free(&old);
    pair_free(&new);
    return changed;
}

/* Check that the files of the commit before the table's commit state the table's ranges. */
static void expect_ranges_first(const char *path) {
    const char *const table_path = path + strlen(SOURCE_DIR "/"), *const name =
                                                                      path + strlen(SOURCE_DIR "/data/sweeps/");
    AUTO_FREE char *experiment = text_format("%.*s", (int)(strstr(name, ".tsv.xz") - name), name);
    AUTO_FREE char *paper = text_format("%.*s", (int)strcspn(experiment, "/"), experiment);
    AUTO_FREE char *own = text_format("experiments/%s.yaml", experiment),
                   *shared = text_format("experiments/%s.yaml", paper);
    AUTO_FREE char *old_folder = text_format("%s/experiments/%s", folder, paper),
                   *old = text_format("%s/%s", folder, own);
    AUTO_FREE char *old_experiments = text_format("%s/experiments", folder);
    struct sweep_table table;
    failure_clear();
    cr_assert_eq(sweep_read(path, false, &table), STATUS_OK, "%s", failure_text());
    mkdir(old_experiments, 0777);
    mkdir(old_folder, 0777);
    AUTO_FREE char *commit = first_commit(table_path, &table);
    AUTO_FREE char *before = *commit ? text_format("%s^", commit) : text_copy("HEAD");
    AUTO_FREE char *shared_now = text_format(SOURCE_DIR "/%s", shared);
    const bool is_shared = access(shared_now, F_OK) == 0;
    if (!version_write(before, own, own) || (is_shared && !version_write(before, shared, shared))) {
        cr_expect(false, "%s: its commit %.12s also adds %s or %s; commit these files before the table", table_path,
                  commit, own, shared);
    } else {
        AUTO_FREE char *missing = missing_range(old, &table);
        if (!missing) {
            AUTO_FREE char *now = text_format(SOURCE_DIR "/%s", own);
            missing = missing_range(now, &table);
            if (missing && !*missing) {
                free(missing);
                missing = changed_range(old_experiments, SOURCE_DIR "/experiments", experiment, &table);
            }
        }
        cr_expect(missing && !*missing,
                  "%s: the ranges came with the table (commit %.12s) or after it. Before this commit: %s", table_path,
                  *commit ? commit : "none yet", missing ? missing : failure_text());
    }
    sweep_free(&table);
}

Test(ranges_first, ranges_are_committed_before_the_tables_that_use_them) {
    const char *missing = history_missing();
    glob_t tables;
    if (missing)
        cr_skip_test("%s", missing);
    cr_assert_eq(glob(SOURCE_DIR "/data/sweeps/*/*.tsv.xz", 0, NULL, &tables), 0);
    for (size_t t = 0; t < tables.gl_pathc; t++)
        expect_ranges_first(tables.gl_pathv[t]);
    globfree(&tables);
}

static void expect_says_what_was_known(const char *file) {
    AUTO_FREE char *text = NULL;
    cr_assert_eq(file_read(file, &text), STATUS_OK, "%s", failure_text());
    for (char *end = text; (end = strstr(end, "\n# "));) /* join the lines of a comment */
        memmove(end, end + 2, strlen(end + 2) + 1);
    cr_expect(strstr(text, "before these ranges were chosen") || strstr(text, "before we chose these ranges"),
              "%s does not say which results were known before its ranges were chosen", file);
}

/* The ranges must not be chosen by the results. So a paper's file must state which results were known before
 * its ranges were chosen. If there is no such file, each experiment file of the paper must state this. */
Test(ranges_first, each_papers_file_says_which_results_were_known) {
    glob_t tables;
    cr_assert_eq(glob(SOURCE_DIR "/data/sweeps/*/*.tsv.xz", 0, NULL, &tables), 0);
    for (size_t t = 0; t < tables.gl_pathc; t++) {
        const char *name = tables.gl_pathv[t] + strlen(SOURCE_DIR "/data/sweeps/");
        AUTO_FREE char *shared = text_format(SOURCE_DIR "/experiments/%.*s.yaml", (int)strcspn(name, "/"), name),
                       *own = text_format(SOURCE_DIR "/experiments/%.*s.yaml", (int)(strstr(name, ".tsv.xz") - name),
                                          name);
        expect_says_what_was_known(access(shared, F_OK) == 0 ? shared : own);
    }
    globfree(&tables);
}
