/* tests/style/check.sh and layers.sh on a small tree of sources and pages: each check finds a mistake in the tree. */
#include "shell.h"

/* Copy the repository's scripts and table of words into the folder of the test. Both tables of exceptions are empty. */
static void setup(void) {
    shell_begin();
    shell("mkdir -p tests src/base src/claim src/run src/experiment src/backend kernels docs bin "
          "build/CMakeFiles/core.dir/src/base build/CMakeFiles/results.dir/src && "
          "cp -r '" SOURCE_DIR "/tests/style' tests && : >tests/style/exceptions.tsv && : >tests/style/prefixes.tsv");
    expect_code(0);
}

TestSuite(style, .init = setup, .fini = shell_end);

static void check(const char *name) {
    shell("tests/style/check.sh %s", name);
    cr_expect_str_eq(said.err, "", "%s", said.err);
}

static void expect_clean(const char *name) {
    check(name);
    expect_code(0);
    cr_expect_str_eq(said.out, "");
}

Test(style, words_that_are_not_used_are_found) {
    text_write("src/base/lamp.h", "/* Lamps that shine from two-way roads, as ways/alike.c has it. */\n");
    text_write("experiments.md", "# Lamps\n\nSee [lamps](docs/alike.md#room) and `--turn`.\n");
    expect_clean("words");
    text_write("src/base/lamp.c", "/* Two lamps\n"
                                  " * are alike, and the light hangs\n"
                                  " * on the lamp. */\n"
                                  "int crowd_size(int count) {\n"
                                  "    puts(\"a lamp \"\n"
                                  "         \"in turn\");\n"
                                  "    return count; /* of whatever lamps */\n"
                                  "}\n");
    text_write("docs/lamps.md", "| lamp | what |\n| --- | --- |\n| one | likewise |\n");
    shell("mkdir experiments && printf 'body: 1\\nwhy: a lamp\\n  in the room\\n' >experiments/lamps.yaml");
    check("words");
    expect_code(1);
    expect_out("src/base/lamp.c:2: the word 'alike' is not used: write \"the same\"");
    expect_out("src/base/lamp.c:2: the word 'hangs on' is not used: write \"depends on\"");
    expect_out("src/base/lamp.c:4: the name 'crowd_size' is not used: name it by batch");
    expect_out("src/base/lamp.c:6: the word 'in turn' is not used");
    expect_out("src/base/lamp.c:7: the word 'whatever' is not used");
    expect_out("docs/lamps.md:3: the word 'likewise' is not used");
    expect_out("experiments/lamps.yaml:3: the word 'room' is not used");
    cr_expect_eq(shell("tests/style/check.sh words | wc -l | grep -qx 7"), 0);
}

Test(style, exceptions_are_accepted_while_they_are_needed) {
    text_write("README.md", "A \"lamp in the\nroom\" is what the paper says.\n");
    text_write("tests/style/exceptions.tsv", "README.md\tlamp in the room\tthe paper's words\n");
    expect_clean("words sentences");
    text_write("README.md", "A lamp.\n");
    check("words sentences");
    expect_code(1);
    expect_out(
        "tests/style/exceptions.tsv:1: no finding has the text 'lamp in the room' in README.md: remove this row");
}

Test(style, long_sentences_are_found_in_pages_and_messages) {
#define TEN "one two three four five six seven eight nine ten "
    text_write("README.md", "| " TEN TEN TEN "eleven |\n\n    " TEN TEN TEN "eleven\n\nA lamp. " TEN TEN
                            "one two three four five six seven eight nine `ten as code`. "
                            "By A. B. Lamp, see fig. 5.\n\n- " TEN TEN "\n- " TEN TEN "\n");
    text_write("src/base/lamp.c", "/* " TEN TEN TEN TEN "*/\nconst char *s = \"" TEN TEN "\\n\"\n \"" TEN TEN "\";\n");
    expect_clean("sentences");
    text_write("docs/lamps.md", "# Lamps\n\nA lamp.\n" TEN "\n" TEN TEN "[eleven](lamps.md).\n");
    text_write("src/base/lamp.c",
               "int f(void) {\n    return fail(\"" TEN TEN "\"\n                \"" TEN "%s\", s);\n}\n");
    check("sentences");
    expect_code(1);
    expect_out("docs/lamps.md:4: a sentence of 31 words, \"one two three");
    expect_out("src/base/lamp.c:2: a sentence of 31 words");
#undef TEN
}

