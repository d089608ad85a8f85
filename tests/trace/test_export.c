#include "report/figure_data.h"
#include "run/manifest.h"
#include "trace/export.h"
#include "trace_fixture.h"

#include <endian.h>
#include <jansson.h>

static char *folder, *path;
static struct trace_data data;

static void set_up(void) {
    failure_clear();
    folder = folder_new();
    path = text_format("%s/run.h5", folder);
}

static void tear_down(void) {
    trace_close(&data);
    folder_remove(folder);
    free(path);
    failure_clear();
}

TestSuite(export, .init = set_up, .fini = tear_down);

static void write_and_open(struct trace_header header) {
    fixture_write(path, &header, header.frames);
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
}

Test(export, series) {
    write_and_open(fixture_header(3, 0, 4));
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    cr_assert_eq(export_table(&data, NULL, 0, out), STATUS_OK, "%s", failure_text());
    fclose(out);
    cr_assert_str_eq(text, "frame\ttime/s\tkinetic_energy/J\ta_ratio\n"
                           "0\t0\t0\tnan\n"
                           "10\t0.25\t0.5\t-1\n"
                           "20\t0.5\t1\t-1\n");
    free(text);
    out = fopen("/dev/full", "w");
    cr_assert_eq(export_table(&data, NULL, 0, out), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), "cannot be written"));
    fclose(out);
}

static double big_endian_real(const char *from, int real_size) {
    uint32_t small;
    uint64_t large;
    float single;
    double value;
    memcpy(&small, from, sizeof small);
    memcpy(&large, from, (size_t)real_size);
    small = be32toh(small);
    large = be64toh(large);
    memcpy(&single, &small, sizeof single);
    memcpy(&value, &large, sizeof value);
    return real_size == 4 ? (double)single : value;
}

/* Expect the text to begin with `line`. Returns the text after it. */
static const char *expect_line(const char *from, const char *line) {
    cr_assert_eq(strncmp(from, line, strlen(line)), 0, "'%.60s' is not '%s'", from, line);
    return from + strlen(line);
}

/* Expect the positions (sign 1) or velocities (sign -1) of a frame as big-endian reals, and then a line end. Returns
 * the text after the line end. */
static const char *expect_vectors(const char *from, int frame, double sign, int real_size) {
    for (size_t i = 0; i < 3 * NODES; i++, from += real_size)
        cr_assert_eq(big_endian_real(from, real_size), sign * fixture_value(frame, i));
    return expect_line(from, "\n");
}

static void vtk(int real_size) {
    struct trace_header header = fixture_header(2, 2, real_size);
    const char *real = real_size == 4 ? "float" : "double";
    write_and_open(header);
    cr_assert_eq(export_vtk(&data, folder), STATUS_OK, "%s", failure_text());
    size_t size;
    char *name = text_format("%s/run_0001.vtk", folder), *bytes = file_read(name, &size);
    const char *from = expect_line(bytes, "# vtk DataFile Version 3.0\nspringback, t = 0.25 s\nBINARY\n");
    char *points = text_format("DATASET POLYDATA\nPOINTS %d %s\n", NODES, real);
    char *polygons = text_format("POLYGONS %d %d\n", TRIANGLES, 4 * TRIANGLES);
    char *velocity = text_format("\nPOINT_DATA %d\nVECTORS velocity %s\n", NODES, real);
    from = expect_line(expect_vectors(expect_line(from, points), 1, 1, real_size), polygons);
    for (size_t c = 0; c < TRIANGLES; c++)
        for (size_t i = 0; i <= 3; i++, from += 4) {
            uint32_t word;
            memcpy(&word, from, sizeof word);
            cr_assert_eq(be32toh(word), i ? (uint32_t)fixture_triangles[3 * c + i - 1] : 3);
        }
    from = expect_vectors(expect_line(from, velocity), 1, -1, real_size);
    cr_assert_eq((size_t)(from - bytes), size);
    char *index_name = text_format("%s/run.vtk.series", folder);
    json_t *index = json_load_file(index_name, 0, NULL), *files = json_object_get(index, "files");
    cr_assert_str_eq(json_string_value(json_object_get(index, "file-series-version")), "1.0");
    cr_assert_eq(json_array_size(files), 2);
    cr_assert_str_eq(json_string_value(json_object_get(json_array_get(files, 1), "name")), "run_0001.vtk");
    cr_assert_eq(json_real_value(json_object_get(json_array_get(files, 1), "time")), 0.25);
    json_decref(index);
    char *texts[] = {name, bytes, points, polygons, velocity, index_name};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    trace_close(&data);
}

Test(export, vtk) {
    vtk(4);
    vtk(8);
}

