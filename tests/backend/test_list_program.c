/* A list program (method/program.h), which runs its kernels colour by colour, gives the same bits on every backend. On
 * OpenCL, launches and frame kernels of all shapes give the same bits, too. */
#define REAL_IS_float
#include "list_program.h"

#include "backend/backend.h"
#include "backend/opencl/device.h"
#include "backend/opencl/frame_shape.h"
#include "method/loops.h"
#include "support.h"

enum { POSITION, VELOCITY, PREDICTED, BLENDED, ENDS, REST, CORNERS, TOTAL_VELOCITY, BUFFERS };
enum { BEGIN, EDGE, FOUR, BLEND, END, KERNELS };

LISTED_KERNELS(DEFINE_LOOP)

/* A program with constraints on random pairs of nodes and on random groups of four nodes, and the initial content of
 * its buffers. */
struct subject {
    struct program program;
    struct listed_parameters parameters;
    int pair_start[8], four_start[6];
    void *contents[BUFFERS];
};

static int below(unsigned *seed, int count) {
    *seed = *seed * 1664525u + 1013904223u;
    return (int)((*seed >> 8) % (unsigned)count);
}

/* Make random items of `size` nodes, in colours of different sizes. No node occurs twice in a colour, and colour 1 has
 * a single item. Fills `start` [colours + 1]: the items start[c] to start[c + 1] - 1 have colour c. Returns the items'
 * nodes, newly allocated. */
static int *colours_of(int nodes, int size, int colours, int *start, unsigned seed) {
    int *corner = memory_new((size_t)colours * (size_t)nodes, sizeof *corner);
    int *order = memory_new((size_t)nodes, sizeof *order);
    for (int i = 0; i < nodes; ++i)
        order[i] = i;
    for (int c = start[0] = 0; c < colours; ++c) {
        for (int i = nodes - 1; i > 0; --i) {
            const int other = below(&seed, i + 1), held = order[i];
            order[i] = order[other];
            order[other] = held;
        }
        const int items = c == 1 ? 1 : nodes / size - c * nodes / (size * 2 * colours);
        memcpy(corner + (size_t)size * (size_t)start[c], order, (size_t)size * (size_t)items * sizeof *corner);
        start[c + 1] = start[c] + items;
    }
    free(order);
    return corner;
}

static void add_buffer(struct subject *l, int b, const char *name, const char *type, enum sharing sharing, size_t items,
                       size_t size, void *contents) {
    l->program.buffers[b] = (struct buffer){name, type, sharing, items, size};
    l->contents[b] = contents;
}

