/* Player scenes: the data for the player of a page, and files of scenes. */
#include "shell.h"
#include "trace/trace.h"

#include <jansson.h>
#include <math.h>
#include <nettle/base64.h>
#include <zlib.h>

TestSuite(scene, .init = shell_begin, .fini = shell_end);

static const char experiment[] = "springback: 1\n"
                                 "paper: mine\n"
                                 "title: A sheet\n"
                                 "body: {cloth: {nodes: [6, 5]}, node_mass: 0.01 kg}\n"
                                 "method: {name: mass_spring, stiffness: [20 N/m, 200 N/m]}\n"
                                 "time: {step: 1 ms, frames: 30}\n"
                                 "record: {mesh_every: 3}\n"
                                 "backend: serial\n";

static const char scenes[] = "springback: 1\n"
                             "paper: mine\n"
                             "scenes:\n"
                             "  - id: soft\n"
                             "    title: Soft <b>and</b> \\\"stiff\\\"\n"
                             "    says: two of them\n"
                             "    colour: strain\n"
                             "    panels:\n"
                             "      - {label: soft, experiment: mine/sheet, only: [stiffness=20 N/m]}\n"
                             "      - {label: stiff, experiment: mine/sheet, only: [stiffness=200 N/m]}\n"
                             "  - id: fine\n"
                             "    title: More frames\n"
                             "    says: runs of its own\n"
                             "    colour: plain\n"
                             "    mesh_every: 1\n"
                             "    panels: [{label: soft, experiment: mine/sheet, only: [stiffness=20 N/m]}]\n";

static void write_files(void) {
    shell("mkdir -p experiments/mine figures/mine");
    shell("printf '%%s' '%s' >experiments/mine/sheet.yaml", experiment);
    shell("printf '%%s' \"%s\" >figures/mine/scenes.yaml", scenes);
}

/* ---- The data ---- */

/* Decode a base64 text, and inflate the result (zlib) to `size` bytes. The bytes are newly allocated. */
static unsigned char *unpack(const char *text, size_t size) {
    struct base64_decode_ctx context;
    size_t length = BASE64_DECODE_LENGTH(strlen(text));
    AUTO_FREE uint8_t *packed = memory_new(length + 1, 1);
    unsigned char *bytes = memory_new(size, 1);
    uLongf got = size;
    base64_decode_init(&context);
    cr_assert(base64_decode_update(&context, &length, packed, strlen(text), text));
    cr_assert_eq(uncompress(bytes, &got, packed, length), Z_OK);
    cr_assert_eq(got, size);
    return bytes;
}

/* Difference i of `count` differences in zigzag code. `bytes` has the low bytes of all differences, then the high bytes
 * of all. */
static uint16_t difference(const unsigned char *bytes, size_t count, size_t i) {
    const unsigned zigzag = bytes[i] | (unsigned)bytes[count + i] << 8;
    return (uint16_t)(zigzag >> 1 ^ -(zigzag & 1));
}

/* The panels of the first scene of a page. */
static json_t *first_scene(const char *page) {
    char *text = text_read(page);
    char *begin = strstr(text, "<script type=\"application/json\">");
    cr_assert_not_null(begin);
    begin += strlen("<script type=\"application/json\">");
    char *end = strstr(begin, "</script>");
    cr_assert_null(memchr(begin, '<', (size_t)(end - begin)));
    json_t *panels = json_loadb(begin, (size_t)(end - begin), 0, NULL);
    cr_assert_not_null(panels);
    free(text);
    return panels;
}

/* Decode all frames of a panel as in src/report/player.js, and compare them with the frames of the trace. A coordinate
 * may differ by at most half of `grain`. `grain` is the distance, in m, of two coordinates whose codes differ by 1. */
