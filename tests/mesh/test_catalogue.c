#include "mesh/catalogue.h"

#include "base/file.h"
#include "body/prepared.h"
#include "mesh/mesh_file.h"
#include "mesh_fixture.h"
#include "shell.h"

#include <math.h>

#define LICENCE "licence: none, credit: nobody"

static const char zeros[] = "0000000000000000000000000000000000000000000000000000000000000000";

/* The text of an OFF file of an octahedron, and its SHA-256. */
static const char octahedron[] = "OFF\n6 8 0\n1 0 0\n-1 0 0\n0 1 0\n0 -1 0\n0 0 1\n0 0 -1\n"
                                 "3 0 2 4\n3 2 1 4\n3 1 3 4\n3 3 0 4\n3 2 0 5\n3 1 2 5\n3 3 1 5\n3 0 3 5\n";
static char octahedron_sum[CHECKSUM_SIZE];

static void begin(void) {
    shell_begin();
    unsetenv("SPRINGBACK_MESHES");
    folder_make("mine");
    text_write("mine/eight.off", octahedron);
    cr_assert_eq(checksum_file("mine/eight.off", octahedron_sum), STATUS_OK);
    failure_clear();
}

TestSuite(catalogue, .init = begin, .fini = shell_end);

/* Write c.yaml, a catalogue of one mesh, `body`. The first source of the mesh is the file eight.off of a folder, with
 * the SHA-256 `sum`. The second source is a formula. `prepared` is the SHA-256 of the prepared mesh; if `prepared` is
 * "", the catalogue has no such SHA-256. */
static void write_catalogue(const char *sum, const char *counts, const char *steps, const char *prepared) {
    char *text = text_format("originals:\n"
                             "  eight: {kind: folder, file: eight.off, sha256: %s, " LICENCE "}\n"
                             "meshes:\n"
                             "  body:\n"
                             "    doc: a body\n"
                             "    counts: {%s}\n"
                             "    sources:\n"
                             "      - {original: eight, steps: [%s]%s%s}\n"
                             "      - {formula: {name: cube, squares: 1}, stand_in: true}\n",
                             sum, counts, steps, *prepared ? ", sha256: " : "", prepared);
    text_write("c.yaml", text);
    free(text);
}

/* Choose a source of the mesh `name`, and make the mesh. After an error there is nothing to free. */
static int catalogue_prepare(const struct catalogue *catalogue, const char *name, const struct origin_options *options,
                             struct mesh *mesh, struct mesh_provenance *provenance) {
    if (catalogue_choose(catalogue, name, options, provenance))
        return STATUS_BAD;
    const int status = catalogue_make(provenance, mesh);
    if (status)
        mesh_provenance_free(provenance);
    return status;
}

static int prepare(const struct origin_options *options, struct mesh *mesh, struct mesh_provenance *provenance) {
    struct catalogue catalogue;
    failure_clear();
    cr_assert_eq(catalogue_read("c.yaml", &catalogue), STATUS_OK, "%s", failure_text());
    const int status = catalogue_prepare(&catalogue, "body", options, mesh, provenance);
    if (!status) /* this pointer points into the catalogue, which is freed here */
        provenance->mesh = NULL;
    catalogue_free(&catalogue);
    return status;
}

#define expect_said(text) cr_expect(strstr(failure_text(), text), "\"%s\" is not in: %s", text, failure_text())

/* ---- Reading ---- */