static void listed_create(struct subject *l, int nodes) {
    enum { PAIR_COLOURS = 7, FOUR_COLOURS = 5 };
    static const char *const source[] = {"list_program.h"};
    *l = (struct subject){.parameters = {0.01F, 0.3F}};
    struct program *p = &l->program;
    unsigned seed = 5;
    quad *position = memory_new((size_t)nodes, sizeof *position),
         *velocity = memory_new((size_t)nodes, sizeof *velocity);
    for (int i = 0; i < nodes; ++i) {
        position[i] = (quad){(float)below(&seed, 1000), (float)below(&seed, 1000), (float)below(&seed, 1000), 1};
        velocity[i] = (quad){(float)below(&seed, 10), (float)below(&seed, 10), (float)below(&seed, 10), 0};
    }
    int *ends = colours_of(nodes, 2, PAIR_COLOURS, l->pair_start, 17);
    int *corners = colours_of(nodes, 4, FOUR_COLOURS, l->four_start, 23);
    const int pairs = l->pair_start[PAIR_COLOURS], fours = l->four_start[FOUR_COLOURS];
    float *rest = memory_new((size_t)pairs, sizeof *rest);
    for (int e = 0; e < pairs; ++e)
        rest[e] = (float)(1 + below(&seed, 500));
    p->sources[0] = source[0];
    p->source_count = 1;
    p->real_size = 4;
    p->buffer_count = BUFFERS;
    add_buffer(l, POSITION, "position", "quad", BUFFER_SHARED, (size_t)nodes, sizeof(quad), position);
    add_buffer(l, VELOCITY, "velocity", "quad", BUFFER_OWN, (size_t)nodes, sizeof(quad), velocity);
    add_buffer(l, PREDICTED, "predicted", "quad", BUFFER_FRAME, (size_t)nodes, sizeof(quad), NULL);
    add_buffer(l, BLENDED, "blended", "quad", BUFFER_FRAME, (size_t)nodes, sizeof(quad), NULL);
    add_buffer(l, ENDS, "ends", "int", BUFFER_SHARED, 2 * (size_t)pairs, sizeof(int), ends);
    add_buffer(l, REST, "rest", "real", BUFFER_SHARED, (size_t)pairs, sizeof(float), rest);
    add_buffer(l, CORNERS, "corners", "int", BUFFER_SHARED, 4 * (size_t)fours, sizeof(int), corners);
    add_buffer(l, TOTAL_VELOCITY, "total", "quad", BUFFER_TOTAL, 1, sizeof(quad), NULL);
    p->positions = POSITION;
    p->velocities = VELOCITY;
    p->kernel_count = KERNELS;
#define ARGUMENT(member, buffer) BIND(listed, member, buffer)
    const struct kernel kernels[] = {
        [BEGIN] = {FLOAT_CODE(listed_begin),
                   .bindings = {ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY),
                                ARGUMENT(predicted, PREDICTED)},
                   .columns = nodes},
        [EDGE] = {FLOAT_CODE(listed_edge),
                  .bindings = {ARGUMENT(predicted, PREDICTED), ARGUMENT(ends, ENDS), ARGUMENT(rest, REST)},
                  .columns = pairs, .hints.prefetched = "struct listed_pair"},
        [FOUR] = {FLOAT_CODE(listed_four), .bindings = {ARGUMENT(predicted, PREDICTED), ARGUMENT(corners, CORNERS)},
                  .columns = fours},
        [BLEND] = {FLOAT_CODE(listed_blend), .bindings = {ARGUMENT(predicted, PREDICTED), ARGUMENT(blended, BLENDED)},
                   .columns = nodes},
        [END] = {
            FLOAT_CODE(listed_end),
            .bindings = {ARGUMENT(position, POSITION), ARGUMENT(velocity, VELOCITY), ARGUMENT(predicted, PREDICTED)},
            .columns = nodes}};
    for (int k = 0; k < KERNELS; ++k) {
        p->kernels[k] = kernels[k];
        p->kernels[k].rows = 1;
    }
    const struct stage stages[] = {{STAGE_STEPS, 0, 0, 3},
                                   {STAGE_RUN, BEGIN, 0, 0},
                                   {STAGE_REPEAT, 0, 0, 4},
                                   {STAGE_COLOURS, EDGE, 0, 0},
                                   {STAGE_COLOURS, FOUR, 1, 0},
                                   {STAGE_RUN, BLEND, 0, 0},
                                   {STAGE_SWAP, PREDICTED, BLENDED, 0},
                                   {STAGE_END, 0, 0, 0},
                                   {STAGE_RUN, END, 0, 0},
                                   {STAGE_END, 0, 0, 0}};
    memcpy(p->stages, stages, sizeof stages);
    p->stage_count = sizeof stages / sizeof *stages;
    p->colourings[0].colours = PAIR_COLOURS;
    p->colourings[0].start = l->pair_start;
    p->colourings[1].colours = FOUR_COLOURS;
    p->colourings[1].start = l->four_start;
    p->is_list_program = true;
    p->argument_type = "struct listed";
    p->parameter_type = "struct listed_parameters";
    p->parameters_offset = offsetof(struct listed, p);
    p->parameters = &l->parameters;
    p->parameter_size = sizeof l->parameters;
}

static void listed_free(struct subject *l) {
    for (int b = 0; b < BUFFERS; ++b)
        free(l->contents[b]);
}

/* Open an engine on a backend, and write `contents` to its buffers. */
static struct engine *engine_of(const struct subject *l, const char *backend, struct backend_choice *choice) {
    struct engine *engine = NULL;
    failure_clear();
    cr_assert_eq(backend_choose(backend, choice), STATUS_OK, "%s", failure_text());
    cr_assert_eq(engine_open(choice, &l->program, &engine), STATUS_OK, "%s", failure_text());
    for (int b = 0; b < BUFFERS; ++b)
        if (l->contents[b])
            cr_assert_eq(engine_write(engine, b, l->contents[b]), STATUS_OK, "%s", failure_text());
    return engine;
}

