/* The source that is generated for NVIDIA's compiler is valid OpenCL C. clang checks it, because test machines may have
 * no NVIDIA GPU. */
#include "backend/opencl/frame_source.h"
#include "backend/opencl/kernel_source.h"
#include "backend/opencl/launch_shape.h"
#include "backend/opencl/launch_source.h"
#include "backend/opencl/node_order.h"
#include "backend/source.h"
#include "base/digest.h"
#include "support.h"

enum { SEEN = 512 };

/* The properties of an H200 that decide the shape of a frame kernel. */
static const struct device gpu = {
    .name = "a simulated H200",
    .memory = 1ull << 37,
    .largest_buffer = 1ull << 35,
    .local_memory = 48 << 10,
    .compute_units = 132,
    .max_group_size = 1024,
    .is_gpu = true,
    .bit_exact = true,
    .has_double = true,
    .has_global_barrier = true,
};

static char seen[SEEN][DIGEST_SIZE]; /* digests of the checked sources with their options */
static int seen_count, grids_seen;   /* grids_seen: how many checked programs compute tiles of a grid */

/* Whether clang has already checked this source with these options. If not, the function stores the digest of both. */
static bool is_seen(const char *source, const char *define) {
    struct digest *digest = digest_create();
    digest_add_text(digest, source);
    digest_add_text(digest, define);
    cr_assert_lt(seen_count, SEEN);
    digest_finish(digest, seen[seen_count]);
    for (int k = 0; k < seen_count; ++k)
        if (!strcmp(seen[k], seen[seen_count]))
            return true;
    ++seen_count;
    return false;
}

/* Let clang check the program's source with these entry points and compiler options. Frees `entry_points` and
 * `options`. */
static void read_source(const struct program *program, char *entry_points, char *options, const char *what) {
    AUTO_FREE char *entry = entry_points, *define = options, *kernels = kernel_source(program),
                   *files = source_read(program->sources, program->source_count, true),
                   *source = text_format("%s%s%s", files, kernels, entry);
    char *registers = strstr(define, " -cl-nv-maxrregcount="); /* clang does not know this option; no option follows */
    if (registers)
        *registers = 0;
    for (int c = 0; c < program->constant_count; ++c)
        text_append(&define, " -D%s=%d", program->constants[c].name, program->constants[c].value);
    if (is_seen(source, define))
        return;
    char *folder = folder_temporary();
    AUTO_FREE char *path = text_format("%s/source.cl", folder);
    AUTO_FREE char *command = text_format("clang -x cl -cl-std=CL1.2 -target nvptx64 -fsyntax-only -Werror -Wall "
                                          "-Wno-unused -Xclang -finclude-default-header -fgnu-keywords "
                                          "-D__OPENCL_VERSION__=120 -D__NV_CL_C_VERSION=120 -DREAL_IS_%s%s %s",
                                          program->real_size == 8 ? "double" : "float", define, path);
    text_write(path, source);
    cr_expect_eq(system(command), 0, "%s: clang rejects the source with%s", what, define); /* NOLINT(cert-env33-c) */
    folder_remove(folder);
}

static void read_frame(const struct program *program, const struct frame_shape *shape, const char *what) {
    read_source(program, frame_source(program, shape), frame_options(program, shape), what);
}

static void read_launches(const struct program *program, const char *what) {
    const struct launch_shape shape = launch_shape_of(&gpu, program);
    grids_seen += shape.grid_columns > 0;
    read_source(program, launch_source(program, NULL), launch_shape_options(&shape, NULL), what);
}

static void read_sources_of(const struct plan *plan, const char *what) {
    static const struct shape_override overrides[] = {
        {.many_groups = false}, {.many_groups = true}, {.one_group = true}};
    for (int r = 0; r < plan->run_count; ++r) {
        struct model model;
        struct frame_shape shape;
        cr_assert_eq(model_describe(&plan->runs[r], &model), STATUS_OK, "%s", failure_text());
        cr_assert_eq(model_build(&model), STATUS_OK, "%s", failure_text());
        if (model.program.is_list_program && frame_shape_choose_member(&gpu, &model.program, &overrides[0], &shape))
            read_frame(&model.program, &shape, what);
        read_launches(&model.program, what);
        program_fuse(&model.program);
        for (size_t w = 0; w < sizeof overrides / sizeof *overrides; ++w)
            if (frame_shape_choose(&gpu, &model.program, &overrides[w], &shape))
                read_frame(&model.program, &shape, what);
        model_free(&model);
    }
}

Test(gpu_source, of_cloths_is_opencl_c) {
    static const char *const files[] = {"small", "small_constraints", "small_constraints_paper"};
    const struct plan_options options = {.methods = method_table, .backend_words = backend_words};
    for (size_t f = 0; f < sizeof files / sizeof *files; ++f) {
        struct plan plan;
        AUTO_FREE char *path = text_format(SOURCE_DIR "/tests/%s.yaml", files[f]);
        cr_assert_eq(plan_read(path, &options, &plan), STATUS_OK, "%s", failure_text());
        read_sources_of(&plan, files[f]);
        plan_free(&plan);
    }
    cr_expect_gt(seen_count, 5);
    cr_expect_gt(grids_seen, 0);
}