Test(catalogue, mistakes_are_told_with_their_places) {
#define EIGHT "originals: {eight: {kind: folder, file: a.off, sha256: SUM, " LICENCE "}}\n"
#define BODY  "meshes: {b: {doc: d, counts: {vertices: 8, triangles: 12}, sources: "
    static const struct {
        const char *text, *message;
    } table[] = {
        {"", "c.yaml: is empty"},
        {"mesh: {}\n", "1:1: a catalogue has no key mesh; did you mean meshes?"},
        {"originals: {}\n", "a catalogue lacks the key meshes"},
        {"meshes: {}\n", "`meshes` is empty"},
        {"meshes: [a]\n", "`meshes` is a list; it must be a map of names"},
        {"meshes: {b: {doc: d}}\n", "b lacks the key counts"},
        {"meshes: {b: {doc: d, counts: {vertices: 8, triangles: 12}}}\n", "b lacks the key sources"},
        {"meshes: {../b: {doc: d}}\n", "a mesh's name is \"../b\"; use only letters"},
        {BODY "[]}}\n", "`sources` is empty"},
        {BODY "[{}]}}\n", "exactly one of the keys `original` and `formula`"},
        {BODY "[{originl: a}]}}\n", "1:71: a source has no key originl; did you mean original?"},
        {EIGHT BODY "[{original: eigth}]}}\n", "2:81: there is no original eigth; did you mean eight?"},
        {BODY "[{formula: {name: cub, squares: 1}}]}}\n", "there is no formula cub; did you mean cube?"},
        {BODY "[{formula: {name: cube}}]}}\n", "cube lacks the key squares"},
        {BODY "[{formula: {name: cube, square: 1}}]}}\n", "cube has no key square; did you mean squares?"},
        {BODY "[{formula: {name: cube, squares: 0}}]}}\n", "`squares` of cube is 0; use 1 to 400"},
        {BODY "[{formula: {name: torus, major: 1, minor: 1 m, major_segments: 8, minor_segments: 8}}]}}\n", "major"},
        {BODY "[{formula: {name: cube, squares: 1}, stand_in: yes}]}}\n", "`stand_in` is yes; use true or false"},
        {BODY "[{formula: {name: cube, squares: 1}, sha256: 12}]}}\n", "`sha256` is \"12\"; use 64 digits"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: weld}]}}\n", "`steps` is a single value; it must be a list"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [center]}]}}\n",
         "1:114: there is no step center; did you mean centre?"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [scale]}]}}\n",
         "`scale` takes the length of the longest side"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{scale: 2 s}]}]}}\n", "scale"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{scale: 0 m}]}]}}\n", "scale is 0; use a number from"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{centre: 1}]}]}}\n", "`centre` takes nothing"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{weld: 0 m, centre: 1}]}]}}\n", "one item per step"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{reduce: {}}]}]}}\n", "`reduce` takes counts"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{reduce: {faces: 3}}]}]}}\n",
         "`reduce` has no parameter `faces`"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{reduce: {edges: 9, by: me}}]}]}}\n", "`by` must be gts"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{cut: {x: 0, y: 0, sides: 4}}]}]}}\n",
         "`cut` lacks the parameter `z`"},
        {BODY "[{formula: {name: cube, squares: 1}, steps: [{mend: 1.5}]}]}}\n", "mend is 1.5; use a whole number"},
        {"meshes: {b: {doc: d, counts: {vertices: 8}, sources: [{formula: {name: cube, squares: 1}}]}}\n",
         "`counts` has no `triangles` in this source or in the mesh"},
        {"meshes: {b: {doc: d, counts: {vertexes: 8}, sources: []}}\n", "no key vertexes; did you mean vertices?"},
        {"meshes: {b: {doc: d, counts: {vertices: 8.5}, sources: []}}\n", "`vertices` must be a whole number"},
        {"originals: {e: {kind: ftp}}\n" BODY "[]}}\n", "there is no kind ftp; expected one of: folder deb npm"},
        {"originals: {e: {file: a}}\n" BODY "[]}}\n", "e has no key `kind`; its value may be one of: folder deb npm"},
        {"originals: {e: {kind: deb, file: a}}\n" BODY "[]}}\n", "e lacks the key package"},
        {"originals: {e: {kind: folder, file: a, version: 1}}\n" BODY "[]}}\n", "e has no key version"},
        {"originals: {e: {kind: folder, file: ../a}}\n" BODY "[]}}\n",
         "file is ../a; use a path relative to the folder"},
        {"originals: {e: {kind: folder, file: /a}}\n" BODY "[]}}\n", "file is /a; use a path relative to the folder"},
        {"originals: {e: {kind: deb, file: a, package: -o}}\n" BODY "[]}}\n", "package is \"-o\"; use only"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; ++k) {
        struct catalogue catalogue;
        text_write("c.yaml", table[k].text);
        failure_clear();
        cr_expect_eq(catalogue_read("c.yaml", &catalogue), STATUS_BAD, "%s", table[k].text);
        cr_expect(strstr(failure_text(), table[k].message), "%s is not in: %s", table[k].message, failure_text());
    }
    struct catalogue catalogue;
    cr_expect_eq(catalogue_read("nowhere.yaml", &catalogue), STATUS_BAD);
}