Test(export, vtk_errors) {
    write_and_open(fixture_header(2, 2, 4));
    char *missing = text_format("%s/no", folder);
    cr_assert_eq(export_vtk(&data, missing), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), "run_0000.vtk: cannot be written"));
    free(missing);
    unlink(path); /* delete the trace while it is open */
    cr_assert_eq(export_vtk(&data, folder), STATUS_BAD);
    char *first = text_format("%s/run_0000.vtk", folder);
    cr_assert_neq(access(first, F_OK), 0, "an incomplete file was left");
    free(first);
    trace_close(&data);
    write_and_open(fixture_header(2, 0, 4));
    failure_clear();
    cr_assert_eq(export_vtk(&data, folder), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), "no geometry"));
}

/* Write a trace of one triangle in the plane y = 0, and export the triangle. Returns its colour, 0xrrggbb. `turned`
 * exchanges two corners. `broken` makes a coordinate infinite; then the triangle must be left out, and the function
 * returns 0. */
static unsigned shade_of(struct export_view view, bool turned, bool broken, size_t *left_out) {
    const float corners[] = {0, 0, 0, 1, 0, 0, 0, broken ? INFINITY : 0, 1}, still[9] = {0};
    const int32_t orders[2][3] = {{0, 1, 2}, {0, 2, 1}};
    struct trace_header header = fixture_header(1, 1, 4);
    header.nodes = 3;
    header.triangles = orders[turned];
    header.triangle_count = 1;
    header.tetrahedron_count = 0;
    header.scene = (struct trace_scene){.points = 0};
    struct trace *trace;
    cr_assert_eq(trace_create(path, &header, &trace), STATUS_OK, "%s", failure_text());
    cr_assert_eq(trace_add_mesh(trace, 0, corners, still), STATUS_OK);
    char hash[DIGEST_SIZE];
    struct digest *digest = digest_create();
    digest_add(digest, corners, sizeof corners);
    digest_add(digest, still, sizeof still);
    digest_finish(digest, hash);
    cr_assert_eq(trace_add_frame(trace, 0, 0, (double[2]){0}, hash), STATUS_OK);
    cr_assert_eq(trace_finish(trace, NULL, 0), STATUS_OK, "%s", failure_text());
    cr_assert_eq(trace_open(path, &data), STATUS_OK, "%s", failure_text());
    char *text;
    size_t size;
    unsigned colour = 0;
    FILE *out = open_memstream(&text, &size);
    cr_assert_eq(export_triangles(&data, 0, &view, out, left_out), STATUS_OK, "%s", failure_text());
    fclose(out);
    if (broken) {
        cr_assert_str_eq(text, "# 1 triangles left out: not finite\n");
    } else {
        colour = (unsigned)strtoul(expect_line(text, "0 0 0 0x"), NULL, 16);
        const char *b = turned ? "0 -1 0" : "1 0 0", *c = turned ? "1 0 0" : "0 -1 0";
        char *expected = text_format("0 0 0 0x%06x\n%s 0x%06x\n\n%s 0x%06x\n%s 0x%06x\n\n\n", colour, b, colour, c,
                                     colour, c, colour);
        cr_assert_str_eq(text, expected);
        free(expected);
    }
    free(text);
    trace_close(&data);
    return colour;
}

Test(export, triangles_are_lit) {
    size_t left_out = 9;
    const struct export_view above = {{0, 3, 0}, 0.25, 0xff8040}, along = {{1, 0, 0}, 0.25, 0xff8040};
    /* The light comes at 60 degrees to the normal, so the brightness is 0.2 + 0.8 / 2. */
    const struct export_view slanted = {{0, 1, sqrt(3)}, 0.2, 0xff8040};
    cr_assert_eq(shade_of(above, false, false, &left_out), 0xff8040);
    cr_assert_eq(left_out, 0);
    cr_assert_eq(shade_of(above, true, false, NULL), 0xff8040);
    cr_assert_eq(shade_of(along, false, false, NULL), 0x402010);
    cr_assert_eq(shade_of(slanted, false, false, NULL), 0x994d26);
    shade_of(above, false, true, &left_out);
    cr_assert_eq(left_out, 1);
}

Test(export, triangles_errors) {
    write_and_open(fixture_header(1, 0, 4));
    const struct export_view view = {{0, 1, 0}, 0.2, 0xffffff};
    cr_assert_eq(export_triangles(&data, 0, &view, stdout, NULL), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), "no recorded triangles"), "%s", failure_text());
    trace_close(&data);
    write_and_open(fixture_header(1, 1, 4));
    cr_assert_eq(export_triangles(&data, 1, &view, stdout, NULL), STATUS_BAD);
    cr_assert_not_null(strstr(failure_text(), "no geometry with the index 1"));
}