/* A script replaces nm, and prints the file `names`, which the test writes. */
Test(style, public_functions_have_the_prefix_of_their_file) {
    text_write("src/base/lamp.h", "struct shade {\n    int k;\n};\nstruct bulb;\n");
    text_write("src/base/lamp.c", "\nint lamp_light(void) {\n}\n\nstruct tube *tube_new(int count) {\n}\n");
    text_write("bin/nm", "#!/bin/sh\ncat names\n");
    text_write("names", "build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000000 T lamp_light\n"
                        "build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000010 T lamps_free\n"
                        "build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000020 T shade_draw\n"
                        "build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000030 T bulbs\n"
                        "build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000040 D tube_table\n"
                        "build/CMakeFiles/core.dir/src/base/gone.c.o:0000000000000000 T tube_of\n");
    shell("chmod +x bin/nm && : >build/CMakeFiles/core.dir/src/base/lamp.c.o");
    AUTO_FREE char *path = text_format("%s/bin:%s", home, getenv("PATH"));
    setenv("PATH", path, true);
    expect_clean("symbols");
    shell("echo 'build/CMakeFiles/core.dir/src/base/lamp.c.o:0000000000000050 T tube_new' >>names");
    check("symbols");
    expect_code(1);
    expect_out("src/base/lamp.c:5: the public function 'tube_new' has a prefix of its own: begin it with 'lamp_'");
    text_write("tests/style/prefixes.tsv", "src/base/lamp.c\ttube\n");
    expect_clean("symbols");
    text_write("tests/style/prefixes.tsv", "src/base/lamp.c\ttube socket\n");
    check("symbols");
    expect_code(1);
    expect_out(
        "tests/style/prefixes.tsv:1: no public function of src/base/lamp.c needs the prefix 'socket': remove it");
    text_write("names", "");
    check("symbols");
    expect_code(1);
    expect_out("there are no object files: build the program first");
}

Test(style, the_glossary_has_the_words_and_links_of_the_program) {
    text_write("src/claim/judge.c", "static const char *const verdict_names[] = {\n"
                                    "    [VERDICT_A] = \"matches\",\n"
                                    "    [VERDICT_B] = \"not run\",\n"
                                    "};\n"
                                    "const char *other = \"lamp\";\n");
    text_write("src/claim/claim_file.c", "static const char kind_words[] = \"value bound\";\n"
                                         "static const char *const class_names[] = {\"\", \"result\"};\n");
    text_write("src/run/manifest.c", "static const char *const status_words[] = {\n"
                                     "    [RUN_A] = \"whole\", [RUN_B] = \"failed\",\n"
                                     "};\n");
    text_write("src/run/sweep.c",
               "static const char *const kind_names[] = {\"likely\"};\nputs(kind_names[0], \"%d\");\n");
    text_write("src/experiment/description.c", "    char *names = text_copy(\"quick, full\");\n");
    text_write("src/backend/backends.def", "BACKEND(serial, \"serial serial:1...\")\n");
    text_write("docs/claims.md",
               "| `value`, `bound` | *matches*, *not run* |\n| [whole](glossary.md#run) | failed |\n");
    static const char glossary[] = "| <a id=\"run\"></a>run | likely, result |\n| quick, full | `serial` |\n";
    text_write("docs/glossary.md", glossary);
    expect_clean("terms");
    text_write("docs/claims.md", "| `value`, `bound` | *matches* |\n| [whole](glossary.md#ran) | fail |\nnot run\n");
    text_write("src/experiment/description.c", "");
    check("terms");
    expect_code(1);
    expect_out(
        "src/claim/judge.c:3: 'not run', a verdict, is explained nowhere: add it to a table of docs/glossary.md");
    expect_out("src/run/manifest.c:2: 'failed', the status of a run, is explained nowhere");
    expect_out("docs/claims.md:2: the glossary has no anchor 'ran'");
    expect_out("docs/glossary.md:1: no page links to the term 'run'");
    expect_out("src/experiment/description.c:1: no table matches");
    cr_expect_eq(shell("tests/style/check.sh terms | wc -l | grep -qx 5"), 0);
}

Test(style, a_check_that_is_not_known_is_refused) {
    shell("tests/style/check.sh lamps");
    expect_code(2);
    expect_err("unknown check 'lamps'; use words, sentences, symbols or terms");
}

Test(style, layers_follow_from_the_includes) {
    shell("rm -r src/experiment src/backend && mkdir src/base/inner");
    text_write("tests/style/layers.tsv", "src/base\tlamps\nsrc/run\truns\nsrc/claim\tclaims\nkernels\tphysics\n");
    text_write("kernels/light.h", "#include \"dialect.h\"\n");
    text_write("src/base/lamp.h", "#include <stdio.h>\n#include \"revision.h\"\n");
    text_write("src/run/run.c", "#include \"base/lamp.h\"\n");
    text_write("src/claim/claim.c", "#include \"run/run.h\"\n#include \"base/lamp.h\"\n#include \"light.h\"\n");
    shell("tests/style/layers.sh");
    expect_code(0);
    cr_expect_str_eq(said.out, "| layer | folder | what it does | includes |\n| --- | --- | --- | --- |\n"
                               "| 2 | src/claim/ | claims | kernels, base, run |\n"
                               "| 1 | src/run/ | runs | base |\n"
                               "| 0 | kernels/ | physics | - |\n"
                               "| 0 | src/base/ | lamps | - |\n");
    text_write("src/base/inner/lamp.c", "# include \"claim/claim.h\"\n");
    shell("tests/style/layers.sh");
    expect_code(0);
    expect_out("| src/base/ | lamps | claim; in a cycle with claim, run |\n");
    text_write("tests/style/layers.tsv", "src/base\tlamps\nsrc/claim\tclaims\nkernels\tphysics\nsrc/tube\ttubes\n");
    shell("tests/style/layers.sh");
    expect_code(1);
    expect_err("src/run has no row in tests/style/layers.tsv: add what it does");
    expect_err("there is no folder src/tube: remove its row from tests/style/layers.tsv");
}