Test(catalogue, the_one_that_comes_along_is_right) {
    struct catalogue catalogue;
    cr_assert_eq(catalogue_read(SOURCE_DIR "/data/meshes.yaml", &catalogue), STATUS_OK, "%s", failure_text());
    for (int m = 0; m < catalogue.mesh_count; ++m)
        for (int s = 0; s < catalogue.meshes[m].source_count; ++s)
            cr_expect_not_null(catalogue.meshes[m].sources[s].sum, "source %d of the mesh '%s' has no sha256", s,
                               catalogue.meshes[m].name);
    static const char *const names[] = {"sphere_482", "torus_576", "cube_386", "cloth_4880", "bob_3087"};
    const struct origin_options options = {.offline = true};
    /* catalogue_prepare fails if the SHA-256 or a count of the prepared mesh is not the one in the catalogue. */
    for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
        struct mesh mesh;
        struct mesh_provenance provenance;
        cr_assert_eq(catalogue_prepare(&catalogue, names[k], &options, &mesh, &provenance), STATUS_OK, "%s",
                     failure_text());
        cr_expect_eq(provenance.source->stand_in, k == 4);
        mesh_provenance_free(&provenance);
        mesh_free(&mesh);
    }
    catalogue_free(&catalogue);
}

/* ---- Preparing ---- */

Test(catalogue, a_folders_file_is_prepared) {
    write_catalogue(octahedron_sum, "vertices: 18, triangles: 32, edges: 48, euler: 2, loops: 0, crossings: 0",
                    "{refine: 1}, {scale: 4 m}, {turn: {x: 0, y: 0, z: 1}}", "");
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.folder = "mine"};
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh.vertices, 18);
    cr_expect_eq(mesh.position[0][1], 2); /* (1, 0, 0), scaled by 2, rotated by 90 degrees about z */
    cr_expect_str_eq(provenance.original, octahedron_sum);
    cr_expect_str_eq(provenance.missed, "");
    cr_expect_str_eq(provenance.steps, "[{refine: 1}, {scale: 4 m}, {turn: {x: 0, y: 0, z: 1}}]");
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
}

Test(catalogue, the_environment_names_the_folder_too) {
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 8", "", "");
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.folder = NULL};
    setenv("SPRINGBACK_MESHES", "mine", 1);
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    cr_expect_str_eq(provenance.original, octahedron_sum);
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
}

Test(catalogue, what_cannot_be_had_is_noted_and_the_next_is_taken) {
    write_catalogue(octahedron_sum, "triangles: 12, vertices: 8", "", "");
    struct mesh mesh;
    struct mesh_provenance provenance;
    static const struct {
        const char *folder, *why;
    } table[] = {{NULL, "eight: no folder of meshes is given; use `springback meshes --from FOLDER`"},
                 {"home", "eight: home/eight.off does not exist"}};
    folder_make("home");
    for (int k = 0; k < 2; ++k) {
        const struct origin_options options = {.folder = table[k].folder};
        cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
        cr_expect_eq(mesh.triangles, 12);
        cr_expect(strstr(provenance.missed, table[k].why), "%s", provenance.missed);
        cr_expect_str_eq(provenance.original, "");
        mesh_provenance_free(&provenance);
        mesh_free(&mesh);
    }
    const struct origin_options options = {.folder = "nowhere"};
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("nowhere: the folder of meshes cannot be read");
}

Test(catalogue, a_damaged_original_is_never_passed_over) {
    write_catalogue(zeros, "vertices: 6, triangles: 8", "", "");
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.folder = "mine"};
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("c.yaml:2:3: eight: the SHA-256 of mine/eight.off is ");
    expect_said(octahedron_sum);
    expect_said(zeros);
}