static void compare(json_t *panel, const char *path) {
    AUTO(trace_close) struct trace_data trace;
    cr_assert_eq(trace_open(path, &trace), STATUS_OK, "%s", failure_text());
    const size_t n = trace.nodes, count = 3 * n, frames = (size_t)trace.mesh_frames;
    const char *order = json_string_value(json_object_get(panel, "order"));
    const double grain = json_real_value(json_object_get(panel, "grain"));
    cr_assert_eq((size_t)json_integer_value(json_object_get(panel, "vertices")), n);
    cr_assert_eq(strlen(order), frames);
    cr_assert_eq(json_array_size(json_object_get(panel, "time")), frames);
    AUTO_FREE unsigned char *bytes = unpack(json_string_value(json_object_get(panel, "codes")), 2 * frames * count);
    AUTO_FREE uint16_t *code = memory_new(frames * count, sizeof *code);
    AUTO_FREE double(*place)[3] = memory_new(n, sizeof *place);
    bool orders[3] = {false};
    for (size_t f = 0; f < frames; ++f) {
        orders[order[f] - '0'] = true;
        for (size_t i = f * count; i < (f + 1) * count; ++i) {
            const uint16_t before = order[f] == '0'   ? (i - f * count) % n ? code[i - 1] : 0
                                    : order[f] == '1' ? code[i - count]
                                                      : (uint16_t)(2 * code[i - count] - code[i - 2 * count]);
            code[i] = (uint16_t)(before + difference(bytes, frames * count, i));
        }
        cr_assert_eq(trace_read_mesh(&trace, (int)f, &place[0][0]), STATUS_OK);
        for (size_t v = 0; v < n; ++v)
            for (size_t k = 0; k < 3; ++k) {
                const double origin = json_number_value(json_array_get(json_object_get(panel, "origin"), k));
                const double shown = origin + grain * code[f * count + k * n + v];
                cr_assert_float_eq(shown, place[v][k], 0.5 * grain + 1e-6, "frame %zu, vertex %zu: %g, not %g", f, v,
                                   shown, place[v][k]);
            }
    }
    cr_expect(orders[0] && orders[2], "the orders of prediction 0 and 2 must both occur: %s", order);
    AUTO_FREE unsigned char *corners =
        unpack(json_string_value(json_object_get(panel, "corners")), 6 * trace.triangle_count);
    uint16_t corner = 0;
    for (size_t c = 0; c < 3 * trace.triangle_count; ++c) {
        corner = (uint16_t)(corner + difference(corners, 3 * trace.triangle_count, c));
        cr_assert_eq(corner, trace.triangles[c]);
    }
}

Test(scene, a_page_has_the_motion_of_its_traces) {
    write_files();
    cr_assert_eq(shell("\"$S\" run -q --out out experiments/mine/sheet.yaml"), 0, "%s", said.err);
    cr_assert_eq(shell("\"$S\" view out/mine/sheet/*.vtkhdf --html page.html"), 0, "%s", said.err);
    json_t *panels = first_scene("page.html");
    cr_assert_eq(json_array_size(panels), 2);
    compare(json_array_get(panels, 0), "out/mine/sheet/stiffness=20.trace-1.vtkhdf");
    compare(json_array_get(panels, 1), "out/mine/sheet/stiffness=200.trace-1.vtkhdf");
    json_decref(panels);
    cr_expect_eq(shell("grep -c 'data:image/png;base64,iVBOR' page.html"), 0); /* iVBOR is the beginning of a PNG */
}

Test(scene, traces_that_cannot_be_shown_are_refused) {
    write_files();
    cr_assert_eq(shell("\"$S\" run -q --out out --set record.mesh_every=0 experiments/mine/sheet.yaml"), 0, "%s",
                 said.err);
    cr_expect_eq(shell("\"$S\" view out/mine/sheet/*.h5 --html page.html"), 2);
    cr_expect(strstr(said.err, "no geometry is recorded; use --set record.mesh_every=5"), "%s", said.err);
    cr_expect_eq(shell("ls page.html"), 2);
    cr_expect_eq(shell("\"$S\" view a.h5 figures/mine/scenes.yaml"), 2);
    cr_expect_eq(shell("\"$S\" view 1 2 3 4 5"), 2);
    cr_expect(strstr(said.err, "at most 4 traces"), "%s", said.err);
}