/* Compute two frames on a backend with SPRINGBACK_OPENCL=`override`. Then store the positions of all nodes in `out`,
 * followed by the velocities of all nodes. */
static void state_on(const struct subject *l, const char *backend, const char *override, quad *out) {
    const int nodes = (int)l->program.buffers[POSITION].items;
    struct backend_choice choice;
    cr_assert_eq(setenv("SPRINGBACK_OPENCL", override, 1), 0);
    struct engine *engine = engine_of(l, backend, &choice);
    for (int f = 0; f < 2; ++f)
        cr_assert_eq(engine_advance(engine), STATUS_OK, "%s", failure_text());
    cr_assert_eq(engine->step, 6);
    cr_assert_eq(engine_read(engine, POSITION, out), STATUS_OK);
    cr_assert_eq(engine_read(engine, VELOCITY, out + nodes), STATUS_OK);
    engine_close(engine);
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
}

/* The folder in SPRINGBACK_KERNELS, from which OpenCL reads the functions of the kernels. */
static char *folder;

static void setup(void) {
    folder = folder_temporary();
    char *command = text_format("cp '" SOURCE_DIR "'/kernels/dialect.h '" SOURCE_DIR "'/kernels/frame.h '" SOURCE_DIR
                                "'/tests/backend/list_program.h '%s'",
                                folder);
    cr_assert_eq(system(command), 0); /* NOLINT(cert-env33-c) */
    free(command);
    cr_assert_eq(setenv("SPRINGBACK_KERNELS", folder, 1), 0);
}

static void teardown(void) {
    folder_remove(folder);
}

TestSuite(listed, .init = setup, .fini = teardown);

Test(listed, unknown_words_of_backends_and_overrides_are_refused) {
    static const struct {
        const char *backend, *override, *said;
    } table[] = {
        {"threads:+2", "", "unknown backend 'threads:+2'; use threads or threads:N with N from 1 to 4096"},
        {"threads: 2", "", "unknown backend 'threads: 2'"},
        {"opencl:-0", "", "unknown backend 'opencl:-0'; use opencl, opencl:N (N from 0), opencl:gpu or opencl:cpu"},
        {"opencl", "none", "SPRINGBACK_OPENCL has the unknown word 'none'; its words are launches"},
        {"opencl", "one  lane=4", "SPRINGBACK_OPENCL has the unknown word 'lane=4'"},
        {"opencl", "lanes=-4", "SPRINGBACK_OPENCL has the unknown word 'lanes=-4'"},
        {"opencl", "lanes=4x", "SPRINGBACK_OPENCL has the unknown word 'lanes=4x'"},
        {"opencl", "lanes=", "SPRINGBACK_OPENCL has the unknown word 'lanes='"},
    };
    struct backend_choice choice;
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        failure_clear();
        cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].override, 1), 0);
        cr_expect_eq(backend_choose(table[t].backend, &choice), STATUS_BAD, "%s", table[t].said);
        cr_expect(strstr(failure_text(), table[t].said), "expected \"%s\" in the message:\n%s", table[t].said,
                  failure_text());
    }
    cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
    failure_clear();
}

Test(listed, colours_end_in_the_same_bits_everywhere) {
    static const struct {
        int nodes;
        const char *backend, *override;
    } table[] = {{8, "threads:3", ""},
                 {8, "opencl", "one ahead lanes=4"},
                 {301, "threads:1", ""},
                 {301, "threads:2", ""},
                 {301, "opencl", ""},
                 {301, "opencl", "launches"},
                 {301, "opencl", "one behind lanes=64"},
                 {301, "opencl", "one ahead lanes=150"},
                 {301, "opencl", "one ahead global lanes=16"},
                 {5000, "threads:1", ""},
                 {5000, "threads:2", ""},
                 {5000, "threads:3", ""},
                 {5000, "opencl", ""},
                 {5000, "opencl", "one"},
                 {5000, "opencl", "one ahead lanes=832"}};
    for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
        struct subject l;
        listed_create(&l, table[t].nodes);
        const size_t bytes = 2 * (size_t)table[t].nodes * sizeof(quad);
        quad *reference = memory_new(bytes, 1), *state = memory_new(bytes, 1);
        state_on(&l, "serial", "", reference);
        cr_expect(reference[0].x == reference[0].x, "a position is NaN");
        cr_expect_neq(memcmp(reference, l.contents[POSITION], bytes / 2), 0, "no node has moved");
        state_on(&l, table[t].backend, table[t].override, state);
        cr_expect_arr_eq(state, reference, bytes, "%d nodes on %s %s", table[t].nodes, table[t].backend,
                         table[t].override);
        free(reference);
        free(state);
        listed_free(&l);
    }
}

