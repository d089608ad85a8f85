/* Pages of docs/ that show commands: their files are written, their commands are run as printed, and the shown output
 * is checked. A comment of a page says what an indented block is:
 * `file: PATH` before the block: the block is the content of a file.
 * `run` after the block: the block has commands.
 * `says` after the block: each line of the block must be in the output of the last commands. */
#include "base/file.h"
#include "shell.h"

#include <ctype.h>

/* Successive lines of a page that are indented by four spaces. */
struct block {
    char *text;
    int line; /* the block's first line in the page, from 1 */
};

/* How many blocks of a page were written as files, run as commands, and compared with an output. */
struct played {
    int files, runs, said;
};

/* Make a folder with the parts of the repository that the commands of the pages need. */
static void setup(void) {
    shell_begin();
    cr_assert_eq(shell("mkdir -p build figures experiments/mine paper_checks && ln -s \"$S\" build/springback && "
                       "cp '" SOURCE_DIR "'/Makefile.experiments . && cp '" SOURCE_DIR "'/figures/*.* figures"),
                 0, "%s", said.err);
}

TestSuite(pages, .init = setup, .fini = shell_end);

/* A copy of the text without spaces at its ends, and with single spaces between words. Newly allocated. */
static char *squeezed(const char *text, size_t length) {
    char *out = memory_new(length + 1, 1), *to = out;
    for (size_t i = 0; i < length; ++i)
        if (!isspace((unsigned char)text[i]))
            *to++ = text[i];
        else if (to > out && to[-1] != ' ')
            *to++ = ' ';
    if (to > out && to[-1] == ' ')
        to[-1] = 0;
    return out;
}

static void expect_said(const char *name, const struct block *block) {
    char *all = squeezed(said.out, strlen(said.out));
    for (const char *line = block->text; *line; line += strcspn(line, "\n") + 1) {
        char *wanted = squeezed(line, strcspn(line, "\n"));
        cr_expect(strstr(all, wanted), "docs/%s, block at line %d: \"%s\" is not in the output:\n%s", name, block->line,
                  wanted, said.out);
        free(wanted);
    }
    free(all);
}

/* Add line `number` of the page to a block, or begin a block if `is_new`. */
static void block_add(struct block *block, const char *line, int number, bool is_new) {
    char *longer = text_format("%s%s\n", is_new ? "" : block->text, line);
    block->line = is_new ? number : block->line;
    free(block->text);
    block->text = longer;
}

/* Write the files, run the commands and check the output of the page docs/NAME. */
static struct played play(const char *name) {
    char *path = text_format("%s/docs/%s", SOURCE_DIR, name), *page = NULL, *file = NULL, *line;
    struct block block = {.text = text_copy("")};
    struct played played = {0};
    cr_assert_eq(file_read(path, &page), 0, "%s", failure_text());
    bool is_new = true; /* the next indented line begins a block */
    int number = 0;
    for (char *rest = page; (line = strsep(&rest, "\n"));) {
        ++number;
        if (!strncmp(line, "    ", 4)) {
            block_add(&block, line + 4, number, is_new);
            is_new = false;
            continue;
        }
        if (file && !is_new) { /* the block of this file has ended */
            text_write(file, block.text);
            free(file);
            file = NULL;
            ++played.files;
        }
        is_new = true;
        if (strncmp(line, "<!-- ", 5) != 0 || sscanf(line, "<!-- file: %ms -->", &file) == 1)
            continue;
        if (!strcmp(line, "<!-- run -->")) {
            shell("%s", block.text);
            cr_assert_eq(said.code, 0, "docs/%s:%d:\n%s%s%s", name, block.line, block.text, said.out, said.err);
            ++played.runs;
        } else if (!strcmp(line, "<!-- says -->")) {
            expect_said(name, &block);
            ++played.said;
        } else {
            cr_assert_fail("docs/%s:%d: \"%s\" is unknown; use file, run or says", name, number, line);
        }
    }
    free(block.text);
    free(page);
    free(path);
    return played;
}