Test(catalogue, what_comes_out_must_be_what_is_said) {
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.folder = "mine"};
    write_catalogue(octahedron_sum, "vertices: 7, triangles: 9, euler: 1, loops: 1, crossings: 2", "", "");
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("c.yaml:8:9: body has 6 vertices; the catalogue says 7\n");
    expect_said("8 triangles; the catalogue says 9\n");
    expect_said("2 euler; the catalogue says 1\n");
    expect_said("0 loops; the catalogue says 1\n");
    expect_said("0 crossings; the catalogue says 2");
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 8", "", zeros);
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("c.yaml:8:9: body: the SHA-256 of the prepared mesh is ");
    expect_said(zeros);
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 8", "centre, {reduce: {vertices: 20}}", "");
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("c.yaml:8:43: body: it has 6 vertices, 12 edges and 8 triangles; the target must not have more");
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 8", "centre, {subdivide: 1}", "");
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("`subdivide` must come before all other steps");
    write_catalogue(octahedron_sum, "vertices: 26, triangles: 48, crossings: 0", "{subdivide: 1}", "");
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
}

/* ---- Packages, without a network: shell scripts of the test replace apt-get and npm ---- */

static void program_write(const char *name, const char *text) {
    folder_make("bin");
    char *path = text_format("bin/%s", name);
    text_write(path, text);
    free(path);
    cr_assert_eq(shell("chmod +x bin/%s", name), 0);
    char *paths = text_format("%s/bin:%s", home, getenv("PATH"));
    setenv("PATH", paths, 1);
    free(paths);
}

static void write_package_catalogue(const char *kind, const char *sum) {
    char *text = text_format("originals: {eight: {kind: %s, sha256: %s, " LICENCE "}}\n"
                             "meshes: {body: {doc: d, counts: {vertices: 6, triangles: 8}, sources: [{original: eight},"
                             " {formula: {name: cube, squares: 1}, counts: {vertices: 8, triangles: 12}}]}}\n",
                             kind, sum);
    text_write("c.yaml", text);
    free(text);
}

static void make_deb(void) {
    cr_assert_eq(shell("mkdir -p deb/DEBIAN deb/usr/share/doc/x && tar czf deb/usr/share/doc/x/data.tar.gz mine && "
                       "printf 'Package: x\\nVersion: 1\\nArchitecture: all\\nMaintainer: t <t@t>\\nDescription: t\\n' "
                       ">deb/DEBIAN/control && dpkg-deb -b deb x_1_all.deb"),
                 0, "%s", said.err);
    char *text = text_format("#!/bin/sh\n[ \"$*\" = '-q download x' ] || exit 3\ncp %s/x_1_all.deb .\n", home);
    program_write("apt-get", text);
    free(text);
}

static const char deb[] = "deb, package: x, member: usr/share/doc/x/data.tar.gz, file: mine/eight.off";

Test(catalogue, a_debian_package_is_fetched_once_and_kept) {
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.cache = "kept"};
    make_deb();
    write_package_catalogue(deb, octahedron_sum);
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh.vertices, 6, "%s", provenance.missed);
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
    cr_expect_eq(matching("kept/x/mine/eight.off"), 1);
    cr_expect_eq(matching("kept/.part*"), 0, "the download left a part file");
    program_write("apt-get", "#!/bin/sh\nexit 1\n");
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh.vertices, 6, "the cached file was not used: %s", provenance.missed);
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
    text_write("kept/x/mine/eight.off", "OFF\n");
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("the SHA-256 of kept/x/mine/eight.off is ");
    expect_said("remove the file to download it again");
}

Test(catalogue, a_package_that_is_not_what_it_was_is_an_error) {
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.cache = "kept"};
    make_deb();
    write_package_catalogue(deb, zeros);
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("the contents of the package have changed");
    write_package_catalogue("deb, package: x, member: usr/share/doc/x/data.tar.gz, file: mine/nine.off", zeros);
    cr_expect_eq(prepare(&options, &mesh, &provenance), STATUS_BAD);
    expect_said("mine/nine.off");
    cr_expect_eq(matching("kept/*"), 0, "a refused package was kept");
    cr_expect_eq(matching("kept/.part*"), 0);
}