/* The test runs two programs with a STAGE_SUM over all nodes. If `within` is 0, the sum is at the end of a step. If
 * `within` is 1, the sum is in each iteration of STAGE_REPEAT. OpenCL runs both programs by launches and in frame
 * kernels. */
Test(listed, a_list_is_added_up_in_the_same_bits_everywhere) {
    static const struct {
        const char *backend, *override;
    } table[] = {{"serial", ""},          {"threads:2", ""},          {"opencl", "launches"},
                 {"opencl", "one ahead"}, {"opencl", "one lanes=16"}, {"opencl", "one global lanes=300"}};
    struct subject l;
    listed_create(&l, 3000);
    l.program.stages[9] = (struct stage){STAGE_SUM, VELOCITY, TOTAL_VELOCITY, 0};
    l.program.stages[l.program.stage_count++] = (struct stage){STAGE_END, 0, 0, 0};
    for (int within = 0; within < 2; ++within) {
        quad total[sizeof table / sizeof *table];
        if (within) {
            l.program.stages[6] = (struct stage){STAGE_SUM, PREDICTED, TOTAL_VELOCITY, 0};
            l.program.stages[9] = (struct stage){STAGE_SWAP, BLENDED, BLENDED, 0};
        }
        for (size_t t = 0; t < sizeof table / sizeof *table; ++t) {
            struct backend_choice choice;
            cr_assert_eq(setenv("SPRINGBACK_OPENCL", table[t].override, 1), 0);
            struct engine *engine = engine_of(&l, table[t].backend, &choice);
            cr_assert_eq(engine_advance(engine), STATUS_OK, "%s", failure_text());
            cr_assert_eq(engine_read(engine, TOTAL_VELOCITY, &total[t]), STATUS_OK);
            cr_expect_neq(total[t].x, 0);
            cr_expect_arr_eq(&total[t], &total[0], sizeof *total, "%s %s", table[t].backend, table[t].override);
            engine_close(engine);
            cr_assert_eq(unsetenv("SPRINGBACK_OPENCL"), 0);
        }
    }
    listed_free(&l);
}

/* ---- The rules of frame_shape.h, for devices that this machine does not have ---- */

static const struct device h100 = {
    .local_memory = 49152, .compute_units = 132, .max_group_size = 1024, .is_gpu = true, .has_global_barrier = true};
static const struct device other_gpu = {
    .local_memory = 32768, .compute_units = 20, .max_group_size = 256, .is_gpu = true};
static const struct device processor = {.local_memory = 1 << 20, .compute_units = 16, .max_group_size = 4096};

/* Whether a buffer of the kind BUFFER_SPARE with `rest` items (4 bytes each) is stored in local memory, together with
 * the frame buffers of 1,000 nodes (32 bytes each). */
static bool is_spare_local(const struct device *device, size_t rest) {
    static const struct shape_override none = {.lanes = 0};
    struct subject l;
    struct frame_shape shape = {.lanes = 0};
    listed_create(&l, 1000);
    l.program.buffers[REST].items = rest;
    l.program.buffers[REST].sharing = BUFFER_SPARE;
    cr_expect(frame_shape_choose(device, &l.program, &none, &shape));
    cr_expect(shape.is_frame_local);
    listed_free(&l);
    return shape.is_spare_local;
}