/* ---- Files of scenes ---- */

Test(scene, scenes_are_run_kept_and_not_made_again) {
    write_files();
    cr_assert_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out"), 0, "%s", said.err);
    cr_expect_eq(shell("cd out && ls scenes/mine/01-soft.json scenes/mine/02-fine.json mine/sheet/*.vtkhdf "
                       "scenes/runs/mine/sheet/stiffness=20.trace-1.vtkhdf"),
                 0, "%s", said.err);
    shell("touch -d '2001-02-03' out/scenes/mine/*.json; echo {} >out/scenes/mine/09-old.json");
    cr_assert_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out --html page.html"), 0, "%s", said.err);
    shell("find out/scenes/mine -name '*.json' -newermt 2002-01-01; ls out/scenes/mine/09-old.json");
    cr_expect_str_eq(said.out, "");
    cr_expect_eq(shell("grep -c '<figure class=\"scene\"' page.html"), 0);
    cr_expect_str_eq(said.out, "2\n");
    cr_expect_eq(shell("grep -q '<b>and</b>' page.html"), 1); /* a tag in a title is shown as text */
    shell("sed -i 's/two of them/two/' figures/mine/scenes.yaml");
    cr_assert_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out"), 0, "%s", said.err);
    shell("find out/scenes/mine -name '*.json' -newermt 2002-01-01");
    cr_expect_str_eq(said.out, "out/scenes/mine/01-soft.json\n");
}

Test(scene, a_damaged_scene_is_made_again) {
    write_files();
    cr_assert_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out"), 0, "%s", said.err);
    shell("cp out/scenes/mine/01-soft.json right; "
          "sed -i 's/\"poster\":\"/\"poster\":\"\\\\\" onerror=\\\\\"/' out/scenes/mine/01-soft.json");
    cr_expect_eq(shell("grep -q onerror out/scenes/mine/01-soft.json"), 0);
    cr_expect_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out --html page.html"), 0, "%s", said.err);
    cr_expect_eq(shell("cmp right out/scenes/mine/01-soft.json"), 0);
    cr_expect_eq(shell("grep -q onerror page.html"), 1);
}

Test(scene, mistakes_in_a_file_of_scenes_have_their_place) {
    static const struct {
        const char *from, *to, *said;
    } mistakes[] = {
        {"colour: strain", "colour: stran", "scenes.yaml:7:13: there is no colour stran"},
        {"id: soft", "id: ../soft", "scenes.yaml:4:9: an id may only have"},
        {"mesh_every: 1", "mesh_every: 0", "scenes.yaml:15:17: `mesh_every` must be a whole number from 1"},
        {"only: .stiffness=200 N/m.", "only: []", "scenes.yaml:10:54: `only` must be a list"},
        {", only: .stiffness=200 N/m.", "", "scenes.yaml:10:9: the panel selects 2 runs of mine/sheet"},
        {"label: stiff", "lable: stiff", "scenes.yaml:10:10: a panel has no key lable"},
        {"springback: 1", "springback: 2", "scenes.yaml:1:13: `springback` must be 1"},
    };
    for (size_t m = 0; m < sizeof mistakes / sizeof *mistakes; ++m) {
        write_files();
        shell("sed -i 's|%s|%s|' figures/mine/scenes.yaml", mistakes[m].from, mistakes[m].to);
        cr_expect_eq(shell("\"$S\" view figures/mine/scenes.yaml --out out"), 2);
        cr_expect(strstr(said.err, mistakes[m].said), "%s: %s", mistakes[m].said, said.err);
    }
}