Test(catalogue, an_npm_package_is_packed_without_its_scripts) {
    struct mesh mesh;
    struct mesh_provenance provenance;
    const struct origin_options options = {.cache = "kept"};
    cr_assert_eq(shell("mkdir -p package && cp mine/eight.off package && tar czf d-1.0.tgz package"), 0);
    char *text =
        text_format("#!/bin/sh\ncase \"$*\" in *--ignore-scripts*d@1.0) cp %s/d-1.0.tgz . ;; *) exit 3; esac\n", home);
    program_write("npm", text);
    free(text);
    write_package_catalogue("npm, package: d, version: '1.0', file: eight.off", octahedron_sum);
    cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
    cr_expect_eq(mesh.vertices, 6, "%s", provenance.missed);
    cr_expect_eq(matching("kept/d-1.0/eight.off"), 1);
    mesh_provenance_free(&provenance);
    mesh_free(&mesh);
}

Test(catalogue, without_a_network_the_next_source_is_taken) {
    struct mesh mesh;
    struct mesh_provenance provenance;
    program_write("apt-get", "#!/bin/sh\necho 'E: Temporary failure resolving' >&2\nexit 100\n");
    write_package_catalogue(deb, octahedron_sum);
    for (int offline = 0; offline < 2; ++offline) {
        const struct origin_options options = {.cache = "kept", .offline = offline};
        cr_assert_eq(prepare(&options, &mesh, &provenance), STATUS_OK, "%s", failure_text());
        cr_expect_eq(mesh.vertices, 8);
        cr_expect(strstr(provenance.missed, offline ? "the network is not used" : "Temporary failure resolving"), "%s",
                  provenance.missed);
        mesh_provenance_free(&provenance);
        mesh_free(&mesh);
    }
}

/* ---- The command ---- */

Test(catalogue, the_verb_prepares_once) {
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 8, crossings: 0", "{scale: 1 m}", "");
    shell("$S meshes --catalogue c.yaml --from mine --out bodies");
    expect_code(0);
    expect_out(
        "body                      6 vertices     12 edges      8 triangles      3 links  prepared from eight\n");
    expect_out("no checksum is set; you may add to the catalogue: sha256: ");
    cr_expect_eq(matching("bodies/*"), 1);
    struct prepared body;
    char first[CHECKSUM_SIZE], again[CHECKSUM_SIZE];
    cr_assert_eq(stored_read("bodies/body.h5", &body), STATUS_OK, "%s", failure_text());
    cr_expect_str_eq(prepared_fact(&body, "licence"), "none");
    cr_expect_str_eq(prepared_fact(&body, "stand_in"), "no");
    cr_expect_str_eq(prepared_fact(&body, "from"), "eight");
    prepared_free(&body);
    cr_assert_eq(checksum_file("bodies/body.h5", first), STATUS_OK);
    shell("touch mine/eight.off c.yaml; $S meshes --catalogue c.yaml --from mine --out bodies body");
    expect_code(0);
    expect_out("links  present from eight\n");
    shell("truncate -s -64 bodies/body.h5; $S meshes --catalogue c.yaml "
          "--from mine --out bodies");
    expect_out("links  prepared from eight\n"); /* prepared again, because the stored file was truncated */
    cr_assert_eq(checksum_file("bodies/body.h5", again), STATUS_OK);
    cr_expect_str_eq(first, again);
    /* The command keeps a body that was made from an earlier source than the first source that is available now. */
    shell("$S meshes --catalogue c.yaml --offline --out bodies");
    expect_code(0);
    expect_out("links  present from eight\n");
    shell("sed -i 's/scale: 1/scale: 2/' c.yaml; $S meshes --json --catalogue c.yaml --from mine --out bodies");
    expect_out("\"fresh\":true");
    expect_out("\"from\":\"eight\"");
    cr_assert_eq(stored_read("bodies/body.h5", &body), STATUS_OK, "%s", failure_text());
    cr_expect_eq(fabs(body.position[0][0]) + fabs(body.position[0][1]) + fabs(body.position[0][2]), 1);
    prepared_free(&body);
}

/* The test prepares a body of the catalogue, runs an experiment with this body, and judges a claim about it. If the
 * body is a stand-in, the claim is not testable. */
