/* docs/first-experiment.md: its files are written, its commands are run as they stand there, and what it says comes out
 * comes out. A comment of the page says what an indented block is: `file: PATH` before it; behind it `run` (commands),
 * or `says` (each of its lines stands in what the last commands said). */
#include "shell.h"

#include <base/file.h>
#include <ctype.h>

/* A page's block of lines that are indented by four spaces, as text. */
struct block {
    char *text;
    int line; /* of the page, from 1 */
};

static char *page;

static void setup(void) {
    shell_begin();
    cr_assert_eq(file_read(SOURCE_DIR "/docs/first-experiment.md", &page), 0, "%s", failure_text());
    /* What the page takes from the repository. */
    cr_assert_eq(shell("mkdir build && ln -s \"$S\" build/springback && mkdir figures && "
                       "cp '" SOURCE_DIR "'/Makefile.experiments . && cp '" SOURCE_DIR "'/figures/*.* figures"),
                 0, "%s", said.err);
}

static void teardown(void) {
    free(page);
    shell_end();
}

TestSuite(first_experiment, .init = setup, .fini = teardown);

/* A line without the blanks at its ends, and with one in place of several within. */
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

static void expect_said(const struct block *block) {
    char *all = squeezed(said.out, strlen(said.out));
    for (const char *line = block->text; *line; line += strcspn(line, "\n") + 1) {
        char *wanted = squeezed(line, strcspn(line, "\n"));
        cr_expect(strstr(all, wanted), "docs/first-experiment.md, block at line %d: \"%s\" was not said:\n%s",
                  block->line, wanted, said.out);
        free(wanted);
    }
    free(all);
}

Test(first_experiment, comes_out_as_the_page_says) {
    struct block block = {.text = text_copy("")};
    char *file = NULL, *rest = page, *line;
    int number = 0, files = 0, runs = 0, checked = 0;
    bool is_new = true; /* the next indented line begins a block */
    while ((line = strsep(&rest, "\n"))) {
        ++number;
        const bool is_block = !strncmp(line, "    ", 4), has_mark = !strncmp(line, "<!-- ", 5);
        if (is_block) {
            char *longer = text_format("%s%s\n", is_new ? "" : block.text, line + 4);
            block.line = is_new ? number : block.line;
            free(block.text);
            block.text = longer;
            is_new = false;
            continue;
        }
        if (file && !is_new) { /* its block has ended */
            text_write(file, block.text);
            free(file);
            file = NULL;
            ++files;
        }
        is_new = true;
        if (has_mark && sscanf(line, "<!-- file: %ms -->", &file) == 1)
            continue;
        if (!strcmp(line, "<!-- run -->")) {
            shell("%s", block.text);
            cr_assert_eq(said.code, 0, "docs/first-experiment.md, line %d:\n%s%s%s", block.line, block.text, said.out,
                         said.err);
            ++runs;
        } else if (!strcmp(line, "<!-- says -->")) {
            expect_said(&block);
            ++checked;
        } else {
            cr_assert_not(has_mark, "docs/first-experiment.md:%d: \"%s\" is no mark that is known", number, line);
        }
    }
    free(block.text);
    cr_expect(files == 4 && runs >= 10 && checked >= 7, "%d files, %d runs, %d checks", files, runs, checked);
    cr_expect_eq(matching("out/*/ball") + matching("meshes"), 0, "the page leaves what it made");
}
