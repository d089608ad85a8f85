/* The key of a trace contains the digests of the code that its run uses, and of no other code. */
#include "support.h"

#include "base/memory.h"
#include "method/method.h"
#include "run/recipe.h"

#include <stdlib.h>
#include <string.h>

/* The digests of the code that a run uses: one for the code of its method, and one for the code of its backend. */
struct reached {
    char method[DIGEST_SIZE], backend[DIGEST_SIZE];
};

/* The digests if the file `changed` has another hash than now. If `changed` is NULL, no file has another hash. `words`
 * name what the run uses: a backend, a kind of body, and files of kernels/. */
static struct reached reached_with(const char *changed, const char *const *words) {
    struct code_file files[512];
    struct reached reached;
    int count = 0, found = 0;
    for (; code_files[count].name; ++count) {
        cr_assert_lt(count, 511);
        const bool is_changed = changed && !strcmp(code_files[count].name, changed);
        files[count] = (struct code_file){code_files[count].name, is_changed ? "another" : code_files[count].hash};
        found += is_changed;
    }
    files[count] = (struct code_file){NULL, NULL};
    cr_assert(!changed || found, "%s is not a file of the code", changed);
    code_digest(files, false, words, reached.method);
    code_digest(files, true, words, reached.backend);
    return reached;
}

static const char *const spring_cloth[] = {"threads", "cloth", "contact.h", "mass_spring.h", NULL};
static const char *const xpbd_mesh[] = {"opencl", "mesh", "exponential.h", "obstacle.h", "wind.h", "xpbd.h", NULL};

Test(recipe, the_code_that_a_run_reaches_is_in_its_key_and_no_other) {
    static const struct {
        const char *file;
        bool is_of_cloth, is_of_mesh;
    } cases[] = {
        {"method/mass_spring", true, false},
        {"method/mass_spring_rows", true, false},
        {"method/mass_spring_lanes", true, false},
        {"loops/mass_spring", true, false},
        {"loops/contact", true, false},
        {"method/xpbd", false, true},
        {"method/xpbd_lanes", false, true},
        {"method/xpbd_hyperelastic_lanes", false, false},
        {"loops/wind", false, true},
        {"method/pbd", false, false},
        {"method/constraint_enforcement_lanes", false, false},
        {"method/constraint_paper", false, false},
        {"method/network", true, true},
        {"method/program", true, true},
        {"body/body", true, true},
        {"body/cloth", true, false},
        {"body/surface", false, true},
        {"body/groups", false, true},
        {"mesh/stl", false, false},
        {"mesh/repair", false, false},
        {"body/stored", false, false},
        {"base/digest", true, true},
        {"run/simulation", true, true},
        {"backend/backend", true, true},
        {"backend/threads/threads", true, false},
        {"backend/serial/serial", false, false},
        {"backend/opencl/opencl", false, true},
        {"backend/opencl/frame_source", false, true},
    };
    const struct reached cloth = reached_with(NULL, spring_cloth), mesh = reached_with(NULL, xpbd_mesh);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
        const struct reached of_cloth = reached_with(cases[c].file, spring_cloth),
                             of_mesh = reached_with(cases[c].file, xpbd_mesh);
        cr_expect_eq(memcmp(&of_cloth, &cloth, sizeof cloth) != 0, cases[c].is_of_cloth, "%s", cases[c].file);
        cr_expect_eq(memcmp(&of_mesh, &mesh, sizeof mesh) != 0, cases[c].is_of_mesh, "%s", cases[c].file);
    }
}

/* Only the backend's digest depends on the backend, so runs of the same method have the same digest of the method. */
Test(recipe, the_code_of_a_method_does_not_depend_on_the_backend) {
    static const char *const serial_cloth[] = {"serial", "cloth", "contact.h", "mass_spring.h", NULL};
    const struct reached threads = reached_with(NULL, spring_cloth), serial = reached_with(NULL, serial_cloth);
    cr_expect_str_eq(threads.method, serial.method);
    cr_expect_str_neq(threads.backend, serial.backend);
}