/* Expect that a frame runs as one kernel if and only if `is_one` is true, and that its shape is `expected`. */
static void expect_shape(const struct device *device, int nodes, const struct shape_override *override, bool is_one,
                         struct frame_shape expected, const char *what) {
    struct subject l;
    struct frame_shape shape = {.lanes = 0};
    listed_create(&l, nodes);
    cr_expect_eq(frame_shape_choose(device, &l.program, override, &shape), is_one, "%s", what);
    cr_expect(shape.lanes == expected.lanes && shape.work_groups == expected.work_groups &&
                  shape.is_frame_local == expected.is_frame_local && shape.prefetches == expected.prefetches,
              "%s: %zu lanes, %d groups%s%s", what, shape.lanes, shape.work_groups,
              shape.is_frame_local ? ", in local memory" : "", shape.prefetches ? ", with prefetching" : "");
    listed_free(&l);
}

Test(listed, the_rule_for_a_frame_in_one_kernel) {
    static const struct shape_override none = {.lanes = 0};
    expect_shape(&h100, 1000, &none, true, (struct frame_shape){512, 1, true, true, .has_no_cache = false},
                 "500 items a colour, all in local memory");
    expect_shape(&h100, 1536, &none, true, (struct frame_shape){512, 1, true, true, .has_no_cache = false},
                 "frame buffers of 49152 bytes, the whole local memory");
    expect_shape(&h100, 1537, &none, true, (struct frame_shape){64, 12, false, true, .has_no_cache = false},
                 "frame buffers of 49184 bytes: many groups");
    expect_shape(&h100, 1000, &(struct shape_override){.many_groups = true, .no_prefetch = true}, true,
                 (struct frame_shape){64, 8, false, false, .has_no_cache = false},
                 "many groups without prefetching, requested");
    expect_shape(&h100, 3000, &(struct shape_override){.one_group = true, .lanes = 256}, true,
                 (struct frame_shape){256, 1, false, true, .has_no_cache = false},
                 "one group, requested, though the frame buffers do not fit into local memory");
    expect_shape(&h100, 40000, &none, true, (struct frame_shape){256, 79, false, true, .has_no_cache = false},
                 "20,000 items a colour");
    expect_shape(&h100, 80000, &none, false, (struct frame_shape){0, 0, false, false, .has_no_cache = false},
                 "a colour needs more groups than compute units");
    expect_shape(&other_gpu, 512, &none, true, (struct frame_shape){256, 1, true, true, .has_no_cache = false},
                 "another GPU");
    expect_shape(&other_gpu, 600, &none, false, (struct frame_shape){0, 0, false, false, .has_no_cache = false},
                 "a colour has more items than a group has lanes");
    expect_shape(&other_gpu, 600, &(struct shape_override){.many_groups = true}, false,
                 (struct frame_shape){0, 0, false, false, .has_no_cache = false}, "many groups need a global barrier");
    expect_shape(&processor, 2048, &none, true, (struct frame_shape){CPU_LANES, 1, true, false, .has_no_cache = false},
                 "a processor");
    expect_shape(&processor, 2050, &none, false, (struct frame_shape){0, 0, false, false, .has_no_cache = false},
                 "more items a colour than CPU_COLOUR_ITEMS");
}

Test(listed, what_lives_for_a_frame_is_local_only_with_what_it_is_exchanged_with) {
    struct subject l;
    struct frame_shape shape;
    const struct shape_override none = {.lanes = 0};
    listed_create(&l, 300);
    cr_assert(frame_shape_choose(&processor, &l.program, &none, &shape) && shape.is_frame_local);
    l.program.buffers[BLENDED].sharing = BUFFER_SHARED;
    cr_assert(frame_shape_choose(&processor, &l.program, &none, &shape));
    cr_expect_not(shape.is_frame_local);
    listed_free(&l);
}

/* The sums of a group need local memory, so less is left for buffers of the kind BUFFER_FRAME. */
Test(listed, a_sum_takes_local_memory) {
    struct subject l;
    struct frame_shape shape;
    const struct shape_override none = {.lanes = 0};
    listed_create(&l, 1536);
    cr_assert(frame_shape_choose(&h100, &l.program, &none, &shape) && shape.is_frame_local);
    l.program.stages[5] = (struct stage){STAGE_SUM, PREDICTED, TOTAL_VELOCITY, 0};
    cr_assert(frame_shape_choose(&h100, &l.program, &none, &shape));
    cr_expect_not(shape.is_frame_local);
    listed_free(&l);
}

