/* Experiments on a falling cloth, whose results follow from a formula, and claims about these experiments. */
#ifndef SPRINGBACK_TESTS_FALLING_CLOTH_H
#define SPRINGBACK_TESTS_FALLING_CLOTH_H

#include "shell.h"

#include <sys/stat.h>

static const char fall[] = "springback: 1\n"
                           "paper: test\n"
                           "body: {cloth: {nodes: [2, 2]}}\n"
                           "method: {name: mass_spring}\n"
                           "time: {step: 1 ms, frames: 3}\n"
                           "assumptions:\n";

/* Write paper/NAME.yaml: the falling cloth with these assumptions. */
static inline void write_fall(const char *name, const char *assumptions) {
    char *text = text_format("%s%s", fall, assumptions), *path = text_format("paper/%s.yaml", name);
    mkdir("paper", 0777);
    text_write(path, text);
    free(path);
    free(text);
}

/* A command that prints the table of a sweep in the format of a part of a table (run/sweep.h). In this format, each row
 * has the numbers of its run. */
#define PART_OF(table) "xz -dc <" table " | awk -f part.awk"

/* Write part.awk, which PART_OF needs. */
static inline void write_part_script(void) {
    text_write("part.awk", "BEGIN { FS = OFS = \"\\t\" }\n"
                           "$1 == \"run\" { ++runs }\n"
                           "$1 != \"numbers\" { line[++lines] = $0; next }\n"
                           "{ for (m = 2; m <= NF; ++m) row[(m - 2) * runs + read % runs] = "
                           "row[(m - 2) * runs + read % runs] OFS $m; ++read }\n"
                           "END { for (l = 1; l <= lines; ++l) "
                           "print line[l] (line[l] ~ /^row/ ? row[printed++] : \"\") }\n");
}

static const char steps_and_mass[] = "  time.steps_per_frame: {value: 20, likely: [1, 200], why: x}\n"
                                     "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                                     "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n",
                  pins_too[] = "  time.steps_per_frame: {value: 20, likely: [1, 200], why: x}\n"
                               "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 2 kg], why: x}\n"
                               "  body.cloth.pins: {value: none, likely: [none, border], why: x}\n"
                               "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n";

/* Four nodes of mass m that fall for 30 ms have the kinetic energy 2 m (9.8 m/s^2 30 ms)^2. This is 0.3 J if m is
 * 1.74 kg. */
static const char only_mass[] = "  time.steps_per_frame: {value: 10, likely: [10], why: x}\n"
                                "  method.stiffness: {value: 5 N/m, likely: [1 N/m, 9 N/m], why: x}\n"
                                "  body.node_mass: {value: 1 kg, likely: [0.5 kg, 1.5 kg], possible: [0.1 kg, 10 kg],"
                                " why: x, source: y}\n";

/* A node falls with 9.8 m/s^2 for 3 frames, and a step takes 1 ms. With 12 steps per frame, the node reaches
 * 0.3528 m/s. */
static const char claims[] =
    "springback: 1\npaper: test\nclaims:\n"
    "  - {id: t.many-steps, where: here, says: over 12 steps, kind: bound, expect: '> 0.36 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: last}, recorded: depends}\n"
    "  - {id: t.falls, where: here, says: it falls, kind: bound, expect: '> 0.01 m/s',\n"
    "     from: {experiment: paper/pins, select: {backend_kind: serial, body.node_mass: 1 kg},\n"
    "            quantity: largest_speed, over_frames: max}, recorded: depends}\n"
    "  - {id: t.moves, where: here, says: it moves, kind: bound, expect: '> 0.001 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}, recorded: matches}\n"
    "  - {id: t.hovers, where: here, says: it hovers, kind: bound, expect: '< 0.001 m/s',\n"
    "     from: {experiment: paper/steps, quantity: largest_speed, over_frames: max}, recorded: differs}\n"
    "  - {id: t.stays-close, where: here, says: nodes, kind: count, reported: 4,\n"
    "     from: {experiment: paper/steps, quantity: nodes}, recorded: matches}\n"
    "  - {id: t.fast, where: here, says: fast, kind: bound, expect: '> 1 1/s',\n"
    "     from: {experiment: paper/steps, quantity: frames_per_second}, recorded: not run}\n"
    "  - {id: t.light, where: here, says: light, kind: bound, expect: '< 0.3 J',\n"
    "     from: {experiment: paper/mass, quantity: kinetic_energy, over_frames: last}, recorded: depends}\n";

#endif