Test(catalogue, a_body_by_name_runs_and_its_verdict_says_whether_it_stands_in) {
    write_catalogue(octahedron_sum, "vertices: 8, triangles: 12", "", "");
    folder_make("paper");
    text_write("paper/body.yaml", "springback: 1\npaper: paper\ntitle: t\nbody: {mesh: body, node_mass: 1 kg}\n"
                                  "method: {name: mass_spring, stiffness: 1 N/m}\ntime: {step: 1 ms, frames: 2}\n");
    text_write("claims.yaml", "springback: 1\npaper: paper\nclaims:\n  - id: paper.vertices\n    where: here\n"
                              "    says: so many\n    kind: count\n"
                              "    from: {experiment: paper/body, quantity: body_vertices}\n"
                              "    reported: 8\n    recorded: differs\n");
    cr_assert_eq(setenv("SPRINGBACK_BODIES", "bodies", 1), 0);
    shell("$S run --out out paper/body.yaml");
    expect_code(2);
    expect_err("paper/body.yaml:4:8: the body 'body' is not prepared: bodies/body.h5 does not exist; ");
    shell("$S meshes --catalogue c.yaml --offline");
    expect_out("a stand-in");
    shell("sed 's/mesh: body/mesh: bdoy/' paper/body.yaml >paper/near.yaml; $S run --out out paper/near.yaml");
    expect_code(2);
    expect_err("paper/near.yaml:4:8: the body 'bdoy' is not prepared; did you mean body? Otherwise prepare it with "
               "`springback meshes bdoy`");
    shell("$S run --out out paper/body.yaml && $S check --out out claims.yaml");
    expect_code(0); /* the verdict recorded for the real body does not apply */
    expect_out("not testable here");
    expect_out("The body body is a stand-in (original not found: eight: no folder of meshes is given; use `springback");
    expect_out("verdict would be: matches.");
    shell("$S diff --backend serial --backend threads out/paper/body/*.h5 out/paper/body/*.h5");
    expect_code(0);
    shell("$S run --out out -s body.surface.length='2 m' paper/body.yaml");
    expect_code(0); /* body.surface.length also scales a prepared body */
    shell("$S run --out out -s body.surface.clean=weld paper/body.yaml");
    expect_code(2);
    expect_err("body.surface.clean is for mesh files only; remove it, because the body 'body' is prepared as");
    /* Another body of the same name makes the run outdated, and the two runs cannot be compared. */
    shell("cp out/paper/body/*.h5 old.h5; sed -i 's/vertices: 8, triangles: 12/vertices: 6, triangles: 8/' c.yaml; "
          "$S meshes --catalogue c.yaml --from mine && $S run --out out paper/body.yaml && "
          "$S check --out out claims.yaml");
    expect_code(0);
    expect_out("differs");
    shell("$S diff --backend serial --backend threads old.h5 old.h5");
    expect_out("stopped: old.h5: the body body has changed since the trace was made");
    unsetenv("SPRINGBACK_BODIES");
}

Test(catalogue, the_verb_says_what_is_wrong_and_writes_nothing) {
    write_catalogue(octahedron_sum, "vertices: 6, triangles: 9", "", "");
    shell("$S meshes --catalogue c.yaml --from mine --out bodies");
    expect_code(2);
    expect_err("springback: c.yaml:8:9: body has 8 triangles; the catalogue says 9\n");
    shell("$S meshes --catalogue c.yaml --from mine --out bodies boddy body");
    expect_code(2);
    expect_err("springback: boddy is not in the catalogue of meshes; the most similar name is body\n");
    shell("$S meshes --catalogue c.yaml --from nowhere --out bodies");
    expect_code(2);
    expect_err("nowhere: the folder of meshes cannot be read");
    shell("$S meshes");
    expect_code(2);
    expect_err("data/meshes.yaml: no such catalogue; ");
    cr_expect_eq(matching("bodies/*"), 0);
    shell("$S meshes --catalogue c.yaml --list");
    expect_code(0);
    expect_out("a body; from eight, otherwise cube (stand-in)\n");
    shell("$S meshes --catalogue c.yaml --list --json body");
    expect_out("\"stand_in\":true");
}