/* If the prefetched data of all colours fit into the register cache, the group has one lane for each item of the
 * largest colour, rounded up to whole warps. */
Test(listed, what_lanes_can_hold_makes_a_group_wide) {
    struct subject l;
    struct frame_shape shape;
    const struct shape_override none = {.lanes = 0};
    listed_create(&l, 1380); /* at most 690 pairs in a colour */
    l.program.stages[4] = (struct stage){STAGE_SWAP, PREDICTED, PREDICTED, 0};
    cr_assert(frame_shape_choose(&h100, &l.program, &none, &shape));
    cr_expect_eq(shape.lanes, 512, "the size of prefetched data is unknown: %zu lanes", shape.lanes);
    l.program.kernels[EDGE].hints.prefetched_words = 3;
    cr_assert(frame_shape_choose(&h100, &l.program, &none, &shape));
    cr_expect_eq(shape.lanes, 704, "7 colours of 3 words fit into the register cache: %zu lanes", shape.lanes);
    l.program.kernels[EDGE].hints.prefetched_words = 7;
    cr_assert(frame_shape_choose(&h100, &l.program, &none, &shape));
    cr_expect_eq(shape.lanes, 512, "7 colours of 7 words do not fit into the register cache: %zu lanes", shape.lanes);
    listed_free(&l);
}

/* Returns how many iterations `lanes` lanes need for all colours together. In one iteration, each lane processes at
 * most one item. */
static int passes_of_all(const struct subject *l, int lanes) {
    int passes = 0;
    for (int k = 0; k < 2; ++k)
        for (int c = 0; c < l->program.colourings[k].colours; ++c)
            passes += (l->program.colourings[k].start[c + 1] - l->program.colourings[k].start[c] + lanes - 1) / lanes;
    return passes;
}

/* The BUFFER_FRAME buffers fit into this device's local memory. One group is used if colours are small compared with
 * the kernels' grain (kernel_hints). If kernels need few registers, the group has the smallest number of lanes that
 * needs no more iterations than the largest possible group (passes_of_all). */
Test(listed, one_group_takes_what_is_light) {
    struct subject l;
    struct frame_shape shape;
    struct device roomy = h100;
    const struct shape_override none = {.lanes = 0};
    roomy.local_memory = 226 << 10;
    listed_create(&l, 2600); /* a colour has at most 1,300 pairs or 650 groups of four */
    l.program.kernels[EDGE].hints.grain = l.program.kernels[FOUR].hints.grain = 2048;
    cr_assert(frame_shape_choose(&roomy, &l.program, &none, &shape));
    cr_expect(shape.work_groups == 1 && shape.is_frame_local && shape.prefetches_all && shape.lanes == 512, "%zu lanes",
              shape.lanes);
    l.program.hints.low_register = true;
    cr_assert(frame_shape_choose(&roomy, &l.program, &none, &shape));
    const int at_least = passes_of_all(&l, 1024);
    cr_expect_eq(passes_of_all(&l, (int)shape.lanes), at_least, "%zu lanes need more iterations than 1024 lanes",
                 shape.lanes);
    cr_expect_gt(passes_of_all(&l, (int)shape.lanes - 32), at_least, "32 lanes fewer than %zu need no more iterations",
                 shape.lanes);
    l.program.kernels[EDGE].hints.grain = l.program.kernels[FOUR].hints.grain = 256;
    cr_assert(frame_shape_choose(&roomy, &l.program, &none, &shape));
    cr_expect(shape.work_groups > 1 && !shape.is_frame_local,
              "colours of more than two thirds of the grain must use many groups");
    listed_free(&l);
}

Test(listed, what_is_spare_lies_in_local_memory_where_all_of_it_fits) {
    cr_expect(is_spare_local(&h100, (49152 - 32000) / 4));
    cr_expect_not(is_spare_local(&h100, (49152 - 32000) / 4 + 1));
    cr_expect_not(is_spare_local(&h100, 1 << 20));
    cr_expect_not(is_spare_local(&h100, 0), "a buffer without items is not in local memory");
}