Test(gpu_source, of_bodies_is_opencl_c) {
    static const char *const subjects[] = {
        "{name: mass_spring, stiffness: 400 N/m, damping: 1 N s/m, precision: [float, double]}",
        ("{name: volume_constraint, stiffness: 400 N/m, damping: 1 N s/m, weight_radius: 1 m, weight_enters: [rows, "
         "forces], precision: [float, double]}"),
        ("{name: volume_constraint, stiffness: 400 N/m, damping: 1 N s/m, "
         "variant: [node_centric, reduced, as_printed, printed_volume]}"),
        "{name: pbd_surface, iterations: 2, solver: [gauss_seidel, jacobi]}",
        "{name: xpbd, spring: [stretching, hookean, stvk, morse], iterations: 2, damping: [0, 1]}",
        "{name: xpbd, spring: morse, iterations: 2, volume: ghosts, volume_compliance: 1e-6}",
        "{name: vbd, stiffness: 400 N/m, damping: [0 N s/m, 1 N s/m], iterations: 2}"};
    for (size_t m = 0; m < sizeof subjects / sizeof *subjects; ++m) {
        struct plan plan;
        AUTO_FREE char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                                           "body: {mesh: " SOURCE_DIR "/tests/small_cube.off, node_mass: 1 kg}\n"
                                           "method: %s\ntime: {step: 1 ms, steps_per_frame: 3, frames: 2}\n",
                                           subjects[m]);
        plan_from_text(text, &plan);
        read_sources_of(&plan, subjects[m]);
        plan_free(&plan);
    }
    cr_expect_gt(seen_count, 10);
}

/* Check node_order and the frame kernel of an ensemble whose nodes are in this order (backend/opencl/node_order.h). If
 * the stages swap the velocities with a second buffer, the frame kernel also copies the inverse masses to the second
 * buffer. `copied` is the name of the second buffer in the frame kernel. If there is no swap, `copied` is the name of
 * the buffer of velocities. The frame kernel must also contain the text `sum`, which may be empty. */
static void read_ordered(const char *method, const char *copied, const char *sum) {
    static struct plan plan;
    struct model model;
    struct frame_shape shape;
    AUTO_FREE char *text = text_format("springback: 1\npaper: test\ntitle: t\n"
                                       "body: {mesh: " SOURCE_DIR "/tests/small_cube.off, node_mass: 1 kg}\n"
                                       "method: {name: %s, stiffness: 400 N/m}\n"
                                       "time: {step: 1 ms, steps_per_frame: 5, frames: 2}\n",
                                       method);
    plan_from_text(text, &plan);
    cr_assert_eq(model_describe(&plan.runs[0], &model), STATUS_OK, "%s", failure_text());
    cr_assert_eq(model_build(&model), STATUS_OK, "%s", failure_text());
    struct program *program = &model.program;
    const int nodes = model.body.nodes;
    const size_t size = sizeof(int);
    AUTO_FREE int *node_at = memory_new(2 * (size_t)nodes, size), *seen_at = memory_new((size_t)nodes, size),
                  *places = memory_new(2 * (size_t)model.body.springs, size);
    node_order(model.body.start, model.body.neighbour, nodes, node_at, places);
    for (int k = 0; k < nodes; ++k) {
        const int *start = model.body.start, node = node_at[k], before = node_at[k ? k - 1 : 0];
        cr_expect_eq(seen_at[node]++, 0, "node %d occurs twice", node);
        cr_expect_leq(start[node + 1] - start[node], start[before + 1] - start[before]);
        for (int s = start[node]; s < start[node + 1]; ++s)
            cr_expect_eq(node_at[places[s]], model.body.neighbour[s]);
    }
    program->is_list_program = true;
    program->hints.network.order = program->buffer_count;
    program->hints.network.node_at = node_at;
    program->buffers[program->buffer_count++] = (struct buffer){"order", "int", BUFFER_FIXED, (size_t)nodes, size};
    cr_assert(frame_shape_choose_member(&gpu, program, &(struct shape_override){.lanes = 0}, &shape));
    cr_assert(shape.is_ordered);
    AUTO_FREE char *frame = frame_source(program, &shape);
    AUTO_FREE char *copy = text_format("load(PLACE_OF(k), b0, b1, %s, global0 + k, global1 + k);", copied);
    cr_expect(strstr(frame, copy), "%s", method);
    cr_expect(strstr(frame, "p, 0 + lane);"));
    cr_expect(strstr(frame, sum), "%s", method);
    read_frame(program, &shape, method);
    model_free(&model);
    plan_free(&plan);
}

Test(gpu_source, of_ordered_nodes_is_opencl_c) {
    read_ordered("mass_spring", "b3", "");
    read_ordered("volume_constraint", "b1", "reduce_planes(b8, scratch, lane, ");
}
