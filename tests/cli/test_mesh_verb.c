/* The command `springback mesh`: its table, JSON, pictures, and messages for bad input. Then `springback meshes`. */
#include "shell.h"

#include <jansson.h>

static const char tetrahedron[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
static const char inside_out[] = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n3 0 3 1\n3 0 2 3\n3 1 3 2\n";
static const char two_sheets[] = "v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 9 9 1\nf 1 2 3\nf 4 5 6\n";
static const char pyramid[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
                              "f 4 3 2 1\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";

static void set_up(void) {
    shell_begin();
    text_write("tetrahedron.off", tetrahedron);
    text_write("turned.off", inside_out);
    text_write("sheets.obj", two_sheets);
    text_write("pyramid.obj", pyramid);
}

TestSuite(mesh_verb, .init = set_up, .fini = shell_end);

/* The last cell of the row with this label, or "missing"; valid until the next call. */
static const char *row(const char *label) {
    static char line[256];
    const size_t length = strlen(label);
    for (const char *at = said.out; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (!strncmp(at, label, length) && (at[length] == ' ')) {
            snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
            return strstr(line, "  ") ? strrchr(line, ' ') + 1 : line;
        }
    return "missing";
}

Test(mesh_verb, faces_that_are_cut_are_said_once) {
    shell("\"$S\" mesh pyramid.obj pyramid.obj");
    expect_code(0);
    cr_expect_str_eq(said.err, "springback: pyramid.obj: 1 of 5 faces have more than three corners; they are cut into "
                               "triangles\n");
    cr_expect_str_eq(row("triangles"), "6");
    shell("\"$S\" mesh tetrahedron.off");
    cr_expect_str_eq(said.err, "");
}

Test(mesh_verb, the_table_says_what_a_mesh_is) {
    static const char *const cells[][2] = {
        {"vertices", "4"},
        {"edges", "6"},
        {"triangles", "4"},
        {"Euler characteristic", "2"},
        {"genus", "0"},
        {"connected parts", "1"},
        {"closed", "yes"},
        {"consistently oriented", "yes"},
        {"orientable", "yes"},
        {"boundary loops", "0"},
        {"boundary edges", "0"},
        {"non-manifold edges", "0"},
        {"vertices without a triangle", "0"},
        {"non-manifold vertices", "0"},
        {"duplicate triangles", "0"},
        {"intersecting triangle pairs", "0"},
        {"volume, m^3", "0.166667"},
        {"area, m^2", "2.36603"},
        {"longest edge, m", "1.41421"},
        {"shortest edge, m", "1"},
        {"mean edge, m", "1.20711"},
        {"smallest angle, degrees", "45"},
        {"vertices of 3 edges", "4"},
        {"edge colours, lower bound", "3"},
        {"edge colours", "3"},
    };
    shell("\"$S\" mesh tetrahedron.off");
    expect_code(0);
    for (size_t c = 0; c < sizeof cells / sizeof *cells; ++c)
        cr_expect_str_eq(row(cells[c][0]), cells[c][1], "%s\n%s", cells[c][0], said.out);
    expect_no_out("inside out");
    expect_no_out("\033[");
    char *once = text_copy(said.out);
    shell("\"$S\" mesh tetrahedron.off");
    cr_expect_str_eq(said.out, once);
    free(once);
}

Test(mesh_verb, meshes_stand_side_by_side_and_faults_are_marked) {
    shell("\"$S\" mesh --color=always tetrahedron.off sheets.obj turned.off");
    expect_code(0);
    expect_out("  tetrahedron.off  sheets.obj  turned.off\n");
    expect_out(" 0           \033[33m1\033[0m           0\n");
    expect_out("\033[33m-0.166667\033[0m\n");
    expect_out("turned.off is inside out");
    expect_no_out("tetrahedron.off is inside out");
    for (const char *line = said.out, *end; (end = strchr(line, '\n')); line = end + 1)
        cr_expect_leq(end - line, 160);
    /* The columns of nine meshes do not fit into one block of 160 characters. So the command prints two blocks, each
     * with all rows. */
    shell("\"$S\" mesh %s", "tetrahedron.off tetrahedron.off tetrahedron.off tetrahedron.off tetrahedron.off "
                            "tetrahedron.off tetrahedron.off tetrahedron.off sheets.obj");
    expect_code(0);
    const char *first = strstr(said.out, "\nvertices "), *second = first ? strstr(first + 1, "\nvertices  ") : NULL;
    cr_expect(second && !strstr(second + 1, "\nvertices  "), "%s", said.out);
    for (const char *line = said.out, *end; (end = strchr(line, '\n')); line = end + 1)
        cr_expect_leq(end - line, 160);
}

Test(mesh_verb, json_has_the_same_and_more) {
    shell("\"$S\" mesh --json turned.off sheets.obj");
    expect_code(0);
    json_t *array = json_loads(said.out, 0, NULL), *turned = json_array_get(array, 0),
           *sheets = json_array_get(array, 1);
    cr_assert_eq(json_array_size(array), 2, "%s", said.out);
    cr_expect_str_eq(json_string_value(json_object_get(turned, "mesh")), "turned.off");
    cr_expect_float_eq(json_real_value(json_object_get(turned, "volume")), -1.0 / 6, 1e-15);
    cr_expect(json_is_true(json_object_get(turned, "closed")));
    cr_expect_eq(json_integer_value(json_object_get(turned, "euler_characteristic")), 2);
    json_t *expected = json_pack("{s[iiii] s[fff]}", "vertices_of_valence", 0, 0, 0, 4, "high", 1.0, 1.0, 1.0), *value;
    const char *key;
    json_object_foreach(expected, key, value) {
        cr_expect(json_equal(json_object_get(turned, key), value), "%s", key);
    }
    json_decref(expected);
    cr_expect_eq(json_integer_value(json_object_get(sheets, "self_intersections")), 1);
    cr_expect_eq(json_integer_value(json_object_get(sheets, "components")), 2);
    cr_expect_eq(json_integer_value(json_object_get(sheets, "boundary_loops")), 2);
    cr_expect(json_is_null(json_object_get(sheets, "volume")));
    /* The edges of a triangle need 3 colours, although each vertex has only 2 edges. */
    cr_expect_eq(json_integer_value(json_object_get(sheets, "edge_colours")), 3);
    cr_expect_eq(json_integer_value(json_object_get(sheets, "least_edge_colours")), 2);
    cr_expect_eq(strlen(json_string_value(json_object_get(sheets, "hash"))), 32);
    json_decref(array);
}

Test(mesh_verb, bad_input_is_told_and_nothing_is_left) {
    text_write("broken.off", "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n");
    static const struct {
        const char *words, *said;
    } cases[] = {
        {"", "no mesh given: expected a file .obj .off .ply .stl"},
        {"none.off", "none.off: No such file or directory"},
        {"tetrahedron.off none.off broken.off --figure a.png", "none.off: No such file or directory"},
        {"tetrahedron.off none.off broken.off", "broken.off:6:"},
        {"tetrahedron.off --figure a.gif", "a.gif: the name of a figure must end in .svg or .png"},
        {"tetrahedron.off --turn up", "--turn expects degrees, -360 to 360, not 'up'"},
        {"tetrahedron.off --turn 0x10", "--turn expects degrees, -360 to 360, not '0x10'"},
        {"tetrahedron.off --turn nan", "--turn expects degrees, -360 to 360, not 'nan'"},
        {"tetrahedron.off --figure .png", ".png: the name of a figure must end in .svg or .png"},
        {"tetrahedron.off --figure none/a.png", "none/a.png: cannot be written: No such file"},
        {"tetrahedron.off --figure tetrahedron.off/a.png", "tetrahedron.off/a.png: cannot be written"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        shell("\"$S\" mesh %s", cases[c].words);
        expect_code(2);
        expect_err(cases[c].said);
        cr_expect_eq(*said.out, 0, "%s: %s", cases[c].words, said.out);
    }
    cr_expect_eq(matching("*.png") + matching("*.part"), 0);
    shell("\"$S\" mesh tetrahedron.off >/dev/full");
    expect_code(2);
    expect_err("cannot write to standard output");
}

Test(mesh_verb, without_gnuplot_a_figure_says_what_would_bring_it) {
    shell("mkdir none && PATH=$PWD/none \"$S\" mesh tetrahedron.off --figure a.png");
    expect_code(2);
    expect_err("gnuplot is missing; apt-get install gnuplot-nox installs it");
    shell("printf '#!/bin/sh\\necho no luck >&2; echo half; exit 1\\n' >none/gnuplot && chmod +x none/gnuplot && "
          "PATH=$PWD/none:$PATH \"$S\" mesh tetrahedron.off --figure a.png");
    expect_code(2);
    expect_err("gnuplot ended with exit code 1");
    expect_err("no luck");
    cr_expect_eq(matching("a.png*"), 0);
}

/* The part of an SVG figure that begins with its image, newly allocated. The image would hide text that precedes it. */
static char *from_pixels_on(const char *figure) {
    char *svg = text_read(figure), *pixels = strstr(svg, "<image");
    cr_assert_not_null(pixels, "%s", figure);
    char *words = text_copy(pixels);
    free(svg);
    return words;
}

Test(mesh_verb, a_figure_has_the_surfaces_and_a_caption) {
    if (shell("command -v gnuplot"))
        cr_skip_test("gnuplot is not installed");
    text_write("it's <a> & b.off", tetrahedron);
    shell("\"$S\" mesh \"it's <a> & b.off\" --figure \"it's.svg\" && \"$S\" mesh sheets.obj --figure sheets.svg");
    expect_code(0);
    cr_expect_eq(*said.err, 0, "%s", said.err);
    cr_expect_eq(matching("*.part"), 0);
    char *closed = from_pixels_on("it's.svg"), *open = from_pixels_on("sheets.svg");
    cr_expect(strstr(closed, "it's &lt;a> &amp; b.off"), "%s", closed);
    cr_expect(strstr(closed, "4 vertices, 4 triangles; closed, genus 0<"));
    cr_expect(strstr(open, "6 vertices, 2 triangles; open, 2 loops; 1 intersection<"));
    free(closed);
    free(open);
    shell("\"$S\" mesh tetrahedron.off sheets.obj --figure one.png && "
          "\"$S\" mesh tetrahedron.off sheets.obj --figure two.png && cmp one.png two.png && "
          "head -c 8 one.png | od -An -tx1");
    expect_code(0);
    expect_out(" 89 50 4e 47");
    shell("\"$S\" mesh tetrahedron.off sheets.obj --figure two.png --turn=-150 && cmp -s one.png two.png");
    expect_code(1);
}

/* With --for, only bodies that the given experiments name are prepared. */
Test(mesh_verb, bodies_are_prepared_for_experiments) {
    text_write(
        "catalogue.yaml",
        "meshes:\n"
        "  small: {doc: d, counts: {vertices: 8, triangles: 12}, sources: [{formula: {name: cube, squares: 1}}]}\n"
        "  other: {doc: d, counts: {vertices: 26, triangles: 48}, sources: [{formula: {name: cube, squares: 2}}]}\n"
        "  third: {doc: d, counts: {vertices: 56, triangles: 108}, sources: [{formula: {name: cube, squares: 3}}]}\n");
    static const char falls[] = "springback: 1\nbody: {mesh: [%s], node_mass: 1 kg}\nmethod: {name: mass_spring, "
                                "stiffness: 100 N/m, damping: 1 N s/m}\ntime: {step: 1 ms, frames: 1}\n";
    char *both = text_format(falls, "small, third"), *cloth = text_format(falls, "./own.off");
    cr_assert_eq(shell("mkdir p"), 0);
    text_write("p/both.yaml", both);
    text_write("p/own.yaml", cloth);
    free(both);
    free(cloth);
    shell("\"$S\" meshes --catalogue catalogue.yaml --out bodies --offline --for p/both.yaml --for p/own.yaml && ls "
          "bodies");
    expect_code(0);
    expect_out("small.h5\nthird.h5\n");
    expect_no_out("other");
    shell("\"$S\" meshes --catalogue catalogue.yaml --out none --offline --for p/own.yaml --for p/missing.yaml");
    expect_code(2);
    expect_err("p/missing.yaml: cannot be read");
    cr_expect_eq(*said.out, 0, "%s", said.out); /* no body is named, so none is prepared */
    shell("for j in 1 2; do \"$S\" meshes --catalogue catalogue.yaml --out jobs-$j --offline --jobs $j || exit; done; "
          "cd jobs-1 && ls && for f in *; do cmp $f ../jobs-2/$f || exit; done");
    expect_code(0);
    expect_out("other.h5\nsmall.h5\nthird.h5\n");
    /* one of three processes fails; the other two processes still prepare their bodies */
    shell(
        "printf 'originals:\n  o: {kind: folder, file: o.off, sha256: %%064d, licence: l, credit: c}\n' 1 >two.yaml && "
        "sed 's/{formula: {name: cube, squares: 3}}/{original: o}/' catalogue.yaml >>two.yaml && mkdir from && "
        "touch from/o.off && \"$S\" meshes --catalogue two.yaml --out two --from from --jobs 3; code=$?; ls two; exit "
        "$code");
    expect_code(2);
    expect_out("other.h5\nsmall.h5\n");
    expect_err("the SHA-256 of from/o.off is");
}

/* gnuplot opens a pipe if a file name begins with <, and replaces ~ at the beginning of a file name by the home folder.
 */
Test(mesh_verb, a_name_is_no_command_of_a_figure) {
    if (shell("command -v gnuplot"))
        cr_skip_test("gnuplot is not installed");
    static const char *const names[] = {"<touch A;",
                                        "~",
                                        "-e",
                                        "|touch A;",
                                        "`touch A`",
                                        "$(touch A)",
                                        "';system(\"touch A\");'",
                                        "\\",
                                        "a\nsystem(\"touch A\")\n",
                                        "@x"};
    for (size_t n = 0; n < sizeof names / sizeof *names; ++n) {
        char *mesh = text_format("./%s.off", names[n]), *figure = text_format("%s.svg", names[n]);
        text_write(mesh, tetrahedron);
        cr_assert_eq(setenv("MESH", mesh, 1) || setenv("FIGURE", figure, 1), 0);
        shell("\"$S\" mesh \"$MESH\" --figure=\"$FIGURE\"");
        expect_code(0);
        cr_expect_eq(access(figure, R_OK), 0, "%s is not drawn", figure);
        cr_expect_eq(matching("A"), 0, "%s was run", names[n]);
        cr_expect_eq(matching("*.part"), 0, "%s", names[n]);
        free(mesh);
        free(figure);
    }
}
