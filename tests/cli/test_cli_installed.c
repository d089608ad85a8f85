/* The program in the folder bin of an installed package, called in a folder without the project's files. */
#include "shell.h"

static const char cloth[] = "springback: 1\npaper: paper\ntitle: A small cloth\n"
                            "body: {cloth: {nodes: [6, 5], pins: corners}, node_mass: 1 kg}\n"
                            "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                            "time: {step: 1 ms, steps_per_frame: 10, frames: 4}\nbackend: serial\n";

static const char claims[] =
    "springback: 1\npaper: paper\nclaims:\n"
    "  - {id: paper.nodes, says: thirty, kind: count, from: {experiment: paper/cloth, quantity: nodes}, reported: 30,\n"
    "     recorded: matches}\n";

static const char obstacle[] = "springback: 1\npaper: paper\ntitle: A mesh of the package\n"
                               "body: {mesh: data/cube.off, surface: {length: 1 m}, node_mass: 1 kg}\n"
                               "method: {name: mass_spring, stiffness: 100 N/m, damping: 0.1 N s/m}\n"
                               "time: {step: 1 ms, frames: 2}\nbackend: serial\n";

static void setup(void) {
    shell_begin();
    cr_assert_eq(shell("mkdir -p usr/bin usr/share/springback work && cp \"$S\" usr/bin/springback && "
                       "cd usr/share/springback && mkdir -p experiments/paper paper_checks data && "
                       "cp '" SOURCE_DIR "/tests/small_cube.off' data/cube.off"),
                 0, "%s", said.err);
    text_write("usr/share/springback/experiments/paper/cloth.yaml", cloth);
    text_write("usr/share/springback/experiments/paper/mesh.yaml", obstacle);
    text_write("usr/share/springback/paper_checks/paper.yaml", claims);
}

TestSuite(installed, .init = setup, .fini = shell_end);

Test(installed, files_of_the_package_are_found_in_any_folder) {
    shell("cd work && ../usr/bin/springback list && ../usr/bin/springback run --out out experiments/paper/cloth.yaml "
          "experiments/paper/mesh.yaml && ../usr/bin/springback check --out out paper");
    expect_code(0);
    expect_out("paper/cloth    1 runs  A small cloth");
    expect_out("1 claims: 1 matches; 0 changed");
    cr_expect_eq(matching("work/out/paper/*/*.h5"), 2);
    cr_expect_eq(matching("work/*"), 1, "only results are written");
}

Test(installed, files_of_the_working_folder_come_first) {
    shell("cd work && mkdir -p experiments/paper && sed 's/A small cloth/My cloth/' "
          "../usr/share/springback/experiments/paper/cloth.yaml >experiments/paper/cloth.yaml && "
          "../usr/bin/springback list && ../usr/bin/springback run --out out experiments/paper/none.yaml");
    expect_code(2);
    expect_out("My cloth");
    expect_no_out("A mesh of the package");
    expect_err("experiments/paper/none.yaml");
}