Test(pages, a_first_experiment_comes_out_as_the_page_says) {
    const struct played played = play("first-experiment.md");
    cr_expect(played.files == 4 && played.runs >= 11 && played.said >= 8, "%d files, %d runs, %d checks", played.files,
              played.runs, played.said);
    cr_expect_eq(matching("out/*/ball") + matching("meshes") + matching("data/sweeps/*"), 0,
                 "the commands of the page did not remove all that they made");
}

Test(pages, experiments_claims_traces_and_archives_come_out_as_the_pages_say) {
    struct played played = play("experiments.md");
    cr_expect(played.files == 1 && played.runs == 2 && played.said == 2);
    cr_expect_eq(matching("vtk/*"), 7, "vtk/ must have frames 0, 10, ... 50, and a file that lists them");
    played = play("claims.md");
    cr_expect(played.files == 1 && played.runs == 1 && played.said == 1);
    played = play("trace.md");
    cr_expect(played.runs >= 1 && played.said >= 1);
    played = play("archive.md");
    cr_expect(played.runs >= 2 && played.said >= 2);
}

/* This test uses Debian's Python. PATH may begin with a folder that has another Python. */
Test(pages, python_reads_traces_and_tables_as_the_page_says) {
    AUTO_FREE char *path = text_format("/usr/bin:%s", getenv("PATH"));
    setenv("PATH", path, true);
    if (shell("python3 -c 'import h5py, pandas'"))
        cr_skip_test("docs/python.md is not tested here: python3-h5py or python3-pandas is missing");
    const struct played played = play("python.md");
    cr_expect(played.files == 5 && played.runs == 5 && played.said == 4, "%d files, %d runs, %d checks", played.files,
              played.runs, played.said);
}

/* Expect the output of a command to be the text of a page between "<!-- MARK -->" and "<!-- end -->". */
static void expect_between(const char *page, const char *mark, const char *command) {
    AUTO_FREE char *path = text_format("%s/%s", SOURCE_DIR, page), *head = text_format("<!-- %s -->\n", mark);
    AUTO_FREE char *text = text_read(path);
    const char *begin = strstr(text, head);
    cr_assert_not_null(begin, "%s has no %s", page, head);
    begin += strlen(head);
    const char *end = strstr(begin, "<!-- end -->\n");
    cr_assert_not_null(end);
    AUTO_FREE char *table = text_format("%.*s", (int)(end - begin), begin);
    shell("cd '" SOURCE_DIR "' && %s", command);
    expect_code(0);
    cr_expect_str_eq(table, said.out, "%s is not current: run `make docs`", page);
}

Test(pages, the_architecture_has_the_layers_of_the_includes) {
    expect_between("docs/architecture.md", "layers", "tests/style/layers.sh");
}

Test(pages, the_readme_has_the_recorded_verdicts) {
    expect_between("README.md", "springback check --recorded", "\"$S\" check --recorded paper_checks/*.yaml");
}

Test(pages, the_evaluation_has_the_recorded_costs) {
    expect_between(
        "docs/evaluation.md",
        "springback check --evaluation data/machines/intel-xeon-2-cores --evaluation data/machines/nvidia-h200",
        "\"$S\" check --evaluation data/machines/intel-xeon-2-cores --evaluation data/machines/nvidia-h200");
}

/* The targets of links exist: files of the repository, headings of pages, and anchors of the glossary. */
Test(pages, links_lead_somewhere) {
    shell("cd '" SOURCE_DIR "' && for page in *.md docs/*.md; do grep -o '](\\([^)]*\\))' \"$page\" | "
          "sed 's/^](//; s/)$//' | while read -r link; do "
          "case $link in http*) continue ;; esac; "
          "target=${link%%%%#*}; target=${target:+$(dirname \"$page\")/$target}; target=${target:-$page}; "
          "[ -e \"$target\" ] || { echo \"$page: $link is not there\"; continue; }; "
          "case $link in *'#'*) grep '^#' \"$target\" | sed 's/^#* //' | tr 'A-Z ' 'a-z-' | tr -cd 'a-z0-9_\\n-' | "
          "grep -qx -- \"${link##*#}\" || grep -q \"<a id=.${link##*#}.>\" \"$target\" || "
          "echo \"$page: $link has no such heading\" ;; esac; done; done");
    expect_code(0);
    cr_expect_str_eq(said.out, "");
}