/* With the commands of src/trace/export.h, gnuplot accepts the file and draws the requested shade. */
Test(export, gnuplot_draws_it) {
    write_and_open(fixture_header(1, 1, 4));
    char *text = text_format("%s/triangles.txt", folder), *script = text_format("%s/draw.gp", folder);
    char *picture = text_format("%s/picture.svg", folder), *command = text_format("gnuplot '%s'", script);
    FILE *out = fopen(text, "w");
    const struct export_view view = {{0, 1, 0}, 1, 0x12ab34};
    cr_assert_eq(export_triangles(&data, 0, &view, out, NULL), STATUS_OK, "%s", failure_text());
    fclose(out);
    out = fopen(script, "w");
    fprintf(out, "set terminal svg\nset output '%s'\nset pm3d depthorder corners2color c1\n", picture);
    fprintf(out, "set view equal xyz\nset cbrange [0:0xffffff]\n");
    fprintf(out, "unset key; unset border; unset tics; unset colorbox\n");
    fprintf(out, "splot '%s' using 1:2:3:4 with pm3d lc rgb variable\n", text);
    fclose(out);
    if (system("command -v gnuplot >/dev/null") != 0)
        cr_skip_test("gnuplot is not installed");
    cr_assert_eq(system(command), 0);
    size_t size, drawn = 0;
    char *svg = file_read(picture, &size);
    for (const char *at = svg; (at = strstr(at, "<polygon")) != NULL; at++) {
        const char *end = strchr(at, '>'), *colour = strstr(at, "18, 171,  52");
        drawn += colour && colour < end;
    }
    cr_assert_eq(drawn, TRIANGLES, "%zu of %d triangles", drawn, TRIANGLES);
    char *texts[] = {text, script, picture, command, svg};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
}

/* A note of a trace can have several lines, for example the report of another program. The run still has one row in the
 * summary. */
Test(export, a_summary_has_a_line_a_run) {
    const struct trace_note notes[] = {{"id", "one"}, {"key", "0123"}, {"report", "a\tb\n\"c\"\r\n"}, {"last", "end"}};
    struct trace_header header = fixture_header(2, 2, 4);
    header.run = notes;
    header.run_count = 4;
    fixture_write(path, &header, 2);
    struct manifest manifest = {.count = 0};
    manifest_put(&manifest,
                 &(struct manifest_row){
                     .id = "one", .status = RUN_WHOLE, .trace = "run.h5", .key = "0123", .plan = "p", .reason = "-"});
    cr_assert_eq(manifest_write(folder, &manifest, true), STATUS_OK, "%s", failure_text());
    manifest_free(&manifest);
    cr_assert_eq(figure_data_write(folder, folder), STATUS_OK, "%s", failure_text());
    char *name = text_format("%s/summary.tsv", folder);
    size_t size;
    char *table = file_read(name, &size), *head = table, *row = strchr(table, '\n') + 1;
    cr_assert_eq(strchr(row, '\n'), table + size - 1, "%s", table);
    cr_expect_not_null(strstr(row, "\tone\t0123\ta b 'c'? \tend\t"), "%s", row);
    cr_expect_not_null(strstr(head, "\tgeometry\n"));
    cr_expect_str_eq(strrchr(row, '\t'), "\t0 10\n");
    int tabs = 0;
    for (const char *c = table; *c; ++c)
        tabs += *c == '\t' ? (c < row ? 1 : -1) : 0;
    cr_expect_eq(tabs, 0, "the header and the row have different numbers of cells: %s", table);
    free(name);
    free(table);
}

/* The footer of a figure shows notes of a trace, with a space in place of each newline. Gnuplot must not run these
 * notes as commands. */
Test(export, a_note_is_no_command_of_a_figure) {
    if (system("command -v gnuplot >/dev/null") != 0)
        cr_skip_test("gnuplot is not installed");
    const struct trace_note run[] = {{"id", "one"}, {"key", "0123"}, {"status", "whole"}, {"body_stand_in", "yes"}};
    const struct trace_parameter body = {"body.mesh", "bob\"; exit status 3 #", "", "given", "", "", ""};
    const struct trace_note provenance[] = {{"springback", "1\"; exit status 3 #"},
                                            {"revision", "a'; exit status 3; '\nexit status 3\n"},
                                            {"cpu", "`exit 3` @macro {\\"}};
    struct trace_header header = fixture_header(2, 2, 4);
    header.run = run;
    header.run_count = 4;
    header.parameters = &body;
    header.parameter_count = 1;
    header.provenance = provenance;
    header.provenance_count = 3;
    fixture_write(path, &header, 2);
    struct manifest manifest = {.count = 0};
    manifest_put(&manifest, &(struct manifest_row){.id = "one", .trace = "run.h5", .key = "0123", .plan = "p"});
    cr_assert_eq(manifest_write(folder, &manifest, true), STATUS_OK, "%s", failure_text());
    manifest_free(&manifest);
    cr_assert_eq(figure_data_write(folder, folder), STATUS_OK, "%s", failure_text());
    char *command = text_format("cd '%s' && echo 'macro = \"print 1\"; load \"context.gp\"; set print \"said\"; print "
                                "footer; print stand_ins' >draw.gp && gnuplot draw.gp",
                                folder);
    cr_assert_eq(system(command), 0);
    char *name = text_format("%s/said", folder);
    size_t size;
    char *said = file_read(name, &size);
    cr_expect_str_eq(said, "springback 1\"; exit status 3 #, revision a'; exit status 3; ' exit status 3 , "
                           "on `exit 3` @macro {\\\nbob\"; exit status 3 #\n");
    free(said);
    free(name);
    free(command);
}
